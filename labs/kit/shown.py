"""What a notebook shows as it is: text without quotation marks, an engine's trace as a picture."""

from dataclasses import dataclass

from engine.trace import Trace
from engine.views import schedule_words, show


@dataclass(frozen=True, slots=True)
class Shown:
    """Text, and HTML where a notebook can show more than text."""

    text: str
    html: str = ""

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": self.text} | ({"text/html": self.html} if self.html else {})


def shown(trace: Trace) -> Shown:
    """A trace's schedule: the picture in a notebook, the words elsewhere."""
    return Shown(schedule_words(trace), show(trace))
