"""The bridge against pretended servers: a run from its first event to its end."""

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
