"""What a step has to do, which a cost model turns into time."""

from engine.plan import Plan


def one_step(num_prefill_tokens: int, num_decode_seqs: int, num_kv_tokens: int) -> int:
    """The cost of a step where time is counted in steps: every step lasts one, however full it is."""
    return 1


def work_of(plan: Plan) -> tuple[int, int, int]:
    """A plan's prefill tokens, decoding sequences and cached tokens that it reads: what a cost model takes.

    A row decodes if it computes one token past the prompt and gets the next. A prompt's last chunk is no
    decode, though it may be one token long.
    """
    decodes = kv_tokens = 0
    for request, _, num_tokens, computed, samples, _, _ in plan.entries:
        kv_tokens += computed
        if num_tokens == 1 and samples and computed >= request.num_prompt_tokens:
            decodes += 1
    return plan.num_scheduled_tokens - decodes, decodes, kv_tokens
