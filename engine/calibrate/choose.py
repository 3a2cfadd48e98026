"""Which rules a server followed, where neither its release nor its settings say: what fits the training part best.

vLLM 0.19 is older than the release that the engine reproduces, and a recording names only some settings. So each
rule that may have been otherwise is tried the other way, unless that changes nothing in this recording.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import fields, replace
from typing import Final, NamedTuple

from engine.calibrate.cost import Form
from engine.calibrate.fit import Fit, fit
from engine.calibrate.recording import Problem
from engine.calibrate.server import Server
from engine.settings import Settings

RULES: Final = ("async_scheduling", "scheduler_reserve_full_isl", "enable_prefix_caching", "appends_everything")
"""What is tried both ways: three settings, and the order in which freed blocks queue up."""

GAIN: Final = 0.15
"""By which share the training error must fall before a rule is believed to have been otherwise: less is chance."""


class Trial(NamedTuple):
    """One rule tried the other way."""

    rule: str
    value: bool
    error: float | None
    """The training error with it; None where it changes nothing."""
    taken: bool = False


def with_rule(server: Server, rule: str, value: bool) -> Server:
    """The server with one of `RULES` set."""
    if rule == "appends_everything":
        return replace(server, appends_everything=value)
    settings = {field.name: getattr(server.settings, field.name) for field in fields(server.settings)}
    return replace(server, settings=Settings.from_mapping(settings | {rule: value}, startup_rule=False))


def value_of(server: Server, rule: str) -> bool:
    """How one of `RULES` is set."""
    value: bool = server.appends_everything if rule == "appends_everything" else getattr(server.settings, rule)
    return value


def choose(
    problem: Problem,
    server: Server,
    form: Form,
    fixed: Collection[str] = (),
    advance: Callable[[], None] = lambda: None,
) -> tuple[Fit, list[Trial]]:
    """The best fit, and what was tried for it. Rules in `fixed` are known and stay as they are."""
    best = fit(problem, server, form, advance)
    trials = []
    for rule in RULES:
        if rule in fixed:
            continue
        other = with_rule(best.server, rule, not value_of(best.server, rule))
        if not _matters(problem, best, other):
            trials.append(Trial(rule, value_of(other, rule), None))
            continue
        found = fit(problem, other, form, advance)
        taken = found.error < best.error * (1 - GAIN)
        trials.append(Trial(rule, value_of(other, rule), found.error, taken))
        best = found if taken else best
    return best, trials


def _matters(problem: Problem, fitted: Fit, other: Server) -> bool:
    calls = problem.at_server()
    return fitted.serve(calls).timings != replace(fitted, server=other).serve(calls).timings


def told(trials: Sequence[Trial], error: float) -> Iterator[str]:
    """What the trials showed, a line each."""
    for rule, value, trial, taken in trials:
        if trial is None:
            yield f"{rule} {value} would change nothing in this recording"
        elif taken:
            yield f"{rule} {value} fits the training part better: {trial:.4f}, and was taken"
        else:
            yield f"{rule} {value} fits the training part no better: {trial:.4f} against {error:.4f}"
