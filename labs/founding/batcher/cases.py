"""Workloads of the batcher: jobs that need steps, and slots that hold them."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from engine.views.language import count, listing
from labs.kit.search import each_replaced, lower, shorter
from labs.kit.words import letter


class Job(NamedTuple):
    """A job: how many steps it needs, and how many are done when it arrives."""

    steps: int
    arrives: int = 0


@dataclass(frozen=True, slots=True)
class Workload:
    """Jobs in order of arrival, named a, b, c, … in that order."""

    slots: int
    jobs: tuple[Job, ...]

    def names(self) -> list[str]:
        """The jobs' names, in order of arrival."""
        return [letter(index) for index in range(len(self.jobs))]

    def needs(self) -> dict[str, int]:
        """How many steps each job needs."""
        return {name: job.steps for name, job in zip(self.names(), self.jobs, strict=True)}

    def arrivals(self, step: int) -> list[str]:
        """Who arrives right before the step with this index."""
        return [name for name, job in zip(self.names(), self.jobs, strict=True) if job.arrives == step]

    def arrived(self, step: int) -> list[str]:
        """Who is there in the step with this index, in order of arrival."""
        return [name for earlier in range(step + 1) for name in self.arrivals(earlier)]

    def last_arrival(self) -> int:
        """How many steps are done when the last job arrives."""
        return max((job.arrives for job in self.jobs), default=0)


FOUNDING = Workload(2, (Job(2), Job(4), Job(1)))
"""The lesson's example: a needs two steps, b four, c one; two slots."""


def generate(random: Random, size: int) -> Workload:
    """A random workload; `size` from 1 to 120 lets more and longer jobs in."""
    slots = random.randint(1, 2 + size // 60)
    most = 1 + size // 20
    arrivals = [random.choice((0, 0, 0, random.randint(0, 5))) for _ in range(random.randint(1, 1 + most))]
    return Workload(slots, tuple(Job(random.randint(1, 1 + most), at) for at in sorted(arrivals)))


def shrink(workload: Workload) -> Iterator[Workload]:
    """Fewer jobs, then fewer slots, then shorter jobs, then earlier arrivals."""
    yield from (Workload(workload.slots, jobs) for jobs in shorter(workload.jobs) if jobs)
    yield from (Workload(slots, workload.jobs) for slots in lower(workload.slots, 1))
    for jobs in each_replaced(workload.jobs, _smaller_job):
        yield Workload(workload.slots, tuple(sorted(jobs, key=lambda job: job.arrives)))


def _smaller_job(job: Job) -> Iterator[Job]:
    yield from (job._replace(steps=steps) for steps in lower(job.steps, 1))
    yield from (job._replace(arrives=at) for at in lower(job.arrives, 0))


def tell(workload: Workload) -> str:
    """The workload in words."""
    needs = listing([f"`{name}` needs {count(steps, 'step')}" for name, steps in workload.needs().items()])
    late = [
        f"`{name}` arrives when {count(job.arrives, 'step')} {'is' if job.arrives == 1 else 'are'} done"
        for name, job in zip(workload.names(), workload.jobs, strict=True)
        if job.arrives
    ]
    there = f"; {listing(late)}" if late else ""
    return f"{count(workload.slots, 'slot')}; {needs}{there}."
