"""What a scheduler asks of KV memory."""

import pytest

from engine.kv_cache import KVCache
from engine.request import Request
from engine.settings import Settings


def cache(num_blocks: int = 9, **more: object) -> KVCache:
    values = {"block_size": 4, "num_blocks": num_blocks, "max_model_len": 64, **more}
    return KVCache(Settings.from_mapping(values, startup_rule=False))


def admitted(kv: KVCache, name: str, tokens: list[int], salt: str | None = None) -> Request:
    """A request that was admitted with all its tokens."""
    request = Request(name, tokens, cache_salt=salt)
    kv.admit(request, kv.hits(request), request.num_tokens)
    request.num_computed_tokens = request.num_tokens
    return request


def test_a_second_request_of_the_same_step_can_hit_what_was_just_allocated() -> None:
    kv = cache()
    first = admitted(kv, "a", list(range(10)))
    second = admitted(kv, "b", list(range(9)))
    assert (first.block_table, second.block_table) == ([1, 2, 3], [1, 2, 4])
    kv.check([first, second])


@pytest.mark.parametrize(("length", "hits"), [(7, 1), (8, 1), (9, 2), (12, 2), (13, 3)])
def test_the_last_token_is_always_computed(length: int, hits: int) -> None:
    kv = cache()
    admitted(kv, "a", list(range(13)))
    assert len(kv.hits(Request("b", range(length)))) == hits


def test_other_salts_hit_nothing() -> None:
    kv = cache()
    admitted(kv, "a", list(range(9)), salt="one")
    assert kv.hits(Request("b", range(9), cache_salt="two")) == []
    assert kv.hits(Request("b", range(9))) == []
    assert kv.hits(Request("b", range(9), cache_salt="one")) == [1, 2]


def test_with_caching_off_nothing_is_registered_or_found() -> None:
    kv = cache(enable_prefix_caching=False)
    request = admitted(kv, "a", list(range(8)))
    assert kv.hits(Request("b", range(9))) == []
    kv.unseal(request, 0)
    kv.free(request)
    assert kv.pool.free_queue() == [2, 1, 3, 4, 5, 6, 7, 8]
    kv.check([])


def test_an_answers_full_blocks_can_be_hit_too() -> None:
    kv = cache()
    request = admitted(kv, "a", [0, 1, 2])
    request.append(3)
    assert kv.extend(request, 4) == ()
    assert kv.hits(Request("b", range(5))) == [1]


def test_a_token_in_flight_names_no_content() -> None:
    kv = cache()
    request = admitted(kv, "a", [0, 1, 2])
    kv.extend(request, 4)
    assert request.num_sealed_blocks == 0
    request.append(3)
    kv.seal(request, 4)
    assert kv.hits(Request("b", range(5))) == [1]


class TestFits:
    """Whether a waiting request may be admitted."""

    @pytest.mark.parametrize(("reserve", "fits"), [(True, False), (False, True)])
    def test_the_whole_prompt_or_only_the_chunk(self, reserve: bool, fits: bool) -> None:
        kv = cache(num_blocks=5, scheduler_reserve_full_isl=reserve)
        request = Request("a", range(17))
        assert kv.fits(request, [], 16, anyone_runs=False) is fits

    def test_the_watermark_stays_free_only_while_somebody_runs(self) -> None:
        kv = cache(num_blocks=9, watermark=0.5)
        request = Request("a", range(17))
        assert kv.fits(request, [], 17, anyone_runs=False)
        assert not kv.fits(request, [], 17, anyone_runs=True)
        assert kv.fits(Request("b", range(16)), [], 16, anyone_runs=True)

    def test_a_hit_costs_a_free_block_unless_somebody_holds_it(self) -> None:
        kv = cache(num_blocks=5)
        first = admitted(kv, "a", list(range(8)))
        held, other = Request("b", range(16)), Request("c", range(20))
        assert kv.fits(held, kv.hits(held), 16, anyone_runs=True)
        assert not kv.fits(other, kv.hits(other), 20, anyone_runs=True)
        kv.free(first)
        assert kv.fits(held, kv.hits(held), 16, anyone_runs=True)
        assert not kv.fits(other, kv.hits(other), 20, anyone_runs=True)


def test_who_asks_for_too_much_gets_nothing() -> None:
    kv = cache(num_blocks=3)
    request = admitted(kv, "a", [0, 1, 2])
    assert kv.extend(request, 13) is None
    assert (request.block_table, kv.pool.free_queue()) == ([1], [2])
    with pytest.raises(ValueError, match="ask fits"):
        kv.admit(Request("b", range(9)), [1], 13)
    kv.check([request])


def test_a_freed_request_can_be_hit_until_its_blocks_are_handed_out() -> None:
    kv = cache(num_blocks=4)
    request = admitted(kv, "a", list(range(10)))
    kv.free(request)
    assert kv.pool.free_queue() == [3, 2, 1]
    assert (request.block_table, request.num_slots, request.num_sealed_blocks) == ([], 0, 0)
    assert kv.hits(Request("b", range(9))) == [1, 2]
    admitted(kv, "c", [90, 91, 92, 93, 94])
    assert kv.take_evicted() == [2]
    assert kv.take_evicted() == []
    assert kv.hits(Request("b", range(9))) == [1]


def test_unsealed_blocks_can_not_be_hit() -> None:
    kv = cache()
    request = admitted(kv, "a", list(range(12)))
    kv.unseal(request, 7)
    assert request.num_sealed_blocks == 1
    assert kv.hits(Request("b", range(13))) == [1]
    kv.check([request])
    kv.free(request)
    assert kv.pool.free_queue() == [3, 2, 4, 5, 6, 7, 8, 1]


def test_check_misses_no_holder_and_no_hash() -> None:
    kv = cache()
    request = admitted(kv, "a", list(range(8)))
    with pytest.raises(AssertionError, match="block 1 is in 0 tables and counts 1 holders"):
        kv.check([])
    kv.pool.block_hash[2] = None
    with pytest.raises(AssertionError, match="block 2 at place 1 doesn't carry the hash"):
        kv.check([request])
    request.num_sealed_blocks = 1
    with pytest.raises(AssertionError, match="1 blocks carry a hash, 2 are registered"):
        kv.check([request])
    request.num_slots = 4
    with pytest.raises(AssertionError, match="counts 4 slots, its table has 8"):
        kv.check([request])
