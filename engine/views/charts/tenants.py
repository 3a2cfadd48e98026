"""What each policy does to each tenant: bars of the time that most of a tenant's requests waited."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.metrics.latency import ttft
from engine.metrics.percentiles import nearest_rank
from engine.metrics.requests import RequestTimes
from engine.views.charts.spec import LINES, Chart, chart, seconds
from engine.views.language import listing
from engine.views.palette import PENCILS


def tenant_chart(
    runs: Mapping[str, Sequence[RequestTimes]], *, percent: float = 95, per_second: int = 1_000_000_000
) -> Chart:
    """A bar for each tenant under each policy: by when `percent` of its first tokens were there. Six tenants at most.

    Raises `ValueError` for no runs, or for more tenants than there are pencils.
    """
    waits = {policy: _waits(requests, percent, per_second) for policy, requests in runs.items()}
    tenants = sorted({tenant for found in waits.values() for tenant in found})
    if not 1 <= len(tenants) <= len(LINES):
        raise ValueError(f"{len(tenants)} tenants; give runs of 1 to {len(LINES)}, so that they can be told apart")
    rows = [[policy, *(_told(found.get(tenant)) for tenant in tenants)] for policy, found in waits.items()]
    return chart(
        _parts(waits, tenants, percent),
        words=" ".join(_words(policy, found, percent) for policy, found in waits.items()),
        caption=f"By when {percent:g} % of a tenant's first tokens were there",
        heads=["policy", *(f"tenant {tenant}" for tenant in tenants)],
        rows=rows,
        height=max(120, 24 * len(tenants) * len(waits)),
    )


def _waits(requests: Sequence[RequestTimes], percent: float, per_second: int) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for request in requests:
        value = ttft(request)
        if value is not None:
            found.setdefault(request.tenant or "all", []).append(value / per_second)
    return {tenant: sorted(values)[nearest_rank(len(values), percent) - 1] for tenant, values in sorted(found.items())}


def _told(value: float | None) -> str:
    return "never" if value is None else seconds(value)


def _words(policy: str, waits: Mapping[str, float], percent: float) -> str:
    told = listing([f"{seconds(value)} for tenant {tenant}" for tenant, value in waits.items()] or ["nobody"])
    return f"Under {policy}, {percent:g} % of the first tokens come within {told}."


def _parts(waits: Mapping[str, Mapping[str, float]], tenants: Sequence[str], percent: float) -> dict[str, Any]:
    values: list[dict[str, Any]] = [
        {"policy": policy, "tenant": tenant, "seconds": float(f"{value:.4g}"), "label": f"{tenant}: {seconds(value)}"}
        for policy, found in waits.items()
        for tenant, value in found.items()
    ]
    fills = {"domain": list(tenants), "range": [pencil.fill for pencil in PENCILS[: len(tenants)]]}
    lines = {"domain": list(tenants), "range": list(LINES[: len(tenants)])}
    tenant: dict[str, Any] = {"field": "tenant", "type": "nominal"}
    most = max((value["seconds"] for value in values), default=1.0)
    place = {
        "y": {
            "field": "policy",
            "type": "nominal",
            "title": None,
            "sort": list(waits),
            "axis": {"minExtent": 110, "maxExtent": 110},
        },
        "yOffset": tenant | {"sort": list(tenants)},
        "x": {
            "field": "seconds",
            "type": "quantitative",
            "title": f"{percent:g} % of first tokens within, seconds",
            # Room for the words behind the longest bar.
            "scale": {"domain": [0, float(f"{most * 1.25:.3g}")], "nice": False},
            "axis": {"tickCount": 5, "format": "~g"},
        },
    }
    return {
        "data": {"values": values},
        "encoding": place,
        "layer": [
            {
                "mark": {"type": "bar", "strokeWidth": 1},
                "encoding": {
                    "color": tenant | {"scale": fills, "legend": None},
                    "stroke": tenant | {"scale": lines, "legend": None},
                },
            },
            {"mark": {"type": "text", "align": "left", "dx": 6}, "encoding": {"text": {"field": "label"}}},
        ],
    }
