"""Lines of the status page about the last run over all entries, and the entries that wait to be read."""

from collections.abc import Iterator, Mapping

from cairn.core.model.event import Event
from cairn.workspace.status.page import Desk, Level, StatusLine, ago, counted

_OUTCOMES = (
    ("confirmed", "confirmed"),
    ("drifted", "in doubt"),
    ("to_read", "to be read"),
    ("pending", "to be seen again"),
    ("baseline", "seen for the first time"),
)
"""Each entry that was audited has one of these, or failed."""
_LEFT = (
    ("held", "held back"),
    ("waiting", "due and not audited"),
)


def waiting_to_be_read(desk: Desk) -> Iterator[StatusLine]:
    """Entries whose sources changed in passages that only a reader can judge."""
    if desk.store is None:
        return
    from cairn.freshness.waiting import waiting_for_a_reader

    waiting = waiting_for_a_reader(desk.app)
    if waiting:
        first = waiting[0].entry
        verb = "waits" if len(waiting) == 1 else "wait"
        text = f"{counted(len(waiting), 'entry', 'entries')} {verb} to be read, such as {first.path}"
        data = {"count": len(waiting), "entries": [one.entry.path for one in waiting]}
        yield StatusLine("waits", text, "warn", f"cairn freshness audit-run-entry {first.name}", data)


def waiting_to_be_edited(desk: Desk) -> Iterator[StatusLine]:
    """Entries that state what a source no longer says, until somebody edits the sentence."""
    if desk.store is None:
        return
    from cairn.freshness.waiting import waiting_for_an_edit

    waiting = waiting_for_an_edit(desk.app)
    if waiting:
        first = waiting[0]
        verb, whose = ("states", "its source no longer says")
        if len(waiting) > 1:
            verb, whose = ("state", "their sources no longer say")
        said = " ".join(first.findings[0].claim_in_entry.split())[:120]
        text = f"{counted(len(waiting), 'entry', 'entries')} {verb} what {whose}"
        text += f", such as {first.entry.path}: “{said}”"
        data = {"count": len(waiting), "entries": [one.entry.path for one in waiting]}
        yield StatusLine("waits", text, "warn", f"cairn freshness audit-run-entry {first.entry.name}", data)


def out_of_reach(desk: Desk) -> Iterator[StatusLine]:
    """What the last run could not do because there was no network."""
    event = next(iter(desk.events("freshness_run")), None)
    sources = _number(event.payload.get("offline")) if event else 0
    if event is not None and sources:
        entries = _number(event.payload.get("waiting"))
        text = f"the last run had no network: {counted(sources, 'source')} not looked at"
        text += f", {counted(entries, 'entry is', 'entries are')} waiting" if entries else ""
        yield StatusLine("waits", text, "warn", "cairn freshness run", {"sources": sources, "entries": entries})


def last_run(desk: Desk) -> Iterator[StatusLine]:
    event = next(iter(desk.events("freshness_run")), None)
    if event is None:
        return
    data = event.payload
    audited = _number(data.get("entries"))
    parts = [f"{counted(audited, 'entry', 'entries')} audited{_outcomes(data, audited)}"]
    opened = data.get("opened")
    parts.append(f"{counted(len(opened) if isinstance(opened, list) else 0, 'request')} opened")
    parts += [f"{number:,} {words}" for key, words in _LEFT if (number := _number(data.get(key)))]
    level: Level = "warn" if _number(data.get("failed")) else "info"
    text = f"last nightly run {ago(desk.now_ms - _at(event))}: {', '.join(parts)}"
    yield StatusLine("health", text, level, "cairn freshness audit-prefilter --explain", {"at": event.at, **data})


def _outcomes(data: Mapping[str, object], audited: int) -> str:
    counts = [(_number(data.get(key)), words) for key, words in _OUTCOMES]
    counts.append((audited - sum(number for number, _ in counts), "failed"))
    named = ", ".join(f"{number:,} {words}" for number, words in counts if number > 0)
    return f" ({named})" if named else ""


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _at(event: Event) -> int:
    from datetime import datetime

    return int(datetime.fromisoformat(event.at).timestamp() * 1000)
