"""Deletes what is older, or takes more room, than the settings allow; and bars sessions from being read again."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from cairn.capture.ports import CapturePorts
from cairn.capture.redaction import expiring
from cairn.changes.write import remove_file, write_file
from cairn.core.model.session import SessionLog
from cairn.core.paths import LEDGER, OLD_LOGS
from cairn.core.ports.ledger import COLLECTED, RewrittenLines
from cairn.core.session_log import KeptSession, last_time, safe_id, sessions
from cairn.errors import StoreLocked
from cairn.hook.aside import LOG, SPOOL, read_small
from cairn.journal import iso_utc
from cairn.lib.text.parse_json import parse_json

# --- when they go ---------------------------------------------------------------------------------------------------


def sweep_sessions(ports: CapturePorts, *, asked: bool = False) -> list[str]:
    """Take away logs to which nothing was added for longer than the settings say, curated or not, and name them."""
    logs = ports.session_logs()
    return [one.path for one in old_logs(ports, asked=asked) if logs.remove(one.name)]


def old_logs(ports: CapturePorts, *, asked: bool = False) -> list[KeptSession]:
    """What an older program left may wait for longer than that, and it never promised to forget it: such logs go once
    they are curated, or when somebody asks for it by `cairn forget`."""
    days = min(ports.settings.integer("capture.session_days"), 100_000)
    limit = iso_utc(max(0, ports.clock.now_ms() - days * 86_400_000))
    found = [one for one in sessions(ports.session_logs()) if last_time(one.log) < limit]
    return [one for one in found if asked or not _waits_since_before(one.log)]


def _waits_since_before(log: SessionLog) -> bool:
    nothing = log.proposal_status == "skipped" or (log.proposal_status == "done" and _had_nothing_to_say(log))
    return log.host is None and log.curator_processed_at is None and not nothing


def _had_nothing_to_say(log: SessionLog) -> bool:
    """Cairn looked at it, and found no candidate whose tags would be its topics."""
    return log.proposal_tried_at is not None and not log.topics


FORGOTTEN: Final = ".cairn/forgotten.json"
NEVER: Final = -1
"""Nothing of it is ever read again."""


def barred_through(root: Path, session: str) -> int:
    """Up to which byte of its transcript nothing is to be read; 0 for most sessions, `NEVER` for no byte at all."""
    return _known(root).get(_key(session), 0)


def bar(root: Path, sessions: Mapping[str, int]) -> None:
    if sessions:
        known = _known(root)
        for session, through in sessions.items():
            before = known.get(_key(session), 0)
            known[_key(session)] = NEVER if NEVER in (before, through) else max(before, through)
        write_file(root, FORGOTTEN, json.dumps({"v": 1, "sessions": known}, indent=1) + "\n", mode=0o600)


def _key(session: str) -> str:
    return sha256(safe_id(session).encode("utf-8", "surrogatepass")).hexdigest()


def _known(root: Path) -> dict[str, int]:
    try:
        said = parse_json((root / FORGOTTEN).read_bytes())["sessions"]
        return {str(key): int(through) for key, through in said.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


STAMP: Final = f"{SPOOL}/retention.json"
DAY_MS: Final = 86_400_000
_LEDGER_MS: Final = 7 * DAY_MS
"""Between two times that the ledger is written anew: its index is read in again then."""
_LONGEST_DAYS: Final = 100_000


class RetentionResult(NamedTuple):
    sessions: int = 0
    notes: int = 0
    """Whose words went; that there was a note stays."""
    events: int = 0
    files: tuple[str, ...] = ()
    """Full files of the ledger, logs of crashes and of hooks."""

    @property
    def anything(self) -> bool:
        return bool(self.sessions or self.notes or self.events or self.files)

    def json(self) -> dict[str, Any]:
        return {**self._asdict(), "files": list(self.files)}

    def texts(self) -> Iterator[str]:
        if self.sessions:
            yield f"{self.sessions:,} logs of sessions"
        if self.notes:
            yield f"the words of {self.notes:,} notes"
        if self.events:
            yield f"{self.events:,} events"
        yield from self.files


def expire(ports: "CapturePorts", *, dry_run: bool = False, asked: bool = True) -> RetentionResult:
    """All of it, now."""
    sessions = len(old_logs(ports, asked=asked))
    files = [*_full_files(ports), *_old_files(ports)]
    done = _ledger(ports, dry_run=dry_run, without=files)
    found = RetentionResult(sessions, done.changed, done.gone, tuple(files))
    if dry_run or not found.anything:
        return found
    sweep_sessions(ports, asked=asked)
    for name in files:
        remove_file(ports.root, name)
    _tidy(ports, found)
    return found


def expire_sometimes(ports: "CapturePorts") -> int:
    """At most once a day, and the ledger once a week; how much went."""
    now_ms, stamp = ports.clock.now_ms(), _stamp(ports.root)
    if now_ms - stamp.get("at_ms", 0) < DAY_MS:
        return 0
    if now_ms - stamp.get("ledger_ms", 0) >= _LEDGER_MS:
        found = expire(ports, asked=False)
        went = found.sessions + found.notes + found.events + len(found.files)
        stamp["ledger_ms"] = now_ms
    else:
        went = len(sweep_sessions(ports))
    write_file(ports.root, STAMP, json.dumps({**stamp, "at_ms": now_ms}) + "\n", mode=0o600)
    return went


def _stamp(root: Path) -> dict[str, int]:
    try:
        said = parse_json(read_small(str(root / STAMP), 4096))
        return {str(name): int(value) for name, value in said.items()}
    except (ValueError, TypeError, AttributeError):
        return {}


# --- the ledger -----------------------------------------------------------------------------------------------------


def _ledger(ports: "CapturePorts", *, dry_run: bool, without: list[str]) -> RewrittenLines:
    """What an older program left is read, and never written by us of our own accord."""
    judge = expiring(now=iso_utc(ports.clock.now_ms()), oldest=_ago(ports, "capture.ledger_days"))
    total = RewrittenLines()
    for name, path in ports.ledger_files.all():
        if ("/" in name and not name.startswith(COLLECTED)) or _below(ports, path) in without:
            continue
        kept = [judge(line) for line in ports.ledger_files.lines(path)]
        lines = zip(kept, ports.ledger_files.lines(path), strict=False)
        changed = sum(new is not None and new != line for new, line in lines)
        total += RewrittenLines(kept.count(None), changed)
        if not dry_run and (None in kept or changed):
            ports.ledger_files.rewrite(name, path, judge)
    return total


def _full_files(ports: "CapturePorts") -> list[str]:
    """The oldest of those that are written to no more, when all together take too much room."""
    excess = ports.stored_files.size(ports.root / LEDGER) - ports.settings.integer("capture.ledger_max_bytes")
    full = [path for name, path in ports.ledger_files.all() if "/" not in name and path.name.count(".") == 2]
    gone = []
    for path in sorted(full, key=lambda path: path.name.split(".")[1]):
        if excess > 0 and path.suffix == ".jsonl":
            excess -= path.stat().st_size
            gone.append(_below(ports, path))
    return gone


def _tidy(ports: "CapturePorts", found: RetentionResult) -> None:
    """Record it, and let the database forget it too."""

    counts = {"events": found.events, "sessions": found.sessions, "notes": found.notes, "snapshots": 0}
    if any(counts.values()):
        ports.ledger.append("forgotten", {**counts, "reason": "expired"}, now_ms=ports.clock.now_ms())
    if isinstance(ports.store_location, Path) and not ports.store_location.exists():
        return
    ports.index_ledger()
    if found.events or found.notes:
        with suppress(StoreLocked):  # the next time will do
            ports.store.purge.wipe()


# --- logs -----------------------------------------------------------------------------------------------------------


def prune(ports: "CapturePorts", *, dry_run: bool = False) -> list[str]:
    """Logs of sessions, of runs and of hooks that are older than the settings allow; their paths."""
    files = _old_files(ports)
    if dry_run:
        return [*(one.path for one in old_logs(ports)), *files]
    sessions = sweep_sessions(ports)
    gone = [path for path in files if remove_file(ports.root, path)]
    _tidy(ports, RetentionResult(len(sessions)))
    return [*sessions, *gone]


def _old_files(ports: "CapturePorts") -> list[str]:
    limit_ms = ports.clock.now_ms() - _days(ports, "capture.log_days") * DAY_MS
    logs = [*ports.stored_files.below(ports.root / ".cairn/log"), ports.root / f"{LOG}.1", *ports.ledger_files.torn()]
    if not ports.tracked([OLD_LOGS]):  # else they are somebody's files
        logs += [path for path in ports.stored_files.below(ports.root / OLD_LOGS) if path.suffix in (".jsonl", ".log")]
    return [_below(ports, path) for path in logs if path.is_file() and path.stat().st_mtime * 1000 < limit_ms]


def _below(ports: "CapturePorts", path: Path) -> str:
    return path.relative_to(ports.root).as_posix()


def _days(ports: "CapturePorts", key: str) -> int:
    return min(ports.settings.integer(key), _LONGEST_DAYS)


def _ago(ports: "CapturePorts", key: str) -> str:
    return iso_utc(max(0, ports.clock.now_ms() - _days(ports, key) * DAY_MS))


# --- how much there is ----------------------------------------------------------------------------------------------


def sizes(ports: "CapturePorts") -> dict[str, int]:
    """Bytes by what they are."""
    from cairn.core.paths import SNAPSHOTS

    root, size = ports.root, ports.stored_files.size
    places = {"ledger": LEDGER, "sessions": ports.session_logs().place, "texts of sources": SNAPSHOTS}
    found = {name: size(root / place) for name, place in places.items()}
    return found | {"logs": sum(size(root / place) for place in (".cairn/log", LOG, f"{LOG}.1", OLD_LOGS))}


def sizes_text(found: dict[str, int]) -> str:
    return ", ".join(f"{name} {_readable(size)}" for name, size in found.items() if size)


def _readable(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB" if size >= 100_000 else f"{-(-size // 1000)} kB"
