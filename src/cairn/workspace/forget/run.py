"""`forget` from beginning to end: a plan, the purge, and the proof. Killed anywhere, running it again finishes it."""

import fcntl
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cairn.changes.write import remove_file, write_file
from cairn.core.paths import OLD_LOGS
from cairn.errors import Conflict
from cairn.hook.aside import LOCK, SPOOL, open_own
from cairn.workspace.forget import database, refs, stored_files
from cairn.workspace.forget.database import files, holding
from cairn.workspace.forget.not_ours import ForeignCopy, outside, settings, staying
from cairn.workspace.forget.selection import BEGUN, MAPPED, ForgetTarget, was_stopped
from cairn.workspace.forget.stored_files import ForgetContext, ForgetCount

if TYPE_CHECKING:
    from cairn.workspace.ports import WorkspacePorts


class ForgetProof(NamedTuple):
    files: int
    bytes: int
    texts: int
    """Snapshots, unpacked."""
    rows: int
    left: tuple[str, ...]
    """Where it still is."""

    def json(self) -> dict[str, Any]:
        searched = {"files": self.files, "bytes": self.bytes, "texts": self.texts, "rows": self.rows}
        return {"searched": searched, "left": list(self.left)}


def proven(scene: ForgetContext) -> ForgetProof:
    """Where pages of people hold it, the graph does too: it is made of them."""
    mirrored = bool(scene.pages)
    allowed = {*settings(scene), *(_name(scene, file) for file in files(scene) if mirrored)}
    searched = size = 0
    left = ["the graph, which is made of your files"] if mirrored and scene.has_store else []
    for path in _everything(scene):
        name = _name(scene, path)
        searched, size = searched + 1, size + path.stat().st_size
        if scene.wanted.by_rules:
            continue  # the places say themselves what they still hold: a database is no text
        if name not in allowed and (scene.wanted.holds(_below(name)) or scene.file_holds(path)):
            left.append(name)
    texts, packed = _texts(scene)
    left += [*packed, *_rows(scene)]
    rows = scene.app.store.purge.total() if scene.has_store else 0
    return ForgetProof(searched, size, texts, rows, tuple(scene.wanted.shown(name) for name in left))


def _everything(scene: ForgetContext) -> Iterator[Path]:
    """Also the folders of logs where an older program keeps them, and a database that lies elsewhere."""
    root = scene.app.root
    seen = set()
    places = (".cairn", scene.app.session_logs().place, OLD_LOGS)
    stored = (path for place in places for path in scene.app.stored_files.below(root / place))
    for path in (*stored, *files(scene)):
        if path not in seen and not path.name.endswith("-shm"):
            seen.add(path)
            yield path


def _below(name: str) -> bytes:
    return os.fsencode(name.removeprefix(".cairn/"))


def _name(scene: ForgetContext, path: Path) -> str:
    return path.relative_to(scene.app.root).as_posix() if path.is_relative_to(scene.app.root) else os.fspath(path)


def _texts(scene: ForgetContext) -> tuple[int, list[str]]:
    blobs = scene.app.blobs
    keys = () if scene.wanted.by_rules else blobs.keys()
    return len(keys), [f"the snapshot {key}" for key in keys if scene.wanted.holds(blobs.get(key) or b"")]


def _rows(scene: ForgetContext) -> list[str]:
    return [f"the table {table}" for table in holding(scene)]


_WAIT_SECONDS: Final = 20.0


class ForgetPlace(NamedTuple):
    name: str
    find: Callable[[ForgetContext], ForgetCount]
    purge: Callable[[ForgetContext], None]


PLACES: Final = (
    ForgetPlace("refs", refs.find_refs, refs.purge_refs),
    ForgetPlace("snapshots", stored_files.find_snapshots, stored_files.purge_snapshots),
    ForgetPlace("sessions", stored_files.find_logs, stored_files.purge_logs),
    ForgetPlace("ledger", stored_files.find_lines, stored_files.purge_lines),
    ForgetPlace("files", stored_files.find_files, stored_files.purge_files),
    ForgetPlace("database", database.find_rows, database.purge_rows),
)
"""In this order. The database comes last, since what is made of the others is made again from them."""


class ForgetPlan(NamedTuple):
    held: Mapping[str, ForgetCount]
    """By place, where there is any."""
    outside: tuple[ForeignCopy, ...]
    begun: bool = False
    """Somebody was stopped in the middle of it."""

    @property
    def anything(self) -> bool:
        return self.begun or any(one.number for one in self.held.values())

    @property
    def stays(self) -> bool:
        """Whether something holds it that must not be passed over in silence."""
        return any(one.stays for one in self.outside)

    def json(self) -> dict[str, Any]:
        return {
            "found": {place: one.number for place, one in self.held.items()},
            "notOurs": [one.json() for one in self.outside],
        }


class ForgetResult(NamedTuple):
    plan: ForgetPlan
    proof: ForgetProof
    again: tuple[str, ...]
    """Places that still have any of it."""
    staying: tuple[str, ...] = ()
    """Open requests and objects of git that have it, each with the command that removes it."""

    @property
    def left(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.proof.left, *self.again, *self.staying)))


def plan(ports: "WorkspacePorts", wanted: ForgetTarget) -> ForgetPlan:
    """Looks, and changes nothing."""
    return _plan(ForgetContext(ports, wanted))


def _plan(scene: ForgetContext) -> ForgetPlan:
    found = {place.name: place.find(scene) for place in PLACES}
    held = {name: one for name, one in found.items() if one.number}
    return ForgetPlan(held, tuple(outside(scene)), was_stopped(scene.app))


def forget(ports: "WorkspacePorts", wanted: ForgetTarget) -> ForgetResult:
    with _alone(ports):
        scene = ForgetContext(ports, wanted)
        found = _plan(scene)
        if found.anything:
            if not found.begun:
                write_file(ports.root, BEGUN, MAPPED if database.has_map(scene) else "", mode=0o600)
            _purge(scene, found)
        return _proven(ports, wanted, found)


def _purge(scene: ForgetContext, found: ForgetPlan) -> None:
    for place in PLACES[:-1]:
        place.purge(scene)
    record(scene.app, found.held, scene.wanted.reason)
    database.purge_rows(scene)
    database.wipe(scene)
    remove_file(scene.app.root, BEGUN)


def record(ports: "WorkspacePorts", held: Mapping[str, ForgetCount], reason: str) -> None:
    """That something was forgotten, and how much; never what."""
    none = ForgetCount(0, "")
    counts = {"events": "ledger", "sessions": "sessions", "snapshots": "snapshots"}
    payload: dict[str, object] = {field: held.get(place, none).number for field, place in counts.items()}
    if any(payload.values()):
        notes = held.get("ledger", none).notes
        ports.ledger.append("forgotten", {**payload, "notes": notes, "reason": reason}, now_ms=ports.clock.now_ms())


def _proven(ports: "WorkspacePorts", wanted: ForgetTarget, found: ForgetPlan) -> ForgetResult:
    """By whoever has never seen it: nothing that was found out before counts."""
    scene = ForgetContext(ports, wanted)
    proof = proven(scene)
    again = tuple(one.text for place in PLACES if (one := place.find(scene)).number)
    return ForgetResult(found, proof, again, tuple(staying(scene)))


@contextmanager
def _alone(ports: "WorkspacePorts") -> Iterator[None]:
    """Nobody else forgets, and the step in the background, which writes what hooks point at, waits."""
    with ports.locks.hold("forget", ttl_ms=1_800_000, wait_ms=0):
        os.makedirs(ports.root / SPOOL, mode=0o700, exist_ok=True)
        handle = open_own(str(ports.root / LOCK))
        try:
            _wait(handle)
            yield
        finally:
            os.close(handle)


def _wait(handle: int) -> None:
    deadline = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise Conflict("The step in the background is still at work; try again in a minute.") from None
            time.sleep(0.05)
