"""Lens I: findings about gaps."""

from hashlib import sha256
from typing import Any

from cairn.adapters.storage.sqlite.store import open_memory
from cairn.core.model.knowledge import Entry
from cairn.core.model.lens import Finding
from cairn.core.ports.observe import GapStore
from cairn.observe.covered_topics import RootAttempt, RootResolution, covered
from cairn.observe.gap_signals import Lesson
from cairn.observe.lens_coverage_gaps import lens_i, view_gaps
from signals import NOW, signal


def knowledge(*entries: Entry) -> RootResolution:
    return RootResolution("knowledge", covered(entries), (RootAttempt("auto-detect", "used", "knowledge"),))


def entry(name: str, *topics: str) -> Entry:
    return Entry(path=f"knowledge/{name}.md", kind="entry", name=name, title=name, summary="", topics=topics)


def store_with(**counts: str) -> GapStore:
    """Signals by topic: a letter for each, which is the project that it comes from, a day apart."""
    store = open_memory().gaps
    for topic, letters in counts.items():
        for ago, project in enumerate(letters):
            signal(store, topic, ago=ago, project=project, excerpt=f"{topic} {ago}")
    return store


def look(store: GapStore, *entries: Entry, **more: Any) -> list[Finding]:
    return lens_i(store, now_ms=NOW, resolve=lambda: knowledge(*entries), **more)


def topics(found: list[Finding]) -> list[str]:
    return [str(finding.evidence["topic"]) for finding in found]


def test_a_finding_says_what_is_known() -> None:
    (finding,) = look(store_with(caches="abcaa", locks="a"))
    assert finding.id == sha256(b"I-knowledge-gaps::caches").hexdigest()[:16]
    assert (finding.lens, finding.severity, finding.confidence) == ("I-knowledge-gaps", "P1", "high")
    assert finding.title == 'Nobody has written about "caches": 5 signals from 3 projects'
    assert finding.evidence | {"distinct_projects": []} == {
        "kind": "knowledge_gap",
        "topic": "caches",
        "signal_count": 5,
        "distinct_project_count": 3,
        "distinct_projects": [],
        "distinct_worktree_count": 1,
        "distinct_day_count": 5,
        "preset": "hub",
        "first_seen": finding.first_seen,
        "last_seen": finding.last_seen,
        "example_excerpts": ["caches 0", "caches 1", "caches 2"],
        "own_signal_count": 5,
        "related_topics": [],
        "near_entry": None,
    }
    assert finding.evidence["distinct_projects"] == ["a" * 64, "c" * 64, "b" * 64]
    assert "cairn gaps draft caches" in finding.fix_hint
    assert (finding.first_seen or "") < (finding.last_seen or "")


def test_at_most_five_projects_are_named() -> None:
    (finding,) = look(store_with(caches="abcdefg"))
    assert finding.evidence["distinct_project_count"] == 7
    assert len(finding.evidence["distinct_projects"]) == 5


def test_the_heaviest_comes_first() -> None:
    store = store_with(b="aab", a="aab", c="abcde", d="aaaaaaab", e="abab")
    assert topics(look(store)) == ["c", "d", "e", "a", "b"]


def test_what_an_entry_covers_is_no_finding_and_comes_back_without_it() -> None:
    store = store_with(caches="aab")
    assert topics(look(store, entry("memory", "Caches"))) == []
    assert topics(look(store, entry("memory"))) == ["caches"]


def test_a_covered_topic_adds_no_weight_to_its_relatives() -> None:
    store = open_memory().gaps
    for ago, topic in enumerate(["rate-limits", "rate-limits", "rate-limits", "rate-limit"]):
        signal(store, topic, ago=ago, project="ab"[ago % 2])
    (together,) = look(store)
    assert together.evidence["related_topics"] == [{"topic": "rate-limit", "signal_count": 1}]
    assert (together.evidence["signal_count"], together.evidence["own_signal_count"]) == (4, 3)
    assert "rate-limit 1" in together.description
    (alone,) = look(store, entry("rate-limit"))
    assert (alone.evidence["signal_count"], alone.evidence["near_entry"]) == (3, "knowledge/rate-limit.md")
    assert "knowledge/rate-limit.md is about nearly this" in alone.description
    assert look(store, entry("rate-limits")) == []


def test_lessons_bring_their_words() -> None:
    lessons = [Lesson("caches", 3, "missing knowledge: caches")]
    (finding,) = look(store_with(caches="ab"), lessons=lessons)
    assert finding.evidence["signal_count"] == 3
    assert finding.evidence["example_excerpts"] == ["caches 0", "caches 1", "missing knowledge: caches"]


def test_the_knowledge_base_is_only_read_when_it_matters() -> None:
    def fail() -> RootResolution:
        raise AssertionError

    assert lens_i(store_with(caches="a"), now_ms=NOW, resolve=fail) == []
    asked = view_gaps(store_with(caches="a"), now_ms=NOW, resolve=lambda: knowledge(entry("caches")), always=True)
    assert asked.gaps[0].cover is not None
