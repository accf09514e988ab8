"""Append one event to the ledger: lock, line, fsync.

An agent's hook calls this on every turn, so it imports next to nothing: no dataclasses, no typing, no pathlib, nothing
of Cairn. When `append` returned, the event survives a kill and a power cut; when it raised, nothing was recorded.
"""

import errno
import fcntl
import json
import os
import re
import stat
import time
from _thread import allocate_lock
from binascii import crc32

from cairn.worktree import foreign_part as foreign_part
from cairn.worktree import hyphenated, make_identity, sync_folder
from cairn.worktree import identity_of as identity_of
from cairn.worktree import worktree_name as worktree_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LINE_LIMIT = 4096
"""Bytes of a line, newline included."""
TURN_LIMIT = 16384
"""The same for events about turns, and the most that any caller may ask for."""
ROTATE_AT = 64 * 1024 * 1024
LOCK_SECONDS = 10.0
PASSING_SECONDS = 0.05
"""The same for somebody who would rather go without than wait."""
LOCK = "lock"

EVENT_TYPES: dict[str, frozenset[str]] = {
    kind: frozenset(fields.split())
    for kind, fields in {
        "scan_completed": "active_provider added changed duration_ms errors issues links nodes removed renamed roots"
        " warnings",
        "rename_recorded": "from to confidence",
        "rename_undone": "from to",
        "reconciled": "from to",
        "orphan_forgotten": "path",
        "entry_stamped": "path corpus sources",
        "change_opened": "id origin subject kind level paths updated",
        "change_held": "origin subject kind reason",
        "change_merged": "id origin subject kind commit rebased automatic by",
        "change_closed": "id origin subject kind by",
        "change_reverted": "id by revert",
        "freshness_run": "baseline confirmed dollars drifted duration_ms entries failed held opened pending provider"
        " offline sources to_read tokens unverifiable waiting",
        "init": "version corpora written",
        "uninstall": "version removed",
        # Turns: what makes one eligible, and the one outcome that each has. A hook records pointers, never text.
        "turn_begun": "turn_id source agent session host message_id transcript start branch producer schema_version",
        "turn_eligible": "turn_id source agent channel session turn_number host stage internal message_id transcript"
        " start end hash tools tool_errors project branch producer schema_version",
        "turn_dispatched": "turn_id source skip_reason",
        "turn_started": "turn_id source attempt has_skip_reason",
        "turn_retrying": "turn_id source attempt error",
        "turn_completed": "turn_id source agent channel session turn_number host stage title summary decision evidence"
        " tags type context occurred_at score visibility expires_at fingerprint result revision duration_ms taint"
        " producer schema_version project",
        "turn_skipped": "turn_id source agent channel session turn_number host stage skip_reason fingerprint"
        " duplicate_of duration_ms producer project",
        "turn_failed": "turn_id source agent channel session turn_number host stage error attempt duration_ms producer"
        " project",
        "turn_interrupted": "turn_id source agent channel session turn_number host stage error attempt duration_ms"
        " producer project",
        "watchdog_checked": "verdict eligible completed skipped failed interrupted unaccounted ratio issues"
        " window_hours",
        "alert_raised": "key kind source severity text count",
        "alert_resolved": "key kind source",
        "target_cleared": "target by",
        # Sessions of agents.
        "session_spooled": "host session transcript size reason cwd",
        "session_captured": "host session log reason segments chars status redactions",
        "agent_installed": "agent files version",
        "agent_uninstalled": "agent files version",
        "tools_listed": "client",
        # What people and agents tell of their work.
        "task_claimed": "task_id branch task_title story_id wave unplanned",
        "task_completed": "task_id branch outcome pr_number commit_sha",
        "decision_recorded": "task_id branch key summary affects links",
        "blocker_hit": "task_id branch kind summary",
        "blocker_resolved": "task_id branch summary references",
        "pr_opened": "task_id branch pr_number",
        "progress_heartbeat": "task_id branch note",
        "phase_completed": "task_id branch phase",
        "finding_acknowledged": "task_id branch finding_id status note severity project_id",
        "knowledge_gap_signal": "task_id branch topic source project_id step_name agent_excerpt session asked",
        "audit_completed": "report_id verdict profile scope findings blocking",
        # What people, agents and checks say about a page; trust counts it.
        "ballot_cast": "entry revision verdict reason session agent anchor founding voter source",
        # The life of an artefact: each event has the whole state that it left.
        "artefact_changed": "artefact kind status version rev anchor founding content revision snapshot seen_status"
        " since_ms submitter hold good_rev good_status good_content good_revision good_snapshot patches landed"
        " transition by reason rejected restored strikes struck_rev",
        # The log of questions: it stays where it was written, see PRIVATE.
        "search_asked": "question surface session turn fits miss hits paths",
        "page_read": "path surface session turn revision",
        "forgotten": "events sessions notes snapshots reason",
    }.items()
}
"""What may be recorded: each type, and the fields that its payload may have. Everything else is refused by name, so
that nothing private slips into the ledger because somebody handed over one key too many."""


TOLD = (
    "task_claimed",
    "task_completed",
    "decision_recorded",
    "blocker_hit",
    "blocker_resolved",
    "pr_opened",
    "progress_heartbeat",
    "phase_completed",
    "finding_acknowledged",
    "knowledge_gap_signal",
)
"""What people and agents may tell. The other types are recorded by the commands that they are about."""

PRIVATE: frozenset[str] = frozenset({"search_asked", "page_read"})
"""What somebody asked and read is nobody else's business: nobody collects it, and no merged ledger has it."""


class JournalRefused(ValueError):
    """The event was not recorded; the message says why."""


# --- identifiers ----------------------------------------------------------------------------------------------------


class _Identifiers:
    """Remembers the last identifier, so that the next one never falls behind it."""

    def __init__(self) -> None:
        self._lock = allocate_lock()
        self._pid = self._last = 0

    def next(self, now_ms: int, after: int) -> str:
        with self._lock:
            pid = os.getpid()
            fresh = now_ms << _RANDOM_BITS | int.from_bytes(os.urandom(10), "big") >> 7
            # A forked child must not continue its parent's row: its sister would do the same.
            # And a row that has run into an absurd future is not continued either; see `_number`.
            known = pid == self._pid and self._last >> _RANDOM_BITS < _ABSURD_MS
            last = max(self._last if known else 0, after)
            if now_ms <= last >> _RANDOM_BITS:
                fresh = last + 1 + int.from_bytes(os.urandom(4), "big")
            self._pid, self._last = pid, fresh
            return _uuid7(fresh)


_RANDOM_BITS = 74
_ABSURD_MS = 1 << 47
_identifiers = _Identifiers()


def new_id(now_ms: int, after: str | None = None) -> str:
    """A UUIDv7: sorts by time, and always behind `after` and the one made before, even when the clock jumps back."""
    return _identifiers.next(now_ms, _number(after) if after else 0)


def _uuid7(number: int) -> str:
    """Time and random bits, with version and variant between them."""
    ms, random = number >> _RANDOM_BITS, number & (1 << _RANDOM_BITS) - 1
    value = (ms & 0xFFFFFFFFFFFF) << 80 | 7 << 76 | (random >> 62) << 64 | 2 << 62 | random & 0x3FFFFFFFFFFFFFFF
    return hyphenated(f"{value:032x}")


def _number(event_id: str) -> int:
    """Time and random bits of a UUIDv7; 0 for any other identifier, and for one of an absurd future: there would soon
    be none left behind it."""
    digits = event_id.replace("-", "")
    if len(digits) != 32 or digits[12] != "7" or digits[0] > "7" or digits.strip("0123456789abcdef"):
        return 0
    value = int(digits, 16)
    return (value >> 80) << _RANDOM_BITS | (value >> 64 & 0xFFF) << 62 | value & 0x3FFFFFFFFFFFFFFF


# --- the line -------------------------------------------------------------------------------------------------------


def iso_utc(ms: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(ms // 1000)) + f".{ms % 1000:03d}Z"


def check_event(event: dict[str, object]) -> None:
    """Raise `JournalRefused` unless type and payload fields are on the lists."""
    for key in event:
        if key not in ("type", "payload"):
            raise JournalRefused(f"An event has a type and a payload, not `{key}`.")
    kind, payload = event.get("type"), event.get("payload")
    if not isinstance(kind, str) or kind not in EVENT_TYPES:
        raise JournalRefused(f"There is no event type `{kind}`; the types are {', '.join(sorted(EVENT_TYPES))}.")
    if not isinstance(payload, dict):
        raise JournalRefused(f"The payload of `{kind}` must be an object.")
    for field in payload:
        if field not in EVENT_TYPES[kind]:
            raise JournalRefused(
                f"The payload of `{kind}` has no field `{field}`; it may have {', '.join(sorted(EVENT_TYPES[kind]))}."
            )


def make_line(event: dict[str, object], *, worktree: str, now_ms: int, after: str | None = None) -> tuple[str, bytes]:
    """The id and the line of `{"type": …, "payload": …}`, or `JournalRefused`."""
    draft = _draft(event)
    event_id = new_id(now_ms, after)
    return event_id, _line(draft, event_id, now_ms, worktree)


def _draft(event: dict[str, object], limit: int | None = None) -> tuple[str, bytes]:
    """Type and payload of an event, checked, as they will stand in the line."""
    check_event(event)
    kind = str(event["type"])
    try:
        text = json.dumps(event["payload"], ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        payload = without_home(text).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise JournalRefused(f"The payload of `{kind}` cannot be written as JSON: {error}.") from None
    limit = min(limit or limit_of(kind), TURN_LIMIT)
    size = len(payload) + len(kind) + _HEAD
    if size > limit:
        raise JournalRefused(f"The event `{kind}` is {size} bytes long and may be {limit}; shorten its payload.")
    return kind, payload


_HEAD = 172
"""Bytes of a line around type and payload, with the longest name that a work tree can have: what fits doesn't depend on
where it is written."""


def _line(draft: tuple[str, bytes], event_id: str, now_ms: int, worktree: str) -> bytes:
    kind, payload = draft
    head = f'{{"v":1,"id":"{event_id}","type":"{kind}","at":"{iso_utc(now_ms)}","worktree":"{worktree}","payload":'
    return head.encode() + payload + b"}\n"


def without_home(text: str) -> str:
    """JSON text in which paths below the home folder begin with `~`, as `os.path.expanduser` reads them back: who
    somebody is, is nobody else's business when ledgers are collected."""
    home = os.path.expanduser("~").rstrip("/")
    if len(home) < 2 or home not in text:
        return text
    return re.sub(rf'(?<![\w./~-]){re.escape(home)}(?=[/"\s\\,:;)\]]|$)', "~", text)


def limit_of(kind: str) -> int:
    """Bytes that a line of this type may have."""
    return TURN_LIMIT if kind.startswith("turn_") else LINE_LIMIT


# --- the file -------------------------------------------------------------------------------------------------------


def append(
    ledger_dir: str, event: dict[str, object], *, now_ms: int, limit: int | None = None, rotate_at: int = ROTATE_AT
) -> str:
    """Record `{"type": …, "payload": …}` and return its id. The folder that holds `ledger_dir` must be there.

    Raises `JournalRefused` for an event that may not be recorded, `OSError` when the machine says no."""
    return append_all(ledger_dir, (event,), now_ms=now_ms, limit=limit, rotate_at=rotate_at)[0]


def append_all(
    ledger_dir: str,
    events: "Iterable[dict[str, object]]",
    *,
    now_ms: int,
    limit: int | None = None,
    rotate_at: int = ROTATE_AT,
    passing: bool = False,
) -> list[str]:
    """Record several events at once, under one lock and with one fsync: all of them or none. Their ids, in order.

    Without a `limit` each may be as long as its type allows. What is said in `passing` waits neither for the disk nor
    long for others: a power cut may take it, and `TimeoutError` says that somebody else was at it."""
    drafts = [_draft(event, limit) for event in events]
    if not drafts:
        return []
    _make_folder(ledger_dir)
    lock = hold(ledger_dir, PASSING_SECONDS if passing else LOCK_SECONDS)
    try:
        worktree = worktree_name(identity_of(ledger_dir) or make_identity(ledger_dir, iso_utc(now_ms)))
        fd, size, last = _open_last(os.path.join(ledger_dir, f"{worktree}.jsonl"), worktree, rotate_at)
        ids, lines = _lines(drafts, now_ms, worktree, last)
        try:
            _write_whole(fd, lines, size)
            if size == 0:
                sync_folder(ledger_dir)  # a new file is only there for good when its folder knows it
        except OSError:
            os.close(fd)
            raise
    finally:
        os.close(lock)
    if passing:
        os.close(fd)
    else:
        _sync(ledger_dir, fd, size, size + len(lines))
    return ids


def _open_last(path: str, worktree: str, rotate_at: int) -> tuple[int, int, str | None]:
    """The file to append to, its size, and the id of the last event, which may stand in the one that was just full."""
    fd = _open_private(path)
    try:
        size = recover(fd, path)
        last = first_id(_last_line(fd, size - 1)[1]) if size else None
        if size >= rotate_at:
            _rotate(fd, path, worktree)
    except OSError:
        os.close(fd)
        raise
    if size < rotate_at:
        return fd, size, last
    os.close(fd)
    return _open_private(path), 0, last


def _lines(drafts: "list[tuple[str, bytes]]", now_ms: int, worktree: str, last: str | None) -> tuple[list[str], bytes]:
    ids, lines = [], []
    for draft in drafts:
        last = new_id(now_ms, last)
        ids.append(last)
        lines.append(_line(draft, last, now_ms, worktree))
    return ids, b"".join(lines)


def _sync(ledger_dir: str, fd: int, start: int, end: int) -> None:
    """After the lock is given back: what others append meanwhile goes to the disk with one effort, which makes eight
    writers five times as fast. Where that fails our lines are taken back, unless somebody's stand behind them."""
    try:
        os.fsync(fd)
    except OSError:
        lock = hold(ledger_dir)
        if os.fstat(fd).st_size == end:
            os.ftruncate(fd, start)
        os.close(lock)
        raise
    finally:
        os.close(fd)


def _write_whole(fd: int, line: bytes, size: int) -> None:
    """All of it or nothing of it."""
    try:
        written = os.write(fd, line)
        if written != len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    except OSError:
        os.ftruncate(fd, size)
        raise


def recover(fd: int, path: str) -> int:
    """Mend a last line without newline, which a kill or a full disk left behind; return the size of the file.

    A line that is whole gets its newline. One that is not was never acknowledged: it is kept beside, in `<name>.torn`,
    so that a person can look at it, and taken out of the file."""
    size = os.fstat(fd).st_size
    if size == 0 or os.pread(fd, 1, size - 1) == b"\n":
        return size
    start, tail = _last_line(fd, size)
    if _is_object(tail):
        _write_whole(fd, b"\n", size)
        return size + 1
    torn = _open_private(f"{path}.torn")
    try:
        _write_whole(torn, tail + b"\n", os.fstat(torn).st_size)
        os.fsync(torn)
    finally:
        os.close(torn)
    os.ftruncate(fd, start)
    os.fsync(fd)
    return start


def _last_line(fd: int, size: int) -> tuple[int, bytes]:
    """Where the text behind the last newline starts, and that text."""
    tail, start = b"", size
    while start > 0:
        step = min(start, TURN_LIMIT)
        block = os.pread(fd, step, start - step)
        cut = block.rfind(b"\n")
        if cut >= 0:
            return start - step + cut + 1, block[cut + 1 :] + tail
        tail, start = block + tail, start - step
    return 0, tail


def _is_object(text: bytes) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _rotate(fd: int, path: str, worktree: str) -> None:
    """Give a full file the name of its first event. It is read back like the others."""
    first = os.pread(fd, TURN_LIMIT, 0).partition(b"\n")[0]
    target = os.path.join(os.path.dirname(path), f"{worktree}.{first_id(first) or f'x{crc32(first):08x}'}")
    while os.path.lexists(f"{target}.jsonl"):  # somebody copied a ledger back; never write over one
        target += "-again"
    os.rename(path, f"{target}.jsonl")
    sync_folder(os.path.dirname(path))


def first_id(line: bytes) -> str | None:
    """The id in a line, if it is one that may be part of a file name."""
    if line.startswith(b'{"v":1,"id":"') and line[49:50] == b'"' and b"\\" not in line[13:49]:
        value = line[13:49].decode("ascii", "replace")  # a line of ours; the whole of it may be 16 KiB
        return value if value.isascii() and value.replace("-", "").isalnum() else None
    try:
        value = json.loads(line)["id"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return value if isinstance(value, str) and value.isascii() and value.replace("-", "").isalnum() else None


def _make_folder(ledger_dir: str) -> None:
    """Neither it nor the folder above may be a link: a repository can bring one that leads anywhere."""
    for place in (os.path.dirname(os.path.abspath(ledger_dir)), ledger_dir):
        if os.path.islink(place):
            raise OSError(errno.ELOOP, "it is a symbolic link", place)
    try:
        os.mkdir(ledger_dir, 0o700)
    except FileExistsError:
        return
    sync_folder(os.path.dirname(os.path.abspath(ledger_dir)))


def _open_private(path: str) -> int:
    """Open for appending; ours alone to read, and never something that a symlink or a FIFO put in its place."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    fd = os.open(path, flags, 0o600)
    mode = os.fstat(fd).st_mode
    if not stat.S_ISREG(mode):
        os.close(fd)
        raise OSError(errno.EINVAL, "not a regular file", path)
    if mode & 0o077:
        os.fchmod(fd, 0o600)
    return fd


def hold(ledger_dir: str, seconds: float = LOCK_SECONDS) -> int:
    """Hold the ledger's lock until the descriptor is closed. Tries for a while, because a hook must not wait for ever
    on a process that somebody stopped. The system takes the lock of a dead process away."""
    path = os.path.join(ledger_dir, LOCK)
    fd = _open_private(path)
    deadline, pause = time.monotonic() + seconds, 0.0002
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return fd
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(fd)
                why = f"another process has held its lock for {seconds:g} seconds"
                raise TimeoutError(errno.ETIMEDOUT, why, path) from None
        time.sleep(pause)
        pause = min(pause * 1.5, 0.01)
