"""The real program in a process of its own, but forked from one that has imported it already: most of what a short
command costs is importing. `COLD=1` starts each one anew; whoever tests the start itself uses `subprocess`."""

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO

from warm_server import DIGITS

SERVER = Path(__file__).with_name("warm_server.py")
_DECIDED_AT_START = ("PYTHON", "LC_", "LANG", "TZ")
"""Variables that Python reads before the program begins."""
_PIPE = 4096
"""So much goes into any pipe before somebody reads from it."""
_SENDING = threading.Lock()


def can_be_warm(env: Mapping[str, str], stdin: bytes | None = None) -> bool:
    """Whether the program would not know the difference."""
    here = os.environ
    early = [name for name in {*env, *here} if name.startswith(_DECIDED_AT_START)]
    fits = len(stdin or b"") <= _PIPE
    return fits and not here.get("COLD") and all(env.get(name) == here.get(name) for name in early)


def run(
    args: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    stdin: bytes | None,
    timeout: float,
    first: Sequence[Sequence[str]] = (),
) -> tuple[int, bytes, bytes]:
    """How it ended, what it said, what it complained about. `first`: a module of the tests, a function and its
    arguments, called in the new process before the program starts."""
    with _given(stdin) as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        streams = [stream.fileno() for stream in (given, out, err)]
        asked = {"args": list(args), "cwd": os.fspath(cwd), "env": dict(env), "first": [list(one) for one in first]}
        code = _waited(_started(asked, streams), args, timeout)
        out.seek(0)
        err.seek(0)
        return code, out.read(), err.read()


def _given(stdin: bytes | None) -> IO[bytes]:
    if stdin is None:
        return open(os.devnull, "rb")
    reading, writing = os.pipe()
    with open(writing, "wb") as file:
        file.write(stdin)
    return open(reading, "rb")


def _started(request: Mapping[str, object], streams: Sequence[int]) -> int:
    """Where the server says which process it is, and how it ended."""
    asked = json.dumps(request).encode()
    answer, reply = os.pipe()
    try:
        with _SENDING:
            server = _server(os.getpid())
            socket.send_fds(server, [f"{len(asked):0{DIGITS}}".encode()], [*streams, reply])
            server.sendall(asked)
    finally:
        os.close(reply)
    return answer


def _waited(answer: int, args: Sequence[str], timeout: float) -> int:
    with open(answer, "rb", buffering=0) as said:
        pid = int(said.readline())
        if not select.select([said], [], [], timeout)[0]:
            os.kill(pid, signal.SIGKILL)
            raise subprocess.TimeoutExpired(list(args), timeout)
        return int(said.readline())


@cache
def _server(owner: int) -> socket.socket:
    """One for each process that runs tests; it ends when that does."""
    ours, theirs = socket.socketpair()
    with theirs:
        line = [sys.executable, os.fspath(SERVER), str(theirs.fileno())]
        process = subprocess.Popen(line, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])
    atexit.register(_end, ours, process)
    return ours


def _end(ours: socket.socket, process: "subprocess.Popen[bytes]") -> None:
    ours.close()
    process.wait(30)
