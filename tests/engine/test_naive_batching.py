"""Static against continuous batching, the founding example first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.naive import continuous_batch, static_batches
from engine.trace import Step, Trace

JOBS = {"a": 2, "b": 4, "c": 1}


def rows(trace: Trace) -> list[str]:
    """Who got a token in each step."""
    return [" ".join(row.id for row in step.rows) for step in trace.of(Step)]


def test_the_founding_jobs_in_fixed_batches() -> None:
    trace = static_batches(JOBS, 2)
    assert rows(trace) == ["a b", "a b", "b", "b", "c"]
    assert trace.finish_steps() == {"a": 2, "b": 4, "c": 5}


def test_the_founding_jobs_in_a_continuous_batch() -> None:
    trace = continuous_batch(JOBS, 2)
    assert rows(trace) == ["a b", "a b", "b c", "b"]
    assert trace.finish_steps() == {"a": 2, "b": 4, "c": 3}


def test_equal_lengths_leave_nothing_to_win() -> None:
    jobs = dict.fromkeys("abc", 3)
    assert (
        static_batches(jobs, 2).finish_steps() == continuous_batch(jobs, 2).finish_steps() == {"a": 3, "b": 3, "c": 6}
    )


def test_a_job_is_served_no_sooner_than_it_arrives() -> None:
    arrivals = {"a": 1, "c": 7}
    assert continuous_batch(JOBS, 2, arrivals).finish_steps() == {"b": 4, "a": 3, "c": 8}
    assert static_batches(JOBS, 2, arrivals).finish_steps() == {"b": 4, "a": 6, "c": 8}


def test_no_jobs_take_no_steps() -> None:
    assert continuous_batch({}, 2).records == ()


@pytest.mark.parametrize(
    ("jobs", "slots", "arrivals", "words"),
    [
        ({"a": 1}, 0, None, r"slots: got 0; a batch needs at least 1"),
        ({"a": 0}, 1, None, r"jobs\['a'\]: got 0 steps; a job needs at least 1"),
        ({"a": 1}, 1, {"b": 1}, r"arrivals\['b'\]: no such job; jobs are a"),
        ({"a": 1}, 1, {"a": -1}, r"arrivals\['a'\]: got -1; steps count from 0"),
    ],
)
def test_impossible_jobs_are_refused(
    jobs: dict[str, int], slots: int, arrivals: dict[str, int] | None, words: str
) -> None:
    for batching in (static_batches, continuous_batch):
        with pytest.raises(ValueError, match=words):
            batching(jobs, slots, arrivals)


many_jobs = st.lists(st.integers(1, 9), min_size=1, max_size=9).map(
    lambda steps: {f"j{n}": s for n, s in enumerate(steps)}
)


@given(many_jobs, st.integers(1, 4))
def test_a_continuous_batch_wastes_no_slot_while_anybody_waits(jobs: dict[str, int], slots: int) -> None:
    done = continuous_batch(jobs, slots)
    for step in done.of(Step):
        still = sum(finish > step.step for finish in done.finish_steps().values())
        assert len(step.rows) == min(slots, still)


@given(many_jobs, st.integers(1, 4))
def test_both_give_every_job_its_steps(jobs: dict[str, int], slots: int) -> None:
    for batching in (static_batches, continuous_batch):
        got = [row.id for step in batching(jobs, slots).of(Step) for row in step.rows]
        assert {job: got.count(job) for job in jobs} == jobs
