"""The dated table of a prediction from one run of a server to others, between two marks of a Markdown page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.calibrate.cost import COEFFICIENTS
from engine.calibrate.judge import STATISTICS
from engine.calibrate.page import between
from engine.calibrate.runs import Comparison, RunFit
from engine.views.numbers import change, percent, seconds

BEGIN: Final = "<!-- predicted: begin -->"
"""Where the tables begin in a page."""

END: Final = "<!-- predicted: end -->"
"""Where they end."""

WORTH_SAYING: Final = 0.03
"""The share of time in steps that were held up from which on it is told."""

COSTS: Final = {
    "step": "a step",
    "experts": "for all experts",
    "token": "a token",
    "kv_token": "a cached token that is read",
    "mixed_kv_token": "more for each of these in a step that also computes prompts",
}
"""What each coefficient is the time of, for people."""


@dataclass(frozen=True)
class Predicted:
    """One run that was predicted."""

    name: str
    about: str
    compared: Comparison
    is_own: bool
    """Whether it is the run that was fitted to: then nothing was predicted."""


def rewrite(page: str, fitted: RunFit, runs: Sequence[Predicted], date: str) -> str:
    """`page` with new tables between its marks. Raises `ValueError` for a page without them."""
    return between(page, BEGIN, END, "\n\n".join([f"Measured on {date}.", fit_words(fitted), *map(_section, runs)]))


def fit_words(fitted: RunFit) -> str:
    """What was fitted, to what, and how well, in one sentence."""
    costs = dict(zip(COEFFICIENTS, fitted.seconds, strict=True))
    told = [f"{seconds(costs[name])} {words}" for name, words in COSTS.items() if costs[name]]
    held_up = ""
    if fitted.held_up >= WORTH_SAYING:
        held_up = (
            f" {percent(fitted.held_up, 0)} of the time went into steps that took more than twice as long as fitted: "
            "the machine was held up by something else."
        )
    return (
        f"Fitted to the {fitted.by} of “{fitted.name}”: {', '.join(told)}; outside the engine "
        f"{seconds(fitted.outside / 1e9)} a request. Usual error of the fit: {percent(fitted.error)}.{held_up}"
    )


def _section(run: Predicted) -> str:
    head = f"**{run.name}**" + (", the run that was fitted to" if run.is_own else "")
    lines = [f"{head}. {run.about}".rstrip(), "", "| metric | n | " + " | ".join(STATISTICS) + " |"]
    lines.append("|---|--:|" + "--:|" * len(STATISTICS))
    for name, metric in run.compared.items():
        cells = [
            f"{one.measured:.4g} → {one.predicted:.4g} s, **{change(one.error)}**"
            for one in (metric.statistics[key] for key in STATISTICS)
        ]
        lines.append(f"| {name.upper()} | {metric.n} | " + " | ".join(cells) + " |")
    return "\n".join(lines)
