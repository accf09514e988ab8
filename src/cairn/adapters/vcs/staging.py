"""Puts files into git's index, as `git add` does, with everything off that a repository could make it run."""

import os
from collections.abc import Sequence
from pathlib import Path

from cairn.adapters.vcs import answers
from cairn.adapters.vcs.program import OPTIONS, TIMEOUT_SECONDS, GitProgram, environment
from cairn.errors import EnvironmentProblem

_INDEX = "GIT_INDEX_FILE"


def stage(root: Path, paths: Sequence[str]) -> None:
    """Exactly these files, whatever else is changed."""
    import subprocess

    git = GitProgram(root)
    folder = git.answer("rev-parse", "--absolute-git-dir") or ""
    keys = git.answer("config", "-z", "--name-only", "--get-regexp", r"^filter\..*\.(clean|process|required)$")
    off = [word for key in answers.names(keys or "") for word in ("-c", f"{key}=")]
    done = subprocess.run(
        ["git", *OPTIONS, *off, "add", "--", *paths],
        cwd=root,
        env={**environment(), **_index_of_a_commit(root, folder.strip())},
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=TIMEOUT_SECONDS,
    )
    if done.returncode != 0:
        said = next(iter(os.fsdecode(done.stderr).strip().splitlines()), "no reason given")
        raise EnvironmentProblem(f"git does not stage {' and '.join(paths)}: {said}")


def _index_of_a_commit(root: Path, folder: str) -> dict[str, str]:
    """While `git commit -a` or `git commit FILE` runs its hooks, what is committed stands in an index of its own, and
    git names it. Only one of this repository is believed."""
    named = os.environ.get(_INDEX)
    if not named:
        return {}
    git = GitProgram(root)
    top = (git.answer("rev-parse", "--show-toplevel") or "").removesuffix("\n")
    path = os.path.realpath(os.path.join(top, named))
    return {_INDEX: path} if path.startswith(os.path.realpath(folder) + os.sep) else {}
