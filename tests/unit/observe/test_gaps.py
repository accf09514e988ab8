"""When a topic is a gap."""

from functools import partial
from typing import Any

import pytest

from cairn.adapters.storage.sqlite.store import open_memory
from cairn.app.projections import index_all
from cairn.core.ports.observe import GapStore
from cairn.observe.gap_signals import DAY_MS, Lesson, Signal
from cairn.observe.gaps import WINDOW_DAYS, Signals, choose_preset, groups, missed, severity_of
from signals import NOW, signal

Said = list[dict[str, Any]]


def told(*signals: dict[str, Any]) -> GapStore:
    store = open_memory().gaps
    for said in signals:
        signal(store, said.pop("topic", "caches"), **said)
    return store


def none(_begin: int, _end: int) -> list[Signal]:
    return []


def look(
    store: GapStore, *, signals: Signals = none, days: float = WINDOW_DAYS, lessons: list[Lesson] | None = None
) -> Any:
    return missed(store, signals, since_ms=NOW - int(days * DAY_MS), now_ms=NOW, lessons=lessons or [])


def projects(*names: str) -> Said:
    return [{"project": name} for name in names]


def worktrees(*names: str) -> Said:
    return [{"worktree": name} for name in names]


def days(*ago: float, session: str = "") -> Said:
    return [{"ago": day, "session": session} for day in ago]


LEVELS = [
    ("hub", projects("a", "b"), None),
    ("hub", projects("a", "a", "a"), None),
    ("hub", projects("a", "a", "b"), "P2"),
    ("hub", projects("a", "a", "a", "a", "b"), "P2"),
    ("hub", projects("a", "b", "c", "c"), "P2"),
    ("hub", projects("a", "b", "c", "c", "c"), "P1"),
    ("hub", projects("a", "b", "lessons"), "P2"),
    ("hub", projects("a", "lessons", "lessons"), None),
    ("team", worktrees("v", "v", "v"), None),
    ("team", worktrees("v", "v", "w"), "P2"),
    ("team", worktrees("v", "w", "x", "x", "x"), "P1"),
    ("solo", days(0, 0.1, 0.2), None),
    ("solo", days(0, 1, 1), "P2"),
    ("solo", days(0, 1), None),
    ("solo", days(0, 1, 2, session="one"), None),
    ("solo", [*days(0, 1, session="one"), *days(1, session="two")], "P2"),
    ("solo", [*days(1, session="one"), *days(1, 1, session="two")], None),
    ("solo", days(0, 1, 2, 2, 2), "P1"),
]


@pytest.mark.parametrize(("preset", "signals", "severity"), LEVELS)
def test_thresholds(preset: Any, signals: Said, severity: str | None) -> None:
    (group,) = groups(look(told(*map(dict, signals))))
    assert severity_of(group, preset) == severity


CHOICES = [
    ("auto", [], "solo"),
    ("auto", worktrees("v"), "solo"),
    ("auto", worktrees("v", "w"), "team"),
    ("auto", projects("a", "b"), "hub"),
    ("auto", projects("a", "lessons"), "solo"),
    ("solo", worktrees("v", "w"), "solo"),
    ("hub", worktrees("v"), "hub"),
    ("team", projects("a", "b"), "hub"),
]


@pytest.mark.parametrize(("setting", "signals", "preset"), CHOICES)
def test_the_preset_fits_who_reports(setting: str, signals: Said, preset: str) -> None:
    assert choose_preset(setting, look(told(*map(dict, signals)))).preset == preset


class Remembered:
    """The store's tables, and single signals beside them, as the ledger's index has them."""

    def __init__(self, *ago: float) -> None:
        from cairn.adapters.ledger.memory import MemoryLedger

        self.ledger, self.store = MemoryLedger(), open_memory()
        for days in ago:
            said = {"topic": "caches", "source": "manual", "project_id": "a" * 64}
            self.ledger.append("knowledge_gap_signal", said, now_ms=NOW - int(days * DAY_MS))
        index_all(self.ledger, self.store)

    def look(self) -> Any:
        from cairn.observe.list_gaps import signals_between

        return look(self.store.gaps, signals=partial(signals_between, self.ledger, self.store))


EDGES = [(90.0, 1), (90.01, 0), (89.99, 1), (90.49, 0), (91.0, 0), (89.0, 1), (0.0, 1)]


@pytest.mark.parametrize(("ago", "counted"), EDGES)
def test_the_window_begins_on_the_minute(ago: float, counted: int) -> None:
    found = Remembered(ago).look()
    assert sum(one.signals for one in found) == counted


def test_both_parts_of_the_first_day_are_told_apart() -> None:
    (one,) = Remembered(90.2, 90.1, 89.9, 89.6, 3, 3).look()
    assert (one.signals, one.days) == (4, 2)
    assert one.first_ms == NOW - int(89.9 * DAY_MS)
    assert len(one.worktrees) == 1


def test_topics_that_are_nearly_the_same_keep_their_counts() -> None:
    store = told({"topic": "rate-limit", "ago": 2}, {"topic": "rate-limits"}, {"topic": "rate-limits"}, {"topic": "x"})
    first, second = groups(look(store))
    assert [(one.topic, one.signals) for one in first.members] == [("rate-limits", 2), ("rate-limit", 1)]
    assert (first.signals, first.days, second.lead.topic) == (3, 2, "x")
    assert severity_of(first, "solo") == "P2"


def test_lessons_add_to_the_count_and_are_nobody() -> None:
    lessons = [Lesson("caches", 1, "missing knowledge: caches"), Lesson("locks", 2, "x")]
    caches, locks = look(told({"project": "b"}), lessons=lessons)
    assert (caches.signals, len(caches.projects), caches.days, caches.excerpts) == (2, 1, 1, (lessons[0].excerpt,))
    assert (locks.signals, locks.projects, locks.worktrees, locks.days) == (1, (), (), 0)
