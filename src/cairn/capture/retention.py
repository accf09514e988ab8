"""What is older, or takes more room, than the settings allow, goes: by the step in the background, or when asked."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cairn.adapters.files.bytes import files_below, size_below
from cairn.adapters.ledger.rewrite import Rewritten, all_files, lines_of, rewrite, torn_files
from cairn.capture.forget.lines import expiring
from cairn.capture.session_logs import OLD_LOGS, old_logs, sweep_sessions
from cairn.changes.write import remove_file, write_file
from cairn.config.load import LEDGER
from cairn.config.tracked import by_git
from cairn.core.ports.ledger import COLLECTED
from cairn.errors import StoreLocked
from cairn.hook.aside import LOG, SPOOL, read_small
from cairn.journal import iso_utc

if TYPE_CHECKING:
    from cairn.app.build import App

STAMP: Final = f"{SPOOL}/retention.json"
DAY_MS: Final = 86_400_000
_LEDGER_MS: Final = 7 * DAY_MS
"""Between two times that the ledger is written anew: its index is read in again then."""
_LONGEST_DAYS: Final = 100_000


class Expired(NamedTuple):
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


def expire(app: "App", *, dry_run: bool = False, asked: bool = True) -> Expired:
    """All of it, now."""
    sessions = len(old_logs(app, asked=asked))
    files = [*_full_files(app), *_old_files(app)]
    done = _ledger(app, dry_run=dry_run, without=files)
    found = Expired(sessions, done.changed, done.gone, tuple(files))
    if dry_run or not found.anything:
        return found
    sweep_sessions(app, asked=asked)
    for name in files:
        remove_file(app.root, name)
    _tidy(app, found)
    return found


def expire_sometimes(app: "App") -> int:
    """At most once a day, and the ledger once a week; how much went."""
    now_ms, stamp = app.clock.now_ms(), _stamp(app.root)
    if now_ms - stamp.get("at_ms", 0) < DAY_MS:
        return 0
    if now_ms - stamp.get("ledger_ms", 0) >= _LEDGER_MS:
        found = expire(app, asked=False)
        went = found.sessions + found.notes + found.events + len(found.files)
        stamp["ledger_ms"] = now_ms
    else:
        went = len(sweep_sessions(app))
    write_file(app.root, STAMP, json.dumps({**stamp, "at_ms": now_ms}) + "\n", mode=0o600)
    return went


def _stamp(root: Path) -> dict[str, int]:
    try:
        said = json.loads(read_small(str(root / STAMP), 4096))
        return {str(name): int(value) for name, value in said.items()}
    except (ValueError, TypeError, AttributeError):
        return {}


# --- the ledger -----------------------------------------------------------------------------------------------------


def _ledger(app: "App", *, dry_run: bool, without: list[str]) -> Rewritten:
    """What an older program left is read, and never written by us of our own accord."""
    now_ms, folder = app.clock.now_ms(), app.root / LEDGER
    judge = expiring(now=iso_utc(now_ms), oldest=_ago(app, "capture.ledger_days"))
    total = Rewritten()
    for name, path in all_files(folder):
        if ("/" in name and not name.startswith(COLLECTED)) or _below(app, path) in without:
            continue
        kept = [judge(line) for line in lines_of(path)]
        changed = sum(new is not None and new != line for new, line in zip(kept, lines_of(path), strict=False))
        total += Rewritten(kept.count(None), changed)
        if not dry_run and (None in kept or changed):
            rewrite(folder, name, path, judge)
    return total


def _full_files(app: "App") -> list[str]:
    """The oldest of those that are written to no more, when all together take too much room."""
    folder = app.root / LEDGER
    excess = size_below(folder) - app.settings.integer("capture.ledger_max_bytes")
    full = [path for name, path in all_files(folder) if "/" not in name and path.name.count(".") == 2]
    gone = []
    for path in sorted(full, key=lambda path: path.name.split(".")[1]):
        if excess > 0 and path.suffix == ".jsonl":
            excess -= path.stat().st_size
            gone.append(_below(app, path))
    return gone


def _tidy(app: "App", found: Expired) -> None:
    """Record it, and let the database forget it too."""
    from cairn.workspace.ledger_index import index_ledger

    counts = {"events": found.events, "sessions": found.sessions, "notes": found.notes, "snapshots": 0}
    if any(counts.values()):
        app.ledger.append("forgotten", {**counts, "reason": "expired"}, now_ms=app.clock.now_ms())
    if isinstance(app.store_location, Path) and not app.store_location.exists():
        return
    index_ledger(app.ledger, app.store)
    if found.events or found.notes:
        with suppress(StoreLocked):  # the next time will do
            app.store.purge.wipe()


# --- logs -----------------------------------------------------------------------------------------------------------


def prune(app: "App", *, dry_run: bool = False) -> list[str]:
    """Logs of sessions, of runs and of hooks that are older than the settings allow; their paths."""
    files = _old_files(app)
    if dry_run:
        return [*(one.path for one in old_logs(app)), *files]
    sessions = sweep_sessions(app)
    gone = [path for path in files if remove_file(app.root, path)]
    _tidy(app, Expired(len(sessions)))
    return [*sessions, *gone]


def _old_files(app: "App") -> list[str]:
    limit_ms = app.clock.now_ms() - _days(app, "capture.log_days") * DAY_MS
    logs = [*files_below(app.root / ".cairn/log"), app.root / f"{LOG}.1", *torn_files(app.root / LEDGER)]
    if not by_git(app.root)([OLD_LOGS]):  # else they are somebody's files
        logs += [path for path in files_below(app.root / OLD_LOGS) if path.suffix in (".jsonl", ".log")]
    return [_below(app, path) for path in logs if path.is_file() and path.stat().st_mtime * 1000 < limit_ms]


def _below(app: "App", path: Path) -> str:
    return path.relative_to(app.root).as_posix()


def _days(app: "App", key: str) -> int:
    return min(app.settings.integer(key), _LONGEST_DAYS)


def _ago(app: "App", key: str) -> str:
    return iso_utc(max(0, app.clock.now_ms() - _days(app, key) * DAY_MS))


# --- how much there is ----------------------------------------------------------------------------------------------


def sizes(app: "App") -> dict[str, int]:
    """Bytes by what they are."""
    from cairn.capture.session_logs import logs_of
    from cairn.config.load import SNAPSHOTS

    root = app.root
    places = {"ledger": LEDGER, "sessions": logs_of(app).place, "texts of sources": SNAPSHOTS}
    found = {name: size_below(root / place) for name, place in places.items()}
    return found | {"logs": sum(size_below(root / place) for place in (".cairn/log", LOG, f"{LOG}.1", OLD_LOGS))}


def sizes_text(found: dict[str, int]) -> str:
    return ", ".join(f"{name} {_readable(size)}" for name, size in found.items() if size)


def _readable(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB" if size >= 100_000 else f"{-(-size // 1000)} kB"
