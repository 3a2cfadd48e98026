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


def compiled(body: str) -> tuple[str, list[str]]:
    engine = shared()
    block = compile_figure({"id": "moves", "title": "Moves"}, body, [], engine.shown, engine.value)
    return block.html, [fault.what for fault in block.faults]


def test_the_trace_goes_along_with_the_picture() -> None:
    page, faults = compiled(BODY)
    assert faults == []
    order = [page.index(tag) for tag in ("<course-batch", "<svg", "<template>", "</course-batch>")]
    assert order == sorted(order)
    assert "<template>{&quot;format&quot;:&quot;inside-the-batch.trace&quot;" in page


def test_the_trace_is_no_words() -> None:
    _, faults = compiled(BODY.replace("schedule_words(trace)\n", ""))
    assert faults == ["the figure has no words and no table"]


def test_a_figure_without_a_trace_stands_still() -> None:
    page, faults = compiled(BODY.replace("trace.to_jsonl()\n", ""))
    assert faults == []
    assert "course-batch" not in page
