"""How long a step takes: nanoseconds from the work that is in it.

A cost model is any callable that takes a step's three counts and returns whole nanoseconds:

- `num_prefill_tokens`: tokens of rows that compute a prompt, or compute again what a preemption lost;
- `num_decode_seqs`: rows of one token each, past the end of their prompt;
- `num_kv_tokens`: tokens that lie in the cache when the step begins and are read by its rows.

Models here keep their parameters in whole picoseconds (a thousandth of a nanosecond) and round down once a
step, so that a sum of steps has the same bits everywhere.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import lru_cache
from math import isqrt
from typing import Final, Protocol, TypeAlias

PICOSECONDS: Final = 1000
"""Picoseconds in a nanosecond."""


class StepCost(Protocol):
    """Anything that says how many nanoseconds a step lasts."""

    def __call__(self, num_prefill_tokens: int, num_decode_seqs: int, num_kv_tokens: int) -> int:
        """The duration in whole nanoseconds, 0 or more."""


@dataclass(frozen=True, kw_only=True)
class LinearCost:
    """A dense model: a constant, and one rate each for prompts, sequences and cached tokens.

    Weights are read once a step whatever its batch: that is `step_ps`. A prompt's token costs arithmetic, a
    decoding sequence its share of sampling and bookkeeping, a cached token the reading of its keys and values.

    Raises `ValueError` for a negative rate and for one that is no whole number.
    """

    step_ps: int
    """Picoseconds of any step, however little is in it."""
    prefill_token_ps: int = 0
    """Picoseconds more for each prompt token."""
    decode_seq_ps: int = 0
    """Picoseconds more for each sequence that decodes."""
    kv_token_ps: int = 0
    """Picoseconds more for each token whose keys and values are read."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if type(value) is not int or value < 0:
                raise ValueError(f"{field.name} is {value!r}; give whole picoseconds, 0 or more")

    def __call__(self, num_prefill_tokens: int, num_decode_seqs: int, num_kv_tokens: int) -> int:
        """The duration in whole nanoseconds."""
        return (
            self.step_ps
            + num_prefill_tokens * self.prefill_token_ps
            + num_decode_seqs * self.decode_seq_ps
            + num_kv_tokens * self.kv_token_ps
        ) // PICOSECONDS


@dataclass(frozen=True, kw_only=True)
class MixtureCost(LinearCost):
    """A mixture of experts: a step also reads every expert that one of its tokens chose.

    The first tokens of a batch choose new experts each, later ones mostly such as are read anyway: with
    `num_experts` experts of which a token takes `experts_per_token`, tokens that choose alike and independently
    leave a share (1 - experts_per_token / num_experts) ** tokens of them unread. So the cost of a batch is
    concave in its tokens, where a dense model's is a straight line.
    """

    num_experts: int = 128
    experts_per_token: int = 8
    all_experts_ps: int = 0
    """Picoseconds to read all experts, in all layers."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.experts_per_token <= self.num_experts:
            raise ValueError(
                f"experts_per_token is {self.experts_per_token} of num_experts {self.num_experts}; "
                "give 1 or more, and at most all of them"
            )

    def __call__(self, num_prefill_tokens: int, num_decode_seqs: int, num_kv_tokens: int) -> int:
        """The duration in whole nanoseconds."""
        unread = unread_experts(num_prefill_tokens + num_decode_seqs, self.num_experts, self.experts_per_token)
        experts_ps = self.all_experts_ps * (WHOLE - unread) // WHOLE
        return super().__call__(num_prefill_tokens, num_decode_seqs, num_kv_tokens) + experts_ps // PICOSECONDS


DecodeClock: TypeAlias = Callable[[int, int, int, int, int], tuple[int, int]]
"""(sequences, cached tokens, most steps, now, until) -> steps done, and the time then."""


def decode_clock(cost: StepCost) -> DecodeClock:
    """A clock for steps in which the same sequences decode, one token each: it stops when `until` is reached.

    Each step reads one token more of every sequence than the one before it. The clock stands where single steps
    would have left it, for any cost model: it adds them up, but where all rates are whole nanoseconds, so that no
    step is rounded and their sum has a formula.
    """
    # Not for subclasses: they may charge differently.
    if type(cost) is not LinearCost:
        return _any_clock(cost)
    rates = (cost.step_ps, cost.decode_seq_ps, cost.kv_token_ps)
    return _linear_clock(cost) if any(rate % PICOSECONDS for rate in rates) else _whole_clock(cost)


def _any_clock(cost: StepCost) -> DecodeClock:
    def clock(num_seqs: int, kv_tokens: int, most: int, now: int, until: int) -> tuple[int, int]:
        done = 0
        while done < most and now < until:
            now += cost(0, num_seqs, kv_tokens)
            kv_tokens += num_seqs
            done += 1
        return done, now

    return clock


def _linear_clock(cost: LinearCost) -> DecodeClock:
    step_ps, decode_ps, kv_ps = cost.step_ps, cost.decode_seq_ps, cost.kv_token_ps

    def clock(num_seqs: int, kv_tokens: int, most: int, now: int, until: int) -> tuple[int, int]:
        picoseconds, increase, left = step_ps + num_seqs * decode_ps + kv_tokens * kv_ps, num_seqs * kv_ps, most
        while left and now < until:
            now += picoseconds // PICOSECONDS
            picoseconds += increase
            left -= 1
        return most - left, now

    return clock


def _whole_clock(cost: LinearCost) -> DecodeClock:
    step, per_seq, per_token = (rate // PICOSECONDS for rate in (cost.step_ps, cost.decode_seq_ps, cost.kv_token_ps))

    def clock(num_seqs: int, kv_tokens: int, most: int, now: int, until: int) -> tuple[int, int]:
        first, increase = step + num_seqs * per_seq + kv_tokens * per_token, num_seqs * per_token
        # k steps take k * first + increase * k * (k - 1) / 2.
        end = now + most * (2 * first + increase * (most - 1)) // 2
        if now < until and end <= until:
            return most, end
        gap = until - now
        if gap <= 0 or not most:
            return 0, now
        if increase:
            slope = 2 * first - increase
            done = (isqrt(slope * slope + 8 * increase * gap) - slope) // (2 * increase)
        else:
            done = gap // first
        # Rounded down: this many steps end at `until` or before, one more after it.
        if done * (2 * first + increase * (done - 1)) < 2 * gap:
            done += 1
        return done, now + done * (2 * first + increase * (done - 1)) // 2

    return clock


WHOLE: Final = 1 << 48
"""What stands for 1 where shares are whole numbers: a power of a float differs in its last bit by machine."""


@lru_cache(maxsize=4096)
def unread_experts(num_tokens: int, num_experts: int, experts_per_token: int) -> int:
    """Which share of the experts nobody chooses, of `WHOLE`: by squaring, rounded down each time."""
    share, factor, exponent = WHOLE, WHOLE * (num_experts - experts_per_token) // num_experts, num_tokens
    while exponent and share:
        if exponent & 1:
            share = share * factor // WHOLE
        factor = factor * factor // WHOLE
        exponent >>= 1
    return share


DENSE_8B: Final = LinearCost(
    step_ps=9_000_000_000, prefill_token_ps=25_000_000, decode_seq_ps=20_000_000, kv_token_ps=60_000
)
"""A round example, not a measurement: a dense model of 8 billion parameters in 16 bits on one large GPU.

16 GB of weights at about 1.8 TB/s are 9 ms a step. 2 * 8e9 operations a token at about 640 Tflop/s are 25
microseconds. 128 KiB of keys and values a token at about 2.2 TB/s are 60 ns. `engine.calibrate` fits a real one.
"""
