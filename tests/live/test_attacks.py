"""Attacks on the bridge, each as somebody would try it. None gets in, and none makes it ask another host."""

import http.client
import json
from typing import Any

import pytest

from bridging import TOKEN, Page, bridge, refused, some_requests, workload
from engine.live.bridge.app import make_app
from engine.live.bridge.limits import Limits
from engine.live.bridge.options import Options
from engine.live.bridge.problems import Problem
from engine.live.bridge.security import Door, new_token
from engine.live.bridge.target import Target
from patience import PATIENCE
from pretended import Handler, answering, serving

KEY = "the-servers-own-key"


@pytest.fixture(scope="module")
def page() -> Any:
    with serving(answering()) as server, bridge(server.url, limits=Limits(max_total_tokens=10_000)) as found:
        yield found


def test_a_foreign_origin_is_refused_with_the_right_token(page: Page) -> None:
    for origin in ("https://evil.example", "null", f"http://127.0.0.1:{page.port}.evil.example", "http://127.0.0.1:1"):
        headers = refused(page.ask("GET", "/api/backend", Origin=origin), 403)
        assert "access-control-allow-origin" not in headers
        headers = refused(page.ask("OPTIONS", "/api/runs", Origin=origin, Access_Control_Request_Method="POST"), 403)
        assert "access-control-allow-origin" not in headers


def test_the_own_origin_is_let_in_and_named_exactly(page: Page) -> None:
    own = f"http://127.0.0.1:{page.port}"
    status, _, headers = page.ask("GET", "/api/backend", Origin=own)
    assert (status, headers["access-control-allow-origin"], headers["vary"]) == (200, own, "Origin")


def test_an_origin_that_was_allowed_gets_its_preflight() -> None:
    friend = "https://course.example"
    with serving() as server, bridge(server.url, origins=(friend,)) as page:
        status, _, headers = page.ask(
            "OPTIONS", "/api/runs", Authorization=None, Origin=friend,
            Access_Control_Request_Method="POST", Access_Control_Request_Private_Network="true",
        )  # fmt: skip
        assert status == 204
        assert headers["access-control-allow-origin"] == friend
        assert headers["access-control-allow-private-network"] == "true"
        assert {"Authorization", "Content-Type", "Last-Event-ID"} == set(
            headers["access-control-allow-headers"].split(", ")
        )
        refused(page.ask("GET", "/api/backend", Origin=friend + ".evil.example"), 403)


def test_a_foreign_host_is_refused_whatever_is_asked_for(page: Page) -> None:
    for host in ("evil.example", f"evil.example:{page.port}", "127.0.0.1", "127.0.0.1:1", ""):
        refused(page.ask("GET", "/api/backend", Host=host), 421)
        refused(page.ask("GET", "/", Host=host), 421)


def test_nothing_is_told_without_the_token(page: Page) -> None:
    run = page.begin(some_requests(1))
    page.events(run)
    for method, path in (
        ("GET", "/api/backend"), ("POST", "/api/runs"), ("GET", f"/api/runs/{run}/events"),
        ("GET", f"/api/runs/{run}/trace"), ("DELETE", f"/api/runs/{run}"), ("GET", "/api/nothing"),
    ):  # fmt: skip
        refused(page.ask(method, path, Authorization=None), 401)
    refused(page.ask("GET", f"/api/backend?token={TOKEN}", Authorization=None), 401)
    refused(page.ask("GET", "/api/backend", Authorization=None, Cookie=f"token={TOKEN}"), 401)


def test_wrong_tokens_are_refused_and_too_many_of_them_end_it_for_a_minute() -> None:
    now = [0.0]
    door = Door(TOKEN, 1, limits=Limits(wrong_tokens_a_minute=5), clock=lambda: now[0])
    right = {"authorization": f"Bearer {TOKEN}"}
    for guess in ("", "Basic x", "Bearer", f"Bearer {TOKEN}x", f"bearer{TOKEN}", "Bearer é"):
        if len(guess.split()) > 1:
            now[0] += 1
        with pytest.raises(Problem, match="token"):
            door.check_token({"authorization": guess} if guess else {})
    door.check_token(right)
    for _ in range(5):
        with pytest.raises(Problem):
            door.check_token({"authorization": "Bearer guess"})
    with pytest.raises(Problem) as caught:
        door.check_token(right)
    assert caught.value.status == 429
    now[0] += 61
    door.check_token(right)


def test_guessing_over_http_is_stopped() -> None:
    with serving() as server, bridge(server.url, limits=Limits(wrong_tokens_a_minute=4)) as page:
        statuses = [page.ask("GET", "/api/backend", Authorization=f"Bearer {n}")[0] for n in range(6)]
        assert statuses == [401, 401, 401, 401, 429, 429]
        refused(page.ask("GET", "/api/backend"), 429)


def test_a_token_expires() -> None:
    now = [0.0]
    door = Door(TOKEN, 1, clock=lambda: now[0])
    door.check_token({"authorization": f"Bearer {TOKEN}"})
    now[0] = 24 * 3600
    with pytest.raises(Problem, match="expired") as caught:
        door.check_token({"authorization": f"Bearer {TOKEN}"})
    assert caught.value.status == 401


def test_tokens_are_long_and_never_alike() -> None:
    assert len({new_token() for _ in range(100)}) == 100
    assert min(len(new_token()) for _ in range(100)) >= 43


def test_no_path_and_no_redirect_leads_to_another_host() -> None:
    reached: list[str] = []

    def elsewhere(handler: Handler, body: dict[str, Any]) -> None:
        handler.answer(307, "", Location=f"{other.url}/v1/completions")

    def told(handler: Handler, body: dict[str, Any]) -> None:
        reached.append(handler.path)

    with serving(told) as other, serving(elsewhere) as server, bridge(server.url, key=KEY) as page:
        events = page.run(some_requests(2))
        assert [value["event"] for value in events if value.get("event") == "rejected"] == ["rejected"] * 2
        assert "status 307" in events[-1]["why"]
        for path in (
            f"/{other.url}/",
            f"/api/{other.url}",
            f"//{other.url.removeprefix('http://')}/",
            "/api/runs/../x",
        ):
            assert page.ask("GET", path)[0] in (404, 405)
        connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=PATIENCE)
        connection.set_tunnel(other.url.removeprefix("http://"))
        with pytest.raises(OSError, match="Tunnel"):
            connection.request("GET", "/")
        connection.close()
        assert not reached
        assert not other.asked
    assert {headers["Authorization"] for path, headers in server.asked if "models" in path} == {f"Bearer {KEY}"}


def test_a_server_that_redirects_isnt_followed_when_it_is_looked_for() -> None:
    with serving() as other:
        away = {"v1__models": lambda handler: handler.answer(302, "", Location=f"{other.url}/v1/models")}
        with serving(**away) as server, bridge(server.url) as page:
            refused(page.ask("GET", "/api/backend"), 502)
        assert not other.asked


def test_the_servers_key_reaches_no_page() -> None:
    with serving(answering()) as server, bridge(server.url, key=KEY) as page:
        told = json.dumps(page.ask("GET", "/api/backend")[1:])
        run = page.begin(some_requests(2))
        told += json.dumps(page.events(run)) + str(page.ask("GET", f"/api/runs/{run}/trace"))
        told += json.dumps(page.ask("GET", "/api/nothing")[1:])
        assert KEY not in told
    assert KEY not in repr(Options(target=Target(server.url, KEY)))
    assert {headers["Authorization"] for _, headers in server.asked if headers} == {f"Bearer {KEY}"}


def test_one_run_at_a_time_and_only_by_its_name() -> None:
    with serving(answering(0.05)) as server, bridge(server.url) as page:
        run = page.begin(some_requests(1, max_tokens=100))
        refused(page.ask("POST", "/api/runs", workload(some_requests(1))), 409)
        refused(page.ask("DELETE", "/api/runs/another"), 404)
        refused(page.ask("GET", "/api/runs/another/events"), 404)
        assert page.ask("DELETE", f"/api/runs/{run}")[0] == 200
        assert page.begin(some_requests(1)) != run


def test_every_answer_says_how_it_may_be_used(page: Page) -> None:
    for path in ("/api/backend", "/api/nothing", "/"):
        headers = page.ask("GET", path)[2]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "frame-ancestors" in headers["content-security-policy"]
    assert page.ask("GET", "/api/backend")[2]["cache-control"] == "no-store"


def test_methods_that_arent_there_are_refused(page: Page) -> None:
    for method in ("PUT", "PATCH", "TRACE"):
        refused(page.ask(method, "/api/backend"), 405)
    assert make_app(Options(target=Target("http://127.0.0.1:1")), TOKEN).debug is False
