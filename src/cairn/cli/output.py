"""What a command prints: data on stdout, talk on stderr."""

import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TextIO

from cairn.core.model.issue import Severity
from cairn.core.ports.runtime import Progress, Silent

_STYLES = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33, "blue": 34, "magenta": 35, "cyan": 36}


@dataclass(frozen=True, slots=True)
class Output:
    stdout: TextIO
    stderr: TextIO
    json: bool = False
    quiet: bool = False
    verbosity: int = 0
    color: bool = False
    """Wanted at all; each stream also has to be a terminal."""

    def data(self, text: str) -> None:
        """A line (or several) of what was asked for."""
        write_all(self.stdout, text + "\n")

    def emit_json(self, value: Any) -> None:
        """One JSON document, complete, whatever is at the other end."""
        write_all(self.stdout, json_text(value) + "\n")

    def table(self, rows: Sequence[Sequence[str]], *, header: Sequence[str] = ()) -> None:
        """Aligned columns; cut to the terminal's width on a terminal, never on a pipe."""
        if not rows:
            return

        titles = [[self.style(title, "dim") for title in header]] if header else []
        room = terminal_width(self.stdout) if _is_terminal(self.stdout) else None
        self.data("\n".join(columns([*titles, *rows], room=room)))

    def say(self, text: str) -> None:
        """Talk; not under -q."""
        if not self.quiet:
            with reader_may_leave():
                write_all(self.stderr, text + "\n")

    def detail(self, text: str, level: int = 1) -> None:
        """Talk for those who asked for it by -v."""
        if self.verbosity >= level:
            self.say(text)

    def warn(self, text: str) -> None:
        """Something a person should know although the work goes on; also under -q."""
        with reader_may_leave():
            write_all(self.stderr, f"{self.style_err('warning:', 'yellow')} {text}\n")

    def fail(self, text: str) -> None:
        """The one sentence that explains a failure."""
        with reader_may_leave():
            write_all(self.stderr, f"{self.style_err('cairn:', 'red')} {text}\n")

    def style(self, text: str, *names: str) -> str:
        """For stdout."""
        return _styled(text, names) if self.color and _is_terminal(self.stdout) else text

    def style_err(self, text: str, *names: str) -> str:
        """For stderr."""
        return _styled(text, names) if self.color and _is_terminal(self.stderr) else text

    def progress(self) -> Progress:
        """A bar on a terminal, nothing anywhere else."""
        if self.quiet or self.json or not _is_terminal(self.stderr):
            return Silent()

        return TerminalProgress(self.stderr, room=terminal_width(self.stderr))


def json_text(value: Any) -> str:
    import json

    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # a name that is no Unicode; escaped it is still JSON
        return json.dumps(value, indent=2)
    return text


def write_all(stream: TextIO, text: str) -> None:
    """Writes everything: a pipe may take less than it was given, and a non-blocking one may ask to wait."""
    data = memoryview(text.encode(stream.encoding or "utf-8", "backslashreplace"))
    handle = _handle(stream)
    if handle is None:
        stream.write(text)
        return
    try:
        stream.flush()
        while data:
            try:
                data = data[os.write(handle, data) :]
            except BlockingIOError:
                _wait(handle)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputFailed(error) from error


class OutputFailed(OSError):
    """Of the place where the output goes, such as `> file`; the workspace may be on another disk."""

    def __init__(self, error: OSError) -> None:
        super().__init__(error.errno, error.strerror)


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """A reader that closes the pipe ends the output, not the command: the exit code is still that of the result."""
    try:
        yield
    except BrokenPipeError:
        drop_output()


def drop_output() -> None:
    """Discard the rest of the output, so that Python has nothing to complain about when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())


def wants_color(env: Mapping[str, str], no_color: bool) -> bool:
    return not no_color and not env.get("NO_COLOR") and env.get("TERM") != "dumb"


def terminal_width(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def elapsed(seconds: float) -> str:
    """`34ms`, `2.4s` or `1m 42s`."""
    if round(seconds * 1000) < 1000:
        return f"{round(seconds * 1000)}ms"
    if round(seconds, 1) < 60:
        return f"{seconds:.1f}s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}m {rest}s"


def _handle(stream: TextIO) -> int | None:
    try:
        return stream.fileno()
    except (OSError, ValueError, AttributeError):
        return None


def _wait(handle: int) -> None:
    import select

    select.select([], [handle], [])


def _is_terminal(stream: TextIO) -> bool:
    return not stream.closed and stream.isatty()


def _styled(text: str, names: Sequence[str]) -> str:
    codes = ";".join(str(_STYLES[name]) for name in names)
    return f"\x1b[{codes}m{text}\x1b[0m"


_SGR = re.compile(r"\x1b\[[0-9;]*m")
"""Colours and weights. The only escape sequences that are let through."""

_UNSAFE = re.compile(
    r"\x1b(?!\[[0-9;]*m)|[\x00-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f\ud800-\udfff]"
)
_NEVER = re.compile(r"\x1b|" + _UNSAFE.pattern)


def safe(text: str) -> str:
    """Text from outside, with everything visible that could move the cursor, hide text or turn its direction."""
    return text if text.isprintable() else _NEVER.sub(_escaped, text)


def width(text: str) -> int:
    """Columns of a terminal: wide characters take two, combining ones none, colours none."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(_columns(letter) for letter in _SGR.sub("", text))


def cut(text: str, room: int) -> str:
    """The text in at most `room` columns; what is cut off becomes an ellipsis."""
    if width(text) <= room:
        return text
    kept: list[str] = []
    left = max(room - 1, 0)
    for piece in re.split(f"({_SGR.pattern})", text):
        if _SGR.fullmatch(piece):
            kept.append(piece)
            continue
        for letter in piece:
            left -= _columns(letter)
            if left < 0:
                return "".join(kept) + "…" + ("\x1b[0m" if "\x1b" in text else "")
            kept.append(letter)
    return "".join(kept)


def columns(rows: Sequence[Sequence[str]], *, room: int | None = None, gap: int = 2) -> list[str]:
    """Rows as aligned lines; when `room` is given, the widest columns give way until a line fits."""
    cells = [[_UNSAFE.sub(_escaped, cell) for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    if room is not None:
        widths = _fitted(widths, room - gap * (len(widths) - 1))
    return [(" " * gap).join(map(_padded, row, widths)).rstrip() for row in cells]


def _fitted(widths: list[int], room: int) -> list[int]:
    """Shrinks the widest column by one until all fit; none below eight."""
    fitted = list(widths)
    while sum(fitted) > room and max(fitted) > 8:
        fitted[fitted.index(max(fitted))] -= 1
    return fitted


def _padded(cell: str, room: int) -> str:
    short = cut(cell, room)
    return short + " " * (room - width(short))


def _columns(letter: str) -> int:
    if letter < "\x7f":
        return 1
    import unicodedata

    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def _escaped(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


_SEVERITY = {Severity.ERROR: "red", Severity.WARN: "yellow", Severity.INFO: "blue"}
_STATE = {"broken": "red", "mismatch": "yellow", "ambiguous": "yellow"}


def severity_color(severity: Severity) -> str:
    return _SEVERITY[severity]


def state_color(state: str) -> str:
    """Of a link that leads to no node."""
    return _STATE.get(state, "dim")


_BAR = 24
_PAUSE = 0.1
_CLEAR = "\r\x1b[K"


class TerminalProgress:
    """Draws at most ten times a second over its own line, and leaves no trace."""

    def __init__(self, stream: TextIO, *, room: int = 80, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._room = room
        self._clock = clock
        self._next = clock() + _PAUSE  # work that is over in a moment shows nothing
        self._drawn = False

    def step(self, stage: str, done: int, total: int | None) -> None:
        now = self._clock()
        if now < self._next:
            return
        self._next = now + _PAUSE
        self._drawn = True
        self._write(_CLEAR + cut(bar(safe(stage), done, total), self._room - 1))

    def event(self, kind: str, **data: object) -> None:
        """Whatever happened, what is printed next should start on a clean line."""
        self.close()

    def close(self) -> None:
        if self._drawn:
            self._drawn = False
            self._write(_CLEAR)

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def bar(stage: str, done: int, total: int | None) -> str:
    if not total:
        return f"{stage} {done:,}"
    share = min(done / total, 1.0)
    full = int(share * _BAR)
    return f"{stage} {'█' * full}{'░' * (_BAR - full)} {done:,}/{total:,} {share:4.0%}"
