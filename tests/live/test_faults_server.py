"""A model server that dies, hangs, lies or is another one. Nothing hangs, and what came is kept and marked."""

import json
import socket
import time
from typing import Any

import pytest

from bridging import bridge, some_requests
from engine.live.bridge.limits import Limits
from keeping import broken, kept
from pretended import Handler, answering, serving


def test_a_server_that_is_killed_in_the_middle() -> None:
    def dies(handler: Handler, body: dict[str, Any]) -> None:
        handler.stream()
        handler.tell({"choices": [{"text": "a", "finish_reason": None}]})
        handler.connection.shutdown(socket.SHUT_RDWR)

    with serving(dies) as server, bridge(server.url) as page:
        run = page.begin(some_requests(3))
        broken(page.events(run), "3 × ")
        kinds = [type(record).__name__ for record in kept(page, run).records]
    assert [kinds.count(name) for name in ("Arrived", "FirstToken", "Cancelled")] == [3, 3, 3]


def test_a_server_that_is_gone() -> None:
    def last(handler: Handler, body: dict[str, Any]) -> None:
        answering()(handler, body)
        handler.server.shutdown()
        handler.server.server_close()

    with serving(last) as server, bridge(server.url) as page:
        assert page.ask("GET", "/api/backend")[0] == 200
        run = page.begin(some_requests(2, gap=1_000_000_000))
        broken(page.events(run), "the server can't be reached")
        assert kept(page, run).requests()
        status, body, _ = page.ask("GET", "/api/backend")
    assert (status, body["where"]) == (502, "the model server")
    assert body["run"] == {"run": run, "name": "a workload", "active": False}, "what came of it can still be had"


def test_a_server_that_never_answers_a_request() -> None:
    def silent(handler: Handler, body: dict[str, Any]) -> None:
        time.sleep(4)

    with serving(silent) as server, bridge(server.url, limits=Limits(max_silence_seconds=1)) as page:
        run = page.begin(some_requests(2))
        broken(page.events(run), "silent for too long")


def test_a_server_that_never_answers_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.live.bridge.target.PROBE_SECONDS", 0.5)
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        with bridge(f"http://127.0.0.1:{deaf.getsockname()[1]}") as page:
            status, body, _ = page.ask("GET", "/api/backend")
    assert status == 502
    assert "doesn't answer" in body["error"]


def test_a_run_that_takes_too_long_is_ended() -> None:
    with serving(answering(0.05)) as server, bridge(server.url, limits=Limits(max_seconds=1)) as page:
        began = time.monotonic()
        run = page.begin(some_requests(2, max_tokens=1_000))
        broken(page.events(run), "longer than 1 s")
        assert time.monotonic() - began < 25, "all of it takes 50 s"
        assert kept(page, run).records


RUBBISH: dict[str, Any] = {
    "no JSON": "rubbish",
    "a list": [1],
    "no choices": {"choices": 5},
    "an error": {"error": {"message": "secret words"}},
    "deep": "[" * 50_000,
}


@pytest.mark.parametrize("name", RUBBISH)
def test_a_server_that_streams_rubbish(name: str) -> None:
    def complete(handler: Handler, body: dict[str, Any]) -> None:
        handler.stream()
        handler.tell({"choices": [{"text": "a"}], "usage": {"completion_tokens": "many"}})
        handler.tell(RUBBISH[name])

    with serving(complete) as server, bridge(server.url) as page:
        run = page.begin(some_requests(1))
        events = page.events(run)
        broken(events, "1 × ")
        assert "secret words" not in json.dumps(events)
        assert kept(page, run).requests()


def test_a_line_that_never_ends_is_given_up() -> None:
    def endless(handler: Handler, body: dict[str, Any]) -> None:
        handler.stream()
        while True:
            handler.wfile.write(b"x" * 65_536)

    with serving(endless) as server, bridge(server.url) as page:
        broken(page.events(page.begin(some_requests(1))), "a line without an end")


def test_counts_of_tokens_that_cant_be_are_no_tokens() -> None:
    def lies(handler: Handler, body: dict[str, Any]) -> None:
        handler.stream()
        for count in (3, 1, -5, True, 4):
            handler.tell({"choices": [{"text": "a", "finish_reason": None}], "usage": {"completion_tokens": count}})
        handler.tell({"choices": [{"text": "", "finish_reason": "stop"}], "usage": None})

    with serving(lies) as server, bridge(server.url) as page:
        told = page.run(some_requests(1))
    assert told[-1]["complete"]
    assert [value["num_output_tokens"] for value in told if value.get("event") == "finished"] == [4]


def test_a_wrong_key_is_said_without_the_key() -> None:
    refuses = {"v1__models": lambda handler: handler.answer(401, "{}")}
    with serving(**refuses) as server, bridge(server.url, key="wrong-key") as page:
        status, body, _ = page.ask("GET", "/api/backend")
    assert status == 502
    assert "refuses the key" in body["error"]
    assert "ENGINE_LIVE_API_KEY" in body["mend"]
    assert "wrong-key" not in json.dumps(body)


def test_another_version_of_vllm_is_served_with_what_it_offers() -> None:
    metrics = (
        'vllm:num_requests_running{engine="0"} 3.0\nvllm:cache_config_info{block_size="16",num_gpu_blocks="9"} 1.0\n'
    )
    with serving(version='{"version": "0.19.1"}', metrics=metrics) as server, bridge(server.url) as page:
        found = page.ask("GET", "/api/backend")[1]
        events = page.run(some_requests(2))
    assert (found["kind"], found["version"], found["gives"]) == ("vllm", "0.19.1", ["tokens", "metrics"])
    assert found["settings"] == {"num_blocks": 9, "block_size": 16, "max_model_len": 512}
    assert "0.32.0 only" in next(lack["why"] for lack in found["lacks"] if lack["what"] == "steps")
    assert {"event": "metrics", "running": 3.0}.items() <= next(
        v for v in events if v.get("event") == "metrics"
    ).items()


def test_metrics_that_are_rubbish_are_left_out() -> None:
    with serving(version='{"version": "0.32.0"}', metrics="{{{\n") as server, bridge(server.url) as page:
        events = page.run(some_requests(2))
    assert events[-1]["complete"]
    assert not [value for value in events if value.get("event") == "metrics"]
