"""Putting right what a scan took for moved or gone, and recording that somebody did."""

from cairn.app.build import App
from cairn.errors import CairnError
from cairn.graph import moved_files as history
from cairn.graph.moved_files import Moved
from cairn.graph.run_scan import append


def reconcile(app: App, old: str, new: str, *, dry_run: bool) -> tuple[Moved, list[str]]:
    """What moved, and what a person should know besides."""
    moved = history.reconcile(app.scanned_store(), old, new, clock=app.clock, dry_run=dry_run)
    return moved, [] if dry_run else _record(app, "reconciled", {"from": moved.old, "to": moved.new})


def undo_rename(app: App, new: str, old: str | None, *, force: bool, dry_run: bool) -> tuple[Moved, list[str]]:
    store = app.scanned_store()
    moved = history.undo_rename(store, new, old=old, clock=app.clock, force=force, dry_run=dry_run)
    return moved, [] if dry_run else _record(app, "rename_undone", {"from": moved.new, "to": moved.old})


def forget(app: App, paths: tuple[str, ...], *, all: bool, dry_run: bool) -> tuple[tuple[str, ...], list[str]]:
    gone = history.forget_orphans(app.scanned_store(), paths, all=all, dry_run=dry_run)
    events = [] if dry_run else gone
    return gone, [warning for path in events for warning in _record(app, "orphan_forgotten", {"path": path})][:1]


def _record(app: App, kind: str, payload: dict[str, object]) -> list[str]:
    """It is done already, so a ledger that cannot be written is only said."""
    try:
        append(app, kind, payload)
    except CairnError as error:
        return [f"it is done, but could not be recorded: {error.message}"]
    return []
