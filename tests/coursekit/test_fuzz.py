"""Whatever an author's half-written page holds, the reader and the compiler neither crash nor hang."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coursekit.checks.compile import compile_check, compile_pause
from coursekit.evaluate import ExpressionError
from coursekit.project import here
from coursekit.snippets import Ran
from coursekit.source import take_apart
from coursekit.validation.links import link_faults

LESSON = (here().docs / "lessons" / "founding" / "index.md").read_text(encoding="utf-8")
KINDS = (here().docs / "instructors" / "checks.md").read_text(encoding="utf-8")
PIECES = [
    *(
        "",
        "```",
        "~~~",
        "````",
        "---",
        "- [x] ",
        "- [ ] ",
        "1. ",
        "{=",
        "=}",
        "`",
        "\n\n",
        ">",
        "> Missed:",
        "|",
        "|---|",
    ),
    *(
        "## Hint",
        "## Run",
        "## Rubric",
        "## Model answer",
        "kind: grid\n",
        "kind: order\n",
        "kind: text\n",
        "kind: predict\n",
    ),
    *(
        "key: ",
        "draw: n = 1 from (1, 2)\n",
        "where: n\n",
        "variants: 99\n",
        "cells: a\n",
        "answer: number\n",
        "otherwise",
    ),
    *("`/(/`", "`/a*/`", "**", "[x](", "](", "\x00", "\ufeff", "\t", "🦉", "\u2028", "&", "<script>", "filled"),
]
VALUES: list[Any] = [1, 0.5, -3, "a", "", None, True, [], [1, 2], [["a", None], ["b"]], [["a", "b"], ["c", None]]]


class Wild:
    """An engine that answers anything, or nothing."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)

    def __call__(self, expression: str, given: Sequence[str] = ()) -> Any:
        if self.draw.random() < 0.2:
            raise ExpressionError("it gives nothing today")
        if expression.startswith("list("):
            return [value for value in VALUES if self.draw.random() < 0.5]
        return self.draw.choice(VALUES)


def survives(text: str, seed: int) -> None:
    page = take_apart(here().docs / "mutilated.md", text)
    list(link_faults(page, here().docs))
    for fence in page.fences:
        if fence.kind == "check":
            block = compile_check(
                fence.body, Wild(seed), run=lambda code: Ran(code[:9], "" if seed % 3 else "failed", 1)
            )
        elif fence.kind == "pause":
            block = compile_pause(fence.body, Wild(seed))
        else:
            continue
        assert block.html or block.faults
        assert all(fault.spot.line >= 0 and fault.what and fault.mend for fault in block.faults)


@settings(max_examples=120, deadline=None)
@given(
    source=st.sampled_from([LESSON, KINDS]),
    cuts=st.lists(st.floats(0, 1), min_size=1, max_size=4),
    pieces=st.lists(st.sampled_from(PIECES), min_size=4, max_size=4),
    seed=st.integers(0, 999),
)
def test_no_mutilated_page_breaks_the_compiler(source: str, cuts: list[float], pieces: list[str], seed: int) -> None:
    text = source
    for cut, piece in zip(cuts, pieces, strict=False):
        at = int(cut * len(text))
        text = text[:at] + piece + text[at + seed % 300 :]
    survives(text, seed)


@settings(max_examples=150, deadline=None)
@given(
    pieces=st.lists(st.sampled_from([*PIECES, "\n", "id: a\n", "- [x] 1 = `1`\n", "a", " "]), max_size=30),
    seed=st.integers(0, 99),
)
def test_no_heap_of_pieces_breaks_the_compiler(pieces: list[str], seed: int) -> None:
    survives("```check\nid: a\n" + "".join(pieces) + "\n```\n", seed)


@pytest.mark.parametrize("kind", ["text", "order", "grid", "number", "multi"])
def test_a_very_long_block_takes_no_time_to_speak_of(kind: str) -> None:
    """Twice as long may take twice as long, not four times: the measure is processor time."""

    def seconds(size: int) -> float:
        lines = "".join(f"- [ ] word {n} = `{n}`\n  > No.\n1. thing {n}\n" for n in range(size))
        body = f"id: a\nkind: {kind}\n---\nWhich?\n\n| a | b |\n|---|---|\n" + "| 1 | x |\n" * size + "\n" + lines
        before = time.process_time()
        compile_check(body, lambda expression: 1)
        return time.process_time() - before

    seconds(20)
    assert seconds(400) < max(8 * seconds(100), 0.5)


def test_a_page_that_is_only_openings_ends() -> None:
    text = "\n".join(["```check", "id: a", "---", "> - [ ] x", "~~~pause"] * 200)
    before = time.process_time()
    survives(text, 1)
    assert time.process_time() - before < 5
