"""Runs a program in a process group of its own: with an end when time is up, and a bound to what it may print."""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from threading import Lock
from typing import Final, NamedTuple

MOST_BYTES: Final = 8 * 1024 * 1024
"""Of an answer; who prints more is ended."""
_MOST_ERRORS: Final = 64 * 1024
_CHUNK: Final = 65_536
_GRACE: Final = 0.5
"""Seconds between asking a group to end and ending it."""


class BoundedOutput(NamedTuple):
    code: int
    out: bytes
    err: bytes
    """The end of it."""
    ended: str = ""
    """Why we ended it; empty when it ended by itself."""


class Programs:
    """Those that are running, so that somebody else can end all of them."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = Lock()
        self._stopped = False

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            for process in self._running:
                _signal(process, signal.SIGKILL)

    def run(
        self, command: Sequence[str], stdin: bytes, *, folder: str, env: Mapping[str, str], seconds: float
    ) -> BoundedOutput:
        """`OSError` when it can't be started."""
        with self._lock:
            if self._stopped:
                return BoundedOutput(-signal.SIGKILL, b"", b"", "the run was stopped")
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env=env,
                start_new_session=True,
            )
            self._running.add(process)
        try:
            with process:
                return _Talk(process, stdin).until(time.monotonic() + seconds)
        finally:
            with self._lock:
                self._running.discard(process)


class _Talk:
    """With one process: everything it is given, and what it may say."""

    def __init__(self, process: "subprocess.Popen[bytes]", stdin: bytes) -> None:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        self._process, self._left = process, memoryview(stdin)
        self._stdin = process.stdin.fileno()
        self._said = {process.stdout.fileno(): bytearray(), process.stderr.fileno(): bytearray()}
        self._out, self._err = process.stdout.fileno(), process.stderr.fileno()
        self._ready = selectors.DefaultSelector()

    def until(self, end: float) -> BoundedOutput:
        why = ""
        try:
            self._register()
            while self._ready.get_map() and not why:
                left = end - time.monotonic()
                why = "it gave no answer in time" if left <= 0 else self._step(left)
            why = why or self._ended_by(end)
        finally:
            self._ready.close()
            _end_group(self._process)
        return BoundedOutput(self._process.wait(), bytes(self._said[self._out]), bytes(self._said[self._err]), why)

    def _register(self) -> None:
        for number in self._said:
            os.set_blocking(number, False)
            self._ready.register(number, selectors.EVENT_READ)
        if self._left:
            os.set_blocking(self._stdin, False)
            self._ready.register(self._stdin, selectors.EVENT_WRITE)
        else:
            self._hang_up()

    def _step(self, seconds: float) -> str:
        """Why it has to end; empty to go on."""
        for key, _ in self._ready.select(seconds):
            if key.fd == self._stdin:
                self._write()
            elif self._read(key.fd):
                return f"it printed more than {MOST_BYTES // 1_048_576} MiB"
        return ""

    def _write(self) -> None:
        try:
            self._left = self._left[os.write(self._stdin, self._left[:_CHUNK]) :]
        except BrokenPipeError:
            self._left = self._left[:0]
        except BlockingIOError:
            return
        if not self._left:
            self._ready.unregister(self._stdin)
            self._hang_up()

    def _hang_up(self) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()

    def _read(self, number: int) -> bool:
        """Whether it says too much."""
        try:
            data = os.read(number, _CHUNK)
        except BlockingIOError:
            return False
        said = self._said[number]
        said += data
        if not data:
            self._ready.unregister(number)
        if number == self._err:
            del said[:-_MOST_ERRORS]
        return number == self._out and len(said) > MOST_BYTES

    def _ended_by(self, end: float) -> str:
        """It closed its mouth; now it has to go, too."""
        try:
            self._process.wait(max(0.0, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            return "it did not end in time"
        return ""


def _end_group(process: "subprocess.Popen[bytes]") -> None:
    """It and whatever it started: first asked, where it still runs, then ended."""
    if process.poll() is None:
        _signal(process, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)
    _signal(process, signal.SIGKILL)


def _signal(process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)
