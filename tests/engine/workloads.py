"""Random workloads that are small and mean: few blocks, shared beginnings, ties, cancellations, stops.

They are drawn from anything that has `random.Random`'s methods, so hypothesis can draw (and shrink) them, and
a plain seed can too.
"""

from dataclasses import dataclass
from random import Random
from zlib import crc32

from engine.request import Request
from engine.settings import Settings

VOCABULARY = 3
"""So few tokens that answers, too, begin alike."""

STOP_TOKEN = 0

HEADS = ([1, 2, 1, 2, 2, 1, 1, 2, 1], [1, 2, 1, 2, 1, 1], [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2])


@dataclass(frozen=True)
class Coming:
    """A request that will arrive, as plain data: a `Request` serves only once."""

    id: str
    prompt_token_ids: tuple[int, ...]
    max_tokens: int | None
    arrival_step: int
    priority: int = 0
    cache_salt: str | None = None
    stops: bool = False
    abort_step: int | None = None

    def request(self) -> Request:
        """A request that hasn't been served yet."""
        return Request(
            self.id,
            self.prompt_token_ids,
            self.max_tokens,
            priority=self.priority,
            cache_salt=self.cache_salt,
            stop_token_ids=[STOP_TOKEN] if self.stops else [],
            arrival_time=self.arrival_step,
        )


@dataclass(frozen=True)
class Workload:
    """An engine's settings and what arrives at it, in the order of arrival."""

    settings: Settings
    coming: tuple[Coming, ...]

    @property
    def cancel_at(self) -> dict[str, int]:
        """When clients give up."""
        return {one.id: one.abort_step for one in self.coming if one.abort_step is not None}

    def requests(self) -> list[Request]:
        """The requests, fresh."""
        return [one.request() for one in self.coming]


def sample(request: Request) -> int:
    """The pretended model: a token from a tiny vocabulary, the same on every machine."""
    return crc32(f"{request.id}/{request.num_output_tokens}".encode()) % VOCABULARY


def draw_workload(random: Random) -> Workload:
    """A workload from the whole range of settings and requests."""
    settings = draw_settings(random)
    count = random.randint(1, 10)
    coming = [_draw_coming(random, number, settings.max_model_len) for number in range(count)]
    return Workload(settings, tuple(sorted(coming, key=lambda one: one.arrival_step)))


def draw_settings(random: Random) -> Settings:
    """Any settings with which an engine starts, and a small pool."""
    block_size = random.choice([1, 2, 2, 3, 4])
    num_blocks = random.randint(3, 11)
    # Mostly as long as the pool allows, so that two requests seldom have room beside each other.
    longest = min(30, (num_blocks - 1) * block_size)
    max_model_len = random.randint(random.choice([2, longest]), longest)
    chunked = random.random() < 0.75
    budget = random.randint(1, random.choice([8, 30])) if chunked else max_model_len + random.randint(0, 8)
    seats = min(budget, random.choice([1, 2, 3, 4, 6, 6]))
    return Settings(
        num_blocks=num_blocks,
        max_model_len=max_model_len,
        block_size=block_size,
        max_num_seqs=seats,
        max_num_active_seqs=random.choice([None, None, None, random.randint(1, seats)]),
        max_num_batched_tokens=budget,
        enable_prefix_caching=random.random() < 0.75,
        enable_chunked_prefill=chunked,
        long_prefill_token_threshold=random.choice([0, random.randint(1, min(9, max_model_len))]),
        long_prefill_token_threshold_adaptive=random.random() < 0.5,
        policy=random.choice(["fcfs", "priority"]),
        watermark=random.choice([0.0, 0.0, 0.0, 0.1, 0.3]),
        scheduler_reserve_full_isl=random.random() < 0.4,
        async_scheduling=random.random() < 0.4,
    )


def _draw_coming(random: Random, number: int, max_model_len: int) -> Coming:
    # One in twenty is too long, so that refusals happen too.
    longest = max_model_len + 1 if random.random() < 0.05 else max_model_len - 1
    head = random.choice(HEADS)[: random.randint(0, 12)]
    tail = [random.randint(1, VOCABULARY - 1) for _ in range(random.randint(0, 12))]
    arrival = random.choice([0, number, random.randint(0, 8)])
    return Coming(
        id=f"r{number}",
        prompt_token_ids=tuple([*head, *tail, 1][: random.choice([longest, random.randint(1, longest)])]),
        max_tokens=random.choice([None, None, 1, 2, random.randint(3, 16), random.randint(3, 16)]),
        arrival_step=arrival,
        # Often whoever comes later matters more, so that victims stand at the front of the running list.
        priority=random.choice([random.randint(0, 2), -number]),
        cache_salt=random.choice([None, None, "x", "y"]),
        stops=random.random() < 0.3,
        abort_step=arrival + random.randint(0, 8) if random.random() < 0.15 else None,
    )
