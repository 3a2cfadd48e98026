"""Charts: what they say of the numbers, in a specification, in words and in a table alike."""

import json
import re
from typing import Any

import pytest

from engine.metrics.requests import RequestTimes
from engine.views.charts import (
    Chart,
    LoadPoint,
    chart_table,
    chart_words,
    knee,
    latency_cdf,
    load_chart,
    load_point,
    tenant_chart,
)
from engine.views.charts.spec import log_axis


def waited(*seconds: float | None, tenant: str = "") -> list[RequestTimes]:
    """Requests that all came at once and had their first token after so many seconds, or never."""
    return [
        RequestTimes(
            f"r{place}", 0, 0, None if value is None else round(value * 1e9), None, "unfinished", 9, 1, 0, tenant
        )
        for place, value in enumerate(seconds)
    ]


def cells(chart: Chart) -> list[list[str]]:
    rows = re.findall(r"<tr>(.*?)</tr>", chart_table(chart))
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]


BENT = [
    LoadPoint(load, 0.1, tail, 100) for load, tail in ((1, 0.2), (2, 0.21), (3, 0.25), (4, 0.4), (5, 4.0), (6, 20.0))
]


class TestLoad:
    """Load against the time to first token."""

    def test_a_point_is_the_percentiles_of_those_who_got_a_token(self) -> None:
        assert load_point(3, waited(0.1, 0.2, 0.3, None)) == LoadPoint(3, 0.2, 0.3, 4, 1)

    def test_a_load_at_which_nobody_gets_a_token_is_refused(self) -> None:
        with pytest.raises(ValueError, match="at a load of 3 nobody got a first token"):
            load_point(3, waited(None))

    def test_the_knee_is_where_the_tail_bends(self) -> None:
        assert knee(BENT) == BENT[3]
        assert knee(reversed(BENT)) == BENT[3]

    @pytest.mark.parametrize("tails", [(1, 2, 3), (1, 2.6, 3), (3, 2, 1), (1, 2)])
    def test_what_never_bends_upwards_has_none(self, tails: tuple[float, ...]) -> None:
        assert knee(LoadPoint(place, 0, tail, 1) for place, tail in enumerate(tails)) is None

    def test_words_and_table_say_what_the_curve_shows(self) -> None:
        chart = load_chart(BENT)
        assert chart_words(chart) == (
            "At a load of 1 a second half of the first tokens come within 0.1 s and 99 % within 0.2 s; at 6 it is "
            "0.1 s and 20 s. The knee is at 4: up to there 99 % come within 0.4 s, and beyond it the wait grows much "
            "faster than the load."
        )
        assert cells(chart)[0] == ["requests a second", "half within", "99 % within", "without a token"]
        assert cells(chart)[5] == ["5", "0.1 s", "4 s", "0"]
        drawn = [(value["load"], value["seconds"]) for value in chart["layer"][0]["data"]["values"]]
        assert drawn == [(point.load, value) for point in BENT for value in (point.median, point.tail)]
        assert chart["layer"][4]["data"]["values"][0]["load"] == 4

    def test_one_point_is_no_curve(self) -> None:
        with pytest.raises(ValueError, match="1 load: a curve needs two or more"):
            load_chart(BENT[:1])


class TestCurveOfShares:
    """The latency of all who arrived."""

    def test_who_was_lost_keeps_the_curve_below_the_top(self) -> None:
        chart = latency_cdf({"fcfs": waited(*[0.1] * 50, *[0.4] * 30, *[None] * 20)})
        shares = [point["share"] for point in chart["data"]["values"]]
        assert (shares[0], shares[-1]) == (0.01, 0.8)
        assert chart_words(chart) == (
            "fcfs, time to first token of 100 requests: half within 0.1 s, 95 % never; 20 have none."
        )
        assert cells(chart) == [
            ["100 requests each", "50 % within", "95 % within", "99 % within", "never"],
            ["fcfs", "0.1 s", "never", "never", "20"],
        ]

    def test_when_most_are_lost_it_says_so(self) -> None:
        chart = latency_cdf({"x": waited(0.1, None, None)}, "ttft")
        assert chart_words(chart) == "x: fewer than half of 3 requests have a time to first token."

    def test_curves_are_told_apart_without_colour(self) -> None:
        chart = latency_cdf({name: waited(0.1, 0.2) for name in "abcdef"})
        dashes = chart["encoding"]["strokeDash"]["scale"]["range"]
        assert len({tuple(dash) for dash in dashes}) == 6

    @pytest.mark.parametrize("count", [0, 7])
    def test_more_than_can_be_told_apart_are_refused(self, count: int) -> None:
        with pytest.raises(ValueError, match=f"{count} curves; give 1 to 6"):
            latency_cdf({str(name): waited(0.1) for name in range(count)})

    def test_many_requests_make_no_more_points_than_the_eye_sees(self) -> None:
        chart = latency_cdf({"many": waited(*(place / 1000 for place in range(1, 5001)))})
        assert len(chart["data"]["values"]) == 80


class TestTenants:
    """What a policy does to each tenant."""

    def test_each_tenant_has_a_bar_under_each_policy(self) -> None:
        runs = {
            "fcfs": waited(1, 2, tenant="a") + waited(3, tenant="b"),
            "fair": waited(4, tenant="a") + waited(None, tenant="b"),
        }
        chart = tenant_chart(runs)
        bars = {(bar["policy"], bar["tenant"]): bar["seconds"] for bar in chart["data"]["values"]}
        assert bars == {("fcfs", "a"): 2, ("fcfs", "b"): 3, ("fair", "a"): 4}
        assert cells(chart)[1:] == [["fcfs", "2 s", "3 s"], ["fair", "4 s", "never"]]
        assert chart_words(chart).startswith(
            "Under fcfs, 95 % of the first tokens come within 2 s for tenant a and 3 s"
        )

    def test_nobody_is_refused(self) -> None:
        with pytest.raises(ValueError, match="0 tenants"):
            tenant_chart({})


CHARTS = [load_chart(BENT), latency_cdf({"a": waited(0.1, 0.2)}), tenant_chart({"fcfs": waited(1, tenant="a")})]


@pytest.mark.parametrize("chart", CHARTS, ids=["load", "cdf", "tenants"])
def test_a_chart_is_plain_data_and_shows_itself_in_a_notebook(chart: Chart) -> None:
    assert json.loads(json.dumps(chart)) == chart
    shown: dict[str, Any] = chart._repr_mimebundle_()
    assert shown["application/vnd.vegalite.v5+json"] == chart
    assert shown["text/plain"] == chart_words(chart)
    # JupyterLab would rather show HTML.
    assert "text/html" not in shown
    # Nothing in it leads anywhere, and colours are the page's own.
    assert chart["usermeta"]["embedOptions"] == {"renderer": "svg", "actions": False}
    assert [
        word for word in re.findall(r"https?://[^\"]*", json.dumps(chart)) if "vega.github.io/schema" not in word
    ] == []


@pytest.mark.parametrize(
    ("values", "ticks"),
    [([0.03, 1.4], [0.05, 0.1, 0.2, 0.5, 1]), ([0.001, 50], [0.001, 0.01, 0.1, 1, 10]), ([0.2, 0.2], [0.2])],
)
def test_a_logarithmic_axis_has_few_round_ticks(values: list[float], ticks: list[float]) -> None:
    assert log_axis(values)["values"] == ticks
