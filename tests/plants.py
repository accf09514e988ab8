"""Bugs to plant, one at a time, in the process under test: the kill tests must notice each."""

import json
import os
from collections.abc import Callable
from contextlib import nullcontext, suppress
from types import SimpleNamespace
from typing import Any


def plant(name: str) -> None:
    PLANTS[name]()


def _stamps_first() -> None:
    """Candidates count as done before their pages have landed."""
    from cairn.curate import run_journal
    from cairn.curate.land_plan import AppHands

    def through(self: AppHands, plan: Any, at: str) -> Any:
        fates = [run_journal.stamp_of(one.action, run_id=plan.run_id, at=at, node=one.path) for one in plan.fates]
        self.stamp(fates)
        self.forget_plan()
        return run_journal.carry_out(plan, self, at=at)

    AppHands.through = through  # type: ignore[method-assign]


def _writes_in_place() -> None:
    """A file is overwritten, not replaced."""
    from cairn.changes import write

    def replace(folder: int, name: str, data: bytes, mode: int | None) -> None:
        handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode or 0o666, dir_fd=folder)
        os.write(handle, data)
        os.fsync(handle)
        os.close(handle)

    write._replace = replace


def _does_not_sync() -> None:
    """The ledger acknowledges what is not on the disk yet."""
    from cairn import journal

    def sync(ledger_dir: str, fd: int, start: int, end: int) -> None:
        os.close(fd)

    journal._sync = sync


def _acknowledges_first() -> None:
    """The note is confirmed before it is in the ledger."""
    from cairn.adapters.ledger.jsonl import JsonlLedger

    real = JsonlLedger.append_all

    def append_all(self: Any, *given: Any, **named: Any) -> Any:
        os.write(1, b"noted\n")
        return real(self, *given, **named)

    JsonlLedger.append_all = append_all  # type: ignore[method-assign]


def _keeps_sessions_in_place() -> None:
    """The log of a session is overwritten, so that its first turns are gone for a moment."""
    from cairn.adapters.sessions import files

    def replace(folder: int, name: str, pieces: Any) -> None:
        whole = b"".join(pieces)
        handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600, dir_fd=folder)
        os.write(handle, whole)
        os.fsync(handle)
        os.close(handle)

    files._replace = replace


def _does_not_mend() -> None:
    """A request that a death left without its branch stays so."""
    from cairn.adapters.forge.local.forge import LocalForge

    LocalForge.mend = lambda self, ids: None  # type: ignore[method-assign]


def _marks_first() -> None:
    """A session that a hook spoke of counts as captured before it is."""
    from cairn.capture import settle_turns as spooling

    real = spooling._capture

    def capture(app: Any, one: Any) -> int:
        done = [*spooling._known_done(app.root), *(row.id for row in one.rows)]
        spooling.write_file(app.root, spooling.DONE, f"{json.dumps(done)}\n", mode=0o600)
        return real(app, one)

    spooling._capture = capture


def _says_it_twice() -> None:
    """A note does not look whether its turn has one already."""
    from cairn.capture import note as noting
    from cairn.capture.turn_outcome import TurnStanding

    class Forgetful:
        def standing(self, turn_id: str) -> TurnStanding:
            return TurnStanding()

        def said_by(self, source: str, session: str, fingerprint: str) -> str | None:
            return None

        def told_by(self, gist: str) -> str | None:
            return None

        def recent_words(self) -> list[frozenset[str]]:
            return []

    real = noting.process
    noting.process = lambda request, **named: real(request, **{**named, "memory": Forgetful()})


def _merges_unrecorded() -> None:
    """A merge moves files and branch before it is written down where they go."""
    from cairn.adapters.forge.local.merge import LocalMerge

    real = LocalMerge._land

    def land(self: Any, record: Any, landing: Any, checkouts: Any, **named: Any) -> Any:
        records = self._records
        self._records = _Silent(records)
        try:
            return real(self, record, landing, checkouts, **named)
        finally:
            self._records = records

    class _Silent:
        def __init__(self, records: Any) -> None:
            self._records = records

        def save(self, record: Any) -> Any:
            return record if record.landing is not None else self._records.save(record)

    LocalMerge._land = land  # type: ignore[method-assign]


def _takes_no_lock() -> None:
    """Two processes may do the same work at once."""
    from cairn.adapters.lock.files import FileLocks

    class Free:
        before = None

        def beat(self) -> None: ...

    FileLocks.hold = lambda self, *given, **named: nullcontext(Free())  # type: ignore[method-assign]


def _forge_takes_no_lock() -> None:
    """Two processes may change requests at once."""
    from cairn.adapters.forge.local import lock

    lock.fcntl = SimpleNamespace(flock=lambda *_: None, LOCK_EX=0, LOCK_NB=0)  # type: ignore[assignment]
    lock._sweep = lambda folder: None


def _swallows_errors() -> None:
    """A disk that refuses the line of a note is believed to have it."""
    from cairn import journal

    real = journal._write_whole

    def write_whole(fd: int, line: bytes, size: int) -> None:
        with suppress(OSError):
            real(fd, line, size)

    journal._write_whole = write_whole


def _forgets_the_mark() -> None:
    """The sign that a purge has begun goes away before the map is made again."""
    from cairn.workspace.forget import database, run

    real, was_mapped = database.purge_rows, database.was_mapped

    def purge_rows(scene: Any) -> None:
        mapped = was_mapped(scene.app)
        run.remove_file(scene.app.root, run.BEGUN)
        database.was_mapped = lambda app: mapped
        real(scene)

    database.purge_rows = purge_rows


def _commits_each_statement() -> None:
    """PostgreSQL is given no transaction."""
    from cairn.adapters.storage.postgres.database import PostgresDatabase

    PostgresDatabase.writing = lambda self: nullcontext()  # type: ignore[method-assign]


PLANTS: dict[str, Callable[[], None]] = {
    "stamps-first": _stamps_first,
    "writes-in-place": _writes_in_place,
    "does-not-sync": _does_not_sync,
    "acknowledges-first": _acknowledges_first,
    "sessions-in-place": _keeps_sessions_in_place,
    "does-not-mend": _does_not_mend,
    "marks-first": _marks_first,
    "says-it-twice": _says_it_twice,
    "merges-unrecorded": _merges_unrecorded,
    "takes-no-lock": _takes_no_lock,
    "forge-takes-no-lock": _forge_takes_no_lock,
    "swallows-errors": _swallows_errors,
    "forgets-the-mark": _forgets_the_mark,
    "commits-each-statement": _commits_each_statement,
}
