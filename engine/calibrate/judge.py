"""Predicted against measured: the latencies of the requests that a fit never saw."""

from collections.abc import Sequence
from math import fsum
from typing import Final, NamedTuple, TypeAlias

from engine.calibrate.fit import NS, Fit
from engine.calibrate.recording import Problem, Recording
from engine.calibrate.server import REPORT_EVERY, Call, Timing
from engine.metrics.percentiles import nearest_rank

LATENCIES: Final = ("ttft", "tpot", "e2e")
"""What is judged. TTFT and E2E count from `queued_ts`."""

STATISTICS: Final = ("mean", "p50", "p90", "p99")
"""Of each latency."""

INTERVAL: Final = 0.9
"""How much of the predictions of the draws an interval holds."""


class Judgement(NamedTuple):
    """One statistic, in seconds."""

    measured: float
    predicted: float
    low: float
    """The interval of the predictions of all draws: what chance in the training part and in the run does."""
    high: float

    @property
    def error(self) -> float:
        """The prediction's relative error."""
        return self.predicted / self.measured - 1 if self.measured else 0.0


Statistics: TypeAlias = dict[str, dict[str, float]]
"""Each statistic of each latency, in seconds."""


def statistics(calls: Sequence[Call], timings: Sequence[Timing]) -> Statistics:
    """The four statistics of the three latencies, in seconds. A request of one token has no TPOT."""
    pairs = list(zip(calls, timings, strict=True))
    values = {
        "ttft": [(time.first_token - time.queued) / NS for _, time in pairs],
        "tpot": [
            (time.ended - time.first_token) / NS / (call.num_output_tokens - 1)
            for call, time in pairs
            if call.num_output_tokens > 1
        ],
        "e2e": [(time.ended - time.queued) / NS for _, time in pairs],
    }
    return {name: _statistics(found) for name, found in values.items() if found}


def _statistics(values: Sequence[float]) -> dict[str, float]:
    ordered = sorted(values)
    ranks = {name: nearest_rank(len(ordered), float(name[1:])) for name in STATISTICS[1:]}
    return {"mean": fsum(ordered) / len(ordered)} | {name: ordered[rank - 1] for name, rank in ranks.items()}


def predict(problem: Problem, fitted: Fit) -> list[Statistics]:
    """The statistics of the rest, once for each draw: from its coefficients, and for several engines also from
    another moment of the router's first report, which nobody knows."""
    calls, count = problem.at_server(), len(problem.timings)
    found = []
    for number, seconds in enumerate(fitted.draws):
        phase = REPORT_EVERY * number // len(fitted.draws)
        simulated = fitted.at_phase(phase).serve(calls, seconds)
        found.append(statistics(calls[count:], simulated.timings[count:]))
    return found


def judge(recording: Recording, problem: Problem, predictions: Sequence[Statistics]) -> dict[str, dict[str, Judgement]]:
    """Every statistic of the rest of `recording`: measured, and the median of the predictions with their interval."""
    count = len(problem.timings)
    measured = statistics(recording.calls[count:], recording.timings[count:])
    return {
        name: {key: _judged(value, [one[name][key] for one in predictions]) for key, value in found.items()}
        for name, found in measured.items()
    }


def _judged(measured: float, predicted: Sequence[float]) -> Judgement:
    # The median: of two runs that differ by a hair, one may preempt a request more and move a percentile by a third.
    ordered = sorted(predicted)
    middle, outside = len(ordered) // 2, int(len(ordered) * (1 - INTERVAL) / 2)
    median = (ordered[middle] + ordered[-1 - middle]) / 2
    return Judgement(measured, median, ordered[outside], ordered[-1 - outside])
