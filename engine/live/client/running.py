"""Run a workload on a real server, and follow it to its end whatever the network does."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from engine.live.client.gathering import Gatherer, LiveTrace
from engine.live.client.link import MOST_WORDS, Link, LinkError, find_link, workload_body
from engine.live.client.sse import EventReader
from engine.live.client.transport import Cut, content
from engine.workload.records import Workload

PAUSES: Final = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds before each new try after a cut; then what came is what there is."""

EVERY: Final = 1.0
"""Seconds between two lines of progress."""

FAREWELL: Final = 3.0
"""Seconds to wait for the bridge when a run is given up."""


class _Latest:
    trace: LiveTrace | None = None


def latest() -> LiveTrace | None:
    """What the newest run brought, also one that was interrupted. None before the first."""
    return _Latest.trace


async def run(
    workload: Workload,
    *,
    address: str | None = None,
    token: str | None = None,
    tell: Callable[[str], object] = print,
) -> LiveTrace:
    """Run `workload` on the server behind a bridge; its trace, when all of it has come.

    `address` may be the whole link that the bridge prints, token included. In a lab both may be left out: the page
    knows them. `tell` takes lines about progress. A cut is mended by going on after the last event; where it can't
    be, the trace says so in `complete`, `why` and its header. An interrupt cancels the run on the server, too, and
    `latest()` has what came until then.

    Raises `LinkError` where no bridge answers, or it refuses the workload: another run goes on, or a limit.
    """
    link = await find_link(address, token)
    number = (await link.value("POST", "runs", workload_body(workload)))["run"]
    return await _Following(link, str(number), len(workload), tell).run()


class _Following:
    """One run under way."""

    def __init__(self, link: Link, number: str, num_requests: int, tell: Callable[[str], object]) -> None:
        self.path = f"runs/{number}"
        self.link, self.num_requests, self.tell = link, num_requests, tell
        self.gathered = Gatherer()
        self.last = 0
        self.cuts = 0
        self.told_at = time.monotonic()

    async def run(self) -> LiveTrace:
        try:
            while not self.gathered.is_over and await self._stretch():
                pass
        except BaseException:
            self.gathered.stop("it was interrupted")
            with suppress(Exception):
                await asyncio.wait_for(self.link.value("DELETE", self.path), FAREWELL)
            raise
        finally:
            trace = _Latest.trace = self.gathered.trace()
            self.tell(_summary(trace, self.gathered))
        return trace

    async def _stretch(self) -> bool:
        """Follow until the end or a cut. False where it makes no sense to go on."""
        try:
            answer = await self.link.ask("GET", f"{self.path}/events", last=self.last)
            if answer.status >= 400:
                self.link.checked(answer.status, await content(answer, MOST_WORDS))
            try:
                reader = EventReader()
                async for piece in answer.pieces():
                    for event in reader.feed(piece):
                        self._take(event.id, event.data)
                    if self.gathered.is_over:
                        return False
            finally:
                await answer.close()
            raise Cut("the stream ended before the run did")
        except Cut as cut:
            return await self._pause(str(cut))
        except LinkError as error:
            self.gathered.stop(str(error))
            return False

    def _take(self, number: int | None, text: str) -> None:
        # A number that was seen already came twice: once before a cut and once after it.
        if number is not None and number <= self.last:
            return
        self.last, self.cuts = number or self.last, 0
        self.gathered.take(text)
        if time.monotonic() - self.told_at >= EVERY:
            self.told_at = time.monotonic()
            self.tell(_progress(self.gathered, self.num_requests))

    async def _pause(self, why: str) -> bool:
        if self.cuts == len(PAUSES):
            self.gathered.stop(f"the bridge was lost: {why}")
            return False
        pause = PAUSES[self.cuts]
        self.cuts += 1
        self.tell(f"cut off ({why}); trying again in {pause:g} s")
        await asyncio.sleep(pause)
        return True


def _progress(gathered: Gatherer, num_requests: int) -> str:
    under_way = gathered.num_arrived - gathered.num_ended
    return f"{gathered.now / 1e9:.1f} s: {gathered.num_ended} of {num_requests} done, {under_way} under way"


def _summary(trace: LiveTrace, gathered: Gatherer) -> str:
    words = f"{gathered.num_ended} requests ended in {gathered.now / 1e9:.1f} s"
    if trace.header.holds_prompts:
        words += "; the trace holds their prompts in plain: the server was asked to keep them"
    return f"{words}; complete" if trace.complete else f"{words}; not complete: {trace.why}"
