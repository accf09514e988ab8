"""Git by its plumbing commands, with everything off that a hostile repository could make it run."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cairn.adapters.vcs import answers
from cairn.errors import EnvironmentProblem, UsageError
from cairn.kernel.ports.vcs import INDEX, Change, Commit

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

    # --- history -------------------------------------------------------------------------------------------------

    def resolve(self, rev: str) -> str:
        self._need_repository()
        found = None if rev.startswith("-") else self._answer("rev-parse", "--verify", "--quiet", f"{rev}^{{commit}}")
        if found is None:
            raise UsageError(self._why_unknown(rev), revision=rev)
        return found.strip()

    def common(self, one: str, other: str) -> str:
        found = self._answer("merge-base", self.resolve(one), self.resolve(other))
        if found is None:
            raise UsageError(f"`{one}` and `{other}` have no commit in common; name one commit to compare with.")
        return found.strip()

    def files(self, rev: str | None = None) -> tuple[str, ...]:
        if rev:
            return answers.tree(self._need("ls-tree", "-r", "-z", rev))
        if rev == INDEX:
            return answers.staged(self._need("ls-files", "-z", "--stage"))
        listed = answers.names(self._need("ls-files", "-z", "--cached", "--others", "--exclude-standard"))
        gone = set(answers.names(self._need("ls-files", "-z", "--deleted")))
        return tuple(sorted({path for path in listed if path not in gone and not path.endswith("/")}))

    def changed(self, old: str, new: str | None = None) -> tuple[Change, ...]:
        options = ("-z", "--name-status", "--no-renames", "--relative", "--ignore-submodules", "--no-ext-diff")
        if new:
            return answers.changes(self._need("diff-tree", "-r", *options, old, new, "--"))
        staged = ("--cached",) if new == INDEX else ()
        found = answers.changes(self._need(*self._no_filters(), "diff-index", *staged, *options, old, "--"))
        if new == INDEX:
            return found
        untracked = answers.names(self._need("ls-files", "-z", "--others", "--exclude-standard"))
        return answers.with_untracked(found, untracked)

    def show(self, wanted: Sequence[tuple[str, str]]) -> list[bytes | None]:
        if not wanted:
            return []
        prefix = self._need("rev-parse", "--show-prefix").removesuffix("\n")
        names = [f"{rev}:{prefix}{path}" for rev, path in wanted]
        # The program takes one name a line, so a name with a line break in it cannot be asked for.
        asked = [name for name in names if "\n" not in name]
        process = self._start("cat-file", "--batch", piped=True)
        out = b"" if process is None else self._finish(process, os.fsencode("".join(f"{name}\n" for name in asked)))
        found = dict(zip(asked, answers.objects(out or b""), strict=False))
        return [found.get(name) for name in names]

    def last_commits(self, paths: Sequence[str]) -> dict[str, Commit]:
        if not paths or not self._has_commits():
            return {}
        out = self._need("log", "-z", "--format=%x01%H %ct", "--name-only", "--relative", "--", *paths)
        return answers.newest(out, frozenset(paths))

    def versions(self, path: str, *, limit: int = 50) -> tuple[Commit, ...]:
        if not self._has_commits():
            return ()
        return answers.commits(self._need("log", f"--max-count={limit}", "--format=%H %ct", "--", path))

    def _no_filters(self) -> list[str]:
        """Options that switch off the programs by which this repository wants files to be read."""
        keys = self._answer("config", "-z", "--name-only", "--get-regexp", r"^filter\..*\.(clean|process|required)$")
        return [word for key in answers.names(keys or "") for word in ("-c", f"{key}=")]

    def _need_repository(self) -> None:
        if not self.available():
            raise EnvironmentProblem("git is not installed, so there is no history to compare with; install git.")
        if self.root() is None:
            raise EnvironmentProblem(
                f"{self._root} is in no git repository, so there is nothing to compare with; run `git init` first."
            )

    def _has_commits(self) -> bool:
        return self._answer("rev-parse", "--verify", "--quiet", "HEAD^{commit}") is not None

    def _why_unknown(self, rev: str) -> str:
        if not self._has_commits():
            return "The repository has no commit yet, so there is nothing to compare with; commit something first."
        if (self._answer("rev-parse", "--is-shallow-repository") or "").strip() == "true":
            return f"`{rev}` is not in this shallow clone; `git fetch --unshallow` brings the rest of the history."
        return f"There is no revision `{rev}` in this repository; `git log` shows those that there are."

    # --- the program ---------------------------------------------------------------------------------------------

    def _need(self, *arguments: str) -> str:
        answer = self._answer(*arguments)
        if answer is None:
            self._need_repository()
            raise EnvironmentProblem(f"git failed in {self._root}; run `git status` there to see why.")
        return answer

    def _answer(self, *arguments: str) -> str | None:
        process = self._start(*arguments)
        out = None if process is None else self._finish(process)
        return None if out is None else os.fsdecode(out)

    def _start(self, *arguments: str, piped: bool = False) -> "subprocess.Popen[bytes] | None":
        """None without git."""
        import subprocess

        try:
            return subprocess.Popen(
                [self._program, *OPTIONS, *arguments],
                cwd=self._root,
                env=_environment(),
                stdin=subprocess.PIPE if piped else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except FileNotFoundError:
            return None
        except OSError as error:
            raise EnvironmentProblem(
                f"git cannot be started ({error.strerror}); run `git --version` to see."
            ) from error

    def _finish(self, process: "subprocess.Popen[bytes]", given: bytes | None = None) -> bytes | None:
        """What git printed, None when it said that there is nothing."""
        import subprocess

        try:
            out, err = process.communicate(given, timeout=TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise EnvironmentProblem(
                f"git gave no answer within {TIMEOUT_SECONDS:g} seconds; run `git status` in {self._root} to see why."
            ) from None
        if process.returncode == 0:
            return out
        complaint = os.fsdecode(err).strip()
        if not complaint or "not a git repository" in complaint or "must be run in a work tree" in complaint:
            return None
        # Silence here would look like "git tracks nothing", which others rely on for safety.
        raise EnvironmentProblem(f"git failed in {self._root}: {complaint.splitlines()[0]}")


def _held(asked: tuple[str, ...], listing: bytes | None) -> tuple[str, ...]:
    """A folder is held when anything in it is."""
    found = set(answers.names(os.fsdecode(listing or b"")))
    return tuple(path for path in asked if path in found or any(name.startswith(f"{path}/") for name in found))


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in KEPT}
    return kept | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_NO_LAZY_FETCH": "1",  # a clone without all of its objects must not go and fetch them
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }
