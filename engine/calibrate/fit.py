"""Fit what a step costs to the times of requests, by simulating.

Request times are sums of steps that nobody saw. But given who shared which step, a sum of steps is linear in the
coefficients. So: simulate with some coefficients; take from that run which steps lie between two events of each
training request; find by least squares the coefficients that give those intervals their measured lengths; simulate
again. Two intervals a request are used: from its admission to its first token, and from there to its last. Waiting
follows from them, and so isn't fitted.

A slightly different clock shifts a request into another step, so the rounds don't settle on one point but walk
around one; the fit is the mean of the later ones. Errors are relative, and what is more than a few percent off, as an
interval that in truth had another step in it, counts less.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import fsum
from random import Random
from typing import Final, NamedTuple

from engine.calibrate.cost import COEFFICIENTS, Form, ServerCost
from engine.calibrate.least_squares import residuals, robust_fit
from engine.calibrate.recording import Problem
from engine.calibrate.server import Call, Run, Server, Timing, run

NS: Final = 1_000_000_000
"""Nanoseconds in a second."""

ROUNDS: Final = 24
"""Simulations of a fit. The mean of the later half is taken."""

DAMPING: Final = 0.7
"""How far each round goes from the old coefficients to the new ones."""

TOLERANCE: Final = 0.02
"""The relative error from which on an interval counts less."""

RIDGE: Final = 1e-3
"""How strongly coefficients are held back: it shares out what the data can't, and hardly moves what they can."""

PREFILL_WEIGHT: Final = 1 / 3
"""What an error in an interval of a few steps counts against one of hundreds: a step more or less is chance."""

SHORTEST: Final = 0.02
"""Seconds below which a prefill's error is no longer taken as relative."""

DRAWS: Final = 20
"""Bootstrap draws."""

START: Final = (0.02, 0.005, 5e-5, 0.0, 1e-7, 0.05)
"""Where every fit begins, in seconds: the size of things on a large GPU."""


class Interval(NamedTuple):
    """A stretch of a request's life: the steps from `first` on and before `end`, and how many seconds it took."""

    request: int
    first: int
    end: int
    seconds: float
    scale: float
    """Seconds that an error of 1 means."""


@dataclass(frozen=True)
class Fit:
    """Fitted coefficients in seconds, in the order of `COEFFICIENTS`, and what is known of their quality."""

    server: Server
    form: Form
    seconds: tuple[float, ...]
    error: float
    """The mean relative error over the training intervals, as the least squares see it."""
    draws: tuple[tuple[float, ...], ...] = ()
    """The same fitted to random draws from the training requests."""

    def cost(self) -> tuple[ServerCost, int]:
        """The cost of a step, and what the first one takes more."""
        return self.form.cost(self.seconds)

    def at_phase(self, report_phase: int) -> "Fit":
        """The same fit of a server whose router gets its reports at another moment."""
        return replace(self, server=replace(self.server, report_phase=report_phase))

    def serve(self, calls: Sequence[Call], seconds: tuple[float, ...] | None = None) -> Run:
        """Simulate `calls` on the fitted server, or with other coefficients on the same one."""
        cost, warm_up = self.form.cost(self.seconds if seconds is None else seconds)
        return run(self.server, calls, cost, warm_up)


def fit(problem: Problem, server: Server, form: Form, advance: Callable[[], None] = lambda: None) -> Fit:
    """Fit `form` to the training part of `problem`. `advance` is called after each of `ROUNDS` simulations."""
    calls = problem.at_server()
    seconds = form.held(START)
    later: list[tuple[float, ...]] = []
    for number in range(ROUNDS):
        rows, values, _ = _equations(problem.timings, Fit(server, form, seconds, 0.0).serve(calls), server, form)
        found = _solve(form, rows, values)
        seconds = tuple(old + DAMPING * (new - old) for old, new in zip(seconds, found, strict=True))
        if 2 * number >= ROUNDS:
            later.append(seconds)
        advance()
    mean = form.held([fsum(column) / len(later) for column in zip(*later, strict=True)])
    rows, values, requests = _equations(problem.timings, Fit(server, form, mean, 0.0).serve(calls), server, form)
    errors = residuals(rows, values, mean)
    fitted = Fit(server, form, mean, fsum(map(abs, errors)) / len(errors))
    return replace(fitted, draws=tuple(_draws(form, rows, values, requests, mean)))


def _solve(
    form: Form,
    rows: Sequence[Sequence[float]],
    values: Sequence[float],
    counts: Sequence[int] | None = None,
) -> tuple[float, ...]:
    # The warm-up is in one interval or two, and nothing else tells it: it isn't held.
    free = (COEFFICIENTS.index("warm_up"),)
    # What every coefficient is at least is taken off first: what is left must not be negative.
    above = [-error for error in residuals(rows, values, form.least)]
    found = robust_fit(rows, above, ridge=RIDGE, free=free, tolerance=TOLERANCE, counts=counts)
    return tuple(least + more for least, more in zip(form.least, found, strict=True))


def _equations(
    timings: Sequence[Timing], simulated: Run, server: Server, form: Form
) -> tuple[list[list[float]], list[float], list[int]]:
    """One equation an interval: its features, its length, both over its scale; and whose it is."""
    sums = [[0.0] * len(COEFFICIENTS)]
    for step, work in enumerate(simulated.steps):
        sums.append([total + more for total, more in zip(sums[-1], form.features(work, step), strict=True)])
    rows, values, requests = [], [], []
    for one in _intervals(timings, simulated, ahead=1 if server.settings.async_scheduling else 0):
        features = zip(sums[one.end], sums[one.first], strict=True)
        rows.append([(end - first) / one.scale for end, first in features])
        values.append(one.seconds / one.scale)
        requests.append(one.request)
    return rows, values, requests


def _intervals(timings: Sequence[Timing], simulated: Run, ahead: int) -> list[Interval]:
    """The intervals of the training requests: how long each was in truth, over which steps of the simulation."""
    found = []
    pairs = zip(timings, simulated.steps_of, strict=False)
    for number, (timing, steps) in enumerate(pairs):
        # Asynchronously a request is admitted when the step before its own begins.
        if timing.admitted >= 0:
            first, prefill = max(steps.admitted - ahead, 0), (timing.first_token - timing.admitted) / NS
            scale = max(prefill, SHORTEST) / PREFILL_WEIGHT
            found.append(Interval(number, first, steps.first_token + 1, prefill, scale))
        decode = (timing.ended - timing.first_token) / NS
        if decode > 0 and steps.ended > steps.first_token:
            found.append(Interval(number, steps.first_token + 1, steps.ended + 1, decode, decode))
    return found


def _draws(
    form: Form,
    rows: Sequence[Sequence[float]],
    values: Sequence[float],
    requests: Sequence[int],
    centre: tuple[float, ...],
) -> list[tuple[float, ...]]:
    """Coefficients fitted to draws with replacement from the requests, around those of the fit.

    Requests that share steps aren't independent, so the true spread is wider.
    """
    count = max(requests) + 1
    plain = _solve(form, rows, values)
    found = []
    for seed in range(DRAWS):
        chance = Random(seed)
        often = [0] * count
        for _ in range(count):
            often[chance.randrange(count)] += 1
        drawn = _solve(form, rows, values, [often[request] for request in requests])
        moved = [middle + one - base for middle, one, base in zip(centre, drawn, plain, strict=True)]
        found.append(form.held(moved))
    return found
