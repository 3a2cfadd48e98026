"""The founding lab, solved: one class a task. Never part of the built site."""

from collections import deque
from dataclasses import dataclass


@dataclass
class Job:
    name: str
    left: int  # steps that it still needs


class Batcher:
    def __init__(self, slots: int) -> None:
        self.slots = slots
        self.waiting: deque[Job] = deque()  # jobs without a slot, oldest first
        self.running: list[Job] = []  # jobs that hold a slot
        self.steps_done = 0
        self.finished: dict[str, int] = {}  # name -> steps done when it finished

    def add(self, name: str, steps: int) -> None:
        self.waiting.append(Job(name, steps))

    def admit(self) -> None:
        while self.waiting and len(self.running) < self.slots:
            self.running.append(self.waiting.popleft())

    def serve(self) -> None:
        for job in list(self.running):
            job.left -= 1
            if job.left == 0:
                self.running.remove(job)
                self.finished[job.name] = self.steps_done

    def step(self) -> list[str]:
        self.admit()
        served = [job.name for job in self.running]
        self.steps_done += 1
        self.serve()
        return served
