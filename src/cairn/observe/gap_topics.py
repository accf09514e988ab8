"""Every topic that was missed, week by week."""

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cairn.capture.trend import sparkline
from cairn.journal import iso_utc
from cairn.observe.gaps import WINDOW_DAYS, Missed
from cairn.observe.lens_coverage_gaps import Gap
from cairn.observe.list_gaps import look_at_gaps
from cairn.observe.tally import DAY_MS

if TYPE_CHECKING:
    from cairn.observe.ports import ObservePorts

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


class Topics(NamedTuple):
    weeks: int
    topics: tuple[TopicRow, ...]
    """Those that were missed most often first."""


def topics_by_week(ports: "ObservePorts") -> Topics:
    view = look_at_gaps(ports, always=True)
    today = ports.clock.now_ms() // DAY_MS
    weeks: dict[str, list[int]] = {}
    for topic, day, signals in ports.store.gaps.by_day(today - WEEKS * 7 + 1):
        if day <= today:
            weeks.setdefault(topic, [0] * WEEKS)[WEEKS - 1 - (today - day) // 7] += signals
    rows = [_row(one, gap, weeks.get(one.topic)) for gap in view.gaps for one in gap.group.members]
    return Topics(WEEKS, tuple(sorted(rows, key=lambda row: (-row.signals, row.topic))))


def _row(one: Missed, gap: Gap, weeks: list[int] | None) -> TopicRow:
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
