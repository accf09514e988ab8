"""Standard input and output as the wire: nothing else gets onto it, and nothing that comes in keeps us from leaving."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager, contextmanager, suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final

import anyio
import mcp_types as types
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage

from cairn.mcp.front import OpeningMessages

LONGEST: Final = 4 * 1024 * 1024
"""Bytes of a message; the same as over HTTP."""
_BLOCK: Final = 65536
_PATIENCE: Final = 30.0
"""Seconds in which what was asked before the client closed its end is answered."""

Frame = bytes | None
"""None: a message that is too long."""
Incoming = SessionMessage | Exception


class PendingRequests:
    """Requests that are not answered yet. A client may close its end right behind its last question."""

    def __init__(self) -> None:
        self._ids: set[str | int] = set()
        self._changed = asyncio.Event()

    def asked(self, message: types.JSONRPCMessage) -> None:
        if isinstance(message, types.JSONRPCRequest):
            self._ids.add(message.id)
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._drop((message.params or {}).get("requestId"))  # nobody answers these

    def answered(self, message: types.JSONRPCMessage) -> None:
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._drop(message.id)

    async def settled(self) -> None:
        while self._ids:
            self._changed.clear()
            await self._changed.wait()

    def _drop(self, id: Any) -> None:
        self._ids.discard(id)
        self._changed.set()


def serve_stdio(server: Server[Any], opening: OpeningMessages | None = None) -> int:
    """Until the client closes its end, or somebody stops us. What was answered before stands in the `opening`."""
    return anyio.run(_serve, server, opening or OpeningMessages())


async def _serve(server: Server[Any], opening: OpeningMessages) -> int:
    stopped: list[int] = []
    with _wire() as (into, out):
        async with anyio.create_task_group() as group:
            group.start_soon(_watch_signals, group.cancel_scope, stopped)
            async with _streams(into, out, opening) as (read, write):
                await server.run(read, write, server.create_initialization_options())
            group.cancel_scope.cancel()
    return 130 if signal.SIGINT in stopped else 0


async def _watch_signals(scope: anyio.CancelScope, stopped: list[int]) -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for number in signals:
            stopped.append(number)
            scope.cancel()


@contextmanager
def _wire() -> Iterator[tuple[int, int]]:
    """The two ends for us alone: what others print goes to stderr, and what others read is empty."""
    into, out = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    try:
        yield into, out
    finally:
        os.dup2(out, 1)


@asynccontextmanager
async def _streams(
    into: int, out: int, opening: OpeningMessages
) -> AsyncIterator[tuple[ObjectReceiveStream[Incoming], ObjectSendStream[SessionMessage]]]:
    arriving, read = anyio.create_memory_object_stream[Incoming](0)
    write, leaving = anyio.create_memory_object_stream[SessionMessage](0)
    pending = PendingRequests()
    async with anyio.create_task_group() as group:
        group.start_soon(_receive, into, arriving, write.clone(), pending, opening)
        group.start_soon(_send, out, leaving, pending, set(opening.answered))
        try:
            yield read, write
        finally:
            group.cancel_scope.cancel()
    for stream in (arriving, read, write, leaving):
        stream.close()


# --- in --------------------------------------------------------------------------------------------------------------


async def _receive(
    into: int,
    arriving: ObjectSendStream[Incoming],
    write: ObjectSendStream[SessionMessage],
    pending: PendingRequests,
    opening: OpeningMessages,
) -> None:
    """Messages as they come. What is none is answered as the protocol says, and the next one is read."""
    loop = asyncio.get_running_loop()
    frames: asyncio.Queue[Frame | EOFError] = asyncio.Queue(maxsize=16)

    def hand(frame: Frame | EOFError) -> None:
        handing = frames.put(frame)
        try:
            asyncio.run_coroutine_threadsafe(handing, loop).result()
        finally:
            handing.close()

    # A thread that nobody waits for: reading cannot be interrupted, and we must be able to leave.
    Thread(target=_read, args=(into, hand, opening.rest), name="stdin", daemon=True).start()
    async with arriving, write:
        for known in opening.frames:
            await _deliver(known, arriving, write, pending)
        while not isinstance(frame := await frames.get(), EOFError):
            await _deliver(frame, arriving, write, pending)
        with anyio.move_on_after(_PATIENCE):
            await pending.settled()


async def _deliver(
    frame: Frame,
    arriving: ObjectSendStream[Incoming],
    write: ObjectSendStream[SessionMessage],
    pending: PendingRequests,
) -> None:
    if frame is None:
        await write.send(_complaint(types.INVALID_REQUEST, f"The message is longer than {LONGEST} bytes."))
        return
    if not frame.strip():
        return
    try:
        message = types.jsonrpc_message_adapter.validate_json(frame, by_name=False)
    except ValueError:
        await write.send(_complaint(types.PARSE_ERROR, "This line is no JSON-RPC message."))
        return
    pending.asked(message)
    await arriving.send(SessionMessage(message))


def _complaint(code: int, message: str) -> SessionMessage:
    error = types.ErrorData(code=code, message=message)
    return SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=None, error=error))


def _read(into: int, hand: Callable[[Frame | EOFError], None], first: bytes) -> None:
    """In its own thread: lines, until there are no more. Of one that is too long nothing is kept."""
    waiting = [first] if first else []

    def block() -> bytes:
        return waiting.pop() if waiting else os.read(into, _BLOCK)

    with suppress(RuntimeError, CancelledError, OSError):  # whoever was to get them is gone
        for frame in frames_in(block):
            hand(frame)
    with suppress(RuntimeError, CancelledError):
        hand(EOFError())


def frames_in(read: Callable[[], bytes], longest: int = LONGEST) -> Iterator[Frame]:
    held, too_long = bytearray(), False
    while block := read():
        *whole, rest = block.split(b"\n")
        for line in whole:
            held += line
            yield None if too_long or len(held) > longest else bytes(held)
            held, too_long = bytearray(), False
        held += rest
        if len(held) > longest:
            held, too_long = bytearray(), True
    if held or too_long:
        yield None if too_long else bytes(held)


# --- out -------------------------------------------------------------------------------------------------------------


async def _send(
    out: int, leaving: ObjectReceiveStream[SessionMessage], pending: PendingRequests, known: set[str | int]
) -> None:
    """Answers, until nobody reads them any more; then they are made all the same, because they may record something.
    The client has those that are `known` already."""
    writer = _Writer(out)
    heard = True
    async with leaving:
        async for message in leaving:
            if _is_known(message.message, known):
                pending.answered(message.message)
                continue
            line = message.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
            heard = heard and await writer.write(line)
            pending.answered(message.message)


def _is_known(message: types.JSONRPCMessage, known: set[str | int]) -> bool:
    """Once for each id: a client may use it again later."""
    id = message.id if isinstance(message, types.JSONRPCResponse | types.JSONRPCError) else None
    if id is None or id not in known:
        return False
    known.discard(id)
    return True


class _Writer:
    """Writes in a thread that nobody waits for: a client that has stopped to read must not keep us from leaving."""

    def __init__(self, out: int) -> None:
        self._out = out
        self._loop = asyncio.get_running_loop()
        self._lines: SimpleQueue[tuple[bytes, asyncio.Future[bool]]] = SimpleQueue()
        Thread(target=self._run, name="stdout", daemon=True).start()

    async def write(self, line: bytes) -> bool:
        """Whether there is still somebody at the other end."""
        heard: asyncio.Future[bool] = self._loop.create_future()
        self._lines.put((line, heard))
        return await heard

    def _run(self) -> None:
        with suppress(RuntimeError):  # whoever wanted to know is gone
            while True:
                line, heard = self._lines.get()
                self._loop.call_soon_threadsafe(_tell, heard, _write(self._out, line))


def _tell(heard: asyncio.Future[bool], answer: bool) -> None:
    if not heard.done():  # nobody waits any more once we are leaving
        heard.set_result(answer)


def _write(out: int, line: bytes) -> bool:
    view = memoryview(line)
    try:
        while view:
            view = view[os.write(out, view) :]
    except OSError:
        return False
    return True
