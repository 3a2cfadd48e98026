"""Longest prefix match: whoever finds most of its prompt in the cache goes first.

It keeps hot prefixes hot, and whoever shares nothing may wait for ever: a lesson's starvation. (SGLang's
scheduling policy `lpm`; Zheng and others, "SGLang: Efficient execution of structured language model programs",
2024.)
"""

from typing import Any, Final

from engine.policies.policy import Hits, Policy, last_admitted
from engine.policies.queues import ListQueue


def most_hits_first(queue: ListQueue, now: int, hits: Hits) -> None:
    """Sort the queue by cached blocks, most first, then by arrival."""
    entries: Any = queue.entries
    entries.sort(key=lambda request: (-len(hits(request)), request.order))


LONGEST_PREFIX: Final = Policy(ListQueue, last_admitted, arrange=most_hits_first)
"""Most cached blocks first."""
