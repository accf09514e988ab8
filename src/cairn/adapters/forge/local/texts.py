"""Two edits of one text, taken together by `git merge-file`.

It needs no version of git in particular and no repository, and it runs none of the merge programs that a repository's
configuration may name.
"""

import os
from collections.abc import Sequence
from tempfile import TemporaryDirectory

from cairn.adapters.forge.local.git_repository import GitRepository, GitSaid
from cairn.errors import EnvironmentProblem
from cairn.knowledge.lockfile import NAME as LOCK

_UNMERGED = 128
"""From here on `git merge-file` means an error, below it the number of conflicts."""


def unites(path: str) -> bool:
    """Whether lines of both sides are wanted: a lock file's reader knows how to take them together."""
    return path.rpartition("/")[2] == LOCK


def merged_text(git: GitRepository, texts: Sequence[bytes | None], *, union: bool = False) -> bytes | None:
    """Of ours, what both came from, and theirs; None when they changed the same lines."""
    with TemporaryDirectory(prefix="cairn-merge-") as folder:
        names = [os.path.join(folder, name) for name in ("mine", "base", "new")]
        for name, text in zip(names, texts, strict=True):
            with open(name, "wb") as file:
                file.write(text or b"")
        try:
            return git.run("merge-file", "-p", *(["--union"] if union else []), *names)
        except GitSaid as said:
            if said.code >= _UNMERGED and "binary" not in str(said).lower():
                raise EnvironmentProblem(f"git merge-file failed: {said}") from said
            return None
