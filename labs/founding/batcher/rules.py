"""What holds after every step of a continuous batch, and how a run breaks it."""

from engine.views.language import count
from labs.founding.batcher.run import BatcherRun
from labs.kit.rules import Broken, Rule
from labs.kit.words import names, ordinal


def _stranger(run: BatcherRun, step: int) -> Broken | None:
    for name in run.rows[step]:
        if name not in run.workload.arrived(step):
            return Broken(f"In the {ordinal(step)} step `{name}` was served, and no such job is there.", name)
        if run.rows[step].count(name) > 1:
            return Broken(f"In the {ordinal(step)} step `{name}` was served twice.", name)
    return None


def _crowded(run: BatcherRun, step: int) -> Broken | None:
    served = run.rows[step]
    if len(served) <= run.workload.slots:
        return None
    return Broken(
        f"In the {ordinal(step)} step {names(served)} were served: {len(served)} jobs in "
        f"{count(run.workload.slots, 'slot')}.",
        served[-1],
    )


def _overserved(run: BatcherRun, step: int) -> Broken | None:
    for name in run.rows[step]:
        got, needs = run.served(name, step), run.workload.needs()[name]
        if got > needs:
            words = f"In the {ordinal(step)} step `{name}` got its step number {got}, and it needs {needs}."
            return Broken(words, name)
    return None


def _put_aside(run: BatcherRun, step: int) -> Broken | None:
    for name in run.running(step):
        if name not in run.rows[step]:
            got, needs = run.served(name, step), run.workload.needs()[name]
            words = f"`{name}` had {got} of its {needs} steps and got none in the {ordinal(step)} step."
            return Broken(words, name)
    return None


def _out_of_turn(run: BatcherRun, step: int) -> Broken | None:
    waiting = run.waiting(step)
    started = [name for name in waiting if name in run.rows[step]]
    left = [name for name in waiting if name not in run.rows[step]]
    if started and left and waiting.index(left[0]) < waiting.index(started[-1]):
        passed = f"`{left[0]}`, which came before it, went on waiting"
        return Broken(f"In the {ordinal(step)} step `{started[-1]}` got a slot while {passed}.", started[-1])
    return None


def _idle(run: BatcherRun, step: int) -> Broken | None:
    waiting = [name for name in run.waiting(step) if name not in run.rows[step]]
    empty = run.workload.slots - len(run.rows[step])
    if not waiting or empty <= 0:
        return None
    return Broken(
        f"In the {ordinal(step)} step {count(empty, 'slot')} of {run.workload.slots} stood empty, "
        f"and {names(waiting)} went on waiting.",
        waiting[0],
    )


def _misreported(run: BatcherRun, step: int) -> Broken | None:
    for name, needs in run.workload.needs().items():
        done = run.served(name, step) == needs
        last = max((index for index in range(step + 1) if name in run.rows[index]), default=-1)
        told = run.finished[step].get(name)
        if told != (last + 1 if done else None):
            got = f"`{name}` has {run.served(name, step)} of its {needs} steps"
            return Broken(f"After {count(step + 1, 'step')} {got}; `finished[{name!r}]` is {told}.", name)
    return None


RULES: tuple[Rule[BatcherRun], ...] = (
    Rule("one-each", "Whoever is served in a step is there, and is served once.", _stranger),
    Rule("slots", "A step serves no more jobs than there are slots.", _crowded),
    Rule("own-steps", "A job gets as many steps as it needs, and not one more.", _overserved),
    Rule("keeps-slot", "A job that has started is served in every step until it is done.", _put_aside),
    Rule("arrival-order", "Who came first gets a slot first.", _out_of_turn),
    Rule("no-idle-slot", "No slot is empty in a step while a job waits.", _idle),
    Rule("finished", "`finished` holds each job that is done, with the steps done by then.", _misreported),
)
