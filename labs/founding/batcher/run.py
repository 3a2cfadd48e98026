"""Runs a student's batcher on a workload and notes what it does."""

from dataclasses import dataclass

from labs.founding.batcher.cases import Workload
from labs.kit.result import Violation
from labs.kit.student import Student, StudentError, ask, look, unreadable


@dataclass(frozen=True, slots=True)
class BatcherRun:
    """What was seen, step by step."""

    workload: Workload
    rows: tuple[tuple[str, ...], ...]
    """Who was served in each step."""
    finished: tuple[dict[str, int], ...]
    """`finished`, as it stood after each step."""
    error: Violation | None

    @property
    def num_steps(self) -> int:
        """Steps that were seen whole."""
        return len(self.rows)

    def served(self, name: str, step: int) -> int:
        """How many steps a job has got when `step` (an index) is done."""
        return sum(row.count(name) for row in self.rows[: step + 1])

    def waiting(self, step: int) -> list[str]:
        """Who has arrived and was never served when `step` begins, oldest first."""
        return [name for name in self.workload.arrived(step) if not self.served(name, step - 1)]

    def running(self, step: int) -> list[str]:
        """Who has started and still needs steps when `step` begins, oldest first."""
        needs = self.workload.needs()
        return [name for name in needs if 0 < self.served(name, step - 1) < needs[name]]


def observe(student: Student, workload: Workload) -> BatcherRun:
    """Add the jobs as they arrive and call `step()` until all is done, and once more.

    A batcher that never gets done is stopped after as many steps as one job at a time would take, and
    two more.
    """
    rows: list[tuple[str, ...]] = []
    finished: list[dict[str, int]] = []
    error = None
    try:
        batcher = ask(f"{student.__name__}({workload.slots})", student, workload.slots)
        for step in range(_most_steps(workload)):
            for name in workload.arrivals(step):
                ask(f'add("{name}", {workload.needs()[name]})', look(batcher, "add"), name, workload.needs()[name])
            row = _names(ask("step()", look(batcher, "step")))
            finished.append(_finish_steps(look(batcher, "finished")))
            rows.append(row)
            if not row and step >= workload.last_arrival() and len(finished[-1]) == len(workload.jobs):
                break
    except StudentError as stopped:
        error = stopped.violation
    return BatcherRun(workload, tuple(rows), tuple(finished[: len(rows)]), error)


def _most_steps(workload: Workload) -> int:
    return workload.last_arrival() + sum(job.steps for job in workload.jobs) + 2


def _names(answer: object) -> tuple[str, ...]:
    if isinstance(answer, list | tuple) and all(isinstance(name, str) for name in answer):
        return tuple(answer)
    raise unreadable("step()", "the list of names that were served", answer)


def _finish_steps(finished: object) -> dict[str, int]:
    if isinstance(finished, dict):
        return dict(finished)
    raise unreadable("finished", "a dictionary: name to steps done", finished)
