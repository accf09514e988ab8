"""Git by its plumbing commands: what the repository holds, and what is different."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from cairn.adapters.vcs import answers
from cairn.adapters.vcs.program import QUIET, GitProgram
from cairn.core.ports.vcs import INDEX, Change, Commit, CommitSummary
from cairn.errors import EnvironmentProblem, UsageError

if TYPE_CHECKING:
    import subprocess

_SECONDS = 60.0
_LONGEST = 2_000
"""Characters of a line that are kept; minified code has lines of megabytes."""


def grep_tree(git: GitProgram, rev: str | None, words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(path, line) of each line that has one of the words by itself, or beside a hyphen. An empty `rev` is the index,
    None the work tree with files that are not tracked yet."""
    if not any(words):
        return
    where = ["--untracked"] if rev is None else ["--cached"] if rev == "" else [rev]
    process = git.start(*QUIET, "grep", "-I", "-z", "-w", "-E", "-f", "-", *where, piped=True, errors=False)
    if process is not None:
        prefix = f"{rev}:" if rev else ""
        for record in _records(git, process, _pattern(words)):
            path, nul, line = record.partition(b"\0")
            if nul:
                name = path.decode("utf-8", "surrogateescape").removeprefix(prefix)
                yield name, line[:_LONGEST].decode("utf-8", "replace")


def _pattern(words: Sequence[str]) -> bytes:
    """One pattern for all of them: git is much slower with many, once a long line has some."""
    return "|".join(_SPECIAL.sub(r"\\\g<0>", word) for word in words if word).encode()


_SPECIAL = re.compile(r"[.\[\](){}*+?^$|\\]")


def _records(git: GitProgram, process: "subprocess.Popen[bytes]", given: bytes) -> Iterator[bytes]:
    """The lines that git prints, while it searches: it ends as soon as nobody wants more of them."""
    from threading import Timer

    assert process.stdin is not None and process.stdout is not None
    late: list[bool] = []
    timer = Timer(_SECONDS, _end, (process, late))
    timer.daemon = True
    timer.start()
    try:
        with suppress(OSError):  # git ended at once, and its answer is empty
            process.stdin.write(given)
            process.stdin.close()
        yield from (line.rstrip(b"\n") for line in process.stdout)
    finally:
        timer.cancel()
        process.kill()
        process.stdout.close()
        process.wait()
    if late:
        raise EnvironmentProblem(f"git found no answer within {_SECONDS:g} seconds in {git.root}; try a smaller range.")


def _end(process: "subprocess.Popen[bytes]", late: list[bool]) -> None:
    late.append(True)
    process.kill()


_DIFF = ("-z", "--name-status", "--no-renames", "--relative", "--ignore-submodules", "--no-ext-diff")
_PARENT = re.compile(r"(.+?)(?:\^1?|~1?)")
_SOON = 10.0
"""Seconds that a question about one object may take."""
_UNTRACKED = ("ls-files", "-z", "--others", "--exclude-standard")


class Git:
    def __init__(self, root: Path, *, program: str = "git") -> None:
        self._root = root
        self._git = GitProgram(root, program=program)

    def available(self) -> bool:
        """Whether git is installed. Without it everything here behaves as if there were no repository."""
        return self._git.installed()

    def root(self) -> str | None:
        out = self._git.answer("rev-parse", "--show-toplevel")
        return out.removesuffix("\n") or None if out is not None else None

    def user_name(self) -> str:
        return (self._git.answer("config", "--get", "user.name") or "").strip()

    def tracked(self, paths: Sequence[str]) -> tuple[str, ...]:
        # Without case, because on macOS `.Cairn/…` is the same file.
        wanted = [f":(icase,literal){path}" for path in paths]
        out = self._git.answer("--no-literal-pathspecs", "ls-files", "-z", "--", *wanted) if wanted else None
        return answers.names(out or "")

    def stage(self, paths: Sequence[str]) -> None:
        from cairn.adapters.vcs.staging import stage

        stage(self._root, paths)

    # --- history -------------------------------------------------------------------------------------------------

    def resolve(self, rev: str) -> str:
        found = (
            None if rev.startswith("-") else self._git.answer("rev-parse", "--verify", "--quiet", f"{rev}^{{commit}}")
        )
        if found is None:
            self._need_repository()
            raise UsageError(self._why_unknown(rev), revision=rev)
        return found.strip()

    def start(self, rev: str) -> str:
        try:
            return self.resolve(rev)
        except (UsageError, EnvironmentProblem):
            found = self._tree(rev)
            if found is None:
                raise
            return found

    def _tree(self, rev: str) -> str | None:
        """A tree by its name, or the empty tree if there is nothing before a commit."""
        if rev.startswith("-"):
            return None
        if (self._git.attempt("cat-file", "-t", rev, seconds=_SOON) or b"").strip() == b"tree":
            return self._need("rev-parse", rev).strip()
        child = _PARENT.fullmatch(rev)
        if child is None or self._is_shallow():
            return None
        listed = self._git.attempt("rev-list", "--parents", "-n", "1", child[1], "--", seconds=_SOON)
        is_first = listed is not None and len(listed.split()) == 1
        return self._need("hash-object", "-t", "tree", os.devnull).strip() if is_first else None

    def common(self, one: str, other: str) -> str:
        found = self._git.answer("merge-base", self.resolve(one), self.resolve(other))
        if found is None:
            apart = f"`{one}` and `{other}` have no commit in common"
            if self._is_shallow():
                raise UsageError(
                    f"{apart} in this shallow clone; `git fetch --unshallow` fetches the rest of the history "
                    "(in GitHub Actions: `fetch-depth: 0` of actions/checkout)."
                )
            raise UsageError(f"{apart}; name one commit to compare with.")
        return found.strip()

    def _is_shallow(self) -> bool:
        return (self._git.answer("rev-parse", "--is-shallow-repository") or "").strip() == "true"

    def files(self, rev: str) -> tuple[str, ...]:
        if rev == INDEX:
            return answers.staged(self._need("ls-files", "-z", "--stage"))
        return answers.tree(self._need("ls-tree", "-r", "-z", rev))

    def changed(self, old: str, new: str | None = None) -> tuple[Change, ...]:
        if new:
            return answers.changes(self._need("diff-tree", "-r", *_DIFF, old, new, "--"))
        if new == INDEX:
            return answers.changes(self._need(*self._no_filters(), "diff-index", "--cached", *_DIFF, old, "--"))
        return self.begin_changed(old)()

    def _tracked_changes(self, old: str) -> tuple[Change, ...]:
        as_is = self._no_filters()
        found = answers.changes(self._need(*as_is, "diff-index", *_DIFF, old, "--"))
        if any(change.status == "changed" for change in found):
            # Whatever was touched or copied counts as changed, until somebody looks into it.
            looked = [option for option in _DIFF if option != "--name-status"]
            found = answers.differing(found, self._need(*as_is, "diff-index", "--numstat", *looked, old, "--"))
        return found

    def begin_changed(self, old: str) -> Callable[[], tuple[Change, ...]]:
        untracked = self._git.start(*_UNTRACKED)

        def finish() -> tuple[Change, ...]:
            out = None if untracked is None else self._git.finish(untracked)
            return answers.with_untracked(self._tracked_changes(old), answers.names(os.fsdecode(out or b"")))

        return finish

    def show(self, wanted: Sequence[tuple[str, str]]) -> list[bytes | None]:
        if not wanted:
            return []
        names = [f"{rev}:./{path}" for rev, path in wanted]
        # The program takes one name a line, so a name with a line break in it cannot be asked for.
        asked = [name for name in names if "\n" not in name]
        process = self._git.start("cat-file", "--batch", piped=True)
        out = b"" if process is None else self._git.finish(process, os.fsencode("".join(f"{name}\n" for name in asked)))
        found = dict(zip(asked, answers.objects(out or b""), strict=False))
        return [found.get(name) for name in names]

    def grep(self, rev: str | None, words: Sequence[str]) -> Iterator[tuple[str, str]]:
        return grep_tree(self._git, rev, words)

    def versions(self, path: str, *, limit: int = 50) -> tuple[Commit, ...]:
        if not self._has_commits():
            return ()
        return answers.commits(self._need("log", f"--max-count={limit}", "--format=%H %ct", "--", path))

    def recent(self, *, limit: int = 5) -> tuple[CommitSummary, ...]:
        if not self._has_commits():
            return ()
        options = ("-z", "--name-only", "--no-renames", "--relative", "--no-ext-diff", "--no-show-signature")
        return answers.steps(self._need("log", f"--max-count={limit}", "--format=%x01%s", *options, "--"))

    def _no_filters(self) -> list[str]:
        """Options that switch off the programs by which this repository wants files to be read."""
        keys = self._git.answer(
            "config", "-z", "--name-only", "--get-regexp", r"^filter\..*\.(clean|process|required)$"
        )
        return [word for key in answers.names(keys or "") for word in ("-c", f"{key}=")]

    def _need_repository(self) -> None:
        if not self.available():
            raise EnvironmentProblem("git is not installed, so there is no history to compare with; install git.")
        if self.root() is None:
            raise EnvironmentProblem(
                f"{self._git.root} is in no git repository, so there is nothing to compare with; run `git init` first."
            )

    def _has_commits(self) -> bool:
        return self._commit("HEAD") is not None

    def _commit(self, rev: str) -> str | None:
        return self._git.answer("rev-parse", "--verify", "--quiet", f"{rev}^{{commit}}")

    def _why_unknown(self, rev: str) -> str:
        if not self._has_commits():
            return "The repository has no commit yet, so there is nothing to compare with; commit something first."
        if self._is_shallow():
            return f"`{rev}` is not in this shallow clone; `git fetch --unshallow` brings the rest of the history."
        return f"There is no revision `{rev}` in this repository; `git log` shows those that there are."

    def _need(self, *arguments: str) -> str:
        answer = self._git.answer(*arguments)
        if answer is None:
            self._need_repository()
            raise EnvironmentProblem(f"git failed in {self._git.root}; run `git status` there to see why.")
        return answer
