"""Letting a program of the operator's do some work: it gets a text, and none of its children outlives it."""

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path


def dispatch(command: str, text: str, *, env: Mapping[str, str], folder: Path, seconds: float) -> str:
    """Empty when it ended well, else why not. Its words are split as a shell would, but no shell runs."""
    if problem := why_not(command, env=env, folder=folder):
        return problem
    words = shlex.split(command)
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=dict(env),
            cwd=folder,
            start_new_session=True,
        )
    except OSError as error:
        return f"`{words[0]}` could not be started: {(error.strerror or str(error)).lower()}"
    try:
        _, err = process.communicate(text.encode(), timeout=seconds)
    except subprocess.TimeoutExpired:
        return f"`{words[0]}` did not end within {seconds:g} seconds"
    finally:  # also when somebody pressed ^C: what it started must not write on while files are put back
        _end(process)
    said = err.decode("utf-8", "replace").strip().splitlines()
    return "" if process.returncode == 0 else ": ".join([f"`{words[0]}` ended with {process.returncode}", *said[-1:]])


def why_not(command: str, *, env: Mapping[str, str], folder: Path) -> str:
    """Why this could not be started here; empty when it could."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        return f"`{command}` is no command ({error})"
    if not words:
        return "the command is empty"
    # `dispatch` starts it in that folder, so a path is read from there.
    program = os.path.join(folder, words[0]) if "/" in words[0] else words[0]
    return "" if shutil.which(program, path=env.get("PATH")) else f"there is no program `{words[0]}`"


def _end(process: "subprocess.Popen[bytes]") -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdin, process.stderr):
        if stream is not None:
            with suppress(OSError):
                stream.close()
