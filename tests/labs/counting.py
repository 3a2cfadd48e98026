"""The smallest lab that there can be: a class that has to count up from its start, one by one."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from labs.kit.picture import Cell, Picture, Row
from labs.kit.result import Violation
from labs.kit.rules import Broken, Rule
from labs.kit.search import lower
from labs.kit.student import Student, StudentError, ask, unreadable
from labs.kit.task import Hint, Task


@dataclass(frozen=True, slots=True)
class CountRun:
    """What a counter said, call by call."""

    said: tuple[int, ...]
    error: Violation | None

    @property
    def num_steps(self) -> int:
        return len(self.said)


def observe(student: Student, times: int) -> CountRun:
    said: list[int] = []
    try:
        counter = ask("Counter()", student)
        for _ in range(times):
            answer = ask("next()", counter.next)
            if not isinstance(answer, int):
                raise unreadable("next()", "a whole number", answer)
            said.append(answer)
    except StudentError as stopped:
        return CountRun(tuple(said), stopped.violation)
    return CountRun(tuple(said), None)


def _wrong(run: CountRun, step: int) -> Broken | None:
    return None if run.said[step] == step + 1 else Broken(f"Call {step + 1} said {run.said[step]}.", "a")


def _generate(random: Random, size: int) -> int:
    return random.randint(1, size)


def _shrink(times: int) -> Iterator[int]:
    return lower(times, 1)


def _draw(run: CountRun, violation: Violation | None) -> Picture:
    cells = tuple(Cell(str(number), "a") for number in run.said)
    return Picture("Counting", (Row("said", cells),), f"It said {list(run.said)}.", ("a",))


TASK: Task[int, CountRun] = Task(
    lab="counting",
    id="counter",
    title="A counter",
    class_name="Counter",
    methods=("next",),
    examples=(3,),
    generate=_generate,
    shrink=_shrink,
    tell=lambda times: f"`next()` {times} times.",
    observe=observe,
    rules=(Rule("counts", "The n-th call says n.", _wrong),),
    hints=(Hint("starts-at-zero", lambda run, broken, example: example.said[:1] == (0,), "Does it begin at 1?"),),
    draw=_draw,
)


class Counter:
    """A counter that is right."""

    def __init__(self) -> None:
        self.number = 0

    def next(self) -> int:
        self.number += 1
        return self.number
