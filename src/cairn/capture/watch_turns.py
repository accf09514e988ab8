"""The watchdog at work: look at the turns of the last days, raise and resolve alerts, tell the operator."""

import json
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from cairn.capture.watchdog import (
    PAUSE_MS,
    WINDOW_MS,
    Changes,
    Counts,
    Issue,
    Verdict,
    by_source,
    compare,
    count,
    is_unaccounted,
    issues_of,
    unreadable,
    verdict_of,
)
from cairn.core.model.event import BadLine, moment_ms
from cairn.core.model.session import TurnOutcome
from cairn.core.ports.ledger import LedgerFile
from cairn.core.ports.turns import TurnFilter, TurnRow
from cairn.errors import CairnError, StoreLocked

if TYPE_CHECKING:
    from cairn.capture.ports import CapturePorts


class Look(NamedTuple):
    """The turns of a window, and whether they are accounted for."""

    counts: Counts
    sources: Mapping[str, Counts]
    missing: tuple[TurnRow, ...]
    """Oldest first."""
    waiting: int
    """Without an outcome, but within the grace period."""
    issues: tuple[Issue, ...]
    badly: tuple[TurnRow, ...] = ()
    """That failed or were interrupted, oldest first."""

    @property
    def verdict(self) -> Verdict:
        return verdict_of(self.issues)


class Watched(NamedTuple):
    look: Look
    changes: Changes
    told: str = ""
    """Why the operator's command could not be told; empty when it was, or when there is none."""


def grace_ms_of(ports: "CapturePorts") -> int:
    return ports.settings.integer("capture.grace_minutes") * 60_000


def look_at_turns(ports: "CapturePorts", *, since_ms: int, grace_ms: int | None = None) -> Look:
    """Of the ledger as it is now; what cannot be read is an issue of its own."""
    grace = grace_ms_of(ports) if grace_ms is None else grace_ms
    try:
        ports.index_ledger()
        rows = ports.store.turns.turns(TurnFilter(since_ms=since_ms))
    except StoreLocked:
        raise  # somebody else is writing; that says nothing about turns
    except (CairnError, OSError) as error:
        reason = error.message if isinstance(error, CairnError) else str(error)
        return Look(Counts(), {}, (), 0, (unreadable(reason),))
    return judged(rows, now_ms=ports.clock.now_ms(), grace_ms=grace)


def judged(rows: Sequence[TurnRow], *, now_ms: int, grace_ms: int) -> Look:
    sources = {s: count(own, now_ms=now_ms, grace_ms=grace_ms) for s, own in sorted(by_source(rows).items())}
    missing = [row for row in rows if is_unaccounted(row, now_ms=now_ms, grace_ms=grace_ms)]
    waiting = sum(not row.outcome for row in rows) - len(missing)
    issues = [issue for source, counts in sources.items() for issue in issues_of(source, counts)]
    total = count(rows, now_ms=now_ms, grace_ms=grace_ms)
    badly = [row for row in rows if row.outcome in (TurnOutcome.FAILED, TurnOutcome.INTERRUPTED)]
    return Look(total, sources, tuple(reversed(missing)), waiting, tuple(issues), tuple(reversed(badly)))


def unreadable_lines(ports: "CapturePorts", *, since_ms: int) -> int:
    """Lines of the ledger that make no sense, and that stand behind an event of the window, so that they may be about
    a turn in it, or at the head of a file. What is older is not read again."""
    ports.index_ledger()
    begins = ports.store.event_begins(since_ms=since_ms)
    files = ports.ledger.files()
    return sum(_at_head(ports, file) + _within(ports, file, begins.get(file.key), since_ms) for file in files)


def _at_head(ports: "CapturePorts", file: LedgerFile) -> int:
    lines = ports.ledger.read(file.name)
    return sum(1 for _ in takewhile(lambda line: isinstance(line[1], BadLine), lines))


def _within(ports: "CapturePorts", file: LedgerFile, begin: int | None, since_ms: int) -> int:
    bad, within = 0, True
    for _, event in ports.ledger.read(file.name, begin) if begin is not None else ():
        if isinstance(event, BadLine):
            bad += within
        else:
            within = (moment_ms(event.at) or 0) >= since_ms
    return bad


# --- the watchdog ---------------------------------------------------------------------------------------------------


def watch(ports: "CapturePorts", *, force: bool = False) -> Watched | None:
    """At most every four hours; None when it is too early, or when there is nothing to watch."""
    now_ms = ports.clock.now_ms()
    look = look_at_turns(ports, since_ms=now_ms - WINDOW_MS)
    if any(issue.kind == "unreadable" for issue in look.issues):
        return Watched(look, Changes(look.issues, ()))  # nothing can be recorded where nothing can be read
    alerts = ports.store.turns.alerts()
    if not force and (_seen_lately(ports, now_ms) or not (look.sources or any(alert.open for alert in alerts))):
        return None
    changes = compare(look.issues, alerts, now_ms=now_ms)
    ports.ledger.append_all([*changes.events(), ("watchdog_checked", _checked(look))], now_ms=now_ms)
    ports.index_ledger()
    return Watched(look, changes, _tell_operator(ports, changes))


def _seen_lately(ports: "CapturePorts", now_ms: int) -> bool:
    last = next(iter(ports.store.events(types=("watchdog_checked",), limit=1)), None)
    return last is not None and 0 <= now_ms - last.at_ms < PAUSE_MS


def _checked(look: Look) -> dict[str, Any]:
    ratio = look.counts.ratio
    more = {"ratio": None if ratio is None else round(ratio, 4), "issues": [issue.key for issue in look.issues][:50]}
    return {"verdict": look.verdict, **look.counts._asdict(), **more, "window_hours": WINDOW_MS // 3_600_000}


def _tell_operator(ports: "CapturePorts", changes: Changes) -> str:
    command = ports.settings.optional_text("capture.alert_command")
    if not command or not (changes.raised or changes.resolved):
        return ""
    from cairn.adapters.process.told import tell_program

    said = {
        "workspace": str(ports.root),
        "raised": [issue.payload() for issue in changes.raised],
        "resolved": [{"key": alert.key, "kind": alert.kind, "source": alert.source} for alert in changes.resolved],
    }
    # Whatever it starts is no turn of anybody's.
    env = {**ports.env, "CAIRN_INTERNAL": "1"}
    return tell_program(command, json.dumps(said, ensure_ascii=False) + "\n", env=env, folder=ports.root)
