"""Which prompts begin alike.

Each of these turns requests that share nothing into requests that share something, because a prefix cache
finds only what several prompts have in common from their very first token.
"""

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from engine.workload.records import Arrival, Segment, WorkloadError


def fresh(arrivals: Iterable[Arrival]) -> Iterator[Arrival]:
    """Nothing shared: as they are."""
    return iter(arrivals)


def shared_prefix(
    arrivals: Iterable[Arrival],
    draws: Random,
    *,
    num_tokens: int,
    share: float = 1.0,
    groups: int = 1,
) -> Iterator[Arrival]:
    """A `share` of the requests begin with one of `groups` texts of `num_tokens` tokens.

    A prompt that is too short for its beginning is lengthened by it: the system prompt comes on top.
    """
    if not (num_tokens >= 1 and 0 <= share <= 1 and groups >= 1):
        raise WorkloadError(
            f"shared prefix of {num_tokens} tokens, share {share}, groups {groups}: "
            "tokens and groups take 1 or more, a share 0 to 1"
        )
    for arrival in arrivals:
        if draws.random() < share:
            head = Segment(draws.randrange(groups), num_tokens)
            prompt = max(arrival.num_prompt_tokens, num_tokens + 1)
            yield arrival._replace(beginning=(head,), num_prompt_tokens=prompt)
        else:
            yield arrival


def sessions(arrivals: Sequence[Arrival], *, turns: int, first_content: int = 0) -> Iterator[Arrival]:
    """Conversations of `turns` requests: each repeats all that was said before and adds its own prompt.

    Requests are dealt to conversations in turn, so `len(arrivals) / turns` of them run side by side. An
    arrival's own prompt tokens become one content and its answer the next, so that the following turn
    begins with exactly these tokens.
    """
    if turns < 1:
        raise WorkloadError(f"sessions of {turns} turns: 1 or more")
    beside = max(1, -(-len(arrivals) // turns))
    said: dict[int, tuple[Segment, ...]] = {}
    for index, arrival in enumerate(arrivals):
        before = said.get(index % beside, ())
        own = Segment(first_content + 2 * index, arrival.num_prompt_tokens)
        answer = Segment(own.content + 1, arrival.num_output_tokens)
        prompt = (*before, own)
        said[index % beside] = (*prompt, answer)
        length = sum(segment.num_tokens for segment in prompt)
        yield arrival._replace(beginning=prompt, num_prompt_tokens=length, answer_content=answer.content)
