"""What a command prints: data on stdout, talk on stderr."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TextIO

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
        from cairn.cli.width import columns

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
        from cairn.cli.progress import TerminalProgress

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
