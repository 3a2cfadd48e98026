"""What grading hands back: plain values that can be printed, compared and drawn."""

from dataclasses import dataclass

from labs.kit.picture import Picture
from labs.kit.replay import Replay


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that has to hold, and didn't."""

    rule: str
    """The id of the rule: `no-idle-slot`."""
    holds: str
    """What has to hold, in one sentence."""
    words: str
    """What happened instead, with its numbers."""
    step: int = 0
    """The index of the step or call where it went wrong, from 0."""
    who: str = ""
    """The request that it is about, where it is about one."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The smallest workload that goes wrong, what went wrong on it, and a hint."""

    workload: str
    violation: Violation
    hint_id: str
    hint: str
    picture: Picture | None
    """The step where it went wrong; None where nothing ran."""
    printed: str = ""
    """What the student's code printed on this workload."""
    replay: Replay | None = None
    """The run for the trace player; None where nothing ran, or a trace can't tell it."""


@dataclass(frozen=True, slots=True)
class Result:
    """How one class did on one task."""

    lab: str
    task: str
    title: str
    seed: int
    """The seed of the random workloads: the same seed and class give the same result."""
    num_workloads: int
    """Workloads that were run, those of the search for a smaller one included."""
    held: tuple[str, ...]
    """The rules of the task, in words."""
    finding: Finding | None
    picture: Picture | None
    """For those who pass: the last known example, as their class ran it."""
    lab_version: str
    engine_version: str

    @property
    def passed(self) -> bool:
        """No workload went wrong."""
        return self.finding is None
