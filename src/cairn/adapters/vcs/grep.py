"""Finds words in the files of a commit, of the index or of the work tree, with `git grep`."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from cairn.adapters.vcs.program import QUIET, GitProgram
from cairn.errors import EnvironmentProblem

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
