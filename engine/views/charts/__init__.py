"""Charts of distributions and sweeps, as Vega-Lite specifications: plain data that a notebook or a build draws.

Each chart carries its words and its table, for whoever can't see it: `chart_words(chart)`, `chart_table(chart)`.
"""

from engine.views.charts.cdf import latency_cdf
from engine.views.charts.load import LoadPoint, knee, load_chart, load_point
from engine.views.charts.spec import Chart, chart_table, chart_words
from engine.views.charts.tenants import tenant_chart

__all__ = [
    "Chart",
    "LoadPoint",
    "chart_table",
    "chart_words",
    "knee",
    "latency_cdf",
    "load_chart",
    "load_point",
    "tenant_chart",
]
