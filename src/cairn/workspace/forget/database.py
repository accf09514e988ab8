"""The database: rows that hold it, what is made of other things and made anew, and the space that is free."""

from pathlib import Path
from typing import Final

from cairn.workspace.forget.selection import was_mapped
from cairn.workspace.forget.stored_files import ForgetContext, ForgetCount, counted

_MIRRORS: Final = ("scan_", "cache_")
"""Tables that say what files of the workspace say."""
_BESIDE: Final = ("", "-wal", "-journal")


def find_rows(scene: ForgetContext) -> ForgetCount:
    """Also what was deleted and still lies in the file. By rules only what was captured counts, and it is read anew."""
    if scene.wanted.by_rules:
        return ForgetCount(0, "")
    rows = sum(holding(scene).values())
    if rows:
        return ForgetCount(rows, f"{counted(rows, 'row')} of the database")
    if old := outdated(scene):
        return ForgetCount(old, f"an index of words, which has earlier versions of {counted(old, 'file')}")
    left = 0 if scene.pages else sum(scene.file_holds(file) for file in files(scene))
    return ForgetCount(left, "free space of the database")


def outdated(scene: ForgetContext) -> int:
    """Versions of files that the index of words has and the disk has not. Nobody can tell whether they held it."""
    if not scene.wanted.of_text or not scene.has_store or not scene.app.store.meta():
        return 0
    from cairn.workspace.status.context import StatusContext
    from cairn.workspace.status.page import changed_files

    return scene.app.store.purge.outdated_texts() + changed_files(StatusContext(scene.app))


def holding(scene: ForgetContext) -> dict[str, int]:
    """By table. Where pages hold it, what is made of them may."""
    if scene.wanted.needle is None or scene.wanted.by_rules or not scene.has_store:
        return {}
    found = scene.app.store.purge.holding(scene.wanted.holds)
    return {table: rows for table, rows in found.items() if not (scene.pages and table.startswith(_MIRRORS))}


def files(scene: ForgetContext) -> list[Path]:
    """None where the database is a server."""
    base = scene.database
    found = [] if base is None else [base.with_name(f"{base.name}{more}") for more in _BESIDE]
    return [file for file in found if file.exists()]


def has_map(scene: ForgetContext) -> bool:
    return scene.has_store and bool(scene.app.store.meta())


def purge_rows(scene: ForgetContext) -> None:
    """What is made of the ledger is read in again. What is made of files is, too, when the words may stand in them: an
    index of words keeps those of earlier versions."""
    if not scene.has_store:
        return
    store = scene.app.store
    if scene.wanted.needle is not None and not scene.wanted.by_rules:
        store.purge.drop(scene.wanted.holds)
    if scene.wanted.of_text:
        store.reset(state=False)
    else:
        store.clear_index()
    scene.app.index_ledger()
    if scene.wanted.of_text and was_mapped(scene.app):
        _scan_again(scene)


def _scan_again(scene: ForgetContext) -> None:
    from cairn.graph.run_scan import run_scan

    run_scan(scene.app, scene.app.scan_request(), remember=False)


def wipe(scene: ForgetContext) -> None:
    if scene.has_store:
        scene.app.store.purge.wipe()
