"""Gaps of a workspace: signals, what the knowledge base covers, every missed topic by week, and the tail of prompts."""

import json
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cairn.core.ledger_events import RecordedEvent, redact_text, tell, with_payloads
from cairn.core.model.lens import Finding
from cairn.core.ports.ledger import Ledger
from cairn.core.ports.runtime import Files, ReadFailed, WalkRequest
from cairn.core.ports.store import Store
from cairn.errors import Refused, UsageError
from cairn.journal import iso_utc
from cairn.knowledge.topics import LONGEST, normalize_topic
from cairn.lib.text.sparkline import sparkline
from cairn.observe.covered_topics import (
    NO_ROOT,
    CoveredTopics,
    RootResolution,
    RootSetting,
    covered,
    no_root_warning,
    resolve_root,
    stale_note,
)
from cairn.observe.gap_signals import DAY_MS, EXCERPT, Lesson, Signal, scan_lessons
from cairn.observe.gaps import WINDOW_DAYS, MissedTopic
from cairn.observe.lens_coverage_gaps import GapView, KnowledgeGap, findings, view_gaps

if TYPE_CHECKING:
    from cairn.core.model.knowledge import Entry
    from cairn.observe.ports import ObservePorts

Warn = Callable[[str, str], None]
"""Takes a key and a sentence, and says each key once a run."""
_SETTING: Final = "observe.knowledge_root"
_MARKERS: Final = ("VERSION", ".cairn/settings.json")


# --- telling --------------------------------------------------------------------------------------------------------


def signal(
    ports: "ObservePorts", topic: str, *, source: str = "manual", step: str | None = None, excerpt: str | None = None
) -> RecordedEvent:
    """Record that a topic was looked for and not found."""
    from cairn.core.agent_host import session_around

    given = {
        "topic": topic_of(topic),
        "source": source,
        "step_name": step,
        "agent_excerpt": None if excerpt is None else excerpt.strip()[:EXCERPT] or None,
        "session": session_around(ports.env),
    }
    return tell(ports, "knowledge_gap_signal", {name: value for name, value in given.items() if value is not None})


def topic_of(text: str) -> str:
    """As topics are written. One that holds a secret would carry it into every ledger that collects this one."""
    if redact_text(text) != text:
        raise Refused("The topic looks as if something private was in it; name the subject and nothing else.")
    topic = normalize_topic(text)
    if not topic:
        raise UsageError("A topic needs letters or digits, such as `rate limits`; say what is missing in a few words.")
    if len(topic) > LONGEST:
        raise UsageError(
            f"A topic has {LONGEST} characters at most, and this one has {len(topic)}; say it in a few words, "
            "and the rest with --excerpt."
        )
    return topic


# --- looking --------------------------------------------------------------------------------------------------------


def look_at_gaps(
    ports: "ObservePorts",
    *,
    since_ms: int | None = None,
    knowledge_root: str | None = None,
    always: bool = False,
    warn: Warn | None = None,
) -> GapView:
    """All topics of the window, judged; the knowledge base is only read when it matters, or `always`."""
    _bring_up_to_date(ports)
    view = view_gaps(
        ports.store.gaps,
        signals=partial(signals_between, ports.ledger, ports.store),
        now_ms=ports.clock.now_ms(),
        since_ms=since_ms,
        lessons=lessons_of(ports),
        preset=ports.settings.text("observe.preset"),
        resolve=lambda: knowledge_base(ports, knowledge_root),
        always=always,
    )
    if warn is not None and view.resolution is not None:
        tell_about_root(view.resolution, warn)
    return view


def signals_between(ledger: Ledger, store: Store, since_ms: int, until_ms: int) -> Iterator[Signal]:
    """One by one; the end is not part of it."""
    within = list(store.events(types=("knowledge_gap_signal",), since_ms=since_ms, until_ms=until_ms))
    return ((row.at_ms, row.worktree, json.loads(row.payload)) for row in with_payloads(ledger, within))


def _bring_up_to_date(ports: "ObservePorts") -> None:
    from cairn.observe.missed_questions import count_misses

    ports.index_ledger()
    if count_misses(ports):
        ports.index_ledger()


def tell_about_root(resolution: RootResolution, warn: Warn) -> None:
    if said := no_root_warning(resolution):
        warn(NO_ROOT, said)
    elif said := stale_note(resolution):
        warn("lens-i:stale-root", said)


def gap_findings(ports: "ObservePorts", view: GapView) -> list[Finding]:
    """With what people said about them."""
    from cairn.observe.acknowledge import acknowledged, acks_of

    return acknowledged(findings(view, ports.store.gaps), acks_of(ports))


def lessons_of(ports: "ObservePorts") -> list[Lesson]:
    """Of the file of lessons, if there is one; one that cannot be read has none."""
    path = ports.settings.text("observe.lessons")
    if not ports.files.exists(path):
        return []
    try:
        return scan_lessons(ports.files.read(path)[0].decode("utf-8", "replace"))
    except ReadFailed:
        return []


# --- the knowledge base ---------------------------------------------------------------------------------------------


def knowledge_base(ports: "ObservePorts", flag: str | None = None) -> RootResolution:
    """A path of the flag is as seen from here; one of the settings from the root of the workspace."""
    return resolve_root(
        os.path.abspath(flag) if flag else None,
        _setting(ports),
        lambda path: _look(ports, os.path.join(ports.root, path)),
        lambda: _found_here(ports),
    )


def _setting(ports: "ObservePorts") -> RootSetting | None:
    path = ports.settings.optional_text(_SETTING)
    if not path:
        return None
    source = ports.settings.source(_SETTING)
    theirs = source.layer in ("committed", "old") and not _is_inside(ports.root, path)
    why = "it lies outside of the repository, which only settings.local.json or the environment may say"
    return RootSetting(path, str(source), why if theirs else "")


def _is_inside(root: Path, path: str) -> bool:
    base = os.path.realpath(root)
    return os.path.commonpath([base, os.path.realpath(os.path.join(base, path))]) == base


def _look(ports: "ObservePorts", path: str) -> CoveredTopics | str:
    """The entries below a folder, or why it is no knowledge base."""
    if not os.path.exists(path):
        return "there is nothing at that path"
    if not os.path.isdir(path):
        return "it is no folder"
    real = os.path.realpath(path)
    own = {os.path.realpath(os.path.join(ports.root, corpus.root)) for corpus in ports.corpora}
    if real not in own and not any(os.path.lexists(os.path.join(real, marker)) for marker in _MARKERS):
        return f"it has neither {' nor '.join(_MARKERS)}, by which a knowledge base is known"
    return covered(_entries_below(ports.files_at(Path(real))))


def _entries_below(files: Files) -> Iterator["Entry"]:
    """Whatever its layout: all that counts here are names, topics and aliases."""
    from cairn.knowledge.read import read_tolerant

    for path in [file.path for file in files.walk(WalkRequest(gitignore=False)).files]:
        if path.rpartition("/")[2].lower() != "readme.md":
            front = _frontmatter(files, path)
            entry = read_tolerant(path, front, kind="entry", layout="nodes" if "id" in front else "entries")
            if entry is not None:
                yield entry


def _found_here(ports: "ObservePorts") -> tuple[str, CoveredTopics] | None:
    """The corpora of this workspace, also one that has no page yet."""
    if not ports.corpora:
        return None
    roots = ", ".join(corpus.root or "." for corpus in ports.corpora)
    return roots, covered(_entries_here(ports))


def _entries_here(ports: "ObservePorts") -> Iterator["Entry"]:
    from cairn.lib.document.document import format_of

    knowledge = ports.knowledge
    walk = ports.files.walk(ports.scan_request().walk(knowledge.suffixes()))
    for file in walk.files:
        if knowledge.kind(file.path) and format_of(file.path):
            entry = knowledge.entry(file.path, _frontmatter(ports.files, file.path))
            if entry is not None:
                yield entry


def _frontmatter(files: Files, path: str) -> dict[str, object]:
    from cairn.lib.document.document import readable
    from cairn.lib.markdown.frontmatter import decode, parse

    try:
        return dict(parse(readable(path, decode(files.read(path)[0]).text)).frontmatter)
    except ReadFailed:
        return {}


WEEKS: Final = -(-WINDOW_DAYS // 7)


class TopicRow(NamedTuple):
    topic: str
    signals: int
    projects: int
    worktrees: int
    days: int
    first_ms: int
    last_ms: int
    weeks: tuple[int, ...]
    """Signals of each week, the last one this week."""
    related: tuple[str, ...]
    covered_by: str | None

    @property
    def line(self) -> str:
        return sparkline(self.weeks)

    def json(self) -> dict[str, Any]:
        return {
            "topic": self.topic,
            "signals": self.signals,
            "projects": self.projects,
            "worktrees": self.worktrees,
            "days": self.days,
            "firstSeen": iso_utc(self.first_ms),
            "lastSeen": iso_utc(self.last_ms),
            "weeks": list(self.weeks),
            "related": list(self.related),
            "coveredBy": self.covered_by,
        }


class TopicsByWeek(NamedTuple):
    weeks: int
    topics: tuple[TopicRow, ...]
    """Those that were missed most often first."""


def topics_by_week(ports: "ObservePorts") -> TopicsByWeek:
    view = look_at_gaps(ports, always=True)
    today = ports.clock.now_ms() // DAY_MS
    weeks: dict[str, list[int]] = {}
    for topic, day, signals in ports.store.gaps.by_day(today - WEEKS * 7 + 1):
        if day <= today:
            weeks.setdefault(topic, [0] * WEEKS)[WEEKS - 1 - (today - day) // 7] += signals
    rows = [_row(one, gap, weeks.get(one.topic)) for gap in view.gaps for one in gap.group.members]
    return TopicsByWeek(WEEKS, tuple(sorted(rows, key=lambda row: (-row.signals, row.topic))))


def _row(one: MissedTopic, gap: KnowledgeGap, weeks: list[int] | None) -> TopicRow:
    """What only a file of lessons says has no weeks: nobody knows when it was written."""
    return TopicRow(
        one.topic,
        one.signals,
        len(one.projects),
        len(one.worktrees),
        one.days,
        one.first_ms,
        one.last_ms,
        tuple(weeks or [0] * WEEKS),
        tuple(other.topic for other in gap.group.members if other is not one),
        gap.cover.path if gap.cover else None,
    )
