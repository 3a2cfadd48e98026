"""Which prompts begin alike.

Each of these turns requests that share nothing into requests that share something, because a prefix cache
finds only what several prompts have in common from their very first token.
"""

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from engine.workload.records import Arrival, Segment, WorkloadError


def shared_prefix(
    arrivals: Iterable[Arrival],
    draws: Random,
    *,
    num_tokens: int,
    share: float = 1.0,
    groups: int = 1,
) -> Iterator[Arrival]:
    """A `share` of the requests begin with one of `groups` texts of `num_tokens` tokens.

    A prompt that is no longer than its beginning is lengthened to one token more: a system prompt comes
    on top of what the user says.
    """
    if not (num_tokens >= 1 and 0 <= share <= 1 and groups >= 1):
        raise WorkloadError(
            f"shared prefix of {num_tokens} tokens, share {share}, groups {groups}: "
            "tokens and groups take 1 or more, a share 0 to 1"
        )
    return (_with_prefix(arrival, draws, num_tokens, share, groups) for arrival in arrivals)


def _with_prefix(arrival: Arrival, draws: Random, num_tokens: int, share: float, groups: int) -> Arrival:
    if draws.random() >= share:
        return arrival
    prompt = max(arrival.num_prompt_tokens, num_tokens + 1)
    beginning = (Segment(draws.randrange(groups), num_tokens),)
    return arrival._replace(beginning=beginning, num_prompt_tokens=prompt)


def sessions(arrivals: Sequence[Arrival], *, turns: int, first_content: int = 0) -> Iterator[Arrival]:
    """Conversations of `turns` requests: each repeats all that was said before it and adds its own prompt.

    Requests are dealt to conversations in turn, so `len(arrivals) / turns` of them run side by side. An
    arrival's own prompt becomes one content and its answer the next, counted from `first_content`, and the
    following turn begins with exactly these tokens. Times stay as they are: a turn may arrive before the
    answer that it quotes is complete, and a cache then can't have it yet.
    """
    if turns < 1:
        raise WorkloadError(f"sessions of {turns} turns: 1 or more")
    return _sessions(arrivals, max(1, -(-len(arrivals) // turns)), first_content)


def _sessions(arrivals: Sequence[Arrival], beside: int, first_content: int) -> Iterator[Arrival]:
    said: list[tuple[Segment, ...]] = [()] * beside
    for index, arrival in enumerate(arrivals):
        question = first_content + 2 * index
        prompt = (*said[index % beside], Segment(question, arrival.num_prompt_tokens))
        said[index % beside] = (*prompt, Segment(question + 1, arrival.num_output_tokens))
        yield arrival._replace(
            beginning=prompt,
            num_prompt_tokens=sum(segment.num_tokens for segment in prompt),
            answer_content=question + 1,
        )
