"""The workload of a replay: what arrives, when, and what the model will say.

The file is JSON, in the shape of the parity traces: a name, the engine's settings, and a list of requests.
A value that can't be is refused with its place in the file.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from engine.codec import FieldError, Missing, decode_object
from engine.settings import Settings, SettingsError

DEFAULT_CONFIG: Final[dict[str, Any]] = {
    "block_size": 16,
    "num_blocks": 64,
    "max_num_seqs": 8,
    "max_num_batched_tokens": 128,
    "max_model_len": 512,
    "enable_prefix_caching": True,
    "enable_chunked_prefill": True,
    "long_prefill_token_threshold": 0,
    "long_prefill_token_threshold_adaptive": False,
    "policy": "fcfs",
    "watermark": 0.0,
    "scheduler_reserve_full_isl": True,
    "max_num_active_seqs": None,
    "async_scheduling": False,
}
"""What a replay's file leaves out: the defaults of the parity records, smaller than vLLM's own."""

DEFAULT_MAX_STEPS: Final = 5000
"""After how many steps a replay ends that isn't done."""

INVENTED_TOKENS: Final = 1_000_000
"""The first token id that is made up for a request without given output: beyond any vocabulary."""


class Spec(NamedTuple):
    """One request of a workload."""

    id: str
    prompt_token_ids: tuple[int, ...]
    arrival_step: int = 0
    max_tokens: int | None = None
    priority: int = 0
    cache_salt: str | None = None
    output_token_ids: tuple[int, ...] | None = None
    """What the model says, as far as it is given."""
    eos_token_id: int | None = None
    stop_token_ids: tuple[int, ...] | None = None
    abort_step: int | None = None
    """Before which step the client gives it up."""


class Workload(NamedTuple):
    """Requests, and the engine that they arrive at."""

    name: str
    about: str
    config: dict[str, Any]
    """The settings as the file gives them, those left out filled in."""
    specs: tuple[Spec, ...]
    max_steps: int = DEFAULT_MAX_STEPS

    def settings(self, *, correct: bool) -> Settings:
        """The settings of a replay: without the start-up rule, and with vLLM's stalls.

        `correct` leaves vLLM's known defect out.
        """
        ours = {"reject_unservable": False, "keep_stale_hashes": not correct}
        return Settings.from_mapping({**self.config, **ours}, startup_rule=False)


def output_token(index: int, spec: Spec, count: int) -> int:
    """The `count`-th answer token of the `index`-th request. Made-up ones never equal another request's."""
    given = spec.output_token_ids
    return given[count] if given and count < len(given) else INVENTED_TOKENS + 1_000 * index + count


def workload_from_json(value: Any) -> Workload:
    """The workload that a parsed file describes.

    Raises `FieldError`, whose `field` is the path inside the file, such as `requests[3].max_tokens`.
    """
    if not isinstance(value, dict):
        raise FieldError("", value, "an object with name, config and requests")
    _refuse_unknown(value, ("name", "about", "config", "requests", "max_steps"))
    workload = Workload(
        name=_typed(value, "name", str, "a text"),
        about=_typed(value, "about", str, "a text", ""),
        config=_config(_typed(value, "config", dict, "an object of settings", {})),
        specs=_specs(_typed(value, "requests", list, "an array of requests")),
        max_steps=_typed(value, "max_steps", int, "a whole number", DEFAULT_MAX_STEPS),
    )
    _refuse_below("max_steps", workload.max_steps, 0)
    return workload


def _refuse_unknown(value: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in value:
        if key not in known:
            raise FieldError(key, value[key], f"none but the keys {', '.join(known)}")


def _typed(value: Mapping[str, Any], key: str, kind: type, words: str, default: Any = Missing) -> Any:
    item = value.get(key, default)
    if item is Missing:
        raise FieldError(key, Missing(), words)
    # `type`, not `isinstance`: True is no whole number here.
    if type(item) is not kind:
        raise FieldError(key, item, words)
    return item


def _config(given: dict[str, Any]) -> dict[str, Any]:
    _refuse_unknown_settings(given)
    config = {**DEFAULT_CONFIG, **given}
    try:
        Settings.from_mapping(config, startup_rule=False)
    except SettingsError as error:
        expected = str(error).partition("; give ")[2] or f"settings that go together: {error}"
        raise FieldError(f"config.{error.key}", config[error.key], expected) from None
    return config


def _refuse_unknown_settings(given: Mapping[str, Any]) -> None:
    try:
        _refuse_unknown(given, tuple(DEFAULT_CONFIG))
    except FieldError as error:
        raise error.inside("config") from None


def _specs(values: list[Any]) -> tuple[Spec, ...]:
    specs: list[Spec] = []
    first_with: dict[str, int] = {}
    for index, value in enumerate(values):
        try:
            spec = _spec(value)
            if spec.id in first_with:
                raise FieldError("id", spec.id, f"an id of its own (requests[{first_with[spec.id]}] has this one)")
        except FieldError as error:
            raise error.inside(f"requests[{index}]") from None
        first_with[spec.id] = index
        specs.append(spec)
    return tuple(specs)


def _spec(value: Any) -> Spec:
    if not isinstance(value, dict):
        raise FieldError("", value, "an object")
    spec: Spec = decode_object(Spec, value)
    _refuse_below("arrival_step", spec.arrival_step, 0)
    _refuse_below("max_tokens", spec.max_tokens, 1)
    _refuse_below("abort_step", spec.abort_step, 0)
    for name in ("prompt_token_ids", "output_token_ids"):
        for place, token_id in enumerate(getattr(spec, name) or ()):
            if not -(2**63) <= token_id < 2**63:
                raise FieldError(f"{name}[{place}]", token_id, "a token id of at most 64 bits")
    return spec


def _refuse_below(field: str, value: int | None, least: int) -> None:
    if value is not None and value < least:
        raise FieldError(field, value, f"a whole number of {least} or more")
