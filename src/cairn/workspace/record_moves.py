"""Putting right what a scan took for moved or gone, and recording that somebody did."""

from cairn.errors import CairnError
from cairn.graph import moved_files as history
from cairn.graph.moved_files import MovedState
from cairn.graph.run_scan import append
from cairn.workspace.ports import WorkspacePorts


def reconcile(ports: WorkspacePorts, old: str, new: str, *, dry_run: bool) -> tuple[MovedState, list[str]]:
    """What moved, and what a person should know besides."""
    moved = history.reconcile(ports.scanned_store(), old, new, clock=ports.clock, dry_run=dry_run)
    return moved, [] if dry_run else _record(ports, "reconciled", {"from": moved.old, "to": moved.new})


def undo_rename(
    ports: WorkspacePorts, new: str, old: str | None, *, force: bool, dry_run: bool
) -> tuple[MovedState, list[str]]:
    store = ports.scanned_store()
    moved = history.undo_rename(store, new, old=old, clock=ports.clock, force=force, dry_run=dry_run)
    return moved, [] if dry_run else _record(ports, "rename_undone", {"from": moved.new, "to": moved.old})


def forget(
    ports: WorkspacePorts, paths: tuple[str, ...], *, all: bool, dry_run: bool
) -> tuple[tuple[str, ...], list[str]]:
    gone = history.forget_orphans(ports.scanned_store(), paths, all=all, dry_run=dry_run)
    events = [] if dry_run else gone
    return gone, [warning for path in events for warning in _record(ports, "orphan_forgotten", {"path": path})][:1]


def _record(ports: WorkspacePorts, kind: str, payload: dict[str, object]) -> list[str]:
    """It is done already, so a ledger that cannot be written is only said."""
    try:
        append(ports, kind, payload)
    except CairnError as error:
        return [f"it is done, but could not be recorded: {error.message}"]
    return []
