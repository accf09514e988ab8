"""What is known while something is forgotten, and the places in `.cairn`: ledger, logs, snapshots, small files."""

import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from cairn.capture.redaction import Selection, event_of, id_of, masked_log, turn_of
from cairn.capture.retention import NEVER, bar
from cairn.changes.write import remove_file, write_file
from cairn.core.paths import LEDGER, OLD_LOGS
from cairn.core.ports.turns import FoundTranscript, SessionLogs
from cairn.core.session_log import LOCK_TTL_MS, LOCK_WAIT_MS, head_of, last_time, safe_id
from cairn.core.session_log import id_of as session_names_id_of
from cairn.curate.bootstrap_survey import PROGRESS, STATE
from cairn.curate.run_journal import FAILURES, MEMORY, PLAN, STAMPS
from cairn.hook.aside import LOG
from cairn.workspace.forget.selection import ForgetTarget

if TYPE_CHECKING:
    from cairn.workspace.forget.selection import Rescan
    from cairn.workspace.ports import WorkspacePorts


class ForgetCount(NamedTuple):
    """What one place has of it."""

    number: int
    text: str
    """For a person, with the number in it."""
    notes: int = 0


class ForgetContext:
    def __init__(self, ports: "WorkspacePorts", wanted: ForgetTarget) -> None:
        self.app = ports
        self.wanted = wanted

    @property
    def ledger(self) -> Path:
        return self.app.root / LEDGER

    @property
    def database(self) -> Path | None:
        """The file, when there is one; None also for a database that is elsewhere."""
        location = self.app.store_location
        return location if isinstance(location, Path) and location.exists() else None

    @property
    def has_store(self) -> bool:
        return not isinstance(self.app.store_location, Path) or self.database is not None

    @cached_property
    def selection(self) -> "Selection | Rescan":
        """Lines that hold it, with all lines of the turns that these belong to, of turns whose words are still only in
        a transcript that holds it, and with what was counted as missing because of these questions."""
        base, turns, asked = self.wanted.selection(), set(self._pointed()), set[str]()
        if self.wanted.by_rules:
            return base
        for _, path in self.app.ledger_files.all():
            for event in (event_of(line) for line in self.app.ledger_files.lines(path) if base.takes(line)):
                turns |= {turn_of(event)} - {""}
                asked |= {id_of(event)} - {""} if event.get("type") == "search_asked" else set()
        # A date cuts through turns: what happened since stays.
        return base if self.wanted.before else self.wanted.selection(frozenset(turns), frozenset(asked))

    def _pointed(self) -> list[str]:
        """Turns that wait to be written down, and whose stretch of a transcript holds it."""
        if not self.wanted.of_text or not self.has_store:
            return []
        import cairn.journal as journal

        own = journal.identity_of(str(self.ledger))
        if own is None:
            return []
        self.app.index_ledger()
        waiting = self.app.store.turns.pending(journal.worktree_name(own), 1_000)
        return [row.turn_id for row in waiting if row.transcript and self.file_holds(Path(row.transcript).expanduser())]

    @cached_property
    def pages(self) -> list[str]:
        """Files of the workspace that hold it; what is made of files says it for as long as they do."""
        if not self.wanted.of_text:
            return []
        app = self.app
        suffixes = tuple(sorted({suffix for p in app.registry.providers for suffix in p.manifest.extensions}))
        found = app.files.walk(app.scan_request().walk(suffixes)).files if suffixes else ()
        names = [file.path for file in found]
        return [name for name in names if self.wanted.holds(os.fsencode(name)) or self.file_holds(app.root / name)]

    @cached_property
    def transcripts(self) -> list[FoundTranscript]:
        """Of agent hosts, that hold it. They are not ours."""
        found = self.app.transcripts.find()
        if self.wanted.of_text:
            return [one for one in found if self.file_holds(Path(one.path))]
        return [one for one in found if one.session in self.wanted.sessions]

    @cached_property
    def is_captured(self) -> bool:
        """Whether the ledger or logs of sessions hold it, so that copies of them may, too. Asked before the purge."""

        return bool(find_lines(self).number or find_logs(self).number)

    def file_holds(self, path: Path) -> bool:
        return self.app.stored_files.holds(path, self.wanted.holds, self.wanted.overlap)


def counted(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


# --- the ledger -----------------------------------------------------------------------------------------------------


def find_lines(scene: ForgetContext) -> ForgetCount:
    lines, notes = 0, set()
    ledger = scene.app.ledger_files
    for _, path in ledger.all():
        for line in ledger.lines(path):
            if scene.selection.takes(line):
                event = event_of(line)
                lines += 1
                if event.get("type") == "turn_completed":
                    notes.add(turn_of(event))
    among = f", {counted(len(notes), 'note')} among them" if notes else ""
    return ForgetCount(lines, f"{counted(lines, 'line')} of the ledger{among}", len(notes))


def purge_lines(scene: ForgetContext) -> None:
    ledger = scene.app.ledger_files
    for name, path in ledger.all():
        if any(scene.selection.takes(line) for line in ledger.lines(path)):
            ledger.rewrite(name, path, scene.selection.judge)


# --- sessions -------------------------------------------------------------------------------------------------------


def find_logs(scene: ForgetContext) -> ForgetCount:
    count = sum(1 for _ in _logs(scene, scene.app.session_logs()))
    return ForgetCount(count, f"{counted(count, 'log')} of sessions")


def purge_logs(scene: ForgetContext) -> None:
    """Logs that only hold it somewhere keep the rest. What goes is never read from the transcript again."""
    logs = scene.app.session_logs()
    bar(scene.app.root, _barred(scene))
    for name, whole in _logs(scene, logs):
        with scene.app.locks.hold(f"session-{session_names_id_of(name)}", ttl_ms=LOCK_TTL_MS, wait_ms=LOCK_WAIT_MS):
            data = None if whole else logs.read(name, 0, logs.size(name))
            needle = scene.wanted.needle
            rest = masked_log(data, needle) if data is not None and needle is not None else None
            if rest is None:
                bar(scene.app.root, {session_names_id_of(name) or "": NEVER})
                logs.remove(name)
            else:
                head = head_of(logs, name)
                bar(scene.app.root, {session_names_id_of(name) or "": head.log.read_through if head else NEVER})
                logs.write(name, [rest])


def _barred(scene: ForgetContext) -> dict[str, int]:
    """Sessions that are wanted, and those whose transcript holds it, as far as it goes now."""
    found = {one.session: NEVER if one.host == "opencode" else one.size for one in scene.transcripts}
    return found | dict.fromkeys(scene.wanted.sessions, NEVER)


def _logs(scene: ForgetContext, logs: SessionLogs) -> Iterator[tuple[str, bool]]:
    """Names of logs, and whether they go as a whole."""
    wanted = scene.wanted
    sessions = {safe_id(session) for session in wanted.sessions}
    for name in logs.names():
        by_name = session_names_id_of(name) in sessions or wanted.holds(os.fsencode(name))
        if by_name or (wanted.before and _is_before(logs, name, wanted.before)):
            yield name, True
        elif wanted.needle is not None and wanted.holds(logs.read(name, 0, logs.size(name))):
            yield name, False


def _is_before(logs: SessionLogs, name: str, before: str) -> bool:
    head = head_of(logs, name)
    return head is not None and last_time(head.log) < before


# --- snapshots ------------------------------------------------------------------------------------------------------


def find_snapshots(scene: ForgetContext) -> ForgetCount:
    count = len(snapshots(scene))
    return ForgetCount(count, f"{counted(count, 'text')} of sources")


def snapshots(scene: ForgetContext) -> list[str]:
    blobs, wanted = scene.app.blobs, scene.wanted
    if (wanted.needle is None and not wanted.blobs) or wanted.by_rules:
        return []  # what a source says is what everybody can read there
    keys = blobs.keys()
    return [key for key in keys if key in wanted.blobs or wanted.holds(blobs.get(key) or b"")]


def purge_snapshots(scene: ForgetContext) -> None:
    """With the rows that name them: the next look at such a source begins anew."""
    gone = snapshots(scene)
    if gone and scene.has_store:
        named = [key.encode() for key in gone]
        scene.app.store.purge.drop(lambda row: any(key in row for key in named))
    scene.app.blobs.drop(gone)


# --- small files ----------------------------------------------------------------------------------------------------

_LINES: Final = (LOG, f"{LOG}.1", STAMPS, FAILURES, PROGRESS)
_OURS: Final = (
    PLAN,
    STATE,
    MEMORY,
    ".cairn/briefing.json",
    ".cairn/spool/",
    ".cairn/log/",
    ".cairn/backups/",
    ".cairn/cairn.db.",
    f"{OLD_LOGS}/",
)
"""Files that may go as a whole: they are made again, or are copies of what is being purged."""
_BRIEFING: Final = ".cairn/briefing.json"
_COPIES: Final = (".cairn/backups/", ".cairn/cairn.db.")
_ELSEWHERE: Final = (".cairn/ledger/", ".cairn/sessions/", ".cairn/snapshots/", ".cairn/cairn.db")
"""Looked after by the other places."""
_BESIDE: Final = (".new", ".tmp", ".restoring")


def find_files(scene: ForgetContext) -> ForgetCount:
    found = list(_files(scene))
    names = ", ".join(scene.wanted.shown(name) for name in found[:3])
    more = f" and {len(found) - 3:,} more" if len(found) > 3 else ""
    return ForgetCount(len(found), f"{counted(len(found), 'file')} ({names}{more})")


def purge_files(scene: ForgetContext) -> None:
    root = scene.app.root
    for name in _files(scene):
        if scene.wanted.by_rules and _mask(scene, name):
            continue
        if name in _LINES:
            lines = (root / name).read_bytes().splitlines(keepends=True)
            kept = b"".join(line for line in lines if not scene.wanted.holds(line))
            if not scene.wanted.holds(kept):
                write_file(root, name, kept, mode=0o600)
                continue
        remove_file(root, name)


def _mask(scene: ForgetContext, name: str) -> bool:
    """Whether a small file could be kept, with marks in it; copies of the database and what is made again go."""
    from cairn.workspace.forget.selection import masked_json

    if name.startswith(_COPIES) or scene.wanted.needle is None:
        return False
    data = (scene.app.root / name).read_bytes()
    masked = masked_json(data) if name.endswith(".json") else None
    masked = scene.wanted.needle.masked(data) if masked is None else masked
    if not scene.wanted.holds(masked):
        write_file(scene.app.root, name, masked, mode=0o600)
        return True
    return False


def _files(scene: ForgetContext) -> Iterator[str]:
    """Those of ours that hold it."""
    if scene.wanted.needle is None:
        return
    below = scene.app.stored_files.below
    for path in (*below(scene.app.root / ".cairn"), *below(scene.app.root / OLD_LOGS)):
        name = path.relative_to(scene.app.root).as_posix()
        if is_ours(name) and _is_searched(scene, name) and _holds(scene, path, name):
            yield name


def _is_searched(scene: ForgetContext, name: str) -> bool:
    """Rules find addresses of people in every copy of a page. So copies count only when what was captured does."""
    if not scene.wanted.by_rules:
        return True
    return name != _BRIEFING and (not name.startswith(_COPIES) or scene.is_captured)


def _holds(scene: ForgetContext, path: Path, name: str) -> bool:
    return scene.wanted.holds(os.fsencode(name.removeprefix(".cairn/"))) or scene.file_holds(path)


def is_ours(name: str) -> bool:
    """Whether a small file of `.cairn` may be taken away, or lines of it."""
    if name in _LINES or name.endswith(_BESIDE) or "/.new-" in name:
        return True
    return name.startswith(_OURS) and not name.endswith((".lock", ".wanted"))


def is_looked_after(name: str) -> bool:
    return name.startswith(_ELSEWHERE) or is_ours(name)
