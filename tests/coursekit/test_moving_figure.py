"""A figure that carries traces: the pictures stand still, and a browser can move them."""

from coursekit.evaluate import shared
from coursekit.figures.figure import compile_figure

BODY = """trace = continuous_batch({"a": 2, "b": 4, "c": 1}, slots=2)
schedule_svg(trace)
schedule_words(trace)
trace.to_jsonl()
---
c takes the seat that a gave up.
"""


def compiled(body: str, **options: str) -> tuple[str, list[str]]:
    engine = shared()
    block = compile_figure({"id": "moves", "title": "Moves", **options}, body, [], engine.shown, engine.value)
    return block.html, [fault.what for fault in block.faults]


def test_the_trace_goes_along_with_the_picture() -> None:
    page, faults = compiled(BODY)
    assert faults == []
    order = [page.index(tag) for tag in ("<trace-player data", "<svg", "<template>", "</trace-player>")]
    assert order == sorted(order)
    assert "<template>{&quot;format&quot;:&quot;inside-the-batch.trace&quot;" in page


def test_the_trace_is_no_words() -> None:
    _, faults = compiled(BODY.replace("schedule_words(trace)\n", ""))
    assert faults == ["the figure has no words and no table"]


def test_a_figure_without_a_trace_stands_still() -> None:
    page, faults = compiled(BODY.replace("trace.to_jsonl()\n", ""))
    assert faults == []
    assert "trace-player" not in page


def test_a_figure_says_where_its_player_opens() -> None:
    page, faults = compiled(BODY, views="timeline blocks", moment="step:2", choice="c")
    assert faults == []
    assert '<trace-player views="timeline blocks" moment="step:2" choice="c" ' in page


def test_the_pictures_may_stay_above_the_player() -> None:
    page, faults = compiled(BODY, keep="pictures")
    assert faults == []
    order = [page.index(tag) for tag in ("<svg", "</svg></div>", "<trace-player data", "<template>")]
    assert order == sorted(order)


def test_a_small_batch_may_move_instead() -> None:
    page, faults = compiled(BODY, moves="batch")
    assert faults == []
    assert "<course-batch data-search-exclude><div" in page


def test_an_option_that_is_not_known_is_refused() -> None:
    assert compiled(BODY, veiws="timeline")[1] == ["a figure has no option veiws"]
