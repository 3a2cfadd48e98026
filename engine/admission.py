"""What is refused at the door, before a request may wait."""

from engine.blocks import blocks_needed
from engine.request import Request
from engine.settings import Settings


def refusal(settings: Settings, request: Request) -> str | None:
    """Why `request` is refused, or None if it may wait."""
    return refused_by_front_end(settings, request) or (
        never_fits(settings, request) if settings.reject_unservable else None
    )


def refused_by_front_end(settings: Settings, request: Request) -> str | None:
    """vLLM's own rule, applied before its scheduler: there must be a prompt, and room for one token more."""
    length, most = request.num_prompt_tokens, settings.max_model_len
    if length == 0:
        return "empty prompt"
    if length > most:
        return f"prompt of {length} tokens is longer than max_model_len {most}"
    if length == most:
        return f"prompt of {length} tokens leaves no room for one output token"
    return None


def never_fits(settings: Settings, request: Request) -> str | None:
    """Our rule, not vLLM's: a request that may outgrow the whole pool would wait or come back for ever.

    Its last token is never stored. Under vLLM's start-up rule no request can be that long.
    """
    most = settings.max_model_len
    if request.max_tokens is not None:
        most = min(most, request.num_prompt_tokens + request.max_tokens)
    needed = blocks_needed(most - 1, settings.block_size)
    lendable = settings.num_lendable_blocks
    if needed <= lendable:
        return None
    return (
        f"prompt of {request.num_prompt_tokens} tokens may grow to {most}, which needs {needed} blocks of "
        f"{settings.block_size}, and the pool lends {lendable}"
    )
