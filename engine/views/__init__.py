"""Views of a trace: pictures, tables and words. Each is a pure function, and none knows another's source."""

from engine.views.blocks import blocks_svg, blocks_table, blocks_words
from engine.views.notebook import notebook_bundle, show
from engine.views.perfetto import perfetto_json
from engine.views.prefix import Prompt, prefix_svg, prefix_table, prefix_words
from engine.views.schedule import schedule_svg
from engine.views.words import schedule_table, schedule_words

__all__ = [
    "Prompt",
    "blocks_svg",
    "blocks_table",
    "blocks_words",
    "notebook_bundle",
    "perfetto_json",
    "prefix_svg",
    "prefix_table",
    "prefix_words",
    "schedule_svg",
    "schedule_table",
    "schedule_words",
    "show",
]
