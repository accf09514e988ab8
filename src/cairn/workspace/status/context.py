"""What the lines of the status page share: the workspace as it is now, and how numbers and times are put."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Literal, NamedTuple

from cairn.core.ledger_events import events_of
from cairn.core.model.event import Event
from cairn.core.model.issue import Issue
from cairn.core.ports.ledger import COLLECTED
from cairn.core.ports.store import Store
from cairn.errors import CairnError, NotInitialised
from cairn.journal import iso_utc
from cairn.workspace.findings import Findings, gather
from cairn.workspace.ports import WorkspacePorts

Section = Literal["waits", "happened", "held", "health"]


SECTIONS: Mapping[Section, str] = {
    "waits": "Waiting for you",
    "happened": "Since yesterday",
    "held": "Held back",
    "health": "Health",
}


_TOP = 3
Level = Literal["error", "warn", "info"]


class StatusLine(NamedTuple):
    """One line of the page."""

    section: Section
    text: str
    level: Level = "info"
    next: str | None = None
    """The command that says more, or that settles it."""
    data: Mapping[str, Any] = {}

    def json(self) -> dict[str, Any]:
        line: dict[str, Any] = {"section": self.section, "text": self.text, "level": self.level}
        return {**line, **({"next": self.next} if self.next else {}), "data": dict(self.data)}


class StatusContext:
    """What the sources of lines share. The store is never made only because somebody asked how things are."""

    def __init__(self, ports: WorkspacePorts, *, by_category: bool = False) -> None:
        self.app = ports
        self.by_category = by_category
        self.now_ms = ports.clock.now_ms()

    @cached_property
    def store(self) -> Store | None:
        """None as long as nothing was scanned."""
        try:
            return self.app.scanned_store()
        except NotInitialised:
            return None

    @cached_property
    def findings(self) -> Findings:
        return gather(self.app) if self.store else Findings((), (), ())

    @cached_property
    def issues(self) -> list[Issue]:
        from cairn.freshness.drift import CHANGED, MISSING

        own = (CHANGED, MISSING)  # sources have a line of their own
        return [issue for issue in self.findings.issues if issue.analyzer not in own]

    def events(self, *types: str, since_ms: int = 0) -> list[Event]:
        """Of this workspace itself, newest first; of all types when none is named. From the index: a ledger of years
        is not read again for a line on a page."""
        if not self._indexed or self.store is None:
            return sorted(self._lines(types, since_ms), key=lambda event: event.at, reverse=True)
        rows = events_of(self.app.ledger, self.store, types=types, since_ms=since_ms)
        own = (row for row in rows if not row.file.startswith(COLLECTED))
        return [Event(row.id, row.type, iso_utc(row.at_ms), row.worktree, json.loads(row.payload)) for row in own]

    def event_counts(self, since_ms: int) -> Mapping[str, int]:
        """How many of each type, of this workspace itself."""
        if not self._indexed or self.store is None:
            return Counter(event.type for event in self._lines((), since_ms))
        return self.store.event_counts(since_ms=since_ms, without=COLLECTED)

    @cached_property
    def _indexed(self) -> bool:
        """Not where nothing can be written, or somebody else is writing; then the files themselves have to do."""

        try:
            return self.store is not None and self.app.index_ledger() >= 0
        except (CairnError, OSError):
            return False

    def _lines(self, types: tuple[str, ...], since_ms: int) -> Iterator[Event]:
        since = iso_utc(since_ms)
        for file in self.app.ledger.files():
            for _, event in self.app.ledger.read(file.name):
                if isinstance(event, Event) and event.at >= since and (not types or event.type in types):
                    yield event


def counted(number: int, word: str, words: str = "") -> str:
    return f"{number:,} {word if number == 1 else words or word + 's'}"


def listed(counts: Counter[str]) -> str:
    """`a 12, b 3, c 1 and 4 more`; without the numbers where they say nothing: of one name, or when all are 1."""
    shown = len(counts) if len(counts) == _TOP + 1 else _TOP  # a fourth takes no more room than "and 1 more"
    plain = len(counts) == 1 or max(counts.values(), default=1) == 1
    named = ", ".join(name if plain else f"{name} {number:,}" for name, number in counts.most_common(shown))
    rest = len(counts) - shown
    return f"{named} and {rest:,} more" if rest > 0 else named


def ago(milliseconds: int) -> str:
    minutes = max(0, milliseconds) // 60_000
    if minutes < 1:
        return "just now"
    if minutes < 60:
        return f"{counted(minutes, 'minute')} ago"
    if minutes < 48 * 60:
        return f"{counted(minutes // 60, 'hour')} ago"
    return f"{counted(minutes // (24 * 60), 'day')} ago"
