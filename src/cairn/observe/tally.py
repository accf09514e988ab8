"""Counting signals of gaps: by topic and day, by who missed it, and what they said."""

from collections.abc import Iterable, Iterator, Mapping
from heapq import nlargest
from typing import Any, Final

from cairn.kernel.knowledge.topics import LONGEST, normalize_topic
from cairn.kernel.ports.gaps import GapDay, GapExcerpt, Tally

DAY_MS: Final = 86_400_000
LESSONS: Final = "lessons"
"""In the place of a project: a file of lessons says it, which corroborates but is nobody's voice."""
EXCERPTS: Final = 5
"""How many of a topic are kept."""
_LONGEST_NAME: Final = 200

Signals = Iterable[tuple[int, str, Mapping[str, Any]]]
"""Time, work tree and payload of each."""
_Row = list[Any]
"""Signals, first and last time, least and greatest session, projects, work trees. There may be a million signals, so
they are counted in plain lists."""


def tally(signals: Signals) -> Tally:
    """Whatever their order, and however they are divided, the sum is the same."""
    topics: dict[str, str] = {}
    days: dict[tuple[str, int], _Row] = {}
    excerpts: dict[str, dict[str, int]] = {}
    for at_ms, worktree, payload in signals:
        raw = _text(payload, "topic")
        topic = topics.get(raw)
        if topic is None:
            topic = topics[raw] = _topic(raw)
        if not topic:
            continue
        day = at_ms // DAY_MS
        row = days.get((topic, day))
        if row is None:
            days[topic, day] = row = [0, at_ms, at_ms, "", "", set(), set()]
        _count(row, at_ms, _text(payload, "session") or f"{worktree}@{day}")
        row[5].add(_text(payload, "project_id"))
        row[6].add(worktree)
        if excerpt := _text(payload, "agent_excerpt"):
            said = excerpts.setdefault(topic, {})
            if at_ms > said.get(excerpt, -1):
                said[excerpt] = at_ms
    found = [_day(topic, day, row) for (topic, day), row in sorted(days.items())]
    return Tally(found, [each for topic, said in sorted(excerpts.items()) for each in _last(topic, said)])


def _text(payload: Mapping[str, Any], name: str) -> str:
    """Lines of a ledger may hold anything."""
    value = payload.get(name)
    return value if type(value) is str else ""


def _topic(raw: str) -> str:
    topic = normalize_topic(raw)
    return topic if len(topic) <= LONGEST else ""


def _count(row: _Row, at_ms: int, session: str) -> None:
    """Where nobody says which session it was, each day in a work tree counts as one."""
    row[0] += 1
    if at_ms < row[1]:
        row[1] = at_ms
    elif at_ms > row[2]:
        row[2] = at_ms
    if not row[3] or session < row[3]:
        row[3] = session
    if session > row[4]:
        row[4] = session


def _day(topic: str, day: int, row: _Row) -> GapDay:
    signals, first_ms, last_ms, low, high, projects, worktrees = row
    spoken = frozenset(_name(project) for project in projects if project and project != LESSONS)
    return GapDay(topic, day, signals, first_ms, last_ms, _name(low), _name(high), spoken, frozenset(worktrees))


def _last(topic: str, said: Mapping[str, int]) -> Iterator[GapExcerpt]:
    """The newest: no more are kept, and those of other batches are compared with them."""
    for at_ms, excerpt in nlargest(EXCERPTS, ((at_ms, excerpt) for excerpt, at_ms in said.items())):
        yield GapExcerpt(topic, _name(excerpt), at_ms)


def _name(text: str) -> str:
    """As a database can hold it: half letters are none."""
    short = text[:_LONGEST_NAME]
    return short if short.isascii() else short.encode("utf-8", "replace").decode()
