"""Workloads that the bridge refuses: too long, malformed, from another page, or beyond its limits."""

import json
import socket
from typing import Any

import pytest

from bridging import TOKEN, Page, bridge, refused, some_requests, workload
from engine.live.bridge.limits import Limits
from patience import PATIENCE
from pretended import answering, serving


@pytest.fixture(scope="module")
def page() -> Any:
    with serving(answering()) as server, bridge(server.url, limits=Limits(max_total_tokens=10_000)) as found:
        yield found


def test_bodies_that_are_too_long_are_refused_before_they_are_read() -> None:
    with serving() as server, bridge(server.url, limits=Limits(max_body_bytes=1_000)) as page:
        refused(page.ask("POST", "/api/runs", b"x" * 1_001), 413)
        refused(page.ask("POST", "/api/runs", b"{}", Content_Length="99999999999999999999"), 413)
        with socket.create_connection(("127.0.0.1", page.port), timeout=PATIENCE) as raw:
            head = (
                f"POST /api/runs HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\nAuthorization: Bearer {TOKEN}\r\n"
                "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            raw.sendall(head.encode() + b"400\r\n" + b"x" * 1_024 + b"\r\n")
            assert b" 413 " in raw.recv(4_096)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"\xff\xfe", 400),
        (b"[" * 100_000, 400),
        (b'{"workload": NaN}', 400),
        (b'{"workload": 1e999}', 400),
        (b'{"workload": "\\ud800"}', 400),
        (b'{"\\ud800": {}}', 400),
        (b'{"workload": ' + b"9" * 5_000 + b"}", 400),
        (b"[]", 422),
        (b'{"workload": 1}', 422),
        (json.dumps({"workload": {}}).encode(), 422),
        (json.dumps(workload([]) | {"url": "http://evil.example"}).encode(), 422),
    ],
)
def test_malformed_bodies_are_refused(page: Page, body: bytes, status: int) -> None:
    refused(page.ask("POST", "/api/runs", body), status)


def test_a_form_of_another_page_can_send_no_workload(page: Page) -> None:
    body = json.dumps(workload(some_requests(1))).encode()
    refused(page.ask("POST", "/api/runs", body, Content_Type="text/plain"), 415)
    refused(page.ask("POST", "/api/runs", body, Content_Type="application/x-www-form-urlencoded"), 415)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"num_prompt_tokens": 10**9}, "num_prompt_tokens"),
        ({"num_prompt_tokens": 0}, "num_prompt_tokens"),
        ({"num_prompt_tokens": True}, "num_prompt_tokens"),
        ({"max_tokens": 10**9}, "max_tokens"),
        ({"max_tokens": "4"}, "max_tokens"),
        ({"at": 10**18}, "at"),
        ({"at": -1}, "at"),
        ({"at": 1.5}, "at"),
        ({"cancel_at": 10**400}, "cancel_at"),
        ({"deadline": 10**30}, "deadline"),
        ({"__proto__": {"at": 0}}, "__proto__"),
        ({"x" * 100_000: 1}, "xxx"),
        ({"id": "x" * 200}, "id"),
        ({"id": "two\nlines"}, "id"),
        ({"beginning": [[1, 10**9]]}, "workload"),
        ({"url": "http://evil.example"}, "url"),
        ({"model": "another"}, "model"),
    ],
)
def test_requests_beyond_the_limits_are_refused_with_their_place(
    page: Page, change: dict[str, Any], where: str
) -> None:
    answer = page.ask("POST", "/api/runs", workload(some_requests(1, **change)))
    refused(answer, 422)
    assert where in answer[1]["where"]


def test_a_workload_beyond_the_limits_is_refused(page: Page) -> None:
    refused(page.ask("POST", "/api/runs", workload(some_requests(5_001))), 422)
    refused(page.ask("POST", "/api/runs", workload(some_requests(3, num_prompt_tokens=4_000))), 422)
    refused(page.ask("POST", "/api/runs", workload(some_requests(2, gap=0, id="same"))), 422)
    refused(page.ask("POST", "/api/runs", workload(some_requests(2, gap=-1))), 422)


@pytest.mark.parametrize(("name", "value"), [("seed", 10**400), ("seed", 1.0), ("about", ["x"]), ("name", "x" * 121)])
def test_what_a_workload_says_of_itself_is_bounded(page: Page, name: str, value: Any) -> None:
    body = workload(some_requests(1))
    body["workload"][name] = value
    answer = page.ask("POST", "/api/runs", body)
    refused(answer, 422)
    assert answer[1]["where"] == f"workload.{name}"
    assert len(answer[1]["error"]) < 200
