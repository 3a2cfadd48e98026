"""Mistakes that are known, how each of them shows, and a word for each."""

from collections.abc import Callable

from labs.founding.batcher.run import BatcherRun
from labs.kit.result import Violation
from labs.kit.task import Hint

Shows = Callable[[BatcherRun, Violation], bool]


def _on(rule: str, shows: Shows) -> Callable[[BatcherRun, Violation, BatcherRun], bool]:
    """The mistake shows in runs that break this rule."""
    return lambda run, broken, example: broken.rule == rule and shows(run, broken)


def _nobody_ever(run: BatcherRun, broken: Violation) -> bool:
    return not any(run.rows)


def _nobody_yet(run: BatcherRun, broken: Violation) -> bool:
    return not any(run.rows[: broken.step + 1])


def _never_served(run: BatcherRun, broken: Violation) -> bool:
    return not run.served(broken.who, run.num_steps)


def _others_run_on(run: BatcherRun, broken: Violation) -> bool:
    return bool(run.running(broken.step))


def _just_freed(run: BatcherRun, broken: Violation) -> bool:
    """Somebody's last step came before this one, and the slot is still empty."""
    needs = run.workload.needs()
    return any(run.served(name, broken.step - 1) == needs[name] for name in needs)


def _served_on(run: BatcherRun, broken: Violation) -> bool:
    """The job has all its steps, `finished` doesn't say so, and more steps follow."""
    missing = broken.who not in run.finished[broken.step]
    return missing and run.served(broken.who, run.num_steps) > run.workload.needs()[broken.who]


def _to_the_end(run: BatcherRun, broken: Violation) -> bool:
    return broken.who in run.rows[-1]


def _for_ever(run: BatcherRun, broken: Violation) -> bool:
    return _served_on(run, broken) and _to_the_end(run, broken)


def _neighbour_left(run: BatcherRun, broken: Violation) -> bool:
    """It is served on, and a job that stands before it left in a step that both were in."""
    needs = run.workload.needs()
    together = [step for step in range(broken.step + 1) if broken.who in run.rows[step]]
    return _served_on(run, broken) and any(
        run.served(other, step) == needs[other]
        for step in together
        for other in run.rows[step][: run.rows[step].index(broken.who)]
    )


def _one_less(run: BatcherRun, broken: Violation) -> bool:
    return run.finished[broken.step].get(broken.who) == broken.step


def _missing(run: BatcherRun, broken: Violation) -> bool:
    return broken.who not in run.finished[broken.step]


def _too_soon(run: BatcherRun, broken: Violation) -> bool:
    return run.served(broken.who, broken.step) < run.workload.needs()[broken.who]


def _shorter(run: BatcherRun, broken: Violation) -> bool:
    needs = run.workload.needs()
    return needs[broken.who] < needs[run.waiting(broken.step)[0]]


def _always(run: BatcherRun, broken: Violation) -> bool:
    return True


HINTS: tuple[Hint[BatcherRun], ...] = (
    Hint(
        "start",
        _on("no-idle-slot", _nobody_ever),
        "Nobody is served yet: this is where you begin. Write `admit` first. As long as somebody waits and "
        "`len(self.running)` is below `self.slots`, move the oldest job from `waiting` to `running`.",
    ),
    Hint(
        "serves-before-admitting",
        _on("no-idle-slot", _nobody_yet),
        "The first step serves nobody. Fill the slots before you serve, not after.",
    ),
    Hint(
        "loses-a-job",
        _on("no-idle-slot", _never_served),
        "This job never runs at all: it left `waiting` and reached no slot. Look whether a slot is free "
        "before you take a job out of `waiting`, not after.",
    ),
    Hint(
        "waits-for-the-batch",
        _on("no-idle-slot", _others_run_on),
        "A slot fell free, and it stayed empty because another job was still running. That is a fixed "
        "batch: in the lesson's example `c` would finish at 5. Which line of yours decides when the slots "
        "open?",
    ),
    Hint(
        "fills-the-slot-late",
        _on("no-idle-slot", _just_freed),
        "The slot stands empty for a step. It is free as soon as its job gets its last step, so whoever "
        "waits can have it in the very next one. When do you take a finished job out of `running`?",
    ),
    Hint(
        "one-at-a-time",
        _on("no-idle-slot", _always),
        "Only one job was let in, and there was room for more. An `if` looks once. What looks again?",
    ),
    Hint(
        "too-many-slots",
        _on("slots", _always),
        "One job too many. When `len(self.running)` equals `self.slots`, is there still room? "
        "Look at your comparison: `<` or `<=`?",
    ),
    Hint(
        "twice-in-a-step",
        _on("one-each", _always),
        "It was served twice in one step. A step gives every running job one token, however many slots there are.",
    ),
    Hint(
        "stays-in-the-queue",
        _on("own-steps", _to_the_end),
        "The job comes back again and again: it is still in `waiting`. `popleft()` hands it over and takes it "
        "out; `self.waiting[0]` only looks.",
    ),
    Hint(
        "keeps-the-slot",
        _on("own-steps", _always),
        "You noted this job as finished, and it still holds its slot. A job leaves `running` in the step "
        "that is its last one.",
    ),
    Hint(
        "walks-a-changing-list",
        _on("finished", _neighbour_left),
        "The job lost a step when its neighbour left: you take jobs out of the list that the loop is "
        "walking over, so the loop jumps over the next one. Walk over a copy, `list(self.running)`.",
    ),
    Hint(
        "never-leaves",
        _on("finished", _for_ever),
        "The job is served for ever. Every step takes one from what it still needs; at nothing left it goes.",
    ),
    Hint(
        "one-step-too-many",
        _on("finished", _served_on),
        "One step too many. Take one from what the job needs, *then* ask whether nothing is left. "
        "When is nothing left: at 0, or below?",
    ),
    Hint(
        "counts-from-zero",
        _on("finished", _one_less),
        "You counted from 0. `finished` says how many steps are done, so whoever leaves in the very first "
        "step finishes at 1. When do you raise `steps_done`?",
    ),
    Hint(
        "leaves-too-soon",
        _on("finished", _too_soon),
        "It left with a step still to go. Count the step, then ask whether nothing is left: 0, not 1.",
    ),
    Hint(
        "not-noted",
        _on("finished", _missing),
        "It got its last step and `finished` doesn't say so. In the step in which a job leaves, note "
        "`self.finished[job.name] = self.steps_done`.",
    ),
    Hint(
        "shortest-first",
        _on("arrival-order", _shorter),
        "You let the shorter job pass. Shortest first is a policy of its own, and a later lesson shows "
        "whom it starves. Here the order of arrival counts.",
    ),
    Hint(
        "newest-first",
        _on("arrival-order", _always),
        "The newest came first. A queue is left at the front: `popleft()`, not `pop()`.",
    ),
    Hint(
        "takes-the-slot-away",
        _on("keeps-slot", _always),
        "The job was put aside half done. Whoever has a slot keeps it to the end: "
        "`admit` adds to `running` and takes nothing away.",
    ),
)
