"""The page on the live link says what the code does: limits, endpoints, options, what each server lacks."""

import re
from pathlib import Path

import pytest

from engine.live.bridge.app import PING_SECONDS, SEND_SECONDS
from engine.live.bridge.command import _parser
from engine.live.bridge.limits import Limits
from engine.live.bridge.options import DEFAULT_PORT, FIRST_TOKEN_ID, VOCABULARY
from engine.live.bridge.security import BODY_SECONDS
from engine.live.bridge.serving import HEAD_SECONDS

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "live.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("max_requests", "5,000;"),
        ("max_prompt_tokens", "131,072;"),
        ("max_output_tokens", "16,384;"),
        ("max_total_tokens", "4,000,000 |"),
        ("max_seconds", "seconds of a run | 900 |"),
        ("max_in_flight", "requests that are out at once | 1,024 |"),
        ("max_silence_seconds", "seconds for which a server may be silent | 120 |"),
        ("max_readers", "pages that follow a run | 8 |"),
        ("wrong_tokens_a_minute", "After 60 wrong ones in a minute"),
        ("token_hours", "holds for 24 hours"),
    ],
)
def test_a_limit_is_what_the_page_says(name: str, words: str) -> None:
    assert words in PAGE
    assert f"{getattr(Limits(), name):,}" in re.findall(r"[\d,]*\d", words)


def test_sizes_are_what_the_page_says() -> None:
    limits = Limits()
    assert f"a body | {limits.max_body_bytes >> 20} MiB" in PAGE
    assert f"comes back | {limits.kept_bytes >> 20} MiB" in PAGE
    assert f"a comment every {PING_SECONDS} seconds" in PAGE
    assert f"says nothing for {HEAD_SECONDS:g} seconds is hung up on; a body has {BODY_SECONDS:g}." in PAGE
    assert f"doesn't read for {SEND_SECONDS:g} gives its place" in PAGE
    assert f"({FIRST_TOKEN_ID}-{VOCABULARY}, or" in PAGE
    assert f"`--port {DEFAULT_PORT}`" in PAGE


def test_every_option_stands_on_the_page() -> None:
    options = {text for action in _parser()._actions for text in action.option_strings if text.startswith("--")}
    assert {option for option in options - {"--help"} if f"| `{option}" not in PAGE} == set()
