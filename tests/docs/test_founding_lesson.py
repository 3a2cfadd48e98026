"""The first lesson has everything that a lesson has, and its figures are the engine's."""

from __future__ import annotations

import pytest

from coursekit.course_map import lesson
from coursekit.evaluate import shared
from coursekit.figures.code import given_by
from coursekit.project import here
from coursekit.source import Page, read_page
from coursekit.validate import validate

PATH = here().docs / "lessons" / "founding" / "index.md"
WIDEST_LINE = 60
"""Characters of the code face that fit in a lesson's column."""


@pytest.fixture(scope="module")
def page() -> Page:
    return read_page(PATH)


def test_nothing_is_wrong_with_it() -> None:
    assert validate([PATH], here().root, shared()) == []


def test_it_has_every_part_of_a_lesson(page: Page) -> None:
    entry = lesson(page, here().docs)
    assert (entry["id"], entry["url"]) == ("founding", "lessons/founding/")
    assert entry["title"] == "Batching, cache allocation, and queue discipline"
    sections = {heading["id"] for heading in entry["headings"]}
    assert sections >= {
        "how-to-study",
        "objectives",
        "batching",
        "prefill",
        "pages",
        "prefix",
        "sharing",
        "queue",
        "lab",
    }
    assert {check["id"] for check in entry["checks"]} >= {"warm-benchmark", "reserved-slots"}
    assert [pause["id"] for pause in entry["pauses"]] == ["equal-lengths", "reserve-by-request"]
    assert entry["labs"] == ["founding"]


def test_its_sources_are_linked(page: Page) -> None:
    text = PATH.read_text(encoding="utf-8")
    for source in (
        "https://www.usenix.org/conference/osdi22/presentation/yu",
        "https://arxiv.org/abs/2309.06180",
        "https://arxiv.org/abs/2403.02310",
        "https://arxiv.org/abs/2312.07104",
        "https://docs.vllm.ai/en/stable/configuration/optimization/",
        "https://docs.vllm.ai/en/stable/features/automatic_prefix_caching/",
    ):
        assert f"]({source})" in text.partition("## Sources")[2]


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("[fixed.finish_steps()[job] for job in 'abc']", [2, 4, 5]),
        ("[continuous.finish_steps()[job] for job in 'abc']", [2, 4, 3]),
        ("[reserved_slots(n, page) for _, n in lengths]", [32, 32, 48]),
        ("[internal_waste(n, page) for _, n in lengths]", [15, 1, 15]),
        ("[hit_tokens[name] for name in ('ana', 'ben', 'cleo', 'dan')]", [0, 8, 0, 0]),
        ("[mean_wait_came, mean_wait_short]", [7.0, 1.75]),
        ("[[max(ms[n]), sum(ms[n])] for n in (8, 16, 32)]", [[18, 141], [26, 141], [41, 141]]),
    ],
)
def test_its_figures_are_those_of_the_founding_example(page: Page, expression: str, value: list[float]) -> None:
    given = [part.source for part in given_by(page.fences)]
    assert shared().value(expression, given) == value


def test_code_fits_the_page(page: Page) -> None:
    code = [line for fence in page.fences if fence.kind == "snippet" for line in fence.body.split("\n")]
    assert max(map(len, code)) <= WIDEST_LINE
