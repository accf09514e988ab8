"""Objects of git that still hold it: loose ones, and those that nothing points at. Only git can remove them."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from cairn.adapters.forge.local.plumbing import GitSaid, Plumbing
from cairn.workspace.forget.scene import Scene

_AT_ONCE: Final = 200
_OURS: Final = "refs/cairn/*"
PRUNE: Final = "git gc --prune=now"
EXPIRE: Final = "git reflog expire --expire-unreachable=now --all && git gc --prune=now"
REWRITE: Final = "git filter-repo --replace-text FILE"


def held_by_git(scene: Scene) -> dict[str, str]:
    """Sentences about such objects, each with the command that removes them."""
    if scene.wanted.needle is None or not scene.wanted.of_words or scene.app.vcs.root() is None:
        return {}
    git = Plumbing(scene.app.root)
    try:
        return _sentences(git, set(_holding(scene, git)))
    except GitSaid:
        return {}


def _sentences(git: Plumbing, holding: set[str]) -> dict[str, str]:
    if not holding:
        return {}
    theirs = _reached(git, f"--exclude={_OURS}", "--all", "--indexed-objects") | _reached(git, "HEAD")
    ours = _reached(git, f"--glob={_OURS}")
    logged = _reached(git, "--reflog")
    free = holding - theirs - ours
    found = {}
    if holding & theirs:
        found["the history of git"] = f"your commits or your index hold it; `{REWRITE}` rewrites them, then `{PRUNE}`"
    if free & logged:
        found["objects of git that a reflog points at"] = f"`{EXPIRE}` removes them"
    if free - logged:
        found["objects of git that nothing points at"] = f"`{PRUNE}` removes them"
    return found


def _holding(scene: Scene, git: Plumbing) -> Iterator[str]:
    everything = set(git.run("cat-file", "--batch-all-objects", "--batch-check=%(objectname)").decode().split())
    reached = _reached(git, "--all", "--indexed-objects") | _reached(git, "HEAD")
    ids = iter(sorted(_loose(git) | (everything - reached)))
    while some := list(islice(ids, _AT_ONCE)):
        found = zip(some, git.contents(some), strict=True)
        yield from (id for id, data in found if data is not None and scene.wanted.holds(data))


def _loose(git: Plumbing) -> set[str]:
    folders = (folder for folder in Path(git.place.common, "objects").glob("??") if folder.is_dir())
    return {folder.name + file.name for folder in folders for file in folder.iterdir() if len(file.name) >= 38}


def _reached(git: Plumbing, *arguments: str) -> set[str]:
    """By refs, the index or reflogs; nothing where there is no such ref."""
    try:
        out = git.run("rev-list", "--objects", "--missing=allow-any", *arguments, env={"GIT_NO_LAZY_FETCH": "1"})
    except GitSaid:
        return set()
    return {line.split(b" ", 1)[0].decode() for line in _lines(out)}


def _lines(data: bytes) -> Iterable[bytes]:
    return (line for line in data.split(b"\n") if line)
