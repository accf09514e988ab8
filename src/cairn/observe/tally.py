"""Counting signals of gaps: by topic and day, by who missed it, and what they said."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from cairn.kernel.knowledge.topics import LONGEST, normalize_topic
from cairn.kernel.ports.gaps import GapDay, GapExcerpt, GapVoice
from cairn.kernel.ports.events import LedgerEventRow

DAY_MS: Final = 86_400_000
LESSONS: Final = "lessons"
"""In the place of a project: a file of lessons says it, which corroborates but is nobody's voice."""
_EXCERPTS: Final = 5

_PLAIN = re.compile(r'"(topic|project_id|session|agent_excerpt)":"([^"\\]*)"')
"""Fields of a payload as the journal writes them. Inside of a text quotes are escaped, so this is no part of one."""


class Tally(NamedTuple):
    days: list[GapDay]
    voices: list[GapVoice]
    excerpts: list[GapExcerpt]


class _Said(NamedTuple):
    at_ms: int
    excerpt: str


def tally(rows: Iterable[LedgerEventRow]) -> Tally:
    """Whatever the order of the rows is, and however they are divided, what is added up is the same."""
    counted = _Counted()
    for row in rows:
        counted.take(row.at_ms, row.worktree, row.payload)
    return counted.result()


class _Counted:
    """Plain dictionaries and lists: there may be a million signals."""

    def __init__(self) -> None:
        self._topics: dict[str, str] = {}
        self._days: dict[tuple[str, int], list[Any]] = {}
        self._voices: dict[tuple[str, str, str], list[int]] = {}
        self._excerpts: dict[tuple[str, str], int] = {}

    def take(self, at_ms: int, worktree: str, payload: str) -> None:
        fields = _fields(payload)
        raw = fields.get("topic")
        if not isinstance(raw, str) or not raw:
            return
        topic = self._topics.get(raw)
        if topic is None:
            topic = self._topics[raw] = _topic(raw)
        if not topic:
            return
        day = at_ms // DAY_MS
        self._count(topic, day, at_ms, _session(fields, worktree, day))
        self._hear((topic, "worktree", worktree), at_ms)
        project = fields.get("project_id")
        if isinstance(project, str) and project and project != LESSONS:
            self._hear((topic, "project", project), at_ms)
        excerpt = fields.get("agent_excerpt")
        if isinstance(excerpt, str) and excerpt:
            key = (topic, excerpt)
            if at_ms > self._excerpts.get(key, -1):
                self._excerpts[key] = at_ms

    def _count(self, topic: str, day: int, at_ms: int, session: str) -> None:
        row = self._days.get((topic, day))
        if row is None:
            self._days[topic, day] = [1, at_ms, at_ms, session, session]
            return
        row[0] += 1
        row[1], row[2] = min(row[1], at_ms), max(row[2], at_ms)
        row[3], row[4] = min(row[3], session), max(row[4], session)

    def _hear(self, key: tuple[str, str, str], at_ms: int) -> None:
        span = self._voices.get(key)
        if span is None:
            self._voices[key] = [at_ms, at_ms]
        elif at_ms > span[1]:
            span[1] = at_ms
        elif at_ms < span[0]:
            span[0] = at_ms

    def result(self) -> Tally:
        return Tally(
            [GapDay(topic, day, *counts) for (topic, day), counts in sorted(self._days.items())],
            [GapVoice(*key, *span) for key, span in sorted(self._voices.items())],  # type: ignore[arg-type]
            self._last_excerpts(),
        )

    def _last_excerpts(self) -> list[GapExcerpt]:
        """The newest of each topic: no more are kept, and those of other batches are compared with them."""
        kept: dict[str, int] = {}
        found = []
        for (topic, excerpt), at_ms in sorted(self._excerpts.items(), key=lambda item: (-item[1], item[0])):
            kept[topic] = kept.get(topic, 0) + 1
            if kept[topic] <= _EXCERPTS:
                found.append(GapExcerpt(topic, excerpt, at_ms))
        return found


def _fields(payload: str) -> Mapping[str, Any]:
    if "\\" not in payload and payload.find("{", 1) < 0:
        fields: dict[str, Any] = dict(_PLAIN.findall(payload))
        if "topic" in fields:
            return fields
    value = json.loads(payload)
    return value if isinstance(value, dict) else {}


def _topic(raw: str) -> str:
    topic = normalize_topic(raw)
    return topic if len(topic) <= LONGEST else ""


def _session(fields: Mapping[str, Any], worktree: str, day: int) -> str:
    """Where nobody says which session it was, each day in a work tree counts as one."""
    session = fields.get("session")
    return session if isinstance(session, str) and session else f"{worktree}@{day}"
