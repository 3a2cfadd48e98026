"""What a cache of some size would have found, in blocks and in tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.metrics import HitRate, hit_rate
from engine.request import Request
from engine.settings import Settings
from engine.simulate import simulate
from engine.trace import Admitted
from engine.workload import Arrival, Segment
from engine.workload.records import FIRST_OWN_CONTENT, prompt_token_ids


def prompt(name: str, *pieces: tuple[int, int], own: int = 0, salt: str | None = None) -> Arrival:
    beginning = tuple(Segment(content, count) for content, count in pieces)
    length = own + sum(segment.num_tokens for segment in beginning)
    return Arrival(0, name, length, 1, beginning=beginning, cache_salt=salt)


def test_blocks_count_a_partial_tail_and_tokens_only_whole_blocks() -> None:
    twice = [prompt("a", (1, 4), (2, 4), (3, 2)), prompt("b", (1, 4), (2, 4), (3, 2))]
    assert hit_rate(twice, block_size=4, num_blocks=9) == HitRate(2, 6, 3, 20, 8)


def test_the_last_token_is_always_computed() -> None:
    twice = [prompt("a", (1, 4), (2, 4)), prompt("b", (1, 4), (2, 4))]
    found = hit_rate(twice, block_size=4, num_blocks=9)
    assert (found.blocks, found.tokens) == (0.5, 0.25)


def test_a_tail_is_lost_before_its_head() -> None:
    long, other = prompt("a", (1, 4), (2, 4), (3, 4), own=1), prompt("b", (7, 4), own=1)
    again = prompt("c", (1, 4), (2, 4), (3, 4), own=1)
    # Three whole blocks fit; the other prompt takes one place, which was the tail's.
    assert hit_rate([long, other, again], block_size=4, num_blocks=3).num_hit_tokens == 8


def test_a_prompt_that_is_longer_than_the_cache_leaves_its_head() -> None:
    long = prompt("a", (1, 4), (2, 4), (3, 4), own=1)
    assert hit_rate([long, long], block_size=4, num_blocks=2).num_hit_tokens == 8


def test_salts_share_nothing() -> None:
    prompts = [prompt("a", (1, 8), own=1, salt="x"), prompt("b", (1, 8), own=1, salt="y"), prompt("c", (1, 8), own=1)]
    assert hit_rate(prompts, block_size=4, num_blocks=99).num_hit_blocks == 0
    assert hit_rate([*prompts, prompts[0]], block_size=4, num_blocks=99).num_hit_tokens == 8


def test_a_content_that_is_longer_in_one_prompt_is_shared_as_far_as_it_goes() -> None:
    prompts = [prompt("a", (1, 8), own=1), prompt("b", (1, 12), own=1)]
    assert hit_rate(prompts, block_size=4, num_blocks=99).num_hit_tokens == 8


def test_nothing_is_no_hit() -> None:
    found = hit_rate([], block_size=4, num_blocks=1)
    assert (found.blocks, found.tokens) == (0.0, 0.0)


@pytest.mark.parametrize("sizes", [(0, 1), (1, 0)])
def test_sizes_below_one_are_refused(sizes: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="both take 1 or more"):
        hit_rate([], block_size=sizes[0], num_blocks=sizes[1])


pieces = st.lists(st.tuples(st.integers(0, 2), st.integers(1, 6)), max_size=3)
workloads = st.lists(st.tuples(pieces, st.integers(1, 5)), min_size=1, max_size=8).map(
    lambda drawn: [prompt(f"r{index}", *parts, own=own) for index, (parts, own) in enumerate(drawn)]
)


@given(workloads, st.integers(1, 4))
def test_with_room_for_all_it_finds_what_the_engine_finds(arrivals: list[Arrival], block_size: int) -> None:
    found = hit_rate(arrivals, block_size=block_size, num_blocks=400)
    ample = Settings(num_blocks=400, max_model_len=64, block_size=block_size)
    requests = [
        # Far enough apart that each has ended before the next one comes.
        Request(arrival.id, prompt_token_ids(arrival, FIRST_OWN_CONTENT + index), 1, arrival_time=100 * index)
        for index, arrival in enumerate(arrivals)
    ]
    trace = simulate(ample, requests)
    assert found.num_hit_tokens == sum(record.num_cached_tokens for record in trace.of(Admitted))


@given(workloads, st.integers(1, 4), st.integers(1, 6))
def test_it_is_the_cache_of_the_definition(arrivals: list[Arrival], block_size: int, num_blocks: int) -> None:
    used: list[tuple[int, ...]] = []
    hits = 0
    for index, arrival in enumerate(arrivals):
        ids = prompt_token_ids(arrival, FIRST_OWN_CONTENT + index)
        # A block is its whole prefix: the plainest name there is.
        blocks = [tuple(ids[:end]) for end in range(block_size, len(ids) + 1, block_size)]
        here = [block in used for block in blocks[: (len(ids) - 1) // block_size]]
        hits += [*here, False].index(False)
        used = [block for block in used if block not in blocks] + blocks[::-1]
        used = used[-num_blocks:]
    found = hit_rate(arrivals, block_size=block_size, num_blocks=num_blocks)
    assert found.num_hit_tokens == hits * block_size
