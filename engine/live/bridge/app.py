"""The endpoints: what the backend can do, a run, its events, its trace, its end."""

import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from sse_starlette import EventSourceResponse
from sse_starlette.sse import SendTimeoutError
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import Receive, Scope, Send

from engine.live.bridge.finding import Finder
from engine.live.bridge.log import EventLog
from engine.live.bridge.options import Options
from engine.live.bridge.problems import Problem, Unreachable
from engine.live.bridge.run import Run
from engine.live.bridge.security import Door, Guard
from engine.live.bridge.site import site
from engine.live.bridge.workload import read_workload
from engine.trace import EVENTS, FORMAT

PING_SECONDS = 10
"""A quiet stream says that it lives."""

SEND_SECONDS = 60.0
"""How long a page may take to read what it was sent. Then it gives its place to others."""


class Bridge:
    """The state behind the endpoints: the backend, and the run that goes on or was the last one."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.finder = Finder(options)
        self.run: Run | None = None
        self._is_starting = False
        self._num_readers = 0

    async def close(self) -> None:
        """End the run and let go of the server."""
        if self.run:
            await self.run.cancel("the bridge was stopped")
        await self.finder.close()

    async def backend(self, request: Request) -> Response:
        """`GET /api/backend`"""
        run = self.run.as_dict() if self.run else None
        try:
            # While a run goes on nobody else is asked: the server may be too busy to answer, and it is known.
            found = self.run.backend if self.run and self.run.is_active else await self.finder.find()
        except Unreachable as problem:
            return JSONResponse(problem.body() | ({"run": run} if run else {}), problem.status)
        return JSONResponse(found.as_dict() | {"limits": self.options.limits.as_dict(), "run": run})

    async def begin(self, request: Request) -> Response:
        """`POST /api/runs`"""
        workload = read_workload(await request.body(), self.options.limits)
        busy = Problem(409, "another run goes on", "wait for its end, or cancel it", "runs")
        if self._is_starting or (self.run and self.run.is_active):
            raise busy
        self._is_starting = True
        try:
            backend = await self.finder.find(anew=True)
            self.run = Run(secrets.token_hex(6), workload, backend, self.finder.client, self.options)
            self.run.task.add_done_callback(lambda _: self.finder.forget())
        finally:
            self._is_starting = False
        return JSONResponse({"run": self.run.name}, 201)

    async def events(self, request: Request) -> Response:
        """`GET /api/runs/{run}/events`"""
        run = self._run(request)
        last = request.headers.get("last-event-id", "0")
        if not last.isdecimal() or len(last) > 15:
            raise Problem(400, f"got {last[:40]!r}, expected a number", "send the last event's id", "Last-Event-ID")
        if self._num_readers >= self.options.limits.max_readers:
            raise Problem(429, f"{self._num_readers} pages follow the run already", "close one of them", "events")
        self._num_readers += 1
        return _Followed(_told(run.log, int(last)), self._left)

    async def trace(self, request: Request) -> Response:
        """`GET /api/runs/{run}/trace`"""
        log = self._run(request).log
        if log.num_forgotten:
            raise Problem(
                410, "the run was too long to be kept whole", "save it from the page that followed it", "trace"
            )
        lines = [line for line in log.lines() if _is_of_a_trace(line)]
        return StreamingResponse((f"{line}\n" for line in lines), media_type="application/jsonl")

    async def cancel(self, request: Request) -> Response:
        """`DELETE /api/runs/{run}`"""
        run = self._run(request)
        await run.cancel()
        return JSONResponse(run.as_dict())

    def _run(self, request: Request) -> Run:
        name = request.path_params["run"]
        if self.run is None or name != self.run.name:
            raise Problem(404, f"no run {name[:40]!r} is known", "begin one; only the last one is kept", "runs")
        return self.run

    def _left(self) -> None:
        self._num_readers -= 1


class _Followed(EventSourceResponse):
    """A stream of events that says when nobody follows it any more, even if nobody ever did."""

    def __init__(self, told: AsyncIterator[bytes], left: Callable[[], None]) -> None:
        super().__init__(told, ping=PING_SECONDS, sep="\n", send_timeout=SEND_SECONDS)
        self._left = left

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        except* SendTimeoutError:
            pass  # it may come back, and goes on after the last event
        finally:
            self._left()


async def _told(log: EventLog, last: int) -> AsyncIterator[bytes]:
    async for batch in log.after(last):
        yield "".join([f"id: {number}\ndata: {line}\n\n" for number, _, line in batch]).encode()


def _is_of_a_trace(line: str) -> bool:
    value = json.loads(line)
    return value.get("format") == FORMAT or value.get("event") in EVENTS


def make_app(options: Options, token: str, clock: Callable[[], float] | None = None) -> Starlette:
    """The whole application, its guard before it. `clock` gives seconds to the door."""
    bridge = Bridge(options)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await bridge.close()

    door = Door(token, options.port, options.origins, options.limits, **({"clock": clock} if clock else {}))
    app = Starlette(
        routes=_routes(bridge, options),
        middleware=[Middleware(Guard, door=door, limits=options.limits)],
        exception_handlers={Problem: _refuse, 404: _unknown, 405: _unknown, 500: _failed},
        lifespan=lifespan,
    )
    app.state.bridge = bridge
    return app


def _routes(bridge: Bridge, options: Options) -> list[BaseRoute]:
    ask: list[tuple[str, Callable[[Request], Awaitable[Response]], str]] = [
        ("/api/backend", bridge.backend, "GET"),
        ("/api/runs", bridge.begin, "POST"),
        ("/api/runs/{run}/events", bridge.events, "GET"),
        ("/api/runs/{run}/trace", bridge.trace, "GET"),
        ("/api/runs/{run}", bridge.cancel, "DELETE"),
    ]
    routes: list[BaseRoute] = [Route(path, endpoint, methods=[method]) for path, endpoint, method in ask]
    return [*routes, Mount("/", site(options.site))] if options.site else routes


async def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    return JSONResponse(error.body(), error.status)


async def _unknown(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    body = {"error": "there is nothing here", "where": request.url.path[:120], "mend": "see /api/backend"}
    return JSONResponse(body, status)


async def _failed(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "the bridge failed", "mend": "its terminal says more; start it again"}, 500)
