"""Fit what a step costs to steps that were seen: a recorder tells each one's rows and when it ran.

Then nothing has to be guessed. What a step costs is the time until the next one, where the engine was busy: so what the
engine does between two steps is in it. On a machine that others use, some steps are held up for a hundred times their
length. That is no cost of theirs: such steps count less, and how much of the time went into them is told.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import fsum
from statistics import median
from typing import Final, NamedTuple

from engine.calibrate.cost import Form
from engine.calibrate.fit import NS
from engine.calibrate.least_squares import residuals, robust_fit
from engine.calibrate.replica import Work
from engine.trace import Arrived, Step, Trace

RIDGE: Final = 1e-6
"""How strongly coefficients are held back: steps that were seen tell more than requests do."""

ROUNDS: Final = 4
"""Rounds in which each step's error is weighed by what the round before made of it."""

FAR: Final = 1.0
"""The relative error from which on a step counts less: it was held up by something else."""

LEAST_STEPS: Final = 12
"""Steps that a fit needs."""


HELD_UP: Final = 2.0
"""A step that took so many times what was fitted was held up by something else."""


class Seen(NamedTuple):
    """One step as it was recorded."""

    work: Work
    seconds: float


def steps_seen(trace: Trace) -> list[Seen]:
    """Each step's work and how long it took, lane by lane. The first step of a lane is left out: it warms up."""
    prompts = {record.id: record.num_prompt_tokens for record in trace.of(Arrived)}
    lanes: dict[str, list[Step]] = {}
    for step in trace.of(Step):
        if step.rows:
            lanes.setdefault(step.lane, []).append(step)
    return [seen for steps in lanes.values() for seen in list(_seen(steps, prompts))[1:]]


def _seen(steps: Sequence[Step], prompts: Mapping[str, int]) -> Iterator[Seen]:
    for step, after in pairwise(steps):
        # Somebody who is in both was waiting for the second all the time.
        was_busy = not {row.id for row in step.rows}.isdisjoint(row.id for row in after.rows)
        yield Seen(work_of_rows(step, prompts), (after.at - step.at if was_busy else step.duration) / NS)
    yield Seen(work_of_rows(steps[-1], prompts), steps[-1].duration / NS)


def work_of_rows(step: Step, prompts: Mapping[str, int]) -> Work:
    """The three counts that a cost model takes, of a recorded step."""
    prefill = decodes = kv_tokens = 0
    for row in step.rows:
        kv_tokens += row.num_computed_tokens
        if row.num_scheduled_tokens == 1 and row.num_computed_tokens >= prompts.get(row.id, 0):
            decodes += 1
        else:
            prefill += row.num_scheduled_tokens
    return Work(prefill, decodes, kv_tokens)


class StepsFit(NamedTuple):
    """What a step costs, and how far that explains the steps."""

    seconds: tuple[float, ...]
    """The coefficients. No warm-up is in them."""
    error: float
    """The median of the steps' relative errors."""
    held_up: float
    """The share of the time that went into steps which were held up."""


def fit_steps(seen: Sequence[Seen], form: Form) -> StepsFit:
    """What the steps that were seen cost.

    Raises `ValueError` for fewer steps than a fit needs.
    """
    if len(seen) < LEAST_STEPS:
        raise ValueError(f"{len(seen)} steps were recorded; a fit needs {LEAST_STEPS} or more: run more requests")
    features = [form.features(one.work, step=1) for one in seen]
    mean = fsum(one.seconds for one in seen) / len(seen)
    scales = [mean] * len(seen)
    seconds: tuple[float, ...] = ()
    for _ in range(ROUNDS):
        rows = [[value / scale for value in row] for row, scale in zip(features, scales, strict=True)]
        values = [one.seconds / scale for one, scale in zip(seen, scales, strict=True)]
        seconds = form.held(robust_fit(rows, values, ridge=RIDGE, tolerance=FAR))
        # By the prediction and not by what was measured: that would favour steps that happened to be short.
        scales = [max(value, mean / 100) for value in _predicted(features, seconds)]
    predicted = _predicted(features, seconds)
    errors = [abs(value / one.seconds - 1) for value, one in zip(predicted, seen, strict=True) if one.seconds]
    late = fsum(one.seconds for value, one in zip(predicted, seen, strict=True) if one.seconds > HELD_UP * value)
    return StepsFit(seconds, median(errors), late / fsum(one.seconds for one in seen))


def _predicted(features: Sequence[Sequence[float]], seconds: Sequence[float]) -> list[float]:
    return residuals(features, [0.0] * len(features), seconds)
