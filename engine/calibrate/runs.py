"""Fit the cost model to one run of a server, predict another, and say how far off that was.

A run is a trace of a real server: live, or a recording that the live link made. Where it has steps, the cost is
fitted to them; where a client's times are all there is, to the requests, by simulating, as for any recording.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from statistics import median
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from engine.blocks import blocks_needed
from engine.calibrate.cost import Form, ServerCost
from engine.calibrate.fit import fit
from engine.calibrate.judge import LATENCIES, STATISTICS
from engine.calibrate.recording import Problem
from engine.calibrate.server import Call, Server, Timing
from engine.calibrate.steps import fit_steps, steps_seen
from engine.metrics.report import report
from engine.metrics.requests import RequestTimes, request_times
from engine.readers.notes import Notes
from engine.readers.results import arrivals_of
from engine.settings import Settings
from engine.simulate import serve
from engine.trace import Arrived, Record, Step, Trace
from engine.workload.records import Workload

DENSE: Final = Form()
"""A model without experts."""

LEAST_REQUESTS: Final = 8
"""Requests with a whole answer that a fit needs where there are no steps."""


@dataclass(frozen=True)
class RunFit:
    """What a step costs on the server that made a run."""

    name: str
    """The run's name."""
    by: Literal["steps", "requests"]
    """What it was fitted to."""
    seconds: tuple[float, ...]
    """In the order of `engine.calibrate.cost.COEFFICIENTS`."""
    outside: int
    """Nanoseconds that a request spends outside the engine, there and back: network, parsing, packing."""
    error: float
    """The usual relative error in what was fitted to."""
    form: Form = DENSE
    held_up: float = 0.0
    """Of a fit to steps: the share of the time in steps that took more than twice as long as fitted."""

    def cost(self) -> ServerCost:
        """The cost of a step."""
        return self.form.cost(self.seconds)[0]


class Compared(NamedTuple):
    """One statistic of two runs, in seconds."""

    measured: float
    predicted: float

    @property
    def error(self) -> float:
        """The prediction's relative error."""
        return self.predicted / self.measured - 1 if self.measured else 0.0


class Metric(NamedTuple):
    """One latency of two runs."""

    n: int
    """Over how many requests it was measured."""
    statistics: dict[str, Compared]
    """Mean and percentiles."""

    def as_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        return {"n": self.n} | {key: one._asdict() | {"error": one.error} for key, one in self.statistics.items()}


Comparison: TypeAlias = dict[str, Metric]
"""TTFT, TPOT and E2E of two runs."""


def settings_of_run(trace: Trace) -> Settings:
    """The engine's settings as far as the run's header tells them; a pool that is never short where it doesn't.

    Raises `SettingsError`.
    """
    told = {name: value for name, value in trace.header.settings.items() if value is not None}
    known = {field.name: told[field.name] for field in fields(Settings) if field.name in told}
    ends = [one.num_prompt_tokens + one.num_output_tokens for one in request_times(trace)]
    longest = max([*ends, *(one.num_prompt_tokens + one.max_tokens for one in trace.of(Arrived)), 1])
    size = int(known.get("block_size", Settings.block_size))
    plenty = sum(blocks_needed(end, size) + 1 for end in ends) + blocks_needed(longest, size) + 1
    return Settings.from_mapping({"num_blocks": plenty, "max_model_len": longest} | known, startup_rule=False)


def workload_of_run(trace: Trace) -> Workload:
    """What arrived in a run, with the answers' lengths as they turned out, and equal beginnings where it tells them."""
    return Workload(trace.header.name, tuple(arrivals_of(trace, Notes())), trace.header.seed, trace.header.about)


def fit_run(trace: Trace, form: Form = DENSE) -> RunFit:
    """What a step cost in this run.

    Raises `ValueError` for a run with too few steps or answers, and for one of several lanes.
    """
    _check_one_lane(trace)
    outside = _outside(trace)
    if any(step.rows for step in trace.of(Step)):
        steps = fit_steps(steps_seen(trace), form)
        return RunFit(trace.header.name, "steps", steps.seconds, outside, steps.error, form, steps.held_up)
    problem = _problem(trace)
    found = fit(problem, Server(settings=settings_of_run(trace)), form)
    return RunFit(trace.header.name, "requests", found.seconds, outside, found.error, form)


def predict_run(fitted: RunFit, trace: Trace) -> Trace:
    """The same workload on the fitted server, simulated: what it would have done in the run of `trace`.

    Raises `ValueError` for a run of several lanes: who went where is the router's choice.
    """
    _check_one_lane(trace)
    settings = settings_of_run(trace)
    simulated = serve(settings, workload_of_run(trace), fitted.cost())
    records = sorted((_later(record, fitted.outside) for record in simulated.records), key=lambda record: record.at)
    about = f"Simulated with costs fitted to {fitted.name}."
    return Trace(simulated.header._replace(name=f"{trace.header.name}, predicted", about=about), tuple(records))


def _check_one_lane(trace: Trace) -> None:
    lanes = sorted({step.lane for step in trace.of(Step)})
    if len(lanes) > 1:
        raise ValueError(f"{trace.header.name} has the lanes {', '.join(lanes)}; give the trace of one of them")


def _later(record: Record, by: int) -> Record:
    """What happens in the engine happens later by what a request spends outside it; an arrival is the client's."""
    return record if isinstance(record, Arrived) else record._replace(at=record.at + by)


def compare_runs(measured: Trace, predicted: Trace) -> Comparison:
    """Mean and percentiles of TTFT, TPOT and E2E of both, in seconds. A latency that one of them lacks is left out."""
    ours, theirs = report(measured), report(predicted)
    return {
        name: Metric(
            ours[name]["n"],
            {key: Compared(_value(ours[name], key), _value(theirs[name], key)) for key in STATISTICS},
        )
        for name in LATENCIES
        if ours[name]["n"] and theirs[name]["n"]
    }


def _value(summary: Mapping[str, Any], key: str) -> float:
    found: float = summary["mean"] if key == "mean" else summary[key]["value"]
    return found


def _outside(trace: Trace) -> int:
    """Into the engine and out of it again: the usual time from a step's end to a first token, and from an arrival to
    its step where nobody was in the way. 0 where nobody saw the steps."""
    prompts = {record.id: record for record in trace.of(Arrived)}
    out, into = [], []
    times = {one.id: one for one in request_times(trace)}
    previous_end = 0
    for step in trace.of(Step):
        for row in step.rows:
            one = times[row.id]
            if row.kind == "new" and previous_end <= prompts[row.id].at:
                into.append(step.at - prompts[row.id].at)
            if one.first_token is not None and _gives_first(row.num_computed_tokens, row.num_scheduled_tokens, one):
                out.append(one.first_token - (step.at + step.duration))
        previous_end = step.at + step.duration
    return max(round(_median(into) + _median(out)), 0)


def _gives_first(num_computed: int, num_scheduled: int, one: RequestTimes) -> bool:
    return num_computed < one.num_prompt_tokens <= num_computed + num_scheduled


def _median(values: list[int]) -> float:
    return median(values) if values else 0.0


def _problem(trace: Trace) -> Problem:
    pairs = sorted(_pairs(trace), key=lambda pair: pair[0].reached)
    if len(pairs) < LEAST_REQUESTS:
        raise ValueError(f"{len(pairs)} requests have a whole answer; a fit needs {LEAST_REQUESTS} or more")
    return Problem(tuple(call for call, _ in pairs), tuple(timing for _, timing in pairs))


def _pairs(trace: Trace) -> Iterator[tuple[Call, Timing]]:
    for one in request_times(trace):
        if one.outcome != "finished" or one.first_token is None or one.ended is None:
            continue
        call = Call(one.id, one.arrived, one.num_prompt_tokens, one.num_output_tokens)
        admitted = -1 if one.admitted is None else one.admitted
        yield call, Timing(one.arrived, admitted, one.first_token, one.ended)
