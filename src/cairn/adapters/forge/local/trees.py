"""Trees: with a change's edits in them, and three-way, file by file, where both sides moved on."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from cairn.adapters.forge.local.git_repository import GitEntry, GitRepository, GitSaid, regular
from cairn.core.model.change import FileEdit
from cairn.core.ports.vcs import MergedFile
from cairn.errors import Conflict, EnvironmentProblem, Refused
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


_NEW_FILE = "100644"


class GitMerges:
    """Merges commits without a work tree, for gates that run before a request is made."""

    def __init__(self, root: Path) -> None:
        self._git = GitRepository(root)

    def merged(self, base: str, ours: str, theirs: str) -> dict[str, MergedFile | None]:
        git = self._git
        entries = three_way(git, git.tree_of(base), git.tree_of(ours), git.tree_of(theirs))
        return {git.short(path): entry and MergedFile(entry.id, regular(entry)) for path, entry in entries.items()}

    def contents(self, ids: Sequence[str]) -> list[bytes | None]:
        return self._git.contents(ids)


def edited_tree(git: GitRepository, tree: str, edits: Sequence[FileEdit], *, index: str) -> str:
    """A tree with these edits in it. A file keeps its mode; links and submodules are not written over."""
    for edit in edits:
        _check_path(edit.path)
    known = git.entries(tree, [git.full(edit.path) for edit in edits])
    modes = {edit.path: _mode(edit, known.get(git.full(edit.path))) for edit in edits}
    kept = {edit.path: edit.content for edit in edits if edit.content is not None}
    ids = dict(zip(kept, git.blobs(list(kept.values())), strict=True))
    files = {git.full(path): GitEntry(mode, ids[path]) if path in ids else None for path, mode in modes.items()}
    return git.with_files(tree, files, index=index)


def _mode(edit: FileEdit, known: GitEntry | None) -> str:
    if not regular(known):
        raise Refused(f"{edit.path} is no regular file in the repository, so it cannot be changed.", path=edit.path)
    return known.mode if known else _NEW_FILE


def _check_path(path: str) -> None:
    parts = path.split("/")
    odd = [part for part in parts if part in ("", ".", "..") or part.lower() in (".git", "git~1") or "\0" in part]
    if odd:
        raise Refused(f"{path!r} is not a path that a change may touch.", path=path)


def differences(
    git: GitRepository, old: str, new: str, paths: Iterable[str]
) -> tuple[dict[str, GitEntry | None], dict[str, GitEntry | None]]:
    """These paths in two trees."""
    wanted = list(paths)
    before, after = git.entries(old, wanted), git.entries(new, wanted)
    return {path: before.get(path) for path in wanted}, {path: after.get(path) for path in wanted}


def three_way(git: GitRepository, base: str, ours: str, theirs: str) -> dict[str, GitEntry | None]:
    """What has to change in `ours` to get what `theirs` made of `base`; `Conflict` names the files where that fails."""
    paths = git.differing(base, theirs)
    old, new = differences(git, base, theirs, paths)
    here = git.entries(ours, paths)
    changes: dict[str, GitEntry | None] = {}
    clashes: list[str] = []
    for path in paths:
        mine = here.get(path)
        if mine == new[path]:
            continue
        if mine == old[path]:
            changes[path] = new[path]
        elif merged := _merged(git, path, old[path], mine, new[path]):
            changes[path] = merged
        elif not _is_made_of_others(git, path, mine, new[path]):
            clashes.append(path)
    if clashes:
        raise _clash(git, clashes, here)
    return changes


def _is_made_of_others(git: GitRepository, path: str, mine: GitEntry | None, new: GitEntry | None) -> bool:
    """Whether it is a document that is made of other files. Both sides have made it of what they had, so neither is
    right; the one that is there stays until somebody makes it anew, and keeps nothing else from landing."""
    from cairn.curate.index_document import recorded_hash
    from cairn.curate.index_documents import DOCUMENTS

    if path.rpartition("/")[2] not in DOCUMENTS or mine is None or new is None:
        return False
    texts = ((data or b"").decode("utf-8", "replace") for data in git.contents([mine.id, new.id]))
    return all(recorded_hash(text) is not None for text in texts)


def _clash(git: GitRepository, paths: Sequence[str], here: Mapping[str, GitEntry]) -> Conflict:
    names = [git.short(path) for path in paths]
    gone = [git.short(path) for path in paths if path not in here]
    why = f"{', '.join(gone)} was moved or removed" if gone else f"the same lines of {', '.join(names)} were changed"
    return Conflict(
        f"It does not fit its base branch any more: {why} there since. Close it and have it made anew, or merge its "
        "branch by hand.",
        paths=names,
    )


def _merged(
    git: GitRepository, path: str, old: GitEntry | None, mine: GitEntry | None, new: GitEntry | None
) -> GitEntry | None:
    """Of a file that both sides changed; None when they changed the same lines, or one of them took it away."""
    if old is None or mine is None or new is None or not (regular(old) and regular(mine) and regular(new)):
        return None
    texts = git.contents([mine.id, old.id, new.id])
    mode = new.mode if mine.mode == old.mode else mine.mode
    merged = merged_text(git, texts, union=unites(path))
    return None if merged is None else GitEntry(mode, git.blob(merged))
