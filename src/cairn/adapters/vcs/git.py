"""Git by its plumbing commands, with everything off that a hostile repository could make it run."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cairn.errors import EnvironmentProblem

if TYPE_CHECKING:
    import subprocess

TIMEOUT_SECONDS = 20.0
OPTIONS = ("--no-pager", "--literal-pathspecs", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false")
KEPT = frozenset({"GIT_CONFIG_GLOBAL", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM"})
"""Variables of git's that we pass on. The others would point it at another repository, as they do inside a hook."""


class Git:
    def __init__(self, root: Path, *, program: str = "git") -> None:
        self._root = os.fspath(root)
        self._program = program

    def available(self) -> bool:
        """Whether git is installed. Without it everything here behaves as if there were no repository."""
        import shutil

        return shutil.which(self._program) is not None

    def root(self) -> str | None:
        out = self._answer("rev-parse", "--show-toplevel")
        return out.removesuffix("\n") or None if out is not None else None

    def tracked(self, paths: Sequence[str]) -> tuple[str, ...]:
        return self.start_tracked(paths)()

    def start_tracked(self, paths: Sequence[str]) -> Callable[[], tuple[str, ...]]:
        """Ask, and go on with other work; call what this returns to wait for the answer."""
        asked = tuple(paths)
        process = self._start("ls-files", "-z", "--", *asked) if asked else None
        return lambda: _held(asked, self._finish(process) if process is not None else None)

    def user_name(self) -> str | None:
        out = self._answer("config", "--get", "user.name")
        return out.strip() or None if out is not None else None

    def _answer(self, *arguments: str) -> str | None:
        process = self._start(*arguments)
        return None if process is None else self._finish(process)

    def _start(self, *arguments: str) -> "subprocess.Popen[bytes] | None":
        """None without git."""
        import subprocess

        try:
            return subprocess.Popen(
                [self._program, *OPTIONS, *arguments],
                cwd=self._root,
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except FileNotFoundError:
            return None
        except OSError as error:
            raise EnvironmentProblem(
                f"git cannot be started ({error.strerror}); run `git --version` to see."
            ) from error

    def _finish(self, process: "subprocess.Popen[bytes]") -> str | None:
        """What git printed, None when it said that there is nothing."""
        import subprocess

        try:
            out, err = process.communicate(timeout=TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise EnvironmentProblem(
                f"git gave no answer within {TIMEOUT_SECONDS:g} seconds; run `git status` in {self._root} to see why."
            ) from None
        if process.returncode == 0:
            return os.fsdecode(out)
        complaint = os.fsdecode(err).strip()
        if not complaint or "not a git repository" in complaint or "must be run in a work tree" in complaint:
            return None
        # Silence here would look like "git tracks nothing", which others rely on for safety.
        raise EnvironmentProblem(f"git failed in {self._root}: {complaint.splitlines()[0]}")


def _held(asked: tuple[str, ...], listing: str | None) -> tuple[str, ...]:
    """A folder is held when anything in it is."""
    found = set((listing or "").split("\0")[:-1])
    return tuple(path for path in asked if path in found or any(name.startswith(f"{path}/") for name in found))


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in KEPT}
    return kept | {"GIT_CONFIG_NOSYSTEM": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
