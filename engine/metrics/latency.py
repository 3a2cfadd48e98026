"""The latencies of one request. Each is a pair of events: name both, or two true numbers contradict.

All are counted from *arrival*, so waiting counts. Tools differ: vLLM's own per-request TTFT counts from when
the request was scheduled, its client's from when it was sent; GuideLLM's `time_per_output_token_ms` takes the
first token in, and its `inter_token_latency_ms` is what vLLM, inference-perf and this file call TPOT.

The gaps between tokens, ITL, are in `engine.metrics.handovers`: they are many a request.
"""

from collections.abc import Sequence

from engine.metrics.requests import RequestTimes


def ttft(request: RequestTimes) -> int | None:
    """Time to first token: from arrival until the first token was handed over. None without one."""
    return None if request.first_token is None else request.first_token - request.arrived


def e2e(request: RequestTimes) -> int | None:
    """End to end: from arrival until the whole answer was there. None if it never was."""
    if request.outcome != "finished" or request.ended is None:
        return None
    return request.ended - request.arrived


def tpot(request: RequestTimes) -> float | None:
    """Time per output token after the first: (E2E - TTFT) / (output tokens - 1).

    None for an answer of one token, for which it isn't defined: a zero would flatter every mean.
    """
    whole, first = e2e(request), ttft(request)
    if whole is None or first is None or request.num_output_tokens < 2:
        return None
    return (whole - first) / (request.num_output_tokens - 1)


def queue_time(request: RequestTimes) -> int | None:
    """From arrival until it was first admitted. None if it never was, or if nobody saw it."""
    return None if request.admitted is None else request.admitted - request.arrived


def latencies(requests: Sequence[RequestTimes]) -> dict[str, Sequence[float]]:
    """Those four of all requests, under their names, without those that are None.

    By column and without a call for each request: four calls each were half of a report's time.
    """
    if not requests:
        return {"ttft": (), "tpot": (), "e2e": (), "queue_time": ()}
    _, arrived, admitted, first, ended, outcome, _, tokens, _, _ = zip(*requests, strict=True)
    wholes = [
        None if name != "finished" or end is None else end - start
        for start, end, name in zip(arrived, ended, outcome, strict=True)
    ]
    firsts = [None if handed is None else handed - start for start, handed in zip(arrived, first, strict=True)]
    return {
        "ttft": [value for value in firsts if value is not None],
        "tpot": [
            (whole - value) / (count - 1)
            for whole, value, count in zip(wholes, firsts, tokens, strict=True)
            if whole is not None and value is not None and count >= 2
        ],
        "e2e": [value for value in wholes if value is not None],
        "queue_time": [at - start for start, at in zip(arrived, admitted, strict=True) if at is not None],
    }
