"""Whether a lesson's right options can be guessed by their length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coursekit.problems import Fault, Problem, Spot, in_file
from coursekit.validation.ids import Placed

FEWEST = 4
"""With fewer choices in a lesson, nobody could know better than chance."""
MOST = 0.5
"""A share of choices whose right option is the longest. Chance gives a quarter to a third."""


def telling_lengths(page: Sequence[Placed]) -> Iterator[Problem]:
    """One problem for a lesson in which the longest option is the right one in more than half of its choices."""
    choices = [placed for placed in page if _is_choice(placed)]
    telling = [placed for placed in choices if _is_longest(placed[2].facts["options"])]
    if len(choices) < FEWEST or len(telling) <= MOST * len(choices):
        return
    name, fence, _ = telling[0]
    ids = ", ".join(block.id for _, _, block in telling)
    what = f"the right option is the longest in {len(telling)} of {len(choices)} choices of this lesson: {ids}"
    mend = "shorten a right one, or say more in a wrong one"
    yield from in_file(name, [Fault(Spot(0), what, mend)], fence.line, fence.indent)


def _is_choice(placed: Placed) -> bool:
    options = placed[2].facts.get("options", [])
    return len(options) > 2 and sum(option["correct"] for option in options) == 1


def _is_longest(options: Sequence[dict[str, str]]) -> bool:
    right = next(len(option["text"]) for option in options if option["correct"])
    return all(len(option["text"]) < right for option in options if not option["correct"])
