"""How long prompts and answers are: endless streams of `Lengths`."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle as _cycle
from itertools import repeat
from math import log, sqrt
from random import Random
from typing import NamedTuple

from engine.workload.records import Arrival, WorkloadError


class Lengths(NamedTuple):
    """Tokens of one prompt and of its answer."""

    prompt: int
    output: int


def fixed(prompt: int, output: int) -> Iterator[Lengths]:
    """Every request alike."""
    if min(prompt, output) < 1:
        raise WorkloadError(f"lengths {prompt} and {output}: tokens, 1 or more each")
    return repeat(Lengths(prompt, output))


def lognormal(
    prompt_mean: float, output_mean: float, draws: Random, *, cv: float = 1.0, longest: int = 8192
) -> Iterator[Lengths]:
    """Prompts and answers drawn independently: most are short, a few are long.

    `cv` is the standard deviation over the mean, before the draws are rounded to whole tokens and held
    between 1 and `longest`.
    """
    if not (min(prompt_mean, output_mean) >= 1 and 0 < cv < float("inf") and longest >= 1):
        raise WorkloadError(
            f"lognormal means {prompt_mean} and {output_mean}, cv {cv}, longest {longest}: "
            "means and longest take 1 or more, cv more than 0"
        )
    sigma = sqrt(log(1 + cv * cv))
    # exp of a normal draw has a mean above exp of its mean: this takes the difference off again.
    middles = [log(mean) - sigma * sigma / 2 for mean in (prompt_mean, output_mean)]
    return (
        Lengths(*(min(longest, max(1, round(draws.lognormvariate(middle, sigma)))) for middle in middles))
        for _ in repeat(None)
    )


def lengths_of(arrivals: Iterable[Arrival]) -> list[Lengths]:
    """The lengths of a workload, as a file holds them: what `cycle` repeats."""
    return [Lengths(arrival.num_prompt_tokens, arrival.num_output_tokens) for arrival in arrivals]


def cycle(known: Sequence[Lengths], draws: Random | None = None) -> Iterator[Lengths]:
    """The known lengths in their order, again and again; with `draws`, one of them at random each time."""
    if not known:
        raise WorkloadError("no lengths to repeat: the list, or the file they came from, is empty")
    if draws is None:
        return _cycle(known)
    return (draws.choice(known) for _ in repeat(None))
