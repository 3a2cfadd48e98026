"""A recording of a vLLM server as a problem to fit: what was asked of it, and when it did some of it.

`arrival_time` is the client's wall clock and everything else the server's monotonic one. Their difference is taken
from the training part: the least time from a request's arrival until it was queued, which a request that meets an
idle engine shows.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.calibrate.cost import Form
from engine.calibrate.server import Call, Timing, check_pool
from engine.readers.recording import TIMES
from engine.readers.source import Source
from engine.readers.text import Fields, ReadError
from engine.settings import Settings

EXPERTS: Final = (128, 8)
"""How many experts a mixture has and a token chooses, where nobody says: Qwen3-30B-A3B's."""

_MIXTURE: Final = re.compile(r"-A\d+(\.\d+)?B|\dx\d+B|MoE", re.IGNORECASE)
"""What the name of a mixture of experts looks like: Qwen3-30B-A3B, Mixtral-8x7B."""


@dataclass(frozen=True)
class Recording:
    """A whole recording. Nothing is fitted to it: `training_part` takes what may be known."""

    name: str
    model: str
    version: str
    engine: Mapping[str, Any]
    """The engine's settings as `meta.json` has them."""
    calls: tuple[Call, ...]
    """In the order of arrival; `reached` is the client's time of arrival, from the first one on."""
    timings: tuple[Timing, ...]
    """One a call, on the server's clock, from the moment when the first call was queued."""

    def training_part(self, share: float) -> "Problem":
        """All calls, and the timings of the first `share` of them.

        Raises `ValueError` if that leaves nothing to learn from, or nothing to predict.
        """
        count = round(len(self.calls) * share)
        if not 0 < count < len(self.calls):
            raise ValueError(
                f"train {share}: is {count} of {len(self.calls)} requests; give a share that leaves some on both sides"
            )
        return Problem(self.calls, self.timings[:count])


@dataclass(frozen=True)
class Problem:
    """What a fit may know: every call, and the timings of the first ones. No other timing is in here."""

    calls: tuple[Call, ...]
    timings: tuple[Timing, ...]

    def at_server(self) -> tuple[Call, ...]:
        """The calls on the server's clock: when each reached it, as far as the training part tells."""
        pairs = zip(self.timings, self.calls, strict=False)
        delay = min(timing.queued - call.reached for timing, call in pairs)
        return tuple(call._replace(reached=call.reached + delay) for call in self.calls)


def read_recording(source: Source) -> Recording:
    """The recording whose `requests.jsonl` is `source`, with `meta.json` beside it. Raises `ReadError`."""
    rows = sorted(map(_row, source.rows()), key=lambda row: (row[0].reached, row[1].queued))
    if len(rows) < 2:
        raise ReadError(f"{source.file}: holds {len(rows)} requests; expected at least two")
    first_sent, first_queued = rows[0][0].reached, rows[0][1].queued
    meta = Fields(source.beside, "meta.json")
    return Recording(
        source.name,
        meta.text("model", "an unknown model"),
        meta.text("vllm_version", "?"),
        meta.inside("engine_kwargs").values if "engine_kwargs" in meta else {},
        tuple(call._replace(reached=call.reached - first_sent) for call, _ in rows),
        tuple(Timing(*(time - first_queued for time in timing)) for _, timing in rows),
    )


def _row(row: Fields) -> tuple[Call, Timing]:
    times = tuple(row.time(name) for name in TIMES)
    row.in_order(TIMES, times)
    sent = row.time("arrival_time")
    name = row.text("request_id")
    return Call(name, sent, row.whole("input_toks", least=1), row.whole("output_toks", least=1)), Timing(*times)


def settings_of(recording: Recording, num_blocks: int, **given: Any) -> Settings:
    """The engine's settings: the recording's, and over them those that are given and not None.

    vLLM 0.19 schedules asynchronously and caches prefixes unless told otherwise. `max_model_len` is often null, for
    the model's own; since every answer's length is known, the longest sequence takes its place and cuts nobody.
    Raises `SettingsError`, and `ValueError` for a pool that some request can't fit in.
    """
    longest = max(call.num_prompt_tokens + call.num_output_tokens for call in recording.calls)
    names = ("max_num_seqs", "max_num_batched_tokens", "block_size", "enable_prefix_caching", "async_scheduling")
    known: dict[str, Any] = {name: recording.engine.get(name) for name in names} | given
    settings = Settings.from_mapping(
        {"async_scheduling": True, "num_blocks": num_blocks, "max_model_len": longest}
        | {name: value for name, value in known.items() if value is not None},
        # That rule is about the model's max_model_len, which isn't known; that every request fits is.
        startup_rule=False,
    )
    check_pool(settings, recording.calls)
    return settings


def num_replicas_of(recording: Recording) -> int:
    """How many engines share the work: `data_parallel_size`."""
    size = recording.engine.get("data_parallel_size")
    return size if isinstance(size, int) and size > 0 else 1


def form_of(recording: Recording, experts: tuple[int, int] | None = None) -> Form:
    """The form of the step's cost: a mixture's where experts are given, are spread out, or show in the name."""
    if experts is not None:
        return Form(*experts)
    is_mixture = recording.engine.get("enable_expert_parallel") or _MIXTURE.search(recording.model)
    return Form(*EXPERTS) if is_mixture else Form()
