"""Where recorders come to: a unix socket that only this user can open, and one connection a server."""

import asyncio
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from engine.live.recorder_wire import (
    ASK_STATE,
    LENGTH_BYTES,
    MOST_FRAME,
    PROTOCOL,
    Hello,
    Message,
    default_path,
    is_safe,
)

Listener = Callable[[Message | None], None]
"""Takes a recorder's messages as they come, and None when it is gone."""


class Recorder:
    """One recorder that is connected."""

    def __init__(self, hello: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        self.hello = hello
        self._writer = writer
        self.listener: Listener | None = None
        self.is_gone = False

    @property
    def lane(self) -> str:
        """The name of its server."""
        return str(self.hello["lane"])

    @property
    def keeps_prompts(self) -> bool:
        """Whether it was asked to tell prompts, and said so."""
        return self.hello.get("keeps_prompts") is True

    def ask_state(self) -> None:
        """Ask who is there: it answers before it tells what happens next."""
        self._writer.write(ASK_STATE)


class Recorders:
    """Listens for recorders. `refused` has what was wrong with the last one that wasn't taken."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_path()
        self.connected: list[Recorder] = []
        self.refused = ""
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Listen. Without unix sockets, or where another bridge listens, there are no recorders: `refused` says why."""
        if self._server or self.refused:
            return
        try:
            self._server = await asyncio.start_unix_server(self._meet, sock=_bound(self.path))
        except (OSError, AttributeError) as error:
            self.refused = f"no recorder can come: {error}"

    async def close(self) -> None:
        """Let all recorders go."""
        if self._server:
            self._server.close()
            self.path.unlink(missing_ok=True)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._listen_to(reader, writer)
        except (OSError, EOFError, ValueError, TypeError, LookupError, msgspec.MsgspecError) as error:
            if not isinstance(error, OSError | EOFError):
                self.refused = f"a recorder told rubbish: {type(error).__name__}"
        except asyncio.CancelledError:
            pass
        finally:
            self._tasks.discard(task)
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _listen_to(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        decoder = msgspec.msgpack.Decoder()
        hello = decoder.decode(await _frame(reader))
        facts = dict(hello[1])
        if hello[0] != "hello" or facts["protocol"] != PROTOCOL:
            self.refused = f"a recorder of another version came: it speaks {facts.get('protocol')!r}, not {PROTOCOL}"
            return
        if missing := sorted(Hello.__required_keys__ - facts.keys()):
            raise ValueError(f"no {missing[0]}")
        recorder = Recorder(facts, writer)
        self.connected.append(recorder)
        try:
            while True:
                message = tuple(decoder.decode(await _frame(reader)))
                if recorder.listener:
                    recorder.listener(message)
        finally:
            self.connected.remove(recorder)
            recorder.is_gone = True
            if recorder.listener:
                recorder.listener(None)


async def _frame(reader: asyncio.StreamReader) -> bytes:
    length = int.from_bytes(await reader.readexactly(LENGTH_BYTES), "big")
    if length > MOST_FRAME:
        raise ValueError(f"a frame of {length} bytes")
    return await reader.readexactly(length)


def _bound(path: Path) -> socket.socket:
    """A socket at `path` that nobody else may open. Raises `OSError` where there can't be one."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not is_safe(path.parent):
        raise OSError(f"others can write to the folder of {path.name}; name another with --recorder")
    _make_room(path)
    before = os.umask(0o177)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listening.bind(str(path))
    except OSError as error:
        listening.close()
        raise OSError(f"{path.name}: {error}; name another place, a short one, with --recorder") from None
    finally:
        os.umask(before)
    return listening


def _make_room(path: Path) -> None:
    """Take away what a bridge that was killed left at `path`. Raises `OSError` for anything else that stands there."""
    if not path.exists():
        return
    if not path.is_socket():
        raise OSError(f"{path.name} is no socket, and stays as it is; name another place with --recorder")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as trial:
        try:
            trial.connect(str(path))
        except OSError:
            path.unlink(missing_ok=True)
        else:
            raise OSError(f"another bridge listens at {path.name}")
