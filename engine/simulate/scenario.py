"""A scenario: an engine, its cost model and what arrives, as one value that can be read from a small file and run.

    {"name": "…", "about": "…", "settings": {"num_blocks": 4000, "max_model_len": 8192, "policy": "fcfs"},
     "traffic": {"rate": 6, "num_requests": 500}, "cost": {"step_ps": 9000000000}, "limits": {"timeout": 60}}

Instead of `traffic` a file may hold `arrivals`, one object a request. `limits` are in seconds; `admission` is
`strict` or `skip_ahead`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, fields
from typing import Any, Final, NamedTuple, TypeVar

from engine.admission import NO_LIMITS, Candidates, Door, QueueLimit, ServerLimits, TenantBudget, skip_ahead, strict
from engine.codec import FieldError, brief, decode_object
from engine.cost import DENSE_8B, LinearCost, MixtureCost, StepCost
from engine.metrics.goodput import Limits
from engine.metrics.report import request_report
from engine.metrics.requests import RequestTimes, request_times
from engine.metrics.tokens import hit_rate_tokens, recompute
from engine.ranges import LIST, OBJECT, SECONDS, TEXT, Range, maybe, one_of, whole
from engine.settings import Settings
from engine.simulate.fast import FastForward, cannot_fast_forward
from engine.simulate.serving import fast_forward, serve
from engine.simulate.traffic import SECOND, Traffic
from engine.trace import Trace
from engine.workload.records import Arrival, Workload

ADMISSIONS: Final[dict[str, Candidates]] = {"strict": strict, "skip_ahead": skip_ahead}
"""Whom admission tries, under the names that a file uses."""


class Result(NamedTuple):
    """What a scenario came to: the times of every request, in the order of arrival, and what it cost."""

    requests: list[RequestTimes]
    num_steps: int
    num_preemptions: int
    num_recomputed_tokens: int

    def report(self, limits: Limits | None = None) -> dict[str, Any]:
        """The metrics of `engine.metrics` that need no rows, in seconds; `limits` are in nanoseconds."""
        return request_report(self.requests, SECOND, limits) | {
            "unit": "s",
            "steps": self.num_steps,
            "preemptions": self.num_preemptions,
            "recomputed_tokens": self.num_recomputed_tokens,
            "hit_rate_tokens": hit_rate_tokens(self.requests) or 0.0,
        }


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """Everything that a simulation is given. It can be sent to another process."""

    settings: Settings
    workload: Workload
    cost: StepCost = DENSE_8B
    limits: ServerLimits = NO_LIMITS
    candidates: Candidates = strict

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> "Scenario":
        """From what a JSON file holds.

        Raises `ValueError` for what can't be: the part, the name, what was expected.
        """
        for key, value in values.items():
            if key not in _PARTS:
                raise ValueError(f"{key} is no part of a scenario; its parts are {', '.join(sorted(_PARTS))}")
            _check(key, value, _PARTS[key])
        if ("traffic" in values) == ("arrivals" in values):
            raise ValueError("a scenario has either traffic or arrivals; give one of them")
        workload = _workload(values)
        return cls(
            settings=Settings.from_mapping(values.get("settings", {})),
            workload=workload,
            cost=cost_from(values["cost"]) if "cost" in values else DENSE_8B,
            limits=limits_from(values.get("limits", {})),
            candidates=ADMISSIONS[values.get("admission", "strict")],
        )

    def run(self) -> Result:
        """Simulate it, as fast as it can be, and keep the times alone."""
        if cannot_fast_forward(self.settings):
            return result_of(self.trace())
        run = FastForward(self.settings, self.workload, self.cost, self.limits, candidates=self.candidates).run()
        return Result(run.outcomes.request_times(self.workload), run.v, *run.outcomes.totals())

    def trace(self, *, step_by_step: bool = False, record_why: bool = False) -> Trace:
        """Simulate it and keep everything; with `record_why` also which rules decided each step, which takes longer."""
        simulate = serve if step_by_step else fast_forward
        return simulate(
            self.settings,
            self.workload,
            self.cost,
            self.limits,
            candidates=self.candidates,
            record_why=record_why,
        )


def result_of(trace: Trace) -> Result:
    """The same of a whole trace."""
    price = recompute(trace)
    return Result(request_times(trace), len(trace.steps()), price.num_preemptions, price.num_recomputed_tokens)


_Case = TypeVar("_Case")
_Found = TypeVar("_Found")


def sweep(run: Callable[[_Case], _Found], cases: Iterable[_Case], executor: Executor | None = None) -> Iterator[_Found]:
    """`run` of each case, in their order; by an executor of the kind of `concurrent.futures` if one is given.

    Processes are one, Dask's `client.get_executor()` is another. `run` has to be a function of a module, and cases
    have to be data, as a `Scenario` is: `sweep(Scenario.run, scenarios, executor)`.
    """
    return map(run, cases) if executor is None else executor.map(run, cases)


def cost_from(values: Mapping[str, Any]) -> LinearCost:
    """A cost model from names and values; one that names experts is a mixture. Raises `ValueError`."""
    model = MixtureCost if "all_experts_ps" in values else LinearCost
    known = [field.name for field in fields(MixtureCost)]
    for name in values:
        if name not in known:
            raise ValueError(f"cost: {name} is nothing that it has; it has {', '.join(known)}")
        if name not in model.__dataclass_fields__:
            raise ValueError(f"cost: {name} goes with all_experts_ps; give both or neither")
    if "step_ps" not in values:
        raise ValueError("cost: step_ps is missing; give picoseconds, as 9000000000 for 9 ms a step")
    return model(**values)


def _workload(values: Mapping[str, Any]) -> Workload:
    name, about = values.get("name", "scenario"), values.get("about", "")
    if "traffic" in values:
        return Traffic.from_mapping(values["traffic"]).workload(name, about=about)
    arrivals = []
    for index, value in enumerate(values["arrivals"]):
        try:
            arrivals.append(decode_object(Arrival, value))
        except FieldError as error:
            raise ValueError(f"arrivals[{index}].{error}") from None
    workload = Workload(name, tuple(arrivals), None, about)
    workload.check()
    return workload


def limits_from(values: Mapping[str, Any]) -> ServerLimits:
    """Limits from names and values, times in seconds. Raises `ValueError` for a name that isn't known."""
    for key, value in values.items():
        if key not in _LIMITS:
            raise ValueError(f"limits: {key} is no limit; give {', '.join(_LIMITS)}")
        _check(key, value, _LIMITS[key])
    doors: list[Door] = []
    if (most := values.get("max_waiting")) is not None:
        doors.append(QueueLimit(most))
    if (most := values.get("tenant_tokens")) is not None:
        doors.append(TenantBudget(most))
    return ServerLimits(_nanoseconds(values.get("max_wait")), _nanoseconds(values.get("timeout")), tuple(doors))


_PARTS: Final[dict[str, Range]] = {
    **dict.fromkeys(("name", "about"), TEXT),
    **dict.fromkeys(("settings", "traffic", "cost", "limits"), OBJECT),
    "arrivals": LIST,
    "admission": one_of(ADMISSIONS),
}
_LIMITS: Final[dict[str, Range]] = {
    "max_wait": maybe(SECONDS),
    "timeout": maybe(SECONDS),
    "max_waiting": maybe(whole(0)),
    "tenant_tokens": maybe(whole(1)),
}


def _check(name: str, value: Any, instead: Range) -> None:
    if mend := instead(value):
        raise ValueError(f"{name} is {brief(value)}; give {mend}")


def _nanoseconds(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * SECOND)
