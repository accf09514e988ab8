"""Finds words in the files of a commit, of the index or of the work tree, with `git grep`."""

from collections.abc import Iterator, Sequence

from cairn.adapters.vcs.program import QUIET, GitProgram
from cairn.errors import EnvironmentProblem

_SECONDS = 60.0
_LONGEST = 2_000
"""Characters of a line that are kept; minified code has lines of megabytes."""


def grep_tree(git: GitProgram, rev: str | None, words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(path, line) of each line that has one of the words by itself, or beside a hyphen. An empty `rev` is the index,
    None the work tree with files that are not tracked yet."""
    import subprocess

    where = ["--untracked"] if rev is None else ["--cached"] if rev == "" else [rev]
    process = git.start(*QUIET, "grep", "-I", "-z", "-w", "-F", "-f", "-", *where, piped=True)
    if process is None:
        return
    try:
        out, _ = process.communicate("\n".join(words).encode(), timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise EnvironmentProblem(
            f"git found no answer within {_SECONDS:g} seconds in {git.root}; try a smaller range."
        ) from None
    prefix = f"{rev}:" if rev else ""
    for record in out.split(b"\n"):
        path, nul, line = record.partition(b"\0")
        if nul:
            name = path.decode("utf-8", "surrogateescape").removeprefix(prefix)
            yield name, line[:_LONGEST].decode("utf-8", "replace")
