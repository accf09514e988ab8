"""Is every turn accounted for? Counts become issues, issues become alerts, and an alert is not said twice a day."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.resources import files
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from cairn.core.ledger_events import events_of
from cairn.core.model.event import BadLine, moment_ms
from cairn.core.model.session import SKIP_REASONS, TurnOutcome
from cairn.core.ports.ledger import LedgerFile
from cairn.core.ports.turns import AlertRow, NoteFilter, NoteRow, TurnFilter, TurnRow
from cairn.errors import CairnError, StoreLocked
from cairn.journal import EVENT_TYPES

if TYPE_CHECKING:
    from cairn.capture.ports import CapturePorts

Severity = Literal["warn", "critical"]
Verdict = Literal["fine", "warn", "critical"]

WARN_RATIO: Final = 0.99
CRITICAL_RATIO: Final = 0.95
FAILED_RATIO: Final = 0.05
LEAST: Final = 20
"""Turns below which a share of failures says nothing."""
COOL_DOWN_MS: Final = 86_400_000
PAUSE_MS: Final = 4 * 3_600_000
"""Between two looks of the watchdog."""
DAY_MS: Final = 86_400_000
WINDOW_MS: Final = 7 * DAY_MS


class Counts(NamedTuple):
    """Of turns that were eligible; those within the grace period don't count yet unless they have an outcome."""

    eligible: int = 0
    completed: int = 0
    skipped: int = 0
    failed: int = 0
    unaccounted: int = 0
    interrupted: int = 0

    @property
    def ratio(self) -> float | None:
        """Share of turns with an outcome; None without turns."""
        return None if not self.eligible else 1 - self.unaccounted / self.eligible

    @property
    def failed_ratio(self) -> float:
        return self.failed / self.eligible if self.eligible else 0.0


class CaptureIssue(NamedTuple):
    kind: str
    source: str
    severity: Severity
    text: str
    number: int = 0
    """Of turns."""

    @property
    def key(self) -> str:
        return f"{self.kind}:{self.source}"

    def payload(self) -> dict[str, Any]:
        facts = {"key": self.key, "kind": self.kind, "source": self.source, "severity": self.severity}
        return {**facts, "text": self.text, "count": self.number}


def is_unaccounted(row: TurnRow, *, now_ms: int, grace_ms: int) -> bool:
    """Without an outcome although there was time for one. A turn may take hours; what counts is when it was last told
    of, and one of which only the prompt is known gets a day."""
    if row.outcome or row.eligible_at_ms is None:
        return False
    return now_ms - (row.told_at_ms or row.eligible_at_ms) >= (max(grace_ms, DAY_MS) if row.under_way else grace_ms)


def count(rows: Iterable[TurnRow], *, now_ms: int, grace_ms: int) -> Counts:
    number = dict.fromkeys(Counts._fields, 0)
    for row in rows:
        outcome = row.outcome or ("unaccounted" if is_unaccounted(row, now_ms=now_ms, grace_ms=grace_ms) else "")
        if outcome:
            number["eligible"] += 1
            number[outcome] += 1
    return Counts(**number)


def by_source(rows: Iterable[TurnRow]) -> dict[str, list[TurnRow]]:
    found: dict[str, list[TurnRow]] = {}
    for row in rows:
        found.setdefault(row.source or "unknown", []).append(row)
    return found


def _turns(some: int, all: int) -> str:
    """`the only turn`, or `1 of 12 turns`."""
    return "the only turn" if some == all == 1 else f"{some:,} of {all:,} turn{'' if all == 1 else 's'}"


def issues_of(source: str, counts: Counts) -> list[CaptureIssue]:
    found: list[CaptureIssue] = []
    ratio = counts.ratio
    if ratio is not None and (counts.unaccounted or ratio < WARN_RATIO):
        text = f"{_turns(counts.unaccounted, counts.eligible)} of {source} ended without a note or a reason"
        severity: Severity = "critical" if ratio < CRITICAL_RATIO and counts.eligible >= LEAST else "warn"
        found.append(CaptureIssue("unaccounted", source, severity, text, counts.unaccounted))
    if counts.eligible >= LEAST and counts.failed_ratio > FAILED_RATIO:
        text = f"{_turns(counts.failed, counts.eligible)} of {source} could not be written"
        found.append(CaptureIssue("failed", source, "critical", text, counts.failed))
    return found


def unreadable(reason: str) -> CaptureIssue:
    """What cannot be verified is not fine."""
    return CaptureIssue(
        "unreadable", "ledger", "critical", f"nobody can tell whether turns are accounted for: {reason}"
    )


def verdict_of(issues: Sequence[CaptureIssue]) -> Verdict:
    if not issues:
        return "fine"
    return "critical" if any(issue.severity == "critical" for issue in issues) else "warn"


# --- alerts ---------------------------------------------------------------------------------------------------------


class AlertChanges(NamedTuple):
    raised: tuple[CaptureIssue, ...]
    resolved: tuple[AlertRow, ...]

    def events(self) -> list[tuple[str, dict[str, Any]]]:
        said = [("alert_raised", i.payload()) for i in self.raised]
        over = [("alert_resolved", {"key": a.key, "kind": a.kind, "source": a.source}) for a in self.resolved]
        return [*said, *over]


def compare(issues: Sequence[CaptureIssue], alerts: Sequence[AlertRow], *, now_ms: int) -> AlertChanges:
    """An issue is an alert when it is new, worse than before, or when a day has gone by; an alert without its issue is
    over."""
    known = {alert.key: alert for alert in alerts}
    raised = tuple(issue for issue in issues if _is_news(issue, known.get(issue.key), now_ms))
    still = {issue.key for issue in issues}
    return AlertChanges(raised, tuple(alert for alert in alerts if alert.open and alert.key not in still))


def _is_news(issue: CaptureIssue, alert: AlertRow | None, now_ms: int) -> bool:
    if alert is None or alert.raised_at_ms < 0:
        return True
    if issue.severity == "critical" and alert.severity == "warn" and alert.open:
        return True
    return now_ms - alert.raised_at_ms >= COOL_DOWN_MS


class Look(NamedTuple):
    """The turns of a window, and whether they are accounted for."""

    counts: Counts
    sources: Mapping[str, Counts]
    missing: tuple[TurnRow, ...]
    """Oldest first."""
    waiting: int
    """Without an outcome, but within the grace period."""
    issues: tuple[CaptureIssue, ...]
    badly: tuple[TurnRow, ...] = ()
    """That failed or were interrupted, oldest first."""

    @property
    def verdict(self) -> Verdict:
        return verdict_of(self.issues)


class WatchResult(NamedTuple):
    look: Look
    changes: AlertChanges
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


def watch(ports: "CapturePorts", *, force: bool = False) -> WatchResult | None:
    """At most every four hours; None when it is too early, or when there is nothing to watch."""
    now_ms = ports.clock.now_ms()
    look = look_at_turns(ports, since_ms=now_ms - WINDOW_MS)
    if any(issue.kind == "unreadable" for issue in look.issues):
        return WatchResult(look, AlertChanges(look.issues, ()))  # nothing can be recorded where nothing can be read
    alerts = ports.store.turns.alerts()
    if not force and (_seen_lately(ports, now_ms) or not (look.sources or any(alert.open for alert in alerts))):
        return None
    changes = compare(look.issues, alerts, now_ms=now_ms)
    ports.ledger.append_all([*changes.events(), ("watchdog_checked", _checked(look))], now_ms=now_ms)
    ports.index_ledger()
    return WatchResult(look, changes, _tell_operator(ports, changes))


def _seen_lately(ports: "CapturePorts", now_ms: int) -> bool:
    last = next(iter(ports.store.events(types=("watchdog_checked",), limit=1)), None)
    return last is not None and 0 <= now_ms - last.at_ms < PAUSE_MS


def _checked(look: Look) -> dict[str, Any]:
    ratio = look.counts.ratio
    more = {"ratio": None if ratio is None else round(ratio, 4), "issues": [issue.key for issue in look.issues][:50]}
    return {"verdict": look.verdict, **look.counts._asdict(), **more, "window_hours": WINDOW_MS // 3_600_000}


def _tell_operator(ports: "CapturePorts", changes: AlertChanges) -> str:
    command = ports.settings.optional_text("capture.alert_command")
    if not command or not (changes.raised or changes.resolved):
        return ""
    said = {
        "workspace": str(ports.root),
        "raised": [issue.payload() for issue in changes.raised],
        "resolved": [{"key": alert.key, "kind": alert.kind, "source": alert.source} for alert in changes.resolved],
    }
    # Whatever it starts is no turn of anybody's.
    env = {**ports.env, "CAIRN_INTERNAL": "1"}
    return ports.tell_program(command, json.dumps(said, ensure_ascii=False) + "\n", env=env)


class CaptureInvariant(NamedTuple):
    id: str
    says: str
    force: tuple[str, ...]
    """Names of code, `module:name`: the path that does it without anybody choosing to."""
    enforce: tuple[str, ...]
    """The code that rejects what doesn't comply."""
    verify: str
    """A function of the application that finds what slipped through: `(app) -> list of sentences`."""


def requirements() -> tuple[CaptureInvariant, ...]:
    text = (files("cairn.capture") / "requirements.json").read_text("utf-8")
    return tuple(_read(one) for one in json.loads(text)["requirements"])


def _read(given: dict[str, Any]) -> CaptureInvariant:
    found = CaptureInvariant(
        given["id"], given["says"], tuple(given["force"]), tuple(given["enforce"]), given["verify"]
    )
    if not (found.force and found.enforce and found.verify):
        raise ValueError(
            f"`{found.id}` needs a path that forces it, code that enforces it and a query that verifies it"
        )
    return found


_NEWEST: Final = 500
"""Notes and events that are looked at."""


def verify_all(ports: "CapturePorts") -> Iterator[tuple[CaptureInvariant, list[str]]]:
    """Each requirement, with what slipped through."""
    ports.index_ledger()
    for requirement in requirements():
        yield requirement, named(requirement.verify)(ports)


def named(name: str) -> Any:
    """What `module:name` stands for."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)


# --- turns ----------------------------------------------------------------------------------------------------------


def unaccounted_turns(ports: "CapturePorts") -> list[str]:
    return [f"{row.turn_id} has no outcome" for row in _missing(ports) if not row.internal]


def unaccounted_own_turns(ports: "CapturePorts") -> list[str]:
    return [f"{row.turn_id}, a call of Cairn's own, has no outcome" for row in _missing(ports) if row.internal]


def _missing(ports: "CapturePorts") -> list[TurnRow]:
    now_ms, grace_ms = ports.clock.now_ms(), grace_ms_of(ports)
    return [row for row in _turns_of_the_window(ports) if is_unaccounted(row, now_ms=now_ms, grace_ms=grace_ms)]


def wordless_turns(ports: "CapturePorts") -> list[str]:
    notes = [f"{note.turn_id} has a note without words" for note in _notes(ports) if not note.summary.strip()]
    skips = [
        f"{row.turn_id} was skipped without a reason"
        for row in _turns_of_the_window(ports)
        if _is_skip(row) and not row.reason
    ]
    return notes + skips


def undeclared_reasons(ports: "CapturePorts") -> list[str]:
    known = {*SKIP_REASONS, *ports.settings.texts("capture.skip_reasons")}
    skips = [row for row in _turns_of_the_window(ports) if _is_skip(row) and row.reason and row.reason not in known]
    return [f"{row.turn_id} was skipped as `{row.reason}`, which nobody declared" for row in skips]


def _is_skip(row: TurnRow) -> bool:
    return row.outcome == "skipped"


def _turns_of_the_window(ports: "CapturePorts") -> list[TurnRow]:
    return ports.store.turns.turns(TurnFilter(since_ms=ports.clock.now_ms() - WINDOW_MS))


# --- notes ----------------------------------------------------------------------------------------------------------


def unscrubbed_notes(ports: "CapturePorts") -> list[str]:
    """Never says what it found."""
    from cairn.lib.scrub.find import find

    texts = ((note, f"{note.summary}\n{note.decision}\n{note.evidence}\n{note.tags}") for note in _notes(ports))
    return [f"{note.turn_id} has something in it that must not be kept" for note, text in texts if find(text)]


def recalled_notes(ports: "CapturePorts") -> list[str]:
    from cairn.core.fingerprint import marked

    return [f"{note.turn_id} repeats what Cairn had told" for note in _notes(ports) if marked(note.summary)]


def _notes(ports: "CapturePorts") -> list[NoteRow]:
    wanted = NoteFilter(now_ms=ports.clock.now_ms(), low=True, limit=_NEWEST)
    return [seen.note for seen in ports.store.turns.notes(wanted)]


# --- events ---------------------------------------------------------------------------------------------------------


def unlisted_events(ports: "CapturePorts") -> list[str]:
    """A type that is not known may be a newer Cairn's; fields of a known one are ours."""
    found = []
    for event in events_of(ports.ledger, ports.store, limit=_NEWEST):
        unlisted = set(json.loads(event.payload)) - EVENT_TYPES.get(event.type, frozenset())
        if event.type in EVENT_TYPES and unlisted:
            found.append(f"{event.id} of type `{event.type}` says {', '.join(sorted(unlisted))}")
    return found
