"""How much the bridge does at most: for one run, in memory, and before it stops to listen."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds that hold whatever a page asks for. `GET /api/backend` tells them."""

    max_requests: int = 5_000
    """Requests of a workload."""
    max_prompt_tokens: int = 131_072
    """Tokens of one prompt."""
    max_output_tokens: int = 16_384
    """Tokens of one answer."""
    max_total_tokens: int = 4_000_000
    """Tokens of all prompts and answers of a workload."""
    max_seconds: int = 900
    """How long a run may last; what isn't done then is given up."""
    max_in_flight: int = 1_024
    """Requests that are out at once; one more is refused and said so."""
    max_silence_seconds: int = 120
    """How long a server may be silent before an answer is given up."""
    max_body_bytes: int = 8 << 20
    """The body of a request to the bridge."""
    kept_bytes: int = 64 << 20
    """Events of a run that are kept for a page that comes back; older ones become a gap."""
    max_readers: int = 8
    """Pages that follow a run at once."""
    wrong_tokens_a_minute: int = 60
    """After so many wrong tokens in a minute nobody gets in until it is over."""
    token_hours: int = 24
    """How long the token holds."""

    def as_dict(self) -> dict[str, int]:
        """The limits by name."""
        return asdict(self)
