"""Classes that answer nonsense get a report like any other: grading itself never breaks."""

import itertools
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from labs.founding import solution
from labs.kit.report import in_html, in_words
from labs.kit.result import Finding
from labs.kit.task import grade
from submissions import run_cell, submissions, tasks

TASKS = {task.id: task for task in tasks("founding")}
STARTERS = {each.task: each.source for each in submissions("founding") if each.name.endswith("-starter")}


def told(task: str, student: Any, seed: int = 1) -> Finding | None:
    """What is found; everything that can be shown of it is."""
    result = grade(TASKS[task], student, seed)
    assert in_html(result)
    assert in_words(result)
    return result.finding


@pytest.mark.parametrize("seed", range(15))
def test_a_batcher_of_chance(seed: int) -> None:
    random = Random(seed)

    class Chance(solution.Batcher):
        def step(self) -> list[str]:
            right = super().step()
            self.finished = random.choice([self.finished, {}, {"a": 1}, {"a": None, 3: 4}])  # type: ignore[dict-item]
            return random.choice([right, right, right[::-1], right + right, ["z"], [], [*right, "a"]])

    assert told("batcher", Chance)


@pytest.mark.parametrize("seed", range(15))
def test_an_allocator_of_chance(seed: int) -> None:
    random = Random(seed)

    class Chance(solution.Allocator):
        def allocate(self, name: str, num_tokens: int) -> bool:
            right = super().allocate(name, num_tokens)
            self.tables[random.choice([name, "z"])] = random.choice([[1], [0, -1], [1, 1], [99]])
            return random.choice([right, right, not right, None, "yes"])  # type: ignore[return-value]

        def waste(self) -> int:
            return random.choice([super().waste(), -5])

    assert told("allocator", Chance)


@pytest.mark.parametrize("seed", range(15))
def test_a_cache_of_chance(seed: int) -> None:
    random = Random(seed)

    class Chance(solution.PrefixCache):
        def lookup(self, tokens: Any, cache_salt: str | None = None) -> list[int]:
            held = sorted(block for table in self.tables.values() for block in table)
            return random.choice([super().lookup(tokens, cache_salt), held, held[::-1], held * 2, [99]])

        def free(self, name: str) -> None:
            for _ in range(random.choice([0, 1, 1, 2])):
                super().free(name)

    assert told("prefix", Chance)


def shows(**attributes: Any) -> Callable[..., None]:
    """A method that does nothing but set these attributes."""
    return lambda self, *arguments: self.__dict__.update(attributes)


class Silent(Exception):
    """Says nothing of itself."""

    def __str__(self) -> str:
        raise ValueError

    __repr__ = __str__


def raises(error: BaseException) -> Callable[..., None]:
    """A method that ends so."""

    def method(self: Any, *arguments: Any) -> None:
        raise error

    return method


BROKEN_OUTSIDE: list[tuple[str, str, Any]] = [
    ("batcher", "step", lambda self: [1, 2]),
    ("batcher", "step", lambda self, more: []),
    ("batcher", "step", lambda self: 10**5000),
    ("batcher", "step", lambda self: Silent()),
    ("batcher", "step", raises(Silent())),
    ("batcher", "step", raises(SystemExit())),
    ("batcher", "step", raises(ValueError("long" * 100_000))),
    ("batcher", "finished", property(raises(ValueError()), shows())),
    ("batcher", "__new__", lambda kind, slots: 5),
    ("batcher", "__init__", lambda self, slots: None),
    ("batcher", "__init__", lambda self: None),
    ("allocator", "__init__", lambda self, num_blocks, block_size: None),
    ("allocator", "__init__", shows(tables=[], free_blocks=[])),
    ("allocator", "__init__", shows(tables={1: 2}, free_blocks=3)),
    ("allocator", "free_blocks", property(lambda self: itertools.count(), shows())),
    ("allocator", "waste", lambda self: 0.5),
    ("prefix", "__init__", lambda self, num_blocks, block_size: None),
    ("prefix", "lookup", lambda self, tokens, cache_salt: None),
    ("prefix", "lookup", lambda self, tokens, cache_salt: ["a"]),
    ("prefix", "lookup", lambda self, tokens, cache_salt: [[]]),
    ("prefix", "keys", lambda self, tokens, cache_salt: [[]]),
    ("prefix", "keys", lambda self, tokens, cache_salt: None),
    ("prefix", "admit", lambda self, name, tokens, cache_salt: None),
    ("prefix", "free", lambda self, name: delattr(self, "tables")),
    ("prefix", "free", shows(tables=None)),
    ("prefix", "free", shows(ref_count=[])),
    ("prefix", "free", shows(free_blocks=None)),
]


@pytest.mark.parametrize(("task", "method", "replacement"), BROKEN_OUTSIDE)
def test_a_class_whose_outside_is_broken_is_told_so(task: str, method: str, replacement: Any) -> None:
    right = getattr(solution, TASKS[task].class_name)
    finding = told(task, type(TASKS[task].class_name, (right,), {method: replacement}))
    assert finding is not None
    assert finding.violation.rule in ("no-error", "readable")
    assert len(finding.violation.words) < 600


PATHS = [
    ("batcher", ("admit",), "never-leaves"),
    ("allocator", ("__init__",), "refuses-what-fits"),
    ("allocator", ("__init__", "allocate"), "no-waste-yet"),
    ("allocator", ("__init__", "allocate", "waste"), "refuses-what-fits"),
    ("allocator", ("__init__", "allocate", "waste", "append"), "still-in-its-table"),
    ("prefix", ("keys",), "start"),
    ("prefix", ("keys", "lookup"), "still-in-its-table"),
]


@pytest.mark.parametrize(("task", "done", "hint"), PATHS)
def test_whoever_is_half_way_is_told_what_comes_next(task: str, done: tuple[str, ...], hint: str) -> None:
    name = TASKS[task].class_name
    right = vars(getattr(solution, name))
    student = type(name, (run_cell(STARTERS[task], name),), {method: right[method] for method in done})
    finding = told(task, student)
    assert finding is not None
    assert finding.hint_id == hint
