"""Sends a workload open-loop: each request at its own time, whether or not the last one was answered."""

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import aclosing
from typing import Any, Final, Literal

import httpx

from engine.live.bridge.feed import Feed, arrived
from engine.live.bridge.limits import Limits
from engine.live.bridge.prompts import Prompts
from engine.live.bridge.target import Broken, complete
from engine.live.recorder_wire import OWN_ID
from engine.metrics.percentiles import nearest_rank
from engine.trace import Cancelled, Finished, FirstToken, Rejected, Tokens
from engine.workload.records import Arrival, Workload

SPIN: Final = 1_500_000
"""Nanoseconds before a time from which on it is waited for awake: an event loop's timer is a millisecond coarse."""


async def until(moment: int) -> None:
    """Wait for a moment of the monotonic clock, in nanoseconds."""
    while (left := moment - time.monotonic_ns()) > 0:
        await asyncio.sleep((left - SPIN) / 1e9 if left > SPIN else 0)


class Sender:
    """Sends one workload. `asked` are the fields that every request carries, `run` names it to the server."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        workload: Workload,
        prompts: Prompts,
        feed: Feed,
        limits: Limits,
        asked: Mapping[str, Any],
        run: str,
        *,
        tells_tokens: bool,
    ) -> None:
        self._client, self._workload, self._prompts, self._feed = client, workload, prompts, feed
        self._limits, self._asked, self._run, self._tells_tokens = limits, asked, run, tells_tokens
        self._out: set[asyncio.Task[None]] = set()
        self._late: list[int] = []
        self.broken: Counter[str] = Counter()
        """Why answers broke off, and how many did."""

    async def run(self) -> None:
        """Send everything, and wait until everything is answered, refused or broken off."""
        try:
            for number, arrival in enumerate(self._workload):
                # Made beforehand: a long prompt takes longer to draw than a request may be late.
                prompt = self._prompts.token_ids(arrival, number)
                await until(self._feed.began + arrival.at)
                self._send(number, arrival, prompt)
            await asyncio.gather(*self._out)
        finally:
            for task in self._out:
                task.cancel()
            await asyncio.gather(*self._out, return_exceptions=True)
            self._tell_lateness()

    def _send(self, number: int, arrival: Arrival, prompt: list[int]) -> None:
        now = self._feed.now()
        self._late.append(now - arrival.at)
        self._feed.beside("lateness", id=arrival.id, due=arrival.at, late=now - arrival.at)
        if len(self._out) >= self._limits.max_in_flight:
            self._refuse(arrival, now, f"the bridge has {self._limits.max_in_flight} requests out already")
            return
        task = asyncio.create_task(self._one(number, arrival, prompt, now))
        self._out.add(task)
        task.add_done_callback(self._out.discard)

    def _tell_lateness(self) -> None:
        if self._late:
            late = sorted(self._late)
            found = {f"p{share}": late[nearest_rank(len(late), share) - 1] for share in (50, 99)}
            self._feed.beside("lateness", count=len(late), **found, max=late[-1])

    async def _one(self, number: int, arrival: Arrival, prompt: list[int], sent: int) -> None:
        answer = _Answer(self._feed, arrival, tells=self._tells_tokens)
        answer.arrive(sent)
        wait = None if arrival.cancel_at is None else max(arrival.cancel_at - sent, 0) / 1e9
        try:
            async with asyncio.timeout(wait):
                await self._follow(answer, number, arrival, prompt)
        except TimeoutError:
            answer.leave()
        except asyncio.CancelledError:
            answer.leave()
            raise
        except Broken as broken:
            if broken.refused and not answer.num_tokens:
                self._refuse(arrival, self._feed.now(), broken.why, is_told=self._tells_tokens)
            else:
                self.broken[broken.why] += 1
                answer.leave()

    async def _follow(self, answer: "_Answer", number: int, arrival: Arrival, prompt: list[int]) -> None:
        asked = dict(self._asked) | {"max_tokens": arrival.num_output_tokens}
        asked |= {"cache_salt": arrival.cache_salt} if arrival.cache_salt else {}
        asked |= {"priority": arrival.priority} if arrival.priority else {}
        headers = {"X-Request-Id": f"{OWN_ID}{self._run}-{number}"}
        async with aclosing(complete(self._client, prompt, asked, headers)) as chunks:
            async for chunk in chunks:
                answer.take(chunk.num_tokens)
                if chunk.reason:
                    answer.reason = "length" if chunk.reason == "length" else "stop"
        answer.end()

    def _refuse(self, arrival: Arrival, at: int, why: str, *, is_told: bool = False) -> None:
        self.broken[why] += 1
        if not is_told:
            self._feed.record(arrived(arrival, at))
        self._feed.record(Rejected(at, arrival.id, why))


class _Answer:
    """One answer as it comes. Where a recorder tells the tokens, this one only counts them."""

    def __init__(self, feed: Feed, arrival: Arrival, *, tells: bool) -> None:
        self._feed, self._arrival, self._tells = feed, arrival, tells
        self.num_tokens = 0
        self.reason: Literal["length", "stop"] = "stop"

    def arrive(self, at: int) -> None:
        if self._tells:
            self._feed.record(arrived(self._arrival, at))

    def take(self, count: int) -> None:
        is_first, self.num_tokens = not self.num_tokens, self.num_tokens + count
        if not count or not self._tells:
            return
        at = self._feed.now()
        if is_first:
            self._feed.record(FirstToken(at, self._arrival.id))
            count -= 1
        if count:
            self._feed.record(Tokens(at, self._arrival.id, count))

    def end(self) -> None:
        if not self._tells:
            self._feed.answered(self._arrival)
        else:
            self._feed.record(Finished(self._feed.now(), self._arrival.id, self.reason, self.num_tokens))

    def leave(self) -> None:
        if not self._tells:
            self._feed.gave_up(self._arrival)
        else:
            self._feed.record(Cancelled(self._feed.now(), self._arrival.id, self.num_tokens))
