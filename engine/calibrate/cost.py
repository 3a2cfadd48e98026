"""What a step of a real server costs, with few enough coefficients that request times can tell them.

    step + tokens * token + KV tokens * kv_token                 any step
         + KV tokens * mixed_kv_token                            where prompts and answers share the step
         + share of the experts that are read * all experts      a mixture of experts

A prompt's token and a sequence that decodes take the same arithmetic, so they cost the same; what a sequence reads
of its past is counted apart. In a step that also computes prompts, the past is read by a slower kernel, outside a
captured graph: in the recordings that was worth a coefficient of its own, and a constant for such steps wasn't.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.calibrate.replica import Work
from engine.cost import PICOSECONDS, WHOLE, MixtureCost, unread_experts

PER_SECOND: Final = 1_000_000_000_000
"""Picoseconds in a second."""

COEFFICIENTS: Final = ("step", "experts", "token", "mixed_kv_token", "kv_token", "warm_up")
"""What is fitted, in the order of the features."""

UNITS: Final = {"token": ("µs", 1e6), "mixed_kv_token": ("ns", 1e9), "kv_token": ("ns", 1e9)}
"""The unit in which a coefficient reads well, and how many of it make a second; the others read well in ms."""


def readable(name: str, seconds: float, digits: int = 3) -> str:
    """A coefficient in its unit."""
    unit, per_second = UNITS.get(name, ("ms", 1e3))
    return f"{seconds * per_second:.{digits}g} {unit}"


@dataclass(frozen=True, kw_only=True)
class ServerCost(MixtureCost):
    """A mixture's cost, or with `all_experts_ps` 0 a dense model's, and dearer reading in mixed steps."""

    mixed_kv_token_ps: int = 0
    """Picoseconds more for each cached token that is read in a step with prompt tokens."""

    def __call__(self, num_prefill_tokens: int, num_decode_seqs: int, num_kv_tokens: int) -> int:
        """The duration in whole nanoseconds."""
        mixed = num_kv_tokens * self.mixed_kv_token_ps // PICOSECONDS if num_prefill_tokens else 0
        return super().__call__(num_prefill_tokens, num_decode_seqs, num_kv_tokens) + mixed


@dataclass(frozen=True)
class Form:
    """Which coefficients there are."""

    num_experts: int = 0
    """0 for a dense model."""
    experts_per_token: int = 0
    least: tuple[float, ...] = (0.0,) * len(COEFFICIENTS)
    """What each coefficient is at least, in seconds: weights or keys and values can't be read faster than memory
    allows, whatever the data seem to say."""

    @property
    def is_mixture(self) -> bool:
        """Whether there are experts."""
        return self.num_experts > 0

    def held(self, seconds: Sequence[float]) -> tuple[float, ...]:
        """Coefficients raised to what they are at least; a dense model has no experts to read."""
        return tuple(
            0.0 if name == "experts" and not self.is_mixture else max(least, value)
            for name, least, value in zip(COEFFICIENTS, self.least, seconds, strict=True)
        )

    def features(self, work: Work, step: int) -> tuple[float, ...]:
        """What a step's duration in seconds is linear in, in the order of `COEFFICIENTS`."""
        tokens = work.num_prefill_tokens + work.num_decode_seqs
        share = 0.0
        if self.is_mixture:
            share = 1 - unread_experts(tokens, self.num_experts, self.experts_per_token) / WHOLE
        kv_tokens = float(work.num_kv_tokens)
        mixed = kv_tokens if work.num_prefill_tokens else 0.0
        return 1.0, share, float(tokens), mixed, kv_tokens, 0.0 if step else 1.0

    def cost(self, seconds: tuple[float, ...]) -> tuple[ServerCost, int]:
        """The cost with these coefficients, in seconds, and the warm-up in nanoseconds."""
        step, experts, token, mixed, kv_token, warm_up = (round(value * PER_SECOND) for value in seconds)
        cost = ServerCost(
            step_ps=step,
            prefill_token_ps=token,
            decode_seq_ps=token,
            kv_token_ps=kv_token,
            mixed_kv_token_ps=mixed,
            num_experts=self.num_experts or 1,
            experts_per_token=self.experts_per_token or 1,
            all_experts_ps=experts if self.is_mixture else 0,
        )
        return cost, warm_up // PICOSECONDS
