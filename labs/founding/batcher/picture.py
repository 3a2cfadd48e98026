"""Draws a batcher's run: a row a job, a column a step, up to the step where it went wrong."""

from engine.views.language import count, listing
from labs.founding.batcher.run import BatcherRun
from labs.kit.picture import Cell, Picture, Row
from labs.kit.result import Violation
from labs.kit.words import ordinal


def draw(run: BatcherRun, violation: Violation | None) -> Picture:
    """The schedule; a cell that went wrong is marked."""
    last = violation.step if violation else max(step for step in range(run.num_steps) if run.rows[step])
    steps = range(last + 1)
    rows = [
        Row(f"{name} needs {needs}", tuple(_job_cell(run, violation, name, step) for step in steps))
        for name, needs in run.workload.needs().items()
    ]
    used = Row("slots used", tuple(_used_cell(run, violation, step) for step in steps))
    title = f"It went wrong in the {ordinal(last)} step" if violation else _finishes(run)
    columns = tuple(str(step + 1) for step in steps)
    return Picture(title, (*rows, used), _words(run, steps), tuple(run.workload.names()), columns)


def _finishes(run: BatcherRun) -> str:
    finishes = listing([f"{name} at {done}" for name, done in run.finished[-1].items()])
    return f"The lesson's example, as your class runs it: {finishes} steps done"


def _job_cell(run: BatcherRun, violation: Violation | None, name: str, step: int) -> Cell:
    if step >= run.num_steps:
        return Cell("?", hatched=True)
    marked = violation is not None and (violation.step, violation.who) == (step, name)
    if name in run.rows[step]:
        return Cell(str(run.served(name, step)), owner=name, marked=marked)
    waits = name in run.waiting(step)
    return Cell("wait" if waits else "", hatched=waits, marked=marked)


def _used_cell(run: BatcherRun, violation: Violation | None, step: int) -> Cell:
    if step >= run.num_steps:
        return Cell("!", marked=True)
    about_slots = violation is not None and violation.rule in ("slots", "no-idle-slot")
    marked = about_slots and violation is not None and violation.step == step
    return Cell(f"{len(run.rows[step])}/{run.workload.slots}", marked=marked)


def _words(run: BatcherRun, steps: range) -> str:
    """Each step in a sentence: who was served and who waited."""
    sentences = []
    for step in steps[: run.num_steps]:
        waiting = [name for name in run.waiting(step) if name not in run.rows[step]]
        waits = f", {listing(waiting)} waited" if waiting else ""
        served = listing(run.rows[step]) if run.rows[step] else "nobody"
        sentences.append(f"{count(step + 1, 'step')} done: served {served}{waits}.")
    return " ".join(sentences) or "No step came to its end."
