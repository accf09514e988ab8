"""Refs of git that are Cairn's: change requests that are settled, tickets, and the state that travels."""

from functools import cached_property
from typing import Final, NamedTuple

from cairn.adapters.forge.local.plumbing import Plumbing
from cairn.adapters.forge.local.records import CHANGES, TICKETS, Records
from cairn.adapters.vcs.state_ref import StateRef
from cairn.core.ports.git_refs import STATE_REF, StateContents
from cairn.errors import CairnError, EnvironmentProblem
from cairn.freshness.sync_state import mode_of
from cairn.workspace.forget.stored_files import Held, Scene, counted

_REQUEST: Final = "request.json"


class _Refs:
    """As they are now."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self.git = Plumbing(scene.app.root)

    @cached_property
    def there(self) -> bool:
        wanted = self._scene.wanted
        return wanted.needle is not None and not wanted.by_rules and self._scene.app.vcs.root() is not None

    @cached_property
    def holding(self) -> dict[str, str]:
        """Requests and tickets that hold it, each with the object that its ref points at."""
        if not self.there:
            return {}
        changes, tickets = self.git.refs(CHANGES), self.git.refs(TICKETS)
        names = [*(f"{stored}:{_REQUEST}" for stored in changes.values()), *tickets.values()]
        refs = {**changes, **tickets}
        found = zip(refs.items(), self.git.contents(names) if names else [], strict=True)
        held = {ref: stored for (ref, stored), data in found if self._scene.wanted.holds(data or b"")}
        return held | {ref: stored for ref, stored in changes.items() if ref not in held and self._changes(stored)}

    def _changes(self, stored: str) -> bool:
        """Whether a file that the request changes holds it."""
        try:
            paths = self.git.differing(f"{stored}:base", f"{stored}:head")
        except EnvironmentProblem:
            return False
        names = [f"{stored}:head/{path}" for path in paths]
        return any(self._scene.wanted.holds(data or b"") for data in (self.git.contents(names) if names else ()))

    @cached_property
    def open(self) -> dict[str, str]:
        """Requests among them that are not settled: people still decide about those."""
        if not self.holding:
            return {}
        active = {CHANGES + id for id, record in Records(self.git).all().items() if record.request.active}
        return {ref: stored for ref, stored in self.holding.items() if ref in active}

    @property
    def settled(self) -> dict[str, str]:
        return {ref: stored for ref, stored in self.holding.items() if ref not in self.open}


class _State(NamedTuple):
    """The state that travels, without what holds it."""

    contents: StateContents
    files: dict[str, bytes]
    snapshots: dict[str, bytes | str]
    changes: dict[str, str]
    gone: int


def _state(scene: Scene) -> _State | None:
    """None when there is none here, or none that could be read: then Cairn does not use it either."""
    if scene.wanted.needle is None or scene.wanted.by_rules or scene.app.vcs.root() is None:
        return None
    ref = StateRef(scene.app.root)
    try:
        here = ref.here()
        contents = ref.read(here) if here else None
    except CairnError:
        return None
    if contents is None:
        return None
    keys = list(contents.snapshots)
    texts = dict(zip(keys, ref.bytes_of([contents.snapshots[key] for key in keys]), strict=True))
    dropped = {key for key, text in texts.items() if key in scene.wanted.blobs or scene.wanted.holds(text or b"")}
    files = {name: _without(scene, data, dropped) for name, data in contents.files.items()}
    gone = len(dropped) + sum(data.count(b"\n") - files[name].count(b"\n") for name, data in contents.files.items())
    kept: dict[str, bytes | str] = {key: blob for key, blob in contents.snapshots.items() if key not in dropped}
    changes = _changes_without(scene, ref, contents)
    return _State(contents, files, kept, changes, gone + len(contents.changes) - len(changes))


def _changes_without(scene: Scene, ref: StateRef, contents: StateContents) -> dict[str, str]:
    names = [f"{tree}:{_REQUEST}" for tree in contents.changes.values()]
    found = zip(contents.changes.items(), ref.bytes_of(names), strict=True)
    return {id: tree for (id, tree), data in found if not scene.wanted.holds(data or b"")}


def _without(scene: Scene, data: bytes, dropped: set[str]) -> bytes:
    lines = data.splitlines(keepends=True)
    named = [key.encode() for key in dropped]
    return b"".join(line for line in lines if not scene.wanted.holds(line) and not any(key in line for key in named))


def find_refs(scene: Scene) -> Held:
    settled, state = len(_Refs(scene).settled), _state(scene)
    gone = state.gone if state else 0
    parts = [
        counted(settled, "settled request") if settled else "",
        f"{counted(gone, 'row')} of {STATE_REF}" if gone else "",
    ]
    return Held(settled + gone, " and ".join(part for part in parts if part))


def open_requests(scene: Scene) -> list[str]:
    return [ref.removeprefix(CHANGES) for ref in _Refs(scene).open]


def state_holds(scene: Scene) -> bool:
    state = _state(scene)
    return state is not None and state.gone > 0


def purge_refs(scene: Scene) -> None:
    refs = _Refs(scene)
    for ref, stored in refs.settled.items():
        refs.git.drop(ref, stored)
    state = _state(scene)
    if state is not None and state.gone:
        _write_state(scene, state)


def _write_state(scene: Scene, state: _State) -> None:
    """Where it is pushed it has to grow. Where it is not, its past can go with the rest."""
    ref, tip = StateRef(scene.app.root), state.contents.commit
    parents = [tip] if mode_of(scene.app) == "push" else []
    now_ms = scene.app.clock.now_ms()
    commit = ref.write(state.files, state.snapshots, state.changes, parents=parents, at_ms=now_ms)
    ref.git.move(STATE_REF, commit, tip, why="cairn: forget")
