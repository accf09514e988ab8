"""Git as a program: started for one question, or kept open to read objects."""

import os
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from cairn.errors import EnvironmentProblem

if TYPE_CHECKING:
    import subprocess

TIMEOUT_SECONDS = 20.0
LITERAL = "--literal-pathspecs"
OPTIONS = ("--no-pager", LITERAL, "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false")
QUIET = (
    *("-c", "protocol.allow=never"),
    *("-c", "log.showSignature=false"),
    *("-c", "diff.external="),
    *("-c", "core.quotePath=false"),
)
"""For reading history: what is missing is not fetched, and no setting adds to what git prints."""
KEPT = frozenset({"GIT_CONFIG_GLOBAL", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM"})
"""Variables of git's that we pass on. The others would point it at another repository, as they do inside a hook."""


class GitProgram:
    def __init__(self, root: Path, *, program: str = "git") -> None:
        self.root = os.fspath(root)
        self._program = program

    def installed(self) -> bool:
        import shutil

        return shutil.which(self._program) is not None

    def answer(self, *arguments: str) -> str | None:
        """What git prints, None when it says that there is nothing, or when there is no git."""
        process = self.start(*arguments)
        out = None if process is None else self.finish(process)
        return None if out is None else os.fsdecode(out)

    def attempt(self, *arguments: str, seconds: float) -> bytes | None:
        """What git prints; None when it is not there, fails, or takes too long."""
        import subprocess

        try:
            process = self.start(*arguments)
        except (EnvironmentProblem, ValueError):
            return None
        if process is None:
            return None
        try:
            out, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return None
        return out if process.returncode == 0 else None

    def start(
        self, *arguments: str, piped: bool = False, literal: bool = True, errors: bool = True
    ) -> "subprocess.Popen[bytes] | None":
        """None without git. `literal` paths have no wildcards; `check-ignore` refuses to be told so. Without `errors`,
        nobody has to read what git complains about."""
        import subprocess

        try:
            return subprocess.Popen(
                [self._program, *(option for option in OPTIONS if literal or option != LITERAL), *arguments],
                cwd=self.root,
                env=environment(),
                stdin=subprocess.PIPE if piped else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE if errors else subprocess.DEVNULL,
            )
        except FileNotFoundError:
            return None
        except OSError as error:
            raise EnvironmentProblem(
                f"git cannot be started ({error.strerror}); run `git --version` to see."
            ) from error

    def finish(self, process: "subprocess.Popen[bytes]", given: bytes | None = None) -> bytes | None:
        """What git printed, None when it said that there is nothing."""
        import subprocess

        try:
            out, err = process.communicate(given, timeout=TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise EnvironmentProblem(
                f"git gave no answer within {TIMEOUT_SECONDS:g} seconds; run `git status` in {self.root} to see why."
            ) from None
        if process.returncode == 0:
            return out
        complaint = os.fsdecode(err).strip()
        if not complaint or "not a git repository" in complaint or "must be run in a work tree" in complaint:
            return None
        if "dubious ownership" in complaint:
            raise EnvironmentProblem(
                f"git refuses to read the repository of another user (dubious ownership); if you trust it, run "
                f"`git config --global --add safe.directory {self.root}`."
            )
        # Silence here would look like "git tracks nothing", which others rely on for safety.
        raise EnvironmentProblem(f"git failed in {self.root}: {complaint.splitlines()[0]}")


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in KEPT}
    return kept | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_NO_LAZY_FETCH": "1",  # a clone without all of its objects must not go and fetch them
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }


_LARGEST = 2_000_000
_AT_ONCE = 500
_PIPE = 1_048_576
"""Bytes that git may read ahead while we look at what it read."""


class Objects:
    """A few contents come from one process that stays open, many from a process of their own."""

    def __init__(self, git: GitProgram) -> None:
        self._git = git
        self._open: _Batch | None = None
        self.lacking: set[str] = set()
        """Ids that were asked for, and that this clone does not have."""

    def read(self, ids: Iterable[str]) -> Iterator[tuple[str, bytes | None]]:
        """Each id with its content, in order; None for what is missing or too large."""
        asked = iter(ids)
        first = list(islice(asked, _AT_ONCE))
        if len(first) < _AT_ONCE:
            return iter(self._few(first))
        return self._many(first, asked)

    def _few(self, ids: Sequence[str]) -> list[tuple[str, bytes | None]]:
        if not ids:
            return []
        if self._open is None or not self._open.alive:
            self._open = _Batch(self._git, self.lacking)
        return list(self._open.read(ids))

    def _many(self, ids: Sequence[str], rest: Iterator[str]) -> Iterator[tuple[str, bytes | None]]:
        """In batches: a pipe that is filled while nobody reads from it would block."""
        batch = _Batch(self._git, self.lacking)
        try:
            while ids:
                yield from batch.read(ids)
                ids = list(islice(rest, _AT_ONCE))
        finally:
            batch.end()


class _Batch:
    """One process. It ends with this object at the latest."""

    def __init__(self, git: GitProgram, lacking: set[str]) -> None:
        self._lacking = lacking
        self._process = git.start(*QUIET, "cat-file", "--batch", piped=True)
        self.end = weakref.finalize(self, _end, self._process)
        if self._process is not None:
            _widen(self._process)

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def read(self, ids: Sequence[str]) -> Iterator[tuple[str, bytes | None]]:
        process = self._process
        if process is not None and process.stdin is not None:
            with suppress(OSError):  # git ended, and its answers are empty
                process.stdin.write("".join(f"{id}\n" for id in ids).encode())
                process.stdin.flush()
        for id in ids:
            yield id, None if process is None else self._one(process, id)

    def _one(self, process: "subprocess.Popen[bytes]", id: str) -> bytes | None:
        assert process.stdout is not None
        head = process.stdout.readline().split()
        if len(head) != 3 or not head[2].isdigit():
            self._lacking.add(id)
            return None
        data = process.stdout.read(int(head[2]) + 1)[:-1]
        return data if len(data) <= _LARGEST else None


def _end(process: "subprocess.Popen[bytes] | None") -> None:
    if process is not None:
        process.kill()
        process.communicate()


def _widen(process: "subprocess.Popen[bytes]") -> None:
    """So that git works while we do. Only Linux can."""
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        assert process.stdout is not None
        fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, _PIPE)
