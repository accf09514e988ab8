"""Starts the program by forking, after importing all of it once: the server of `warm`, run as a script.

A request is a length, a document with `args`, `cwd`, `env` and calls to make `first`, and four handles: the three
streams, and where to say the id of the process and then how it ended. Each has a process of its own and shares nothing
but what was imported.
"""

import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import sys
from contextlib import suppress
from typing import Any, NoReturn

HANDLES = 4
DIGITS = 8
USED_OFTEN = ("ast", "difflib", "jsonschema_rs", "ruamel.yaml", "ssl", "tomllib")
USED_SELDOM = ("cairn.mcp", "cairn.adapters.storage.postgres", "cairn.adapters.telemetry", "cairn.adapters.embed")
"""With much behind them, and whatever is imported here has to be forked each time."""


def serve(control: socket.socket) -> None:
    """Until whoever started us is gone."""
    woken, wake = socket.socketpair()
    wake.setblocking(False)
    signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)  # without a handler nothing wakes us
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    running: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([control, woken], [], [])
        if woken in ready:
            woken.recv(4096)
            _tell_of_the_ended(running)
        if control in ready and not _start(control, running):
            return


def _start(control: socket.socket, running: dict[int, int]) -> bool:
    head, handles, *_ = socket.recv_fds(control, DIGITS, HANDLES)
    if not head:
        return False
    asked = b""
    while len(asked) < int(head):
        asked += control.recv(int(head) - len(asked))
    pid = os.fork()
    if pid == 0:
        _become(json.loads(asked), handles)
    for handle in handles[:3]:
        os.close(handle)
    running[pid] = handles[3]
    _say(handles[3], pid)
    return True


def _tell_of_the_ended(running: dict[int, int]) -> None:
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        reply = running.pop(pid)
        _say(reply, os.waitstatus_to_exitcode(status))
        os.close(reply)


def _say(reply: int, number: int) -> None:
    with suppress(BrokenPipeError):  # nobody waits any more
        os.write(reply, f"{number}\n".encode())


def _become(asked: dict[str, Any], handles: list[int]) -> NoReturn:
    """The program, as `python -m cairn` starts it."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, handle in enumerate(handles[:3]):
        os.dup2(handle, number)
    os.closerange(3, max(handles) + 64)
    code = 1
    try:
        code = _code(asked)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(code if _flushed() else code or 120)  # as Python itself ends when it cannot say all


def _code(asked: dict[str, Any]) -> int:
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["env"])
    for module, function, *arguments in asked["first"]:
        getattr(importlib.import_module(module), function)(*arguments)
    sys.path[0] = os.getcwd()
    sys.argv = ["cairn", *asked["args"]]
    try:
        runpy.run_module("cairn", run_name="__main__", alter_sys=True)
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else int(done.code is not None)
    return 0


def _flushed() -> bool:
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return False
    return True


def _import_all() -> None:
    import cairn

    found = [module.name for module in pkgutil.walk_packages(cairn.__path__, "cairn.")]
    for name in (*found, *USED_OFTEN):
        if not name.startswith(USED_SELDOM) and not name.endswith(".__main__"):
            with suppress(Exception):  # whoever needs it will say it better
                importlib.import_module(name)


if __name__ == "__main__":
    _import_all()
    gc.collect()
    gc.freeze()  # what is never looked at is never copied
    serve(socket.socket(fileno=int(sys.argv[1])))
