"""The bridge against pretended servers: a run from its first event to its end."""

from pathlib import Path

from bridging import bridge, some_requests
from engine.trace import Trace
from pretended import answering, serving


def test_it_says_what_the_server_is_and_what_it_cant_give() -> None:
    with serving() as server, bridge(server.url) as page:
        status, found, _ = page.ask("GET", "/api/backend")
        assert status == 200
        assert (found["kind"], found["model"], found["gives"]) == ("openai", "pretended", ["tokens"])
        assert {"steps", "metrics", "kv_events"} <= {lack["what"] for lack in found["lacks"]}
        assert found["run"] is None
        assert found["limits"]["max_requests"] == 5_000


def test_a_run_is_told_from_its_header_to_its_end() -> None:
    with serving(answering()) as server, bridge(server.url) as page:
        run = page.begin(some_requests(3))
        events = page.events(run)
        assert [number for number, _ in events] == list(range(1, len(events) + 1))
        told = [value for _, value in events]
        assert told[0]["format"] == "inside-the-batch.trace"
        assert told[0]["source"] == "live"
        assert told[-1]["event"] == "end"
        assert told[-1]["complete"] is True
        _, text, _ = page.ask("GET", f"/api/runs/{run}/trace")
        trace = Trace.from_jsonl(text)
        kinds = [type(record).__name__ for record in trace.records]
        assert [kinds.count(name) for name in ("Arrived", "FirstToken", "Tokens", "Finished")] == [3, 3, 9, 3]
        assert page.ask("GET", "/api/backend")[1]["run"] == {"run": run, "name": "a workload", "active": False}
    assert [len(body["prompt"]) for body in server.bodies] == [8, 8, 8]
    assert all(1_000 <= token < 30_000 for body in server.bodies for token in body["prompt"])


def test_the_course_is_served_on_the_same_origin_and_nothing_beside_it(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "live").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    for name, text in (("index.html", "home"), ("live/index.html", "live"), ("a.mjs", "1"), ("a.wasm", "2")):
        (site / name).write_text(text, "utf-8")
    with serving() as server, bridge(server.url, site=site) as page:
        found = {path: page.ask("GET", path, Authorization=None) for path in ("/", "/live/", "/a.mjs", "/a.wasm")}
        assert [answer[:2] for answer in found.values()] == [(200, "home"), (200, "live"), (200, "1"), (200, "2")]
        assert found["/a.mjs"][2]["content-type"].startswith("text/javascript")
        assert found["/a.wasm"][2]["content-type"] == "application/wasm"
        for path in ("/../secret.txt", "/%2e%2e/secret.txt", "/live/..%2f..%2fsecret.txt", "/api/../secret.txt"):
            status, text, _ = page.ask("GET", path)
            assert (status == 404, "secret" in text) == (True, False) or status in (401, 405)


def test_the_same_content_gives_the_same_tokens_and_other_content_others() -> None:
    requests = [
        {"at": 0, "id": "a", "num_prompt_tokens": 40, "max_tokens": 2, "beginning": [[1, 20], [2, 10]]},
        {"at": 0, "id": "b", "num_prompt_tokens": 30, "max_tokens": 2, "beginning": [[1, 20]]},
    ]
    with serving(answering()) as server, bridge(server.url, token_ids=(10, 500)) as page:
        page.run(requests)
        bodies = {len(body["prompt"]): body["prompt"] for body in server.bodies}
        page.run(requests)
    assert bodies[40][:20] == bodies[30][:20]
    assert bodies[40][20:] != bodies[30][20:]
    assert all(10 <= token < 500 for prompt in bodies.values() for token in prompt)
    assert bodies[40] not in [body["prompt"] for body in server.bodies[2:]], "another run finds nothing cached"


def test_requests_are_sent_at_their_times_and_how_late_is_told() -> None:
    with serving(answering()) as server, bridge(server.url) as page:
        told = page.run(some_requests(10, gap=30_000_000))
    *each, all_of_them = [value for value in told if value.get("event") == "lateness"]
    assert [value["due"] for value in each] == [number * 30_000_000 for number in range(10)]
    assert min(value["late"] for value in each) >= 0
    assert all_of_them["count"] == 10
    assert all_of_them["p50"] <= all_of_them["p99"] <= all_of_them["max"]
    arrived = [value["at"] for value in told if value.get("event") == "arrived"]
    assert all(at >= value["due"] for at, value in zip(arrived, each, strict=True))


def test_a_priority_and_a_salt_reach_the_server() -> None:
    with serving(answering()) as server, bridge(server.url) as page:
        page.run(some_requests(1, priority=3, cache_salt="mine"))
    assert {"priority": 3, "cache_salt": "mine", "stream": True, "temperature": 0}.items() <= server.bodies[0].items()
