"""Every format that can be read, one line each. A file is known by its content, never by its name."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from engine.readers import aiperf, azure, burstgpt, guidellm, mooncake, own, recording, vllm_bench
from engine.readers.notes import Notes
from engine.readers.source import Source
from engine.readers.text import ReadError
from engine.trace import Trace
from engine.workload.records import Arrival, Workload


class Format(NamedTuple):
    """One kind of file: what it is called, how it is known, and the function that reads it.

    A format of `arrivals` says what came; one of `traces` says what a server did with it.
    """

    name: str
    fields: frozenset[str]
    """Columns, or keys of the first object, that no other format has all of."""
    arrivals: Callable[[Source, Notes], Iterator[Arrival]] | None = None
    traces: Callable[[Source, Notes], list[Trace]] | None = None
    header: Callable[[Source], Workload] | None = None
    """What the file says about its workload as a whole: the workload without its arrivals."""


FORMATS: Final = (
    Format("Azure LLM inference trace", azure.FIELDS, arrivals=azure.arrivals),
    Format("BurstGPT trace", burstgpt.FIELDS, arrivals=burstgpt.arrivals),
    Format("Mooncake trace", mooncake.FIELDS, arrivals=mooncake.arrivals),
    Format("workload file of the course", own.WORKLOAD_FIELDS, arrivals=own.arrivals, header=own.header),
    Format("trace file of the course", own.TRACE_FIELDS, traces=own.traces),
    Format("recording of a vLLM server", recording.FIELDS, traces=recording.traces),
    Format("result of vllm bench serve", vllm_bench.FIELDS, traces=vllm_bench.traces),
    Format("result of GuideLLM", guidellm.FIELDS, traces=guidellm.traces),
    Format("result of AIPerf", aiperf.FIELDS, traces=aiperf.traces),
)
"""All formats. To add one, write its module and name it here."""


REPLAYED: Final = "replay's JSON file"
"""What `engine.replay_format` reads."""

OUTCOME: Final = "outcome of a replay"
"""What `engine.outcome` writes."""

SCENARIO: Final = "scenario"
"""What `engine.simulate.scenario` reads."""

OTHERS: Final = (
    (OUTCOME, frozenset({"config", "requests", "steps"})),
    (REPLAYED, frozenset({"name", "requests"})),
    (SCENARIO, frozenset({"settings", "traffic"})),
    (SCENARIO, frozenset({"settings", "arrivals"})),
)
"""Other files of this engine, and how they are known: they aren't read here, but those who bring one are told."""


def kind_of(source: Source) -> str | None:
    """What `source` is called, if it is anything known."""
    kinds = [*((one.name, one.fields) for one in FORMATS), *OTHERS]
    return next((name for name, fields in kinds if fields <= source.fields), None)


def recognise(source: Source) -> Format:
    """The format of `source`. Raises `ReadError`, with what each format would have, if it is none of them."""
    for format_ in FORMATS:
        if format_.fields <= source.fields:
            return format_
    kind = "columns" if source.kind == "csv" else "keys"
    # A file that is none of them may be one endless name.
    found = ", ".join(name[:40] for name in sorted(source.fields)[:12]) or "none"
    known = "".join(f"\n  {one.name}: {', '.join(sorted(one.fields))}" for one in FORMATS)
    raise ReadError(f"{source.file}: {kind}: got {found}; expected those of one of these formats:{known}")
