"""Work trees that have a branch checked out: whether some files are untouched there, and moving just those along.

First the index, then the files. Being killed in between leaves files that are as they were or as they should be, so
that doing it again finishes it.
"""

import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from cairn.adapters.forge.local.git_repository import GitEntry, GitRepository, GitSaid, in_parts
from cairn.changes.write import remove_file, remove_folder
from cairn.errors import CannotWrite, Refused

States = Sequence[Mapping[str, GitEntry | None]]
"""How files may be, by path from the top of the repository."""


class Checkout(NamedTuple):
    top: str
    git_dir: str


def checkouts_of(git: GitRepository, branch: str) -> list[Checkout]:
    """Those that are still there."""
    found: list[Checkout] = []
    for block in git.need("worktree", "list", "--porcelain").split("\n\n"):
        lines = block.splitlines()
        top = next((line[9:] for line in lines if line.startswith("worktree ")), None)
        if top is None or "bare" in lines or not os.path.isdir(top):
            continue
        git_dir = git.ask("rev-parse", "--absolute-git-dir", at=top)
        if git_dir and (f"branch refs/heads/{branch}" in lines or _being_rebased(git_dir) == f"refs/heads/{branch}"):
            found.append(Checkout(top, git_dir))
    return found


def _being_rebased(git_dir: str) -> str | None:
    for folder in ("rebase-merge", "rebase-apply"):
        try:
            with open(os.path.join(git_dir, folder, "head-name"), encoding="utf-8") as file:
                return file.read().strip()
        except OSError:
            continue
    return None


# --- untouched? -------------------------------------------------------------------------------------------------------


def must_be_untouched(git: GitRepository, checkout: Checkout, allowed: States) -> None:
    """`Refused` unless each of these files is, in the index and on disk, as one of the states says."""
    paths = sorted(allowed[0])
    _nothing_under_way(checkout)
    _no_filters(git, checkout, paths)
    staged = _staged(git, checkout, paths)
    on_disk = _hashes(git, checkout, paths)
    for path in paths:
        entries = [state[path] for state in allowed]
        if staged.get(path) not in entries:
            raise _in_the_way(checkout, path, "has changes that are staged")
        if on_disk.get(path) not in [entry.id if entry else None for entry in entries]:
            raise _in_the_way(checkout, path, _what_is_wrong(path in on_disk, entries))
    if len(allowed) == 1:
        _no_other_mode(git, checkout, paths)


def _what_is_wrong(there: bool, entries: Sequence[GitEntry | None]) -> str:
    if not there:
        return "is missing"
    return "lies there without being in git" if entries == [None] else "has changes that are not committed"


def _in_the_way(checkout: Checkout, path: str, what: str) -> Refused:
    return Refused(
        f"{path} {what} in {checkout.top}, which has the base branch checked out; commit or undo that, then merge "
        "again. Nothing was changed.",
        path=path,
        worktree=checkout.top,
    )


def _nothing_under_way(checkout: Checkout) -> None:
    marks = {"MERGE_HEAD": "merge", "CHERRY_PICK_HEAD": "cherry-pick", "REVERT_HEAD": "revert"}
    what = next((word for name, word in marks.items() if os.path.exists(os.path.join(checkout.git_dir, name))), None)
    if what is None and _being_rebased(checkout.git_dir):
        what = "rebase"
    if what:
        raise Refused(f"A {what} is under way in {checkout.top}; finish or abort it, then merge again.")


def _no_filters(git: GitRepository, checkout: Checkout, paths: Sequence[str]) -> None:
    """Files that only a program can write are left to git itself: we start no programs that a configuration names."""
    for some in in_parts(paths):
        out = git.need("check-attr", "-z", "filter", "--", *some, at=checkout.top).split("\0")
        for path, value in zip(out[::3], out[2::3], strict=False):
            if value not in ("unspecified", "unset"):
                raise Refused(
                    f"{path} is kept through the filter `{value}`, which Cairn does not run; merge the request's "
                    "branch with git itself.",
                    path=path,
                )


def _staged(git: GitRepository, checkout: Checkout, paths: Sequence[str]) -> dict[str, GitEntry]:
    found: dict[str, GitEntry] = {}
    for some in in_parts(paths):
        for line in git.need("ls-files", "--stage", "-z", "--", *some, at=checkout.top).split("\0")[:-1]:
            facts, _, path = line.partition("\t")
            mode, id, stage = facts.split(" ")
            found[path] = GitEntry(mode, id if stage == "0" else "unmerged")
    return found


def _hashes(git: GitRepository, checkout: Checkout, paths: Sequence[str]) -> dict[str, str]:
    """The ids that the files would have in git; asked of their bytes, since an index may be told to look away."""
    there = [path for path in paths if _is_there(checkout, path)]
    ids: list[str] = []
    for some in in_parts(there):
        ids += git.need("hash-object", "--", *some, at=checkout.top).splitlines()
    return dict(zip(there, ids, strict=True))


def _is_there(checkout: Checkout, path: str) -> bool:
    parts = path.split("/")
    for deep in range(1, len(parts) + 1):
        place = "/".join(parts[:deep])
        try:
            mode = os.lstat(os.path.join(checkout.top, place)).st_mode
        except (FileNotFoundError, NotADirectoryError):
            return False
        fits = stat.S_ISREG(mode) if deep == len(parts) else stat.S_ISDIR(mode)
        if not fits:
            raise _in_the_way(checkout, place, "is something else than git thinks")
    return True


def _no_other_mode(git: GitRepository, checkout: Checkout, paths: Sequence[str]) -> None:
    for some in in_parts(paths):
        out = git.need("diff", "--no-ext-diff", "--no-textconv", "--name-only", "-z", "--", *some, at=checkout.top)
        if out:
            raise _in_the_way(checkout, out.split("\0")[0], "has changes that are not committed")


# --- moving along -----------------------------------------------------------------------------------------------------


def move_files(git: GitRepository, checkout: Checkout, files: Mapping[str, GitEntry | None]) -> None:
    """Make index and disk hold exactly this; everything else there stays as it is."""
    try:
        git.run("update-index", "-z", "--index-info", given=git.index_info(files), at=checkout.top)
    except GitSaid as said:
        raise Refused(
            f"The index of {checkout.top} cannot be written now; try again. git update-index says: {said}"
        ) from said
    for path in sorted(path for path, entry in files.items() if entry is None):
        _take_away(Path(checkout.top), path)
    kept = sorted(path for path, entry in files.items() if entry is not None)
    git.need(
        "checkout-index", "-f", "-u", "-q", "-z", "--stdin",
        given=os.fsencode("".join(f"{path}\0" for path in kept)), at=checkout.top,
    )  # fmt: skip


def put_back(git: GitRepository, checkout: Checkout, files: Mapping[str, GitEntry | None]) -> None:
    """The same after a failure; an index that was not reached needs no writing, and may still not be writable."""
    try:
        must_be_untouched(git, checkout, [files])
    except Refused:
        move_files(git, checkout, files)


def _take_away(top: Path, path: str) -> None:
    """With the folders that this leaves empty, as git does."""
    remove_file(top, path)
    folder = path.rpartition("/")[0]
    while folder:
        try:
            remove_folder(top, folder)
        except CannotWrite:
            return
        folder = folder.rpartition("/")[0]
