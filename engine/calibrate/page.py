"""The dated tables of a calibration, between two marks of a Markdown page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.calibrate.cost import readable
from engine.calibrate.fit import Fit
from engine.calibrate.identify import coefficients
from engine.calibrate.judge import STATISTICS, Judgement
from engine.calibrate.recording import Recording
from engine.views.numbers import change

BEGIN: Final = "<!-- calibration: begin -->"
"""Where the tables begin in a page."""

END: Final = "<!-- calibration: end -->"
"""Where they end."""


@dataclass(frozen=True)
class Section:
    """What is told about one recording."""

    recording: Recording
    num_trained: int
    fitted: Fit
    judged: dict[str, dict[str, Judgement]]
    notes: Sequence[str] = ()

    @property
    def name(self) -> str:
        """The recording's name."""
        return self.recording.name


def rewrite(page: str, sections: Sequence[Section], date: str) -> str:
    """`page` with new tables between its marks. Raises `ValueError` for a page without them."""
    told = "\n\n".join(map(_section, sections))
    return between(page, BEGIN, END, f"Measured on {date}.\n\n{told}")


def between(page: str, begin: str, end: str, text: str) -> str:
    """`page` with `text` between two marks, each on a line of its own. Raises `ValueError` for a page without them."""
    before, found, rest = page.partition(begin)
    _, ended, after = rest.partition(end)
    if not (found and ended):
        raise ValueError(f"lacks the marks {begin} and {end}; put each on a line of its own, where the tables go")
    return f"{before}{begin}\n\n{text}\n\n{end}{after}"


def _section(section: Section) -> str:
    recording = section.recording
    count = len(recording.calls)
    lines = [
        f"### {recording.name}",
        "",
        f"{recording.model}, vLLM {recording.version}; fitted to requests 1 to {section.num_trained}, judged on the "
        f"other {count - section.num_trained} of {count}.",
        "",
        "| metric | " + " | ".join(STATISTICS) + " |",
        "|---|" + "--:|" * len(STATISTICS),
    ]
    for name, found in section.judged.items():
        cells = [f"{one.measured:.4g} → {one.predicted:.4g} s, **{change(one.error)}**" for one in found.values()]
        lines.append(f"| {name.upper()} | " + " | ".join(cells) + " |")
    lines += ["", "| coefficient | fitted | spread of the draws |", "|---|--:|--:|"]
    for one in coefficients(section.fitted):
        lines.append(f"| `{one.name}` | {readable(one.name, one.seconds)} | {readable(one.name, one.spread, 2)} |")
    lines += ["", *(f"- {note}" for note in section.notes)]
    return "\n".join(lines)
