"""Files of every format, by the button and by dropping; what can't be read is said with its place."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.playground.driving import SMALL, Playground
from tests.engine import samples

ARRIVALS = {
    "azure.csv": samples.AZURE,
    "burst.csv": samples.BURSTGPT,
    "mooncake.jsonl": samples.MOONCAKE,
    "w.jsonl": samples.WORKLOAD,
}
RESULTS = {
    "bench.json": json.dumps(samples.VLLM, indent=1),
    "guide.json": json.dumps(samples.GUIDELLM),
    "aiperf.jsonl": samples.AIPERF,
}

DROP = """([files, over]) => {
  const data = new DataTransfer();
  for (const { name, text } of files) data.items.add(new File([text], name));
  const on = document.querySelector("course-playground");
  for (const type of over ? ["dragenter"] : ["dragenter", "dragover", "drop"])
    on.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def choose(playground: Playground, *files: tuple[str, bytes]) -> None:
    """Open files with the button's file dialogue."""
    given: Any = [{"name": name, "mimeType": "application/octet-stream", "buffer": data} for name, data in files]
    with playground.page.expect_file_chooser() as asked:
        playground.press("Open a file…")
    asked.value.set_files(given)


def words(playground: Playground) -> Any:
    """What is said of the file."""
    return playground.page.locator(".play-file")


@pytest.mark.long
@pytest.mark.parametrize(("name", "text"), ARRIVALS.items(), ids=ARRIVALS)
def test_arrivals_are_replayed(playground: Playground, name: str, text: str, tmp_path: Any) -> None:
    playground.open("#v=1&num_blocks=200001&max_model_len=100000")
    choose(playground, (name, text.encode()))
    expect(playground.status).to_contain_text("simulated in")
    expect(words(playground)).to_contain_text(name)
    playground.idle()
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert f"--workload {name}" in playground.copied()
    assert playground.values() == playground.by_command(at=tmp_path)


@pytest.mark.long
@pytest.mark.parametrize(("name", "text"), RESULTS.items(), ids=RESULTS)
def test_results_are_shown_and_then_replayed(playground: Playground, name: str, text: str) -> None:
    playground.open("#v=1&num_blocks=200001&max_model_len=100000")
    choose(playground, (name, text.encode()))
    expect(words(playground)).to_contain_text("This file says what a server did.")
    expect(playground.status).to_have_text("The trace is drawn below.")
    recorded = playground.values()
    playground.run()
    assert playground.values() != recorded


def test_a_recording_comes_with_its_meta_file_by_dropping(playground: Playground) -> None:
    playground.open(SMALL)
    files = [
        {"name": "meta.json", "text": json.dumps(samples.RECORDING_META)},
        {"name": "requests.jsonl", "text": samples.RECORDING},
    ]
    playground.page.evaluate(DROP, [files, False])
    expect(words(playground)).to_contain_text("requests.jsonl: recording of a vLLM server, 2 requests.")
    playground.idle()


def test_a_trace_in_steps_is_shown_and_not_replayed(playground: Playground) -> None:
    playground.open(SMALL)
    choose(playground, ("s.trace.jsonl", samples.TRACE.encode()))
    expect(words(playground)).to_contain_text("s.trace.jsonl: trace file of the course")
    playground.idle()


def test_a_packed_file_is_unpacked(playground: Playground) -> None:
    playground.open("#v=1&num_blocks=200001&max_model_len=100000")
    choose(playground, ("azure.csv.gz", gzip.compress(samples.AZURE.encode())))
    expect(words(playground)).to_contain_text("azure.csv.gz: Azure LLM inference trace, 3 requests.")
    playground.idle()


@pytest.mark.long
def test_of_a_long_file_the_beginning_is_taken(playground: Playground) -> None:
    playground.open("#v=1&num_blocks=200001&max_model_len=100000")
    row = "2024-05-10 00:{:02}:{:02}.{:03}0000,20,3\n"
    lines = [row.format(n // 60000 % 60, n // 1000 % 60, n % 1000) for n in range(400_000)]
    choose(playground, ("long.csv", ("TIMESTAMP,ContextTokens,GeneratedTokens\n" + "".join(lines)).encode()))
    expect(words(playground)).to_contain_text(
        "20,000 requests: the beginning of the file, which holds more.", timeout=90_000
    )
    expect(playground.status).to_contain_text("20,000 requests simulated in", timeout=90_000)
    playground.idle()
    assert playground.copied() == "python -m engine simulate --scenario playground.scenario.json"


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("empty.csv", b"", "empty.csv: is empty; expected a workload or a trace"),
        ("photo.jpg", b"\xff\xd8\xff\xe0" * 50, "photo.jpg: byte 0 is no UTF-8; expected a text"),
        (
            "shop.csv",
            b"name,price\nbun,1\n",
            "shop.csv: columns: got name, price; expected those of",
        ),
        (
            "bad.csv",
            samples.AZURE.replace("396", "-3").encode(),
            "bad.csv:3: ContextTokens: got '-3', expected",
        ),
        ("cut.json", json.dumps(samples.VLLM, indent=1)[:300].encode(), "cut.json:"),
        ("cut.csv.gz", gzip.compress(samples.AZURE.encode())[:-9], "cut.csv.gz: can't be unpacked"),
        ("new.trace.jsonl", b'{"format": "inside-the-batch.trace", "schema": 99}\n', "new.trace.jsonl:1"),
        ("<img src=x>.csv", b"a,b\n", "<img src=x>.csv: columns: got a, b"),
    ],
)
def test_what_cant_be_read_is_said_and_the_page_goes_on(
    playground: Playground, name: str, data: bytes, said: str
) -> None:
    playground.open(SMALL)
    playground.run()
    values = playground.values()
    choose(playground, (name, data))
    expect(playground.status).to_contain_text(f"This file can't be read. {said}")
    assert playground.values() == values
    playground.set("Number of requests", "14")
    expect(playground.status).to_contain_text("14 requests simulated in")


@pytest.mark.long
def test_a_bad_meta_file_is_named(playground: Playground) -> None:
    playground.open(SMALL)
    choose(playground, ("meta.json", b"[1]"), ("requests.jsonl", samples.RECORDING.encode()))
    expect(playground.status).to_contain_text("meta.json: expected an object")


@pytest.mark.long
def test_a_file_over_the_page_shows_where_it_can_go(playground: Playground) -> None:
    playground.open(SMALL)
    playground.page.evaluate(DROP, [[{"name": "a.csv", "text": "x"}], True])
    expect(playground.page.locator(".play-drop")).to_be_visible()


@pytest.mark.long
def test_an_opened_file_is_forgotten_when_requests_are_drawn_again(playground: Playground) -> None:
    playground.open("#v=1&num_blocks=200001&max_model_len=100000&num_requests=60")
    choose(playground, ("azure.csv", samples.AZURE.encode()))
    expect(playground.status).to_contain_text("3 requests simulated in")
    playground.press("Draw the requests from the fields instead")
    expect(playground.status).to_contain_text("60 requests simulated in")
    expect(words(playground)).to_be_hidden()
    playground.idle()
