"""Gaps: topics that were looked for and not found, often enough and by enough to be worth an entry."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal, NamedTuple

from cairn.core.model.lens import Severity
from cairn.core.ports.observe import GapCount, GapDay, GapStore, GapTally, Names
from cairn.observe.gap_signals import DAY_MS, Lesson, Signal, tally
from cairn.observe.topics import related

WINDOW_DAYS: Final = 90
Preset = Literal["solo", "team", "hub"]
PRESETS: Final[tuple[Preset, ...]] = ("solo", "team", "hub")


class MissedTopic(NamedTuple):
    """What is known of one topic in the window."""

    topic: str
    signals: int
    first_ms: int
    last_ms: int
    days: int
    """On so many different ones."""
    dates: frozenset[int] = frozenset()
    """Which ones; only known of topics that have relatives, to be counted together with theirs."""
    sessions: tuple[str, str] = ("", "")
    """The least and the greatest; when they differ, there were two at least."""
    projects: tuple[str, ...] = ()
    """In the order in which they first spoke."""
    worktrees: tuple[str, ...] = ()
    excerpts: tuple[str, ...] = ()
    """Of lessons; those of the ledger are read for the topics that are shown."""


class GapGroup(NamedTuple):
    """A topic, and others that are nearly the same. Each keeps its own count; what is compared is all of them."""

    lead: MissedTopic
    others: tuple[MissedTopic, ...]
    signals: int
    first_ms: int
    last_ms: int
    days: int
    several_sessions: bool
    projects: tuple[str, ...]
    worktrees: tuple[str, ...]

    @property
    def members(self) -> tuple[MissedTopic, ...]:
        return (self.lead, *self.others)


class PresetChoice(NamedTuple):
    preset: Preset
    why: str


# --- counting -------------------------------------------------------------------------------------------------------


Signals = Callable[[int, int], Iterable[Signal]]
"""Those of a short stretch of time, one by one; the end is not part of it."""


def missed(
    store: GapStore, signals: Signals, *, since_ms: int, now_ms: int, lessons: Iterable[Lesson] = ()
) -> list[MissedTopic]:
    """Every topic since then. The store counts whole days; of the day on which the window begins, signal by signal."""
    first_day = -(-since_ms // DAY_MS)
    begun = tally(signals(since_ms, first_day * DAY_MS))
    found: dict[str, MissedTopic] = {day.topic: _of_day(day, begun) for day in begun.days}
    projects, worktrees = store.voices(first_day, "project"), store.voices(first_day, "worktree")
    for count in store.counts(first_day):
        one = _of_count(count, projects.get(count.topic, ()), worktrees.get(count.topic, ()))
        found[count.topic] = _added(found[count.topic], one) if count.topic in found else one
    for lesson in lessons:
        one = MissedTopic(lesson.topic, 1, now_ms, now_ms, 0, excerpts=(lesson.excerpt,))
        found[lesson.topic] = _added(found[lesson.topic], one) if lesson.topic in found else one
    _date(found, store, first_day)
    return [found[topic] for topic in sorted(found)]


def _date(found: dict[str, MissedTopic], store: GapStore, first_day: int) -> None:
    """There are as many dates as topics times days, so they are only read where they are needed."""
    akin = [topic for group in related(found) if len(group) > 1 for topic in group]
    for topic, day, _ in store.by_day(first_day, akin) if akin else ():
        found[topic] = found[topic]._replace(dates=found[topic].dates | {day})


def _of_day(day: GapDay, tally: GapTally) -> MissedTopic:
    voices = _called(day.projects, tally.projects), _called(day.worktrees, tally.worktrees)
    sessions = day.session_low, day.session_high
    return MissedTopic(day.topic, day.signals, day.first_ms, day.last_ms, 1, frozenset({day.day}), sessions, *voices)


def _called(bits: int, names: Names) -> tuple[str, ...]:
    return tuple(sorted(name for name, bit in names.items() if bits & bit))


def _of_count(count: GapCount, projects: Iterable[str], worktrees: Iterable[str]) -> MissedTopic:
    sessions, voices = (count.session_low, count.session_high), (tuple(projects), tuple(worktrees))
    seen = count.first_ms, count.last_ms, count.days
    return MissedTopic(count.topic, count.signals, *seen, frozenset(), sessions, *voices)


def _added(one: MissedTopic, other: MissedTopic) -> MissedTopic:
    """Both together; what the first says comes first. Their days are different ones: of a
    topic, those of the first day and those after it; of a group only the dates count."""
    sessions = [session for session in (*one.sessions, *other.sessions) if session]
    return MissedTopic(
        one.topic,
        one.signals + other.signals,
        min(one.first_ms, other.first_ms),
        max(one.last_ms, other.last_ms),
        one.days + other.days,
        one.dates | other.dates,
        (min(sessions, default=""), max(sessions, default="")),
        tuple(dict.fromkeys(one.projects + other.projects)),
        tuple(dict.fromkeys(one.worktrees + other.worktrees)),
        tuple(dict.fromkeys(one.excerpts + other.excerpts)),
    )


# --- judging --------------------------------------------------------------------------------------------------------


def groups(topics: Sequence[MissedTopic]) -> list[GapGroup]:
    """Topics that are nearly the same, together; the one that was missed most leads."""
    by_name = {one.topic: one for one in topics}
    return [_group([by_name[name] for name in names]) for names in related(by_name)]


def _group(members: Sequence[MissedTopic]) -> GapGroup:
    lead, *others = sorted(members, key=lambda one: (-one.signals, one.first_ms, one.topic))
    whole = lead
    for other in sorted(others, key=lambda one: one.first_ms):
        whole = _added(whole, other)
    several = whole.sessions[0] != whole.sessions[1]
    days = len(whole.dates) if others else lead.days
    facts = whole.signals, whole.first_ms, whole.last_ms, days
    return GapGroup(lead, tuple(others), *facts, several, whole.projects, whole.worktrees)


def choose_preset(wanted: str, topics: Iterable[MissedTopic]) -> PresetChoice:
    """What the settings say, or what fits those who report. As soon as more than one project does, it is a hub's
    business, whatever the settings say: other people's projects should not raise alarms here so easily."""
    known = list(topics)
    projects = {project for one in known for project in one.projects}
    if len(projects) > 1:
        return PresetChoice("hub", f"{len(projects)} projects report")
    for preset in PRESETS:
        if wanted == preset:
            return PresetChoice(preset, "`observe.preset` says so")
    worktrees = {worktree for one in known for worktree in one.worktrees}
    if len(worktrees) > 1:
        return PresetChoice("team", f"{len(worktrees)} work trees report")
    return PresetChoice("solo", "one work tree reports" if worktrees else "nobody has reported yet")


class GapThreshold(NamedTuple):
    severity: Severity
    signals: int
    voices: int


THRESHOLDS: Final = (GapThreshold("P1", 5, 3), GapThreshold("P2", 3, 2))
"""What voices are depends on the preset: projects for a hub, work trees for a team, days for one person."""


def severity_of(group: GapGroup, preset: Preset) -> Severity | None:
    """None below both thresholds."""
    if preset == "solo" and not group.several_sessions:
        return None
    reached = (step for step in THRESHOLDS if group.signals >= step.signals and voices(group, preset) >= step.voices)
    return next((step.severity for step in reached), None)


def voices(group: GapGroup, preset: Preset) -> int:
    return {"hub": len(group.projects), "team": len(group.worktrees), "solo": group.days}[preset]


VOICE_WORDS: Final[dict[Preset, tuple[str, str]]] = {
    "hub": ("from", "project"),
    "team": ("from", "work tree"),
    "solo": ("on", "day"),
}


def counted(group: GapGroup, preset: Preset) -> str:
    """`4 signals from 2 projects`."""
    number, (word, what) = voices(group, preset), VOICE_WORDS[preset]
    signals = f"{group.signals:,} signal{'' if group.signals == 1 else 's'}"
    return f"{signals} {word} {number:,} {what}{'' if number == 1 else 's'}"


def rule(preset: Preset) -> str:
    """When a topic counts as a gap, in words."""
    step, (word, what) = THRESHOLDS[-1], VOICE_WORDS[preset]
    more = ", of more than one session" if preset == "solo" else ""
    return f"{step.signals} signals {word} {step.voices} {what}s{more}"
