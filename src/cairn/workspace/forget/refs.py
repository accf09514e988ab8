"""Refs of git that are Cairn's: change requests that are settled, tickets, and the state that travels."""

from typing import Final, NamedTuple

from cairn.core.ports.git_refs import STATE_REF, RefsHolding, SharedState, StateContents
from cairn.errors import CairnError
from cairn.freshness.sync_state import mode_of
from cairn.workspace.forget.stored_files import ForgetContext, ForgetCount, counted

_REQUEST: Final = "request.json"


def _requests(scene: ForgetContext) -> RefsHolding:
    """Requests and tickets that hold it, as they are now."""
    wanted = scene.wanted
    if wanted.needle is None or wanted.by_rules or scene.app.vcs.root() is None:
        return RefsHolding()
    return scene.app.own_refs.holding(wanted.holds)


class _State(NamedTuple):
    """The state that travels, without what holds it."""

    contents: StateContents
    files: dict[str, bytes]
    snapshots: dict[str, bytes | str]
    changes: dict[str, str]
    gone: int


def _state(scene: ForgetContext) -> _State | None:
    """None when there is none here, or none that could be read: then Cairn does not use it either."""
    if scene.wanted.needle is None or scene.wanted.by_rules or scene.app.vcs.root() is None:
        return None
    ref = scene.app.shared_state
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


def _changes_without(scene: ForgetContext, ref: SharedState, contents: StateContents) -> dict[str, str]:
    names = [f"{tree}:{_REQUEST}" for tree in contents.changes.values()]
    found = zip(contents.changes.items(), ref.bytes_of(names), strict=True)
    return {id: tree for (id, tree), data in found if not scene.wanted.holds(data or b"")}


def _without(scene: ForgetContext, data: bytes, dropped: set[str]) -> bytes:
    lines = data.splitlines(keepends=True)
    named = [key.encode() for key in dropped]
    return b"".join(line for line in lines if not scene.wanted.holds(line) and not any(key in line for key in named))


def find_refs(scene: ForgetContext) -> ForgetCount:
    settled, state = len(_requests(scene).settled), _state(scene)
    gone = state.gone if state else 0
    parts = [
        counted(settled, "settled request") if settled else "",
        f"{counted(gone, 'row')} of {STATE_REF}" if gone else "",
    ]
    return ForgetCount(settled + gone, " and ".join(part for part in parts if part))


def open_requests(scene: ForgetContext) -> list[str]:
    return _requests(scene).open_ids


def state_holds(scene: ForgetContext) -> bool:
    state = _state(scene)
    return state is not None and state.gone > 0


def purge_refs(scene: ForgetContext) -> None:
    for ref, stored in _requests(scene).settled.items():
        scene.app.own_refs.drop(ref, stored)
    state = _state(scene)
    if state is not None and state.gone:
        _write_state(scene, state)


def _write_state(scene: ForgetContext, state: _State) -> None:
    """Where it is pushed it has to grow. Where it is not, its past can go with the rest."""
    ref, tip = scene.app.shared_state, state.contents.commit
    parents = [tip] if mode_of(scene.app) == "push" else []
    now_ms = scene.app.clock.now_ms()
    commit = ref.write(state.files, state.snapshots, state.changes, parents=parents, at_ms=now_ms)
    ref.point_at(commit, tip, why="cairn: forget")
