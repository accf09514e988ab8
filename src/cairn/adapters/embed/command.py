"""Vectors by a program of the operator's: lines of JSON in, lines of JSON out."""

import json
import math
import os
import shlex
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from threading import Event, Timer
from typing import IO, Any, Final

from cairn.core.ports.search import Vector
from cairn.errors import EnvironmentProblem

_BATCH: Final = 64
_LONGEST: Final = 8192
"""Numbers of a vector."""
_BYTES: Final = 64 * 1024 * 1024
"""What it may say in one go."""


class CommandEmbedder:
    at_once = _BATCH

    def __init__(self, command: str, *, env: Mapping[str, str], folder: Path, seconds: float = 60.0) -> None:
        self._command, self._folder, self._seconds = command, folder, seconds
        # Whatever it starts is no turn of an agent, and no question of anybody's.
        self._env = {**env, "CAIRN_OFF": "1", "CAIRN_INTERNAL": "1"}
        self.id = f"command-{sha256(command.encode('utf-8', 'replace')).hexdigest()[:16]}"

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        found: list[Vector] = []
        for start in range(0, len(texts), _BATCH):
            found += self._embed(texts[start : start + _BATCH])
        if len({len(vector) for vector in found}) > 1:
            raise self._problem("its vectors are not all of one length")
        return found

    def _embed(self, texts: Sequence[str]) -> list[Vector]:
        lines = [json.dumps({"id": number, "text": text}) for number, text in enumerate(texts)]
        said: dict[Any, Vector] = {}
        for line in self._answer("\n".join([*lines, ""]).encode()).splitlines():
            if line.strip():
                number, vector = self._read(line)
                said[number] = vector
        missing = [number for number in range(len(texts)) if number not in said]
        if missing:
            raise self._problem(f"it gave no vector for {len(missing)} of {len(texts)} texts")
        return [said[number] for number in range(len(texts))]

    def _read(self, line: bytes) -> tuple[Any, Vector]:
        try:
            said = json.loads(line)
            number, vector = said["id"], [float(part) for part in said["vector"]]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise self._problem('a line of its answer is not {"id": …, "vector": […]}') from None
        if not 0 < len(vector) <= _LONGEST or not all(map(math.isfinite, vector)):
            raise self._problem(f"a vector has 1 to {_LONGEST} finite numbers, and one of its vectors has not")
        return number if isinstance(number, int) else None, vector

    def _answer(self, given: bytes) -> bytes:
        """From a file, so that nobody waits for the other one to read; and no more than there is room for."""
        with TemporaryFile() as asked:
            asked.write(given)
            asked.seek(0)
            process = self._started(asked)
        late = Event()
        timer = Timer(self._seconds, _kill, [process, late])
        timer.start()
        try:
            out = process.stdout.read(_BYTES + 1) if process.stdout else b""
            if len(out) <= _BYTES:
                process.wait()
        finally:
            timer.cancel()
            _kill(process)
            process.wait()
            if process.stdout:
                process.stdout.close()
        if late.is_set():
            raise self._problem(f"it did not end within {self._seconds:g} seconds")
        if len(out) > _BYTES:
            raise self._problem(f"it said more than {_BYTES:,} bytes")
        if process.returncode:
            raise self._problem(f"it ended with {process.returncode}")
        return out

    def _started(self, asked: IO[bytes]) -> "subprocess.Popen[bytes]":
        try:
            return subprocess.Popen(
                shlex.split(self._command),
                stdin=asked,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=self._env,
                cwd=self._folder,
                start_new_session=True,
            )
        except (OSError, ValueError, IndexError) as error:
            why = error.strerror.lower() if isinstance(error, OSError) and error.strerror else str(error)
            raise self._problem(f"it could not be started: {why}") from None

    def _problem(self, why: str) -> EnvironmentProblem:
        # Its name only: people put keys into arguments, and agents read this, too.
        name = (self._command.split() or ["empty"])[0][:80]
        return EnvironmentProblem(f"`retrieve.embed_command` ({name} …) is of no use: {why}.")


def _kill(process: "subprocess.Popen[bytes]", late: Event | None = None) -> None:
    """With all that it started."""
    if late is not None:
        late.set()
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
