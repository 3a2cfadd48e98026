"""Arrivals and departures of the fast simulator: each at its own time, whatever the engine does then."""

import heapq
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any, Final

from engine.admission import NO_LIMITS, Crowd, ServerLimits, refusal
from engine.settings import Settings
from engine.simulate.live import GONE, NOT_YET, Live
from engine.simulate.names import Names
from engine.simulate.outcomes import End, Outcomes
from engine.simulate.step_by_step import CLIENT_LEFT, TOOK_TOO_LONG, WAITED_TOO_LONG
from engine.simulate.windows import WindowLog
from engine.trace import Arrived, Cancelled, Rejected, TimedOut
from engine.workload.records import Arrival, WorkloadError

NEVER: Final = 1 << 100
"""A time after all times."""


class Doorstep(ABC):
    """What comes and goes. The engine behind it says what that means for those who wait and run."""

    # With more than 30 attributes Python would look each up in a dict; `admitting` and `fast` go on with this.
    __slots__ = (
        "_coming",
        "_departures",
        "_has_names",
        "_names",
        "_next",
        "_surely_fits",
        "crowd",
        "has_doors",
        "limits",
        "log",
        "next_arrival",
        "next_departure",
        "next_event",
        "num_let_in",
        "outcomes",
        "settings",
    )

    def __init__(
        self, settings: Settings, arrivals: Iterable[Arrival], limits: ServerLimits, log: WindowLog | None
    ) -> None:
        self.settings = settings
        self.limits = limits
        self.has_doors = bool(limits.doors)
        self.log = log
        self.outcomes = Outcomes()
        self.crowd = Crowd()
        self.num_let_in = 0
        self._has_names = settings.enable_prefix_caching
        self._surely_fits = settings.num_lendable_blocks * settings.block_size
        self._names = Names(settings.block_size)
        self._coming: Iterator[tuple[int, Arrival]] = zip(count(), arrivals)
        self._next: tuple[int, Arrival] | None = None
        self._departures: list[tuple[int, int, int, Live]] = []
        self.next_arrival = self.next_departure = NEVER
        self.next_event = NEVER
        """The sooner of the two."""
        self._fetch()

    @abstractmethod
    def num_waiting(self) -> int:
        """How many requests wait."""

    @abstractmethod
    def let_in(self, live: Live) -> None:
        """Let a new request wait."""

    @abstractmethod
    def give_up(self, live: Live) -> None:
        """Let a request go, whatever it does. Afterwards `live.num_known` counts its tokens."""

    @abstractmethod
    def next_step(self) -> int:
        """The index of the next step that can still be planned."""

    def happen_until(self, time: int) -> None:
        """All arrivals and departures before `time`; an arrival first where they tie."""
        while self.next_event < time:
            if self.next_arrival <= self.next_departure:
                self._arrive()
            else:
                self._depart()

    def _fetch(self) -> None:
        """Look for the next arrival. Raises `WorkloadError` if it comes before the one just taken."""
        last, self._next = self.next_arrival, next(self._coming, None)
        self.next_arrival = self._next[1].at if self._next else NEVER
        if self.next_arrival < last and last < NEVER:
            raise WorkloadError(f"arrival {self._next}: it comes before the one ahead of it, at {last} ns; sort them")
        self.next_event = self.next_arrival if self.next_arrival < self.next_departure else self.next_departure

    def _look_ahead(self) -> None:
        """Look for the next departure."""
        self.next_departure = self._departures[0][0] if self._departures else NEVER
        self.next_event = min(self.next_arrival, self.next_departure)

    def _arrive(self) -> None:
        assert self._next is not None
        number, arrival = self._next
        self._fetch()
        names = self._names.of(arrival) if self._has_names and arrival.beginning else ()
        live = Live(arrival, number, self.settings.max_model_len, names)
        if self.log is not None:
            self.log.append(_arrived(arrival))
        surely_fits = (
            live.num_prompt_tokens < self.settings.max_model_len and live.max_total_tokens <= self._surely_fits
        )
        why = None if surely_fits and not self.has_doors else self._refusal(live)
        if why is not None:
            live.seat = GONE
            self.outcomes.add(live, arrival.at, "rejected", 0)
            if self.log is not None:
                self.log.append(Rejected(arrival.at, arrival.id, why))
            return
        self.num_let_in += 1
        live.order = self.num_let_in
        self.let_in(live)
        if self.has_doors:
            self.crowd.enter(live)
        if arrival.cancel_at is not None or self.limits is not NO_LIMITS:
            self._note_departures(live, arrival)

    def _refusal(self, live: Live) -> str | None:
        self.crowd.num_waiting = self.num_waiting()
        return self.limits.refusal(live, self.crowd) or refusal(self.settings, live)

    def _note_departures(self, live: Live, arrival: Arrival) -> None:
        for kind, at in (
            (CLIENT_LEFT, arrival.cancel_at),
            (WAITED_TOO_LONG, self.limits.max_wait and arrival.at + self.limits.max_wait),
            (TOOK_TOO_LONG, self.limits.timeout and arrival.at + self.limits.timeout),
        ):
            if at is not None:
                heapq.heappush(self._departures, (at, kind, live.order, live))
        self._look_ahead()

    def _depart(self) -> None:
        """Give a request up, unless it has ended already (or started, if only its waiting was limited)."""
        at, kind, _, live = heapq.heappop(self._departures)
        self._look_ahead()
        if live.seat == GONE or (kind == WAITED_TOO_LONG and live.admitted != NOT_YET):
            return
        self.give_up(live)
        num_output_tokens = live.num_known - live.num_prompt_tokens
        end: End = "cancelled" if kind == CLIENT_LEFT else "timed_out"
        self.outcomes.add(live, at, end, num_output_tokens)
        if self.log is not None:
            record: Any = Cancelled if kind == CLIENT_LEFT else TimedOut
            self.log.append(record(at, live.id, num_output_tokens, self.next_step()))


def _arrived(arrival: Arrival) -> Arrived:
    prompt, most = arrival.num_prompt_tokens, arrival.num_output_tokens
    return Arrived(arrival.at, arrival.id, prompt, most, arrival.priority, arrival.cache_salt, arrival.tenant)
