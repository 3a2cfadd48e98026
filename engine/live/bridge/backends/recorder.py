"""vLLM with the recorder: every decision of its scheduler, exactly."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from engine.live.bridge.backends.backend import Backend, Lack, SourceLost, Watched, own_number
from engine.live.bridge.decisions import Lane, Merge, Names
from engine.live.bridge.feed import arrived
from engine.live.bridge.recorders import Recorder
from engine.live.recorder_wire import Message
from engine.trace import Cancelled
from engine.workload.records import Arrival

LOOK_SECONDS: Final = 0.05
"""How often records are looked for whose turn has come."""

LAST_SECONDS: Final = 3.0
"""How long the last decisions may be on their way, after the last answer came."""

GONE: Final = "the recorder is gone: the server has ended"
"""Why a run isn't complete whose server was killed."""

LATE: Final = "not all decisions came from the recorder"
"""Why a run isn't complete that was answered, and wasn't told."""

UNSEEN_AFTER: Final = 500_000_000
"""Nanoseconds after which a request that was given up, and that no scheduler has seen, won't be seen."""


def recorder_backend(vllm: Backend, recorders: list[Recorder]) -> Backend:
    """The backend of a vLLM whose recorders are connected; `vllm` is what it is without them."""
    hello = recorders[0].hello
    lacks = [Lack(str(what), str(why)) for what, why in hello["lacks"]]
    names = lanes_of(recorders) if len(recorders) > 1 else ()
    return replace(
        vllm,
        kind="recorder",
        version=str(hello["version"]),
        settings=hello["settings"],
        gives=("steps", *vllm.gives),
        lacks=(*lacks, *(lack for lack in vllm.lacks if lack.what != "steps")),
        lanes=names or vllm.lanes,
        vocabulary=int(hello["vocabulary"]),
        keeps_prompts=any(recorder.keeps_prompts for recorder in recorders),
        sources=(lambda watched: Decisions(recorders, watched), *vllm.sources),
    )


def lanes_of(recorders: list[Recorder]) -> tuple[str, ...]:
    """A name for each recorder's server, all different."""
    names: list[str] = []
    for recorder in recorders:
        same = sum(recorder.lane == other.lane for other in recorders[: len(names)])
        names.append(f"{recorder.lane} ({same + 1})" if same else recorder.lane)
    return tuple(names)


class Decisions:
    """What the recorders tell during one run."""

    def __init__(self, recorders: list[Recorder], watched: Watched) -> None:
        self._recorders, self._watched = recorders, watched
        self._merge = Merge(watched.feed.tell)
        self._names = Names(self._own_id)
        names = lanes_of(recorders) if len(recorders) > 1 else ("",)
        self._lanes = [
            Lane(name, watched.feed.began, self._names, self._merge, keeps_prompts=recorder.keeps_prompts)
            for name, recorder in zip(names, recorders, strict=True)
        ]
        self._trouble = ""
        self._num_lost = 0
        self._given_up: list[tuple[int, Arrival]] = []
        self._answered: set[str] = set()
        watched.feed.answered = lambda arrival: self._answered.add(arrival.id)
        watched.feed.through = self._merge.add
        watched.feed.gave_up = lambda arrival: self._given_up.append((watched.feed.now(), arrival))
        for recorder, lane in zip(recorders, self._lanes, strict=True):
            recorder.listener = self._listener(lane)
            self._trouble = self._trouble or (GONE if recorder.is_gone else "")
            recorder.ask_state()

    async def tell(self) -> None:
        """Release records in their turn. Raises `SourceLost` when a recorder is gone."""
        while not self._trouble:
            self._tell_given_up(self._watched.feed.now() - UNSEEN_AFTER)
            self._release()
            await asyncio.sleep(LOOK_SECONDS)
        raise SourceLost(self._trouble)

    async def finish(self) -> None:
        """Wait for the last decisions, and tell everything. Raises `SourceLost` if something of it is missing."""
        until = time.monotonic() + LAST_SECONDS
        while self._awaits_more() and not self._trouble and time.monotonic() < until:
            await asyncio.sleep(LOOK_SECONDS)
        if self._awaits_more() and not self._num_lost:
            self._trouble = self._trouble or LATE
        for recorder in self._recorders:
            recorder.listener = None
        self._tell_given_up(self._watched.feed.now())
        self._merge.release()
        self._tell_cost()
        if self._trouble or self._num_lost:
            raise SourceLost(self._trouble or f"the recorder lost {self._num_lost} messages: the bridge was too slow")

    def _awaits_more(self) -> bool:
        """Whether a request was answered of which the recorders haven't told all."""
        return not self._answered <= self._names.taken or any(lane.has_own() for lane in self._lanes)

    def _own_id(self, name: str) -> str | None:
        number = own_number(self._watched.name, name)
        arrivals = self._watched.workload.arrivals
        return arrivals[number].id if number is not None and number < len(arrivals) else None

    def _listener(self, lane: Lane) -> Callable[[Message | None], None]:
        def listen(message: Message | None) -> None:
            if message is None:
                self._trouble = self._trouble or GONE
                return
            try:
                lane.take(message)
            except (ValueError, TypeError, LookupError):
                self._trouble = self._trouble or "the recorder told something that can't be read"
            self._note_losses()
            self._release()

        return listen

    def _note_losses(self) -> None:
        lost = sum(lane.num_lost for lane in self._lanes)
        if lost > self._num_lost:
            self._watched.feed.gap(self._watched.feed.last, lost - self._num_lost)
            self._num_lost = lost

    def _release(self) -> None:
        self._merge.release(min(lane.low() for lane in self._lanes))

    def _tell_given_up(self, until: int) -> None:
        """Those that were given up before `until`, and of whom no scheduler has heard: they never got so far."""
        while self._given_up and self._given_up[0][0] <= until:
            _, arrival = self._given_up.pop(0)
            if arrival.id not in self._names.taken:
                self._names.taken.add(arrival.id)
                at = self._watched.feed.now()
                self._merge.add(arrived(arrival, at))
                self._merge.add(Cancelled(at, arrival.id))

    def _tell_cost(self) -> None:
        """How much of the steps' time the recorder's notes took, and whether the servers were fresh."""
        hook, steps = (sum(getattr(lane, name) for lane in self._lanes) for name in ("hook_ns", "step_ns"))
        if steps:
            fresh = all(lane.is_fresh for lane in self._lanes)
            self._watched.feed.beside("metrics", recorder_ns=hook, steps_ns=steps, fresh=fresh)
