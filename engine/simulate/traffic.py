"""Traffic described in a few numbers: what the command line and scenario files draw their workloads from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Literal

from engine.codec import brief
from engine.ranges import FLAG, OBJECT, SECONDS, Range, maybe, number, one_of, whole
from engine.workload import (
    Arrival,
    Lengths,
    Workload,
    WorkloadError,
    constant,
    cycle,
    fixed,
    gamma,
    isolated,
    lognormal,
    open_loop,
    patient_for,
    poisson,
    predicted,
    shared_prefix,
    stream,
    tenants,
    wanted_within,
)
from engine.workload.arrivals import LEAST_SHAPE
from engine.workload.records import TOKENS_PER_CONTENT

SECOND = 1_000_000_000
"""Nanoseconds in a second."""


@dataclass(frozen=True, kw_only=True)
class Traffic:
    """Open-loop traffic. Everything that is drawn is drawn from `seed`, each purpose from a stream of its own."""

    arrivals: Literal["poisson", "gamma", "constant"] = "poisson"
    rate: float = 1.0
    """Requests a second, on average."""
    burstiness: float = 1.0
    """The gamma shape, for `gamma` arrivals: 1 / CV squared."""
    num_requests: int = 1000
    prompt_tokens: int = 512
    """The mean length of a prompt, unless lengths are given."""
    output_tokens: int = 128
    """The mean length of an answer, unless lengths are given."""
    length_cv: float = 0.0
    """How much lengths vary: their standard deviation over their mean; 0 for all alike."""
    prefix_tokens: int = 0
    """How long the beginnings are that prompts share; 0 for none."""
    prefix_share: float = 0.5
    """The share of prompts that have such a beginning."""
    prefix_groups: int = 1
    """How many different beginnings there are."""
    num_tenants: int = 1
    """Tenants with equal shares, named t0, t1, …"""
    isolate: bool = False
    """Whether each tenant has a cache salt of its own."""
    prediction_cv: float | None = None
    """The error of predicted lengths over the truth; None for no predictions."""
    patience: float | None = None
    """Seconds after which clients go away; None for never."""
    deadline: float | None = None
    """Seconds after which a whole answer is wanted, if it is said."""
    seed: int = 0

    def __post_init__(self) -> None:
        for name, instead in _RANGES.items():
            value = getattr(self, name)
            if mend := instead(value):
                raise WorkloadError(f"{name} is {value!r}; give {mend}")

    @classmethod
    def from_mapping(cls, values: dict[str, Any]) -> "Traffic":
        """From names and values, such as a file gives them. Raises `WorkloadError` for a name that isn't known."""
        if mend := OBJECT(values):
            raise WorkloadError(f"traffic is {brief(values)}; give {mend}")
        known = [field.name for field in fields(cls)]
        for name in values:
            if name not in known:
                raise WorkloadError(f"{name} is nothing that traffic has; it has {', '.join(known)}")
        return cls(**values)

    def workload(self, name: str, lengths: Sequence[Lengths] = (), about: str = "") -> Workload:
        """Draw it. `lengths` are drawn from instead of the means, where they are given.

        Raises `WorkloadError` for values that can't be.
        """
        drawn = cycle(lengths, self._draws("lengths")) if lengths else self._lengths()
        whole = open_loop(name, self._times(), drawn, self.num_requests, seed=self.seed, about=about)
        return Workload(name, tuple(self._changed(whole.arrivals)), self.seed, about)

    def _draws(self, purpose: str) -> Any:
        return stream(self.seed, purpose)

    def _times(self) -> Iterator[int]:
        match self.arrivals:
            case "constant":
                return constant(self.rate)
            case "gamma":
                return gamma(self.rate, self.burstiness, self._draws("arrivals"))
            case _:
                return poisson(self.rate, self._draws("arrivals"))

    def _lengths(self) -> Iterator[Lengths]:
        if not self.length_cv:
            return fixed(self.prompt_tokens, self.output_tokens)
        return lognormal(self.prompt_tokens, self.output_tokens, self._draws("lengths"), cv=self.length_cv)

    def _changed(self, arrivals: Sequence[Arrival]) -> Iterator[Arrival]:
        changed = iter(arrivals)
        if self.prefix_tokens:
            changed = shared_prefix(
                changed,
                self._draws("content"),
                num_tokens=self.prefix_tokens,
                share=self.prefix_share,
                groups=self.prefix_groups,
            )
        if self.num_tenants > 1:
            shares = {f"t{index}": 1.0 for index in range(self.num_tenants)}
            changed = tenants(changed, self._draws("tenants"), shares)
        if self.isolate:
            changed = isolated(changed)
        if self.prediction_cv is not None:
            changed = predicted(changed, self._draws("predictions"), cv=self.prediction_cv)
        if self.patience is not None:
            changed = patient_for(changed, round(self.patience * SECOND))
        if self.deadline is not None:
            changed = wanted_within(changed, round(self.deadline * SECOND))
        return changed


_RANGES: Final[dict[str, Range]] = {
    "arrivals": one_of(("poisson", "gamma", "constant")),
    "rate": number(1e-9, 1e9),
    "burstiness": number(LEAST_SHAPE, 1 / LEAST_SHAPE),
    "num_requests": whole(1),
    "prompt_tokens": whole(1, TOKENS_PER_CONTENT),
    "output_tokens": whole(1),
    "length_cv": number(0, 100),
    "prefix_tokens": whole(0, TOKENS_PER_CONTENT),
    "prefix_share": number(0, 1),
    "prefix_groups": whole(1),
    "num_tenants": whole(1, 100_000),
    "isolate": FLAG,
    "prediction_cv": maybe(number(0, 100)),
    "patience": maybe(SECONDS),
    "deadline": maybe(SECONDS),
    "seed": whole(0),
}
