"""Programs as readers: an agent's headless mode, or any command, confined to an empty folder and to its own answer."""

import json
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from cairn.adapters.runner.bounded import BoundedOutput, Programs
from cairn.core.model_budget import RunnerAnswer, RunnerFailed
from cairn.core.ports.reader import ReaderRequest

_BUSY: Final = ("rate limit", "rate_limit", "429", "overloaded", "too many requests", "usage limit", "quota")
_SHUT_OUT: Final = (
    "not logged in",
    "log in",
    "login",
    "unauthorized",
    "401",
    "invalid api key",
    "api key not valid",
    "authentication",
    "auth method",
)
_NOT_FOUND: Final = (126, 127)
_PREPARING: Final = 30.0
"""Seconds."""


class Said(NamedTuple):
    """The answer in what a program printed."""

    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    model: str | None = None
    error: str = ""
    """Why there is none, as the program says."""


class PreparedHost(NamedTuple):
    """What a run needs besides."""

    files: Mapping[str, str] = {}
    arguments: Sequence[str] = ()


AskProgram = Callable[[Sequence[str]], bytes | None]
"""What the program prints, with these arguments; None when it does not know them."""


class HostProgram(NamedTuple):
    name: str
    """Of the reader and of the program."""
    arguments: Callable[[str | None], Sequence[str]]
    """For a model, or the one that the program chooses."""
    said: Callable[[bytes], Said]
    env: Mapping[str, str] = {}
    """`{folder}` stands for the folder in which it works."""
    files: Mapping[str, str] = {}
    """Written into that folder."""
    prepare: Callable[[AskProgram], PreparedHost] | None = None
    """Asked once, before the first question."""


class ProgramReader:
    """The prompt on stdin, the answer on stdout."""

    window = None

    def __init__(self, host: HostProgram, program: Sequence[str], env: Mapping[str, str], model: str | None) -> None:
        self._host, self._program, self._model = host, tuple(program), model
        # Its hooks are ours in many repositories; what Cairn asks itself is no turn of anybody's.
        self._env = {**env, "CAIRN_OFF": "1", "CAIRN_INTERNAL": "1"}
        self._programs = Programs()
        self.parallel = 2

    @property
    def name(self) -> str:
        return self._host.name

    @property
    def model(self) -> str:
        return self._model or "its own choice"

    def stop(self) -> None:
        self._programs.stop()

    def read(self, request: ReaderRequest) -> RunnerAnswer:
        # In an empty folder: instructions of the repository are none for a reader.
        with tempfile.TemporaryDirectory(prefix="cairn-reader-") as folder:
            for path, text in {**self._host.files, **self._prepared.files}.items():
                _write(folder, path, text)
            ran = self._ran(request, folder)
        if ran.ended:
            raise RunnerFailed(f"`{self.name}` was ended: {ran.ended}.", retryable=True)
        said = self._host.said(ran.out)
        if ran.code != 0 or said.error:
            raise self._failure(ran, said)
        if not said.text.strip():
            raise RunnerFailed(f"`{self.name}` gave an empty answer.", retryable=True)
        return RunnerAnswer(said.text, self.name, said.model or self.model, said.tokens_in, said.tokens_out)

    @cached_property
    def _prepared(self) -> PreparedHost:
        return PreparedHost() if self._host.prepare is None else self._host.prepare(self._asked)

    def _asked(self, arguments: Sequence[str]) -> bytes | None:
        with tempfile.TemporaryDirectory(prefix="cairn-reader-") as folder:
            ran = self._started(arguments, b"", folder, _PREPARING)
        return ran.out if ran.code == 0 and not ran.ended else None

    def _ran(self, request: ReaderRequest, folder: str) -> BoundedOutput:
        arguments = [*self._host.arguments(self._model), *self._prepared.arguments]
        return self._started(arguments, request.prompt.encode(), folder, request.timeout_seconds)

    def _started(self, arguments: Sequence[str], stdin: bytes, folder: str, seconds: float) -> BoundedOutput:
        command = [*self._program, *(_in(folder, one) for one in arguments)]
        env = {**self._env, **{name: _in(folder, value) for name, value in self._host.env.items()}}
        try:
            return self._programs.run(command, stdin, folder=folder, env=env, seconds=seconds)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise RunnerFailed(
                f"`{self._program[0]}` could not be started: {why}.", retryable=False, ends_run=True
            ) from None

    def _failure(self, ran: BoundedOutput, said: Said) -> RunnerFailed:
        why = said.error or _error_in(ran.err) or _last_line(ran.err) or _last_line(ran.out) or "it said nothing"
        low = why.lower()
        busy = any(word in low for word in _BUSY)
        out = not busy and (ran.code in _NOT_FOUND or any(word in low for word in _SHUT_OUT))
        hint = f" Run `{self._program[0]}` once by hand to log in." if out and ran.code not in _NOT_FOUND else ""
        message = f"`{self.name}` ended with {ran.code}: {why.rstrip('.')}.{hint}"
        return RunnerFailed(message, retryable=True, is_busy=busy, ends_run=out)


def _in(folder: str, text: str) -> str:
    return text.replace("{folder}", folder)


def _write(folder: str, path: str, text: str) -> None:
    file = os.path.join(folder, path)
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(text)


def plain_answer(out: bytes) -> Said:
    return Said(out.decode("utf-8", "replace"))


def last_json(out: bytes) -> Any:
    """What a program printed as JSON, behind lines that are none; None where there is none."""
    text = out.decode("utf-8", "replace")
    for start in (0, text.find("\n{") + 1):
        try:
            return json.loads(text[start:])
        except (ValueError, RecursionError):
            continue
    return None


def json_lines(out: bytes) -> list[dict[str, Any]]:
    """Events, one on each line; other lines are passed over."""
    events = []
    for line in out.decode("utf-8", "replace").splitlines():
        try:
            event = json.loads(line) if line.startswith("{") else None
        except (ValueError, RecursionError):
            continue
        if isinstance(event, dict):
            events.append(event)
    return events


def count_of(value: Any, *names: str) -> int | None:
    """The sum of counts, as far as they are there."""
    found = [value.get(name) for name in names] if isinstance(value, dict) else []
    counts = [one for one in found if isinstance(one, int) and not isinstance(one, bool) and one >= 0]
    return sum(counts) if counts else None


def _error_in(err: bytes) -> str:
    """Gemini CLI prints its errors as JSON."""
    value = last_json(err)
    error = value.get("error") if isinstance(value, dict) else None
    message = error.get("message") if isinstance(error, dict) else None
    return " ".join(message.split())[:300] if isinstance(message, str) else ""


def _last_line(data: bytes) -> str:
    lines = [line.strip() for line in data.decode("utf-8", "replace").splitlines() if line.strip()]
    return lines[-1][:300] if lines else ""
