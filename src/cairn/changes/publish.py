"""The one road by which knowledge changes: the gates look, the limits hold, the forge opens a request."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from cairn.changes.limits import Limits, held_back
from cairn.changes.run_gates import Gates
from cairn.changes.write import remove_file, write_file
from cairn.core.model.change import ChangeRequest, ChangeSet, Edit, Level, Ruling
from cairn.core.ports.forge import Forge
from cairn.core.ports.runtime import Clock
from cairn.errors import Conflict, Refused

HOLDING = frozenset({"secrets"})
"""Gates whose `block` keeps a change from leaving at all: a request is a place where others read."""


class Held(NamedTuple):
    """Not published, and why."""

    reason: str
    rulings: tuple[Ruling, ...] = ()


def publish(
    change: ChangeSet,
    *,
    forge: Forge,
    gates: Gates,
    limits: Limits,
    clock: Clock,
    requests: Sequence[ChangeRequest] | None = None,
) -> ChangeRequest | Held:
    """Open a request for a change, or bring the open one of its subject up to date. One that a gate blocks is opened
    too, so that a person sees it and why; it does not land. `requests` are those at the forge, for whoever knows."""
    now_ms = clock.now_ms()
    known = forge.requests() if requests is None else requests
    if waiting := held_back(change, known, limits, now_ms=now_ms):
        return Held(waiting)
    rulings = gates.judge(change)
    if secret := [ruling for ruling in rulings if ruling.gate in HOLDING and ruling.level is Level.BLOCK]:
        return Held(secret[0].reason, rulings)
    try:
        return forge.publish(change, rulings, now_ms=now_ms)
    except Conflict as conflict:
        return Held(conflict.message, rulings)


# --- into the working tree, when somebody says so ---------------------------------------------------------------------


class Applied(NamedTuple):
    written: tuple[str, ...]
    rulings: tuple[Ruling, ...]


def apply_here(change: ChangeSet, *, root: Path, gates: Gates) -> Applied:
    """Write a change into the working tree. Files that are not as they were at its base are left alone, all of them."""
    rulings = gates.judge(change)
    refuse_blocked(rulings)
    around = gates.look(change)
    for edit in change.edits:
        found = _on_disk(root, edit.path)
        if found not in (around.base(edit.path), edit.content):
            raise Conflict(
                f"{edit.path} was edited since the change was made; commit or undo that, then try again.",
                path=edit.path,
            )
    return Applied(tuple(edit.path for edit in change.edits if _written(root, edit)), rulings)


def refuse_blocked(rulings: tuple[Ruling, ...]) -> None:
    blocked = [ruling for ruling in rulings if ruling.level is Level.BLOCK]
    if blocked:
        reasons = " ".join(f"{ruling.gate}: {ruling.reason}" for ruling in blocked)
        raise Refused(f"Blocked, nothing was changed. {reasons}", gates=[ruling.gate for ruling in blocked])


def _on_disk(root: Path, path: str) -> bytes | None:
    try:
        return (root / path).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Conflict(f"{path} cannot be read ({error.strerror}), so nothing was written.", path=path) from error


def _written(root: Path, edit: Edit) -> bool:
    return remove_file(root, edit.path) if edit.content is None else write_file(root, edit.path, edit.content)
