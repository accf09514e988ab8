"""Refs of git that are in a repository because of Cairn, and objects that hold something."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from cairn.adapters.forge.local.forge import LocalForge
from cairn.adapters.forge.local.git_repository import GitRepository, GitSaid
from cairn.adapters.forge.local.records import CHANGES, TICKETS, Records
from cairn.adapters.vcs.state_ref import StateRef
from cairn.core.ports.git_refs import Holds, ObjectsHolding, RefsHolding
from cairn.errors import EnvironmentProblem

REQUEST = "request.json"
_AT_ONCE = 200
_OURS = "refs/cairn/*"


class GitOwnRefs:
    def __init__(self, root: Path) -> None:
        self._root = root
        self._git = GitRepository(root)

    def names(self) -> list[str]:
        return sorted((*LocalForge(self._root).belongings(), *StateRef(self._root).belongings()))

    def leave(self) -> None:
        LocalForge(self._root).leave()
        StateRef(self._root).leave()

    def drop(self, ref: str, stored: str) -> None:
        self._git.drop(ref, stored)

    # --- requests and tickets ------------------------------------------------------------------------------------

    def holding(self, holds: Holds) -> RefsHolding:
        held = self._held(holds)
        open = self._open() if held else set()
        return RefsHolding(
            {ref: stored for ref, stored in held.items() if ref not in open},
            {ref: stored for ref, stored in held.items() if ref in open},
        )

    def _held(self, holds: Holds) -> dict[str, str]:
        changes, tickets = self._git.refs(CHANGES), self._git.refs(TICKETS)
        names = [*(f"{stored}:{REQUEST}" for stored in changes.values()), *tickets.values()]
        refs = {**changes, **tickets}
        found = zip(refs.items(), self._git.contents(names) if names else [], strict=True)
        held = {ref: stored for (ref, stored), data in found if holds(data or b"")}
        return held | {r: stored for r, stored in changes.items() if r not in held and self._changes(stored, holds)}

    def _changes(self, stored: str, holds: Holds) -> bool:
        """Whether a file that the request changes holds it."""
        try:
            paths = self._git.differing(f"{stored}:base", f"{stored}:head")
        except EnvironmentProblem:
            return False
        names = [f"{stored}:head/{path}" for path in paths]
        return any(holds(data or b"") for data in (self._git.contents(names) if names else ()))

    def _open(self) -> set[str]:
        """Requests that are not settled: people still decide about those."""
        return {CHANGES + id for id, record in Records(self._git).all().items() if record.request.active}

    # --- objects -------------------------------------------------------------------------------------------------

    def objects_holding(self, holds: Holds) -> ObjectsHolding:
        try:
            holding = set(self._objects(holds))
            return self._sorted(holding) if holding else ObjectsHolding()
        except GitSaid:
            return ObjectsHolding()

    def _sorted(self, holding: set[str]) -> ObjectsHolding:
        theirs = self._reached(f"--exclude={_OURS}", "--all", "--indexed-objects") | self._reached("HEAD")
        ours = self._reached(f"--glob={_OURS}")
        logged = self._reached("--reflog")
        free = holding - theirs - ours
        return ObjectsHolding(bool(holding & theirs), bool(free & logged), bool(free - logged))

    def _objects(self, holds: Holds) -> Iterator[str]:
        everything = set(
            self._git.run("cat-file", "--batch-all-objects", "--batch-check=%(objectname)").decode().split()
        )
        reached = self._reached("--all", "--indexed-objects") | self._reached("HEAD")
        ids = iter(sorted(self._loose() | (everything - reached)))
        while some := list(islice(ids, _AT_ONCE)):
            found = zip(some, self._git.contents(some), strict=True)
            yield from (id for id, data in found if data is not None and holds(data))

    def _loose(self) -> set[str]:
        folders = (folder for folder in Path(self._git.place.common, "objects").glob("??") if folder.is_dir())
        return {folder.name + file.name for folder in folders for file in folder.iterdir() if len(file.name) >= 38}

    def _reached(self, *arguments: str) -> set[str]:
        """By refs, the index or reflogs; nothing where there is no such ref."""
        env = {"GIT_NO_LAZY_FETCH": "1"}
        try:
            out = self._git.run("rev-list", "--objects", "--missing=allow-any", *arguments, env=env)
        except GitSaid:
            return set()
        return {line.split(b" ", 1)[0].decode() for line in _lines(out)}


def _lines(data: bytes) -> Iterable[bytes]:
    return (line for line in data.split(b"\n") if line)
