"""Why a step came out as it did: a sentence for each rule, and where in the engine the rule stands.

A trace that was asked for reasons has them in `Step.why`. In a sentence `{free}` is the fact of that name and
`{free:block}` the fact with its noun, `1 block` or `3 blocks`.
"""

import re
from collections.abc import Iterator
from typing import Final

from engine.codec import Scalar
from engine.trace import Reason, Step
from engine.views.language import count

_QUEUE: Final = "{id} stands first in a queue of {waiting}."

RULES: Final[dict[str, str]] = {
    # ---- those who run
    "chunk_capped": "{id} goes on with {num_tokens:token} of the {gap} that it still needs: no request gets more than "
    "{cap} in a step while others are there.",
    "chunk_cut_to_budget": "{id} goes on with {num_tokens:token} of the {gap} that it still needs: no more were left "
    "of the step's budget.",
    "last_token_in_flight": "{id} gets no row: its last token is on its way, and a further row would be in vain.",
    "preempted_tail": "{id} was preempted: {needy} needed {needed:more block}, {free} were free, and the {policy} "
    "policy takes the tail, who was admitted last.",
    "preempted_chosen": "{id} was preempted: {needy} needed {needed:more block}, {free} were free, and of those who "
    "ran the {policy} policy chose {id}.",
    "preempted_itself": "{id} was preempted: it needed {needed:more block} itself, {free} were free, and of those who "
    "ran it was {id}'s turn to give way.",
    "behind_a_victim": "{id} gets nothing in this step: {victim} had to give way before its turn came, and that ends "
    "the turns of all behind it.",
    "row_taken_back": "{id} had {num_tokens:token} in this step already; they go back to the budget.",
    "displaced": "{id} gives up its seat and its blocks: under the {policy} policy somebody who waits comes first.",
    # ---- those who wait
    "nobody_after_preemption": f"Nobody is admitted in a step that took somebody's blocks away. {_QUEUE}",
    "no_budget": f"Nobody more is admitted: the step's budget of {{budget:token}} is used up. {_QUEUE}",
    "no_seat": f"Nobody more is admitted: of {{seats:seat}} none is free. {_QUEUE}",
    "no_budget_for_all": "{id} waits: chunked prefill is off, so {gap:token} must be computed at once, and the step's "
    "budget has {budget} left.",
    "no_block": "{id} waits: it needs {needed:free block}, and there are {free}.",
    "watermark": "{id} waits: it needs {needed:block} of the {free} that are free, and while others run an admission "
    "must leave {watermark} of them.",
    "full_prompt": "{id} waits: its first chunk needs {first:free block}, but all of its tokens need {needed}, and "
    "there are {free}.",
    "admitted": "{id} is admitted: it has a seat, {budget:token} of the step's budget were left, and it takes "
    "{needed:block} of the {free} that were free.",
    "resumed": "{id} comes back after its preemption: of its {num_tokens:token} {cached} are still cached, and {again} "
    "are computed again.",
    "first_chunk_capped": "{id} begins with {num_tokens:token} of the {gap} that it needs: no request gets more than "
    "{cap} in a step while others are there.",
    "first_chunk_cut_to_budget": "{id} begins with {num_tokens:token} of the {gap} that it needs: no more were left of "
    "the step's budget.",
    # ---- what is cached
    "no_hit": "{id} finds nothing in the cache: no block holds what its first one will hold.",
    "hit_until_new_content": "{id} finds {num_tokens:token} in the cache, in {blocks:block}, and not the block after "
    "them: its content was never computed behind the same beginning, or its block has been handed out anew.",
    "hit_until_last_token": "{id} finds {num_tokens:token} in the cache, in {blocks:block}. One block more would hold "
    "its last token, which is always computed, for its logits are needed.",
    "hit_until_part_block": "{id} finds {num_tokens:token} in the cache, in {blocks:block}. The rest of its {of} "
    "doesn't fill a block, and only full blocks are shared.",
    "evicted": "{id} takes {blocks:block} with cached content, which is lost; block {first} is the first of them. No "
    "free block without such content was left, and these had been free for longest.",
    # ---- how it ends
    "finished_stop": "{id} is finished after {num_tokens:token}: the model ended its answer, or a stop token came.",
    "finished_length": "{id} is finished: its answer has {num_tokens:token}, and {limit} allows no more.",
    "cancelled": "{id} is gone: its client gave it up after {num_tokens:token} of its answer.",
    "timed_out_waiting": "{id} is given up: nobody may wait longer than max_wait for its first admission.",
    "timed_out": "{id} is given up after {num_tokens:token} of its answer: the server's timeout is over.",
    "rejected_front_end": "{id} is refused: {reason}.",
    "rejected_never_fits": "{id} is refused, since it would wait or come back for ever: {reason}.",
    "rejected_door": "{id} is refused by the server in front of the engine: {reason}.",
}
"""A sentence for each rule that the engine may give as a reason."""

_PLACE = re.compile(r"\{(\w+)(?::([^}]+))?\}")
_MARK = re.compile(r"# rule: (\w+(?:, \w+)*)$")


def why_words(step: Step) -> list[str]:
    """The reasons of a step in sentences, in the order in which its rules decided. Raises `KeyError` for others."""
    return [reason_words(reason) for reason in step.why]


def reason_words(reason: Reason) -> str:
    """One reason in a sentence."""

    def fact(place: re.Match[str]) -> str:
        name, noun = place.groups()
        value: Scalar = reason.id if name == "id" else reason.facts[name]
        if isinstance(value, int):
            return count(value, noun) if noun else f"{value:,}"
        return str(value)

    return _PLACE.sub(fact, RULES[reason.rule])


def facts_of(rule: str) -> set[str]:
    """The facts that the sentence of a rule tells."""
    return {name for name, _ in _PLACE.findall(RULES[rule])} - {"id"}


def marked_rules(source: str) -> Iterator[tuple[str, int]]:
    """The rules that stand in a module's source, each with its line: those named in a comment `# rule: no_seat`."""
    for number, line in enumerate(source.splitlines(), 1):
        mark = _MARK.search(line)
        for rule in mark[1].split(", ") if mark else ():
            yield rule, number
