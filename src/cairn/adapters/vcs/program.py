"""The program git, with everything off that a hostile repository could make it run."""

import os
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
