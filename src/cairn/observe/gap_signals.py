"""Signals of gaps: counted by topic and day, and topics that a file of lessons marks as missing."""

import re
from collections.abc import Iterable, Iterator, Mapping
from heapq import nlargest
from typing import Any, Final, NamedTuple

from cairn.core.ports.observe import GapDay, GapExcerpt, GapTally, Names
from cairn.knowledge.topics import LONGEST, is_topic, normalize_topic

DAY_MS: Final = 86_400_000
LESSONS: Final = "lessons"
"""In the place of a project: a file of lessons says it, which corroborates but is nobody's voice."""
EXCERPTS: Final = 5
"""How many of a topic are kept."""
_LONGEST_NAME: Final = 200

Signal = tuple[int, str, Mapping[str, Any]]
"""Time, work tree and payload."""
_Cell = list[Any]
"""Signals, first and last time, least and greatest session, bits of projects and of work trees, excerpts with the time
of the last. There may be a million signals, so everything about one is added to a plain list at once."""


def tally(signals: Iterable[Signal]) -> GapTally:
    """Whatever their order, and however they are divided, the sum is the same."""
    projects, worktrees = _Bits(), _Bits()
    cells = _spelled(_counted(signals, projects, worktrees))
    days = [_day(topic, day, cell) for (topic, day), cell in sorted(cells.items())]
    return GapTally(days, list(_excerpts(cells)), projects.names, worktrees.names)


class _Bits(dict[str, int]):
    """By name as it is written: its bit, or none for what is nobody's name."""

    def __init__(self) -> None:
        super().__init__({"": 0, LESSONS: 0})
        self.names: Names = {}

    def __missing__(self, written: str) -> int:
        bit = self[written] = self.names.setdefault(storable(written), 1 << len(self.names))
        return bit


def _counted(signals: Iterable[Signal], projects: _Bits, worktrees: _Bits) -> dict[int, dict[str, _Cell]]:
    """By day, then by topic as it is written."""
    days: dict[int, dict[str, _Cell]] = {}
    begin = end = 0
    topics: dict[str, _Cell] = {}
    for at_ms, worktree, payload in signals:
        get = payload.get
        topic, session, project, excerpt = get("topic"), get("session"), get("project_id"), get("agent_excerpt")
        if not (type(topic) is type(session) is type(project) is type(excerpt) is str):
            topic, session, project, excerpt = map(_text, (topic, session, project, excerpt))
        if not begin <= at_ms < end:
            begin = at_ms // DAY_MS * DAY_MS
            end, topics = begin + DAY_MS, days.setdefault(begin // DAY_MS, {})
        session = session or f"{worktree}@{begin // DAY_MS}"
        cell = topics.get(topic)
        if cell is None:
            cell = topics[topic] = [0, at_ms, at_ms, session, session, 0, 0, {}]
        cell[0] += 1
        if at_ms < cell[1]:
            cell[1] = at_ms
        elif at_ms > cell[2]:
            cell[2] = at_ms
        if session < cell[3]:
            cell[3] = session
        elif session > cell[4]:
            cell[4] = session
        cell[5] |= projects[project]
        cell[6] |= worktrees[worktree]
        if excerpt and at_ms > cell[7].get(excerpt, -1):
            cell[7][excerpt] = at_ms
    return days


def _text(value: Any) -> str:
    """Lines of a ledger may hold anything."""
    return value if isinstance(value, str) else ""


def _spelled(days: Mapping[int, Mapping[str, _Cell]]) -> dict[tuple[str, int], _Cell]:
    """By topic in its normal spelling, and day; what is no topic is left out."""
    topics = {written: _topic(written) for cells in days.values() for written in cells}
    found: dict[tuple[str, int], _Cell] = {}
    for day, cells in days.items():
        for written, cell in cells.items():
            if topic := topics[written]:
                known = found.setdefault((topic, day), cell)
                if known is not cell:
                    _add(known, cell)
    return found


def _topic(written: str) -> str:
    topic = normalize_topic(written)
    return topic if len(topic) <= LONGEST else ""


def _add(one: _Cell, other: _Cell) -> None:
    one[0] += other[0]
    for least in (1, 3):
        one[least], one[least + 1] = min(one[least], other[least]), max(one[least + 1], other[least + 1])
    one[5] |= other[5]
    one[6] |= other[6]
    one[7] |= {said: max(at_ms, one[7].get(said, -1)) for said, at_ms in other[7].items()}


def _day(topic: str, day: int, cell: _Cell) -> GapDay:
    signals, first_ms, last_ms, low, high, projects, worktrees, _ = cell
    return GapDay(topic, day, signals, first_ms, last_ms, storable(low), storable(high), projects, worktrees)


def _excerpts(cells: Mapping[tuple[str, int], _Cell]) -> Iterator[GapExcerpt]:
    """The newest of each topic: no more are kept, and those of other batches are compared with them."""
    said: dict[str, dict[str, int]] = {}
    for (topic, _), cell in cells.items():
        known = said.setdefault(topic, {})
        for text, at_ms in cell[7].items():
            known[text] = max(at_ms, known.get(text, -1))
    for topic, known in sorted(said.items()):
        for at_ms, text in nlargest(EXCERPTS, ((at_ms, text) for text, at_ms in known.items())):
            yield GapExcerpt(topic, storable(text), at_ms)


def storable(text: str) -> str:
    """As a database can hold it: half letters are none."""
    short = text[:_LONGEST_NAME]
    return short if short.isascii() else short.encode("utf-8", "replace").decode()


EXCERPT: Final = 200
_LONGEST_LINE: Final = 10_000


class Lesson(NamedTuple):
    topic: str
    line: int
    """From 1."""
    excerpt: str


def scan_lessons(text: str) -> list[Lesson]:
    """Each topic once a line; code between fences is skipped."""
    found: list[Lesson] = []
    for number, line in _outside_of_fences(text):
        topics = dict.fromkeys(topic for raw in _named(line) if is_topic(topic := normalize_topic(raw)))
        found += [Lesson(topic, number, line.strip()[:EXCERPT]) for topic in topics]
    return found


_FENCE = re.compile(r"\s*(`{3,}|~{3,})(.*)")


def _outside_of_fences(text: str) -> Iterator[tuple[int, str]]:
    fence = ""
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        mark = _FENCE.match(line[:_LONGEST_LINE])
        if fence:
            closes = mark is not None and mark[1].startswith(fence) and not mark[2].strip()
            fence = "" if closes else fence
        elif mark is not None and not (mark[1][0] == "`" and "`" in mark[2]):
            fence = mark[1]
        else:
            yield number, line[:_LONGEST_LINE]


_MARKER = re.compile(r"<!--[ \t]*gap-topic:[ \t]*([^\s>]{1,200})[ \t]*-->")
_CLOSES: Final = {"'": "'(?=[\\s.,;:!?)]|$)", "\u2018": "\u2019(?=[\\s.,;:!?)]|$)", "\u201c": "\u201d"}
"""What ends a topic behind an opening mark, besides `"`, a backtick and the end of a sentence; no apostrophe does."""
_END: Final = '(?:["`]|[.!?](?=\\s|$)|$'
_TOPIC: Final = "|".join(f"{mark}(.{{1,200}}?){_END}|{close})" for mark, close in _CLOSES.items())
_LABEL: Final = re.compile(rf"\bmissing knowledge:[ \t]*(?:{_TOPIC}|[\"`]?(.{{1,200}}?){_END}))", re.IGNORECASE)


def _named(line: str) -> Iterator[str]:
    """By the marker, which must be written as a topic is; then by the first label."""
    yield from (raw for raw in _MARKER.findall(line) if is_topic(raw))
    if match := _LABEL.search(_without_comments(line)):
        yield match[match.lastindex or 1]


def _without_comments(line: str) -> str:
    said, start = "", 0
    while (begin := line.find("<!--", start)) >= 0 and (end := line.find("-->", begin)) >= 0:
        said, start = f"{said}{line[start:begin]} ", end + 3
    return said + line[start:]
