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

    def __init__(
        self, settings: Settings, arrivals: Iterable[Arrival], limits: ServerLimits, log: WindowLog | None
    ) -> None:
        self.settings = settings
        self.limits = limits
        self.log = log
        self.outcomes = Outcomes()
        self.crowd = Crowd()
        self.num_let_in = 0
        self._has_names = settings.enable_prefix_caching
        self._surely_fits = settings.num_lendable_blocks * settings.block_size
        self._names = Names(settings.block_size)
        self._coming: Iterator[tuple[int, Arrival]] = zip(count(), arrivals)
        self._next: tuple[int, Arrival] | None = None
        self.next_arrival = NEVER
        self._fetch()
        self._departures: list[tuple[int, int, int, Live]] = []
        self.next_departure = NEVER

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
        while True:
            if self.next_arrival <= self.next_departure:
                if self.next_arrival >= time:
                    return
                self._arrive()
            elif self.next_departure < time:
                self._depart()
            else:
                return

    def _fetch(self) -> None:
        """Look for the next arrival. Raises `WorkloadError` if it comes before the one just taken."""
        last, self._next = self.next_arrival, next(self._coming, None)
        self.next_arrival = self._next[1].at if self._next else NEVER
        if self.next_arrival < last and last < NEVER:
            raise WorkloadError(f"arrival {self._next}: it comes before the one ahead of it, at {last} ns; sort them")

    def _arrive(self) -> None:
        assert self._next is not None
        number, arrival = self._next
        self._fetch()
        names = self._names.of(arrival) if self._has_names and arrival.beginning else ()
        live = Live(arrival, number, self.settings.max_model_len, names)
        if self.log is not None:
            self.log.append(_arrived(arrival))
        why = self._refusal(live)
        if why is not None:
            live.seat = GONE
            self.outcomes.add(live, arrival.at, "rejected", 0)
            if self.log is not None:
                self.log.append(Rejected(arrival.at, arrival.id, why))
            return
        self.num_let_in += 1
        live.order = self.num_let_in
        self.let_in(live)
        if self.limits.doors:
            self.crowd.enter(live)
        if arrival.cancel_at is not None or self.limits is not NO_LIMITS:
            self._note_departures(live, arrival)

    def _refusal(self, live: Live) -> str | None:
        if self.limits.doors:
            self.crowd.num_waiting = self.num_waiting()
            why = self.limits.refusal(live, self.crowd)
            if why is not None:
                return why
        if live.num_prompt_tokens < self.settings.max_model_len and live.max_total_tokens <= self._surely_fits:
            return None
        return refusal(self.settings, live)

    def _note_departures(self, live: Live, arrival: Arrival) -> None:
        for kind, at in (
            (CLIENT_LEFT, arrival.cancel_at),
            (WAITED_TOO_LONG, self.limits.max_wait and arrival.at + self.limits.max_wait),
            (TOOK_TOO_LONG, self.limits.timeout and arrival.at + self.limits.timeout),
        ):
            if at is not None:
                heapq.heappush(self._departures, (at, kind, live.order, live))
        self.next_departure = self._departures[0][0] if self._departures else NEVER

    def _depart(self) -> None:
        """Give a request up, unless it has ended already (or started, if only its waiting was limited)."""
        at, kind, _, live = heapq.heappop(self._departures)
        self.next_departure = self._departures[0][0] if self._departures else NEVER
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
