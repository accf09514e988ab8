"""Workers that are copies of this process: they have everything it has, and send back what they make.

Each worker has one thing to do at a time. It gets the next as soon as its result was read, so that nobody ever writes
to somebody who is writing: that can't lock up, however large a thing is.
"""

import gc
import os
import pickle
import signal
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, BinaryIO, NamedTuple, TypeVar

from cairn.core.isolate import collected, record
from cairn.errors import EnvironmentProblem

Given = TypeVar("Given")
Made = TypeVar("Made")

_LENGTH = struct.Struct("<Q")
_PIPE = 1 << 20
"""Room for a result, so that a worker can go on to wait for the next thing."""


class WorkerDied(EnvironmentProblem):
    """A worker process ended early, for want of memory or because a plugin ended it; free some memory, or find the
    plugin with `cairn scan --no-plugins`."""


class Worker(NamedTuple):
    pid: int
    inbox: BinaryIO
    outbox: BinaryIO


def fork_map(count: int, work: Callable[[Given], Made], things: Iterable[Given]) -> Iterator[Made]:
    """The results in the order of the things, made by so many workers."""
    source = iter(things)
    crew: list[Worker] = []
    try:
        for thing in source:
            crew.append(_hire(work, crew))
            _send(crew[-1].inbox, thing)
            if len(crew) == count:
                break
        yield from _rounds(crew, source)
    finally:
        for worker in crew:
            _dismiss(worker)


def _rounds(crew: list[Worker], source: Iterator[Any]) -> Iterator[Any]:
    """Take turns in the order in which things were handed out; who finds nothing left to do is done."""
    waiting = list(crew)
    while waiting:
        worker = waiting.pop(0)
        failed, result, bad = _receive(worker.outbox)
        record(bad)
        if failed:
            raise result
        for thing in source:
            _send(worker.inbox, thing)
            waiting.append(worker)
            break
        yield result


def _hire(work: Callable[[Any], Any], others: list[Worker]) -> Worker:
    to_child, to_parent = os.pipe(), os.pipe()
    _widen(to_child[1])
    _widen(to_parent[1])
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        for other in others:  # else a colleague would not notice when the parent closes its inbox
            other.inbox.close()
            other.outbox.close()
        os.close(to_child[1])
        os.close(to_parent[0])
        _toil(work, to_child[0], to_parent[1])
    os.close(to_child[0])
    os.close(to_parent[1])
    return Worker(pid, os.fdopen(to_child[1], "wb"), os.fdopen(to_parent[0], "rb"))


def _toil(work: Callable[[Any], Any], inbox: int, outbox: int) -> None:
    """The life of a worker. It never returns: nothing that the parent opened may be closed or flushed from here."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears ^C and dismisses us
    gc.disable()
    try:
        with os.fdopen(inbox, "rb") as orders, os.fdopen(outbox, "wb") as results:
            while (thing := _read(orders)) is not None:
                try:
                    with collected() as bad:
                        made = work(pickle.loads(thing))
                    answer = pickle.dumps((False, made, bad), pickle.HIGHEST_PROTOCOL)
                except Exception as error:
                    answer = pickle.dumps((True, _portable(error), []), pickle.HIGHEST_PROTOCOL)
                _write(results, answer)
    except BaseException:
        os._exit(1)
    os._exit(0)


def _portable(error: Exception) -> Exception:
    """An error that survives the journey."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _send(inbox: BinaryIO, thing: Any) -> None:
    try:
        _write(inbox, pickle.dumps(thing, pickle.HIGHEST_PROTOCOL))
    except BrokenPipeError as error:
        raise WorkerDied from error


def _receive(outbox: BinaryIO) -> Any:
    data = _read(outbox)
    if data is None:
        raise WorkerDied
    return pickle.loads(data)


def _write(stream: BinaryIO, data: bytes) -> None:
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def _read(stream: BinaryIO) -> bytes | None:
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    data = stream.read(length)
    return data if len(data) == length else None


def _dismiss(worker: Worker) -> None:
    """A worker that waits ends when its inbox is closed; one that is still busy is not waited for."""
    for stream in (worker.inbox, worker.outbox):
        with suppress(OSError):
            stream.close()
    with suppress(ProcessLookupError):
        os.kill(worker.pid, signal.SIGKILL)
    os.waitpid(worker.pid, 0)


def _widen(pipe: int) -> None:
    try:
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)
    except (OSError, AttributeError):
        pass  # only a matter of speed
