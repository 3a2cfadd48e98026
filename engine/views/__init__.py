"""Views of a trace: pictures, tables and words. Each is a pure function, and none knows another's source."""

from html import escape

from engine.trace import Trace
from engine.views.blocks import blocks_svg, blocks_table, blocks_words
from engine.views.perfetto import perfetto_json
from engine.views.prefix import Prompt, prefix_svg, prefix_table, prefix_words
from engine.views.schedule import schedule_svg
from engine.views.words import schedule_table, schedule_words

__all__ = [
    "Prompt",
    "blocks_svg",
    "blocks_table",
    "blocks_words",
    "perfetto_json",
    "prefix_svg",
    "prefix_table",
    "prefix_words",
    "schedule_svg",
    "schedule_table",
    "schedule_words",
    "show",
]


def show(trace: Trace) -> str:
    """A trace as a notebook shows it: the picture, the words and, folded away, the table."""
    caption = f"<figcaption>{escape(schedule_words(trace))}</figcaption>"
    return (
        f'<figure class="course-trace">{schedule_svg(trace)}{caption}'
        f"<details><summary>As a table</summary>{schedule_table(trace)}</details></figure>"
    )
