"""The engine's settings, under vLLM 0.32.0's names and with its defaults.

Values that no engine can run with are refused when the settings are made, with the value and the mend.
"""

from collections.abc import Mapping
from dataclasses import InitVar, dataclass, fields
from difflib import get_close_matches
from typing import Any, Final

from engine.blocks import blocks_needed
from engine.policies import POLICIES
from engine.ranges import FLAG, Range, below, maybe, one_of, whole


class SettingsError(ValueError):
    """One setting that can't be: `key` says which, the message says why and what to give instead."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What one engine is set to. Frozen: an engine never changes its settings.

    `num_blocks` and `max_model_len` have no default, as in vLLM: the one comes from the machine's memory,
    the other from the model. With `startup_rule` off the pool may be too small for `max_model_len`, which
    a real server refuses at its start; replays need that.

    Raises `SettingsError`.
    """

    num_blocks: int
    """KV blocks in the pool, the null block included: one less can be lent."""
    max_model_len: int
    """The most tokens of a sequence, prompt and answer together."""
    block_size: int = 16
    """Tokens in a block."""
    max_num_seqs: int = 128
    """The most requests that run at once: the seats."""
    max_num_active_seqs: int | None = None
    """Fewer seats than `max_num_seqs`, if given."""
    max_num_batched_tokens: int = 2048
    """The token budget of a step."""
    enable_prefix_caching: bool = True
    """Whether blocks with equal prefixes are shared."""
    enable_chunked_prefill: bool = True
    """Whether a prompt may be spread over several steps."""
    long_prefill_token_threshold: int = 0
    """The most tokens that one request gets in a step while others are there; 0 for no such cap."""
    long_prefill_token_threshold_adaptive: bool = False
    """Whether that cap is raised to a fair share of the budget."""
    policy: str = "fcfs"
    """Who is served first: `fcfs` by arrival, `priority` by the lowest number. Not vLLM's: the others of
    `engine.policies`."""
    watermark: float = 0.0
    """The share of the pool that an admission must leave free, from 0 to below 1."""
    scheduler_reserve_full_isl: bool = True
    """Whether a whole prompt must fit before its first chunk is admitted."""
    async_scheduling: bool = False
    """Whether a step is planned before the last one's tokens are known. (vLLM decides this at its start.)"""
    reject_unservable: bool = True
    """Not vLLM's: refuse a request that can't fit even alone. Off, it waits for ever, as in vLLM."""
    keep_stale_hashes: bool = False
    """Not vLLM's: its known defect. A prefill chunk that is taken back in its own step leaves hashes on
    blocks that nobody computed, and a later request hits them."""
    startup_rule: InitVar[bool] = True

    def __post_init__(self, startup_rule: bool) -> None:
        for name, instead in _RANGES.items():
            value = getattr(self, name)
            if mend := instead(value):
                raise SettingsError(name, f"{name} is {value!r}; give {mend}")
        for rule in (_chunks_fit, _budget_seats_everyone, _active_seats_exist, _cap_below_length):
            rule(self)
        if startup_rule:
            _pool_holds_one_sequence(self)

    @property
    def num_lendable_blocks(self) -> int:
        """The pool without its null block."""
        return self.num_blocks - 1

    @property
    def num_seats(self) -> int:
        """How many requests may run at once."""
        return self.max_num_seqs if self.max_num_active_seqs is None else self.max_num_active_seqs

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any], *, startup_rule: bool = True) -> "Settings":
        """Settings from names and values, such as a file gives them.

        Raises `SettingsError` for an unknown name (with the likeliest one meant), a missing one or a value
        that can't be.
        """
        known = [field.name for field in fields(cls)]
        for name in values:
            if name not in known:
                raise SettingsError(name, _unknown(name, known))
        for name in ("num_blocks", "max_model_len"):
            if name not in values:
                raise SettingsError(name, f"{name} is missing; it has no default, so give one")
        return cls(**values, startup_rule=startup_rule)


_RANGES: Final[dict[str, Range]] = {
    # A pool is a list of its blocks, and a block size a table of its own: no machine has more.
    "num_blocks": whole(1, 10_000_000),
    "max_model_len": whole(1),
    "block_size": whole(1, 1_000_000),
    "max_num_seqs": whole(1),
    "max_num_active_seqs": maybe(whole(1)),
    "max_num_batched_tokens": whole(1),
    "enable_prefix_caching": FLAG,
    "enable_chunked_prefill": FLAG,
    "long_prefill_token_threshold": whole(0),
    "long_prefill_token_threshold_adaptive": FLAG,
    "policy": one_of(POLICIES),
    "watermark": below(0, 1),
    "scheduler_reserve_full_isl": FLAG,
    "async_scheduling": FLAG,
    "reject_unservable": FLAG,
    "keep_stale_hashes": FLAG,
}


def _unknown(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=1)
    mend = f"did you mean {close[0]}?" if close else f"the settings are {', '.join(known)}"
    return f"{name} is no setting; {mend}"


def _chunks_fit(settings: Settings) -> None:
    """Without chunked prefill a whole sequence must fit in one step (vLLM's own rule)."""
    budget, length = settings.max_num_batched_tokens, settings.max_model_len
    if not settings.enable_chunked_prefill and budget < length:
        raise SettingsError(
            "max_num_batched_tokens",
            f"max_num_batched_tokens is {budget} and chunked prefill is off; raise it to max_model_len "
            f"({length}), or turn enable_chunked_prefill on",
        )


def _budget_seats_everyone(settings: Settings) -> None:
    """Every seat must get at least one token of the budget (vLLM's own rule)."""
    budget, seats = settings.max_num_batched_tokens, settings.max_num_seqs
    if budget < seats:
        raise SettingsError(
            "max_num_batched_tokens",
            f"max_num_batched_tokens is {budget}, below max_num_seqs ({seats}); raise it or lower the seats",
        )


def _active_seats_exist(settings: Settings) -> None:
    """`max_num_active_seqs` only lowers the number of seats (vLLM's own rule)."""
    active, seats = settings.max_num_active_seqs, settings.max_num_seqs
    if active is not None and active > seats:
        raise SettingsError(
            "max_num_active_seqs", f"max_num_active_seqs is {active}, above max_num_seqs ({seats}); lower it"
        )


def _cap_below_length(settings: Settings) -> None:
    """A cap longer than any sequence caps nothing (vLLM's own rule)."""
    cap, length = settings.long_prefill_token_threshold, settings.max_model_len
    if cap > length:
        raise SettingsError(
            "long_prefill_token_threshold",
            f"long_prefill_token_threshold is {cap}, above max_model_len ({length}); lower it, or give 0",
        )


def _pool_holds_one_sequence(settings: Settings) -> None:
    """A server starts only if its pool holds one sequence of `max_model_len` tokens (vLLM's own rule)."""
    lendable = settings.num_lendable_blocks
    needed = blocks_needed(settings.max_model_len, settings.block_size)
    if lendable < needed:
        raise SettingsError(
            "num_blocks",
            f"num_blocks is {settings.num_blocks}, which lends {lendable} blocks of {settings.block_size} "
            f"tokens, and max_model_len {settings.max_model_len} needs {needed}; give {needed + 1} blocks or "
            "more, or a smaller max_model_len",
        )
