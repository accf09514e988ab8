"""Running a program that the operator named, to tell it something on its standard input."""

import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

SECONDS = 30.0


def tell_program(command: str, text: str, *, env: Mapping[str, str], folder: Path, seconds: float = SECONDS) -> str:
    """Empty when it ended well, else why not. Its words are split as a shell would, but no shell runs."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        return f"`{command}` is no command ({error})"
    if not words:
        return "the command is empty"
    try:
        done = subprocess.run(
            words,
            input=text.encode(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=seconds,
            env=dict(env),
            cwd=folder,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"`{words[0]}` did not end within {seconds:g} seconds"
    except OSError as error:
        return f"`{words[0]}` could not be started: {(error.strerror or str(error)).lower()}"
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return "" if done.returncode == 0 else ": ".join([f"`{words[0]}` ended with {done.returncode}", *said[-1:]])
