"""What is older, or takes more room, than the settings allow, goes: by the step in the background, or when asked."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cairn.capture.redaction import expiring
from cairn.capture.session_logs import old_logs, sweep_sessions
from cairn.changes.write import remove_file, write_file
from cairn.core.paths import LEDGER, OLD_LOGS
from cairn.core.ports.ledger import COLLECTED, RewrittenLines
from cairn.errors import StoreLocked
from cairn.hook.aside import LOG, SPOOL, read_small
from cairn.journal import iso_utc

if TYPE_CHECKING:
    from cairn.capture.ports import CapturePorts

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
        said = json.loads(read_small(str(root / STAMP), 4096))
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
