"""Lens I: gaps that crossed the threshold and that no entry covers, as findings; the heaviest first."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from cairn.core.model.lens import Finding, Severity, finding_id
from cairn.core.ports.observe import GapStore
from cairn.journal import iso_utc
from cairn.observe.covered_topics import CoveredTopics, RootResolution, TopicCover
from cairn.observe.gap_signals import DAY_MS, Lesson, Signal
from cairn.observe.gaps import (
    WINDOW_DAYS,
    GapGroup,
    MissedTopic,
    PresetChoice,
    Signals,
    choose_preset,
    counted,
    groups,
    missed,
    severity_of,
    voices,
)
from cairn.observe.lens import LensView, Scope

LENS: Final = "I-knowledge-gaps"
_PROJECTS: Final = 5
_EXCERPTS: Final = 3


class KnowledgeGap(NamedTuple):
    """A group of topics, and what to make of it."""

    group: GapGroup
    severity: Severity | None
    """None below the thresholds."""
    cover: TopicCover | None
    """The entry that makes it no gap any more; only looked for above the thresholds, unless somebody wants to know."""
    near: TopicCover | None = None

    @property
    def open(self) -> bool:
        return self.severity is not None and self.cover is None


class GapView(NamedTuple):
    """All topics of the window, judged."""

    gaps: tuple[KnowledgeGap, ...]
    """The heaviest first."""
    chosen: PresetChoice
    since_ms: int
    resolution: RootResolution | None
    """None as long as nobody had to be asked: no topic crossed a threshold."""

    @property
    def covered(self) -> CoveredTopics:
        return self.resolution.covered if self.resolution else CoveredTopics()


def _none(_begin: int, _end: int) -> Iterable[Signal]:
    return ()


def view_gaps(
    store: GapStore,
    *,
    signals: Signals = _none,
    now_ms: int,
    since_ms: int | None = None,
    lessons: Iterable[Lesson] = (),
    preset: str = "auto",
    resolve: Callable[[], RootResolution],
    always: bool = False,
) -> GapView:
    """The knowledge base is only read when some topic is worth it, or `always`."""
    begin = now_ms - WINDOW_DAYS * DAY_MS if since_ms is None else since_ms
    topics = missed(store, signals, since_ms=begin, now_ms=now_ms, lessons=lessons)
    chosen = choose_preset(preset, topics)
    together = groups(topics)
    resolution = resolve() if always or any(severity_of(group, chosen.preset) for group in together) else None
    found = _judged(topics, together, resolution.covered if resolution else CoveredTopics(), chosen)
    return GapView(tuple(sorted(found, key=lambda gap: _weight(gap, chosen))), chosen, begin, resolution)


def _judged(
    topics: Sequence[MissedTopic], together: Sequence[GapGroup], covered: CoveredTopics, chosen: PresetChoice
) -> list[KnowledgeGap]:
    """A topic that an entry covers stands alone: it adds nothing to the weight of others that are nearly the same."""
    covers = {one.topic: cover for one in topics if (cover := covered.cover(one.topic))}
    if covers:
        alone = [group for one in topics if one.topic in covers for group in groups([one])]
        together = [*groups([one for one in topics if one.topic not in covers]), *alone]
    gaps = [KnowledgeGap(group, severity_of(group, chosen.preset), covers.get(group.lead.topic)) for group in together]
    near = covered.near([gap.group.lead.topic for gap in gaps if gap.open])
    return [gap._replace(near=near.get(gap.group.lead.topic)) if gap.open else gap for gap in gaps]


def _weight(gap: KnowledgeGap, chosen: PresetChoice) -> tuple[Any, ...]:
    group = gap.group
    return gap.severity or "P9", -group.signals, -voices(group, chosen.preset), -group.last_ms, group.lead.topic


# --- findings -------------------------------------------------------------------------------------------------------


def findings(view: GapView, store: GapStore) -> list[Finding]:
    """Of the gaps that nobody has written about."""
    gaps = [gap for gap in view.gaps if gap.open]
    said = _excerpts(gaps, store, view.since_ms)
    return [_finding(gap, view, said.get(gap.group.lead.topic, ())[:_EXCERPTS]) for gap in gaps]


def excerpts_of(gap: KnowledgeGap, store: GapStore, since_ms: int, most: int) -> tuple[str, ...]:
    """What was said by those who missed it."""
    return _excerpts([gap], store, since_ms)[gap.group.lead.topic][:most]


def gap_id(topic: str) -> str:
    return finding_id(LENS, topic)


def _excerpts(gaps: Sequence[KnowledgeGap], store: GapStore, since_ms: int) -> dict[str, tuple[str, ...]]:
    """By the topic that leads: a few that differ, the newest first."""
    leads = {one.topic: gap.group.lead.topic for gap in gaps for one in gap.group.members}
    found: dict[str, list[str]] = {}
    for row in store.excerpts(sorted(leads), since_ms):
        found.setdefault(leads[row.topic], []).append(row.excerpt)
    for gap in gaps:
        found.setdefault(gap.group.lead.topic, []).extend(text for one in gap.group.members for text in one.excerpts)
    return {topic: tuple(dict.fromkeys(texts)) for topic, texts in found.items()}


def _finding(gap: KnowledgeGap, view: GapView, excerpts: Sequence[str]) -> Finding:
    group, topic = gap.group, gap.group.lead.topic
    assert gap.severity is not None
    said = counted(group, view.chosen.preset)
    return Finding(
        id=gap_id(topic),
        lens=LENS,
        severity=gap.severity,
        title=f'Nobody has written about "{topic}": {said}',
        description=_description(gap, said),
        fix_hint=f"`cairn gaps draft {topic}` proposes an entry <category>/{topic}.md with the questions to answer.",
        confidence="high" if gap.severity == "P1" else "medium",
        evidence=_evidence(gap, view, excerpts),
        first_seen=iso_utc(group.first_ms),
        last_seen=iso_utc(group.last_ms),
    )


def _description(gap: KnowledgeGap, said: str) -> str:
    group = gap.group
    text = f"Agents or people looked for this and found nothing: {said}, last on {iso_utc(group.last_ms)[:10]}."
    if group.others:
        named = ", ".join(f"{one.topic} {one.signals:,}" for one in group.members)
        text += f" Topics that are nearly the same are counted together: {named}."
    if gap.near is not None:
        text += f" {gap.near.path} is about nearly this; if it says enough, add `{group.lead.topic}` to its topics."
    return text


def _evidence(gap: KnowledgeGap, view: GapView, excerpts: Sequence[str]) -> Mapping[str, Any]:
    group = gap.group
    return {
        "kind": "knowledge_gap",
        "topic": group.lead.topic,
        "signal_count": group.signals,
        "distinct_project_count": len(group.projects),
        "distinct_projects": list(group.projects[:_PROJECTS]),
        "distinct_worktree_count": len(group.worktrees),
        "distinct_day_count": group.days,
        "preset": view.chosen.preset,
        "first_seen": iso_utc(group.first_ms),
        "last_seen": iso_utc(group.last_ms),
        "example_excerpts": list(excerpts),
        "own_signal_count": group.lead.signals,
        "related_topics": [{"topic": one.topic, "signal_count": one.signals} for one in group.others],
        "near_entry": gap.near.path if gap.near else None,
    }


def lens_i(
    store: GapStore,
    *,
    now_ms: int,
    lessons: Iterable[Lesson] = (),
    preset: str = "auto",
    resolve: Callable[[], RootResolution],
) -> list[Finding]:
    """What an audit finds; where the knowledge base is, is only asked when there is something to compare."""
    view = view_gaps(store, now_ms=now_ms, lessons=lessons, preset=preset, resolve=resolve)
    return findings(view, store)


class KnowledgeGaps:
    """Lens I, as an audit looks through it."""

    id = LENS
    scope: Scope = "docs"
    needs = frozenset({"ledger"})
    after: tuple[str, ...] = ()

    def __init__(self, view: Callable[[], GapView], store: Callable[[], GapStore]) -> None:
        self._view = view
        self._store = store

    def look(self, around: LensView) -> list[Finding]:
        return findings(self._view(), self._store())
