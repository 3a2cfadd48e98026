"""Names of contents, and who holds them."""

import pytest

from engine.prefix import PrefixCache, PrefixStats, extend_hashes, hash_blocks


def test_a_name_is_the_same_on_every_machine() -> None:
    assert hash_blocks([1, 2, 3], 2)[0].hex() == "bc46af79e96bc03a3b5a1a88aeab5079b0dd4c6dfc5f9c14e318fec7de310f6b"


def test_only_full_blocks_have_a_name() -> None:
    assert [len(hash_blocks(range(count), 4)) for count in (0, 3, 4, 7, 8)] == [0, 0, 1, 1, 2]


def test_a_name_stands_for_everything_before_it() -> None:
    one, two = hash_blocks([1, 2, 3, 4], 2), hash_blocks([9, 2, 3, 4], 2)
    assert one[0] != two[0]
    assert one[1] != two[1]
    assert hash_blocks([3, 4], 2)[0] != one[1]
    assert hash_blocks([1, 2, 5, 6], 2)[0] == one[0]


def test_a_salt_enters_every_block_through_the_first() -> None:
    tokens = [1, 2, 3, 4]
    chains = [hash_blocks(tokens, 2, salt) for salt in (None, "a", "b", "ä", "\ud800")]
    assert len({name for chain in chains for name in chain}) == 10
    assert hash_blocks(tokens, 2, "") == chains[0]


def test_a_chain_can_be_extended_as_tokens_come() -> None:
    tokens = list(range(100, 117))
    hashes: list[bytes] = []
    for count in range(len(tokens) + 1):
        extend_hashes(hashes, tokens[:count], 4, "salt")
    assert hashes == hash_blocks(tokens, 4, "salt")


def test_a_lookup_gives_the_longest_known_run() -> None:
    cache = PrefixCache()
    a, b, c = hash_blocks(range(6), 2)
    cache.register(a, 5)
    cache.register(c, 7)
    assert cache.longest_hit([a, b, c]) == [5]
    cache.register(b, 6)
    assert cache.longest_hit([a, b, c]) == [5, 6, 7]
    assert cache.longest_hit([b"other", a]) == []


def test_of_several_blocks_the_earliest_registered_is_hit() -> None:
    cache = PrefixCache()
    for block_id in (9, 3, 5):
        cache.register(b"x", block_id)
    cache.register(b"x", 9)
    found = []
    for block_id in (9, 3, 5):
        found += cache.longest_hit([b"x"])
        cache.forget(b"x", block_id)
    assert found == [9, 3, 5]
    assert cache.longest_hit([b"x"]) == []


def test_only_what_is_registered_can_be_forgotten() -> None:
    cache = PrefixCache()
    cache.register(b"x", 1)
    with pytest.raises(KeyError):
        cache.forget(b"x", 2)
    with pytest.raises(KeyError):
        cache.forget(b"y", 1)
    assert cache.registered() == {1: b"x"}


def test_a_block_holds_one_content() -> None:
    cache = PrefixCache()
    cache.register(b"x", 1)
    cache.register(b"y", 1)
    with pytest.raises(AssertionError, match="block 1 is registered under two hashes"):
        cache.registered()


def test_lookups_after_a_preemption_are_counted_apart() -> None:
    stats = PrefixStats()
    stats.record(10, 4, resumed=False)
    stats.record(20, 8, resumed=True)
    stats.record(30, 0, resumed=False)
    assert (stats.requests, stats.queries, stats.hits) == (2, 40, 4)
    assert (stats.preempted_requests, stats.preempted_queries, stats.preempted_hits) == (1, 20, 8)
