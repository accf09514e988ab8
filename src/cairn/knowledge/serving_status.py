"""Decides which pages readers are shown, with which words of warning, and when somebody should look again."""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from enum import StrEnum
from typing import Any, Literal, NamedTuple

from cairn.core.model.knowledge import Corpus, Entry, EntryStatus, Volatility, corpus_of
from cairn.core.scope import Scope, explains_change, scope_of
from cairn.knowledge.values import parse_date

_NAME = re.compile(r"[^\s`<>]{1,200}")
"""What may stand among our own words: a name or a path, but no sentence of a page's."""

Level = Literal["plain", "banner", "warning", "refused"]


class ServingStatus(NamedTuple):
    level: Level
    words: str
    """What a reader is told first; empty when there is nothing to say."""

    @property
    def served(self) -> bool:
        return self.level != "refused"


_STANDING: dict[EntryStatus | None, ServingStatus] = {
    None: ServingStatus("plain", ""),
    EntryStatus.DRAFT: ServingStatus("banner", "This is a skeleton that nobody has filled in yet."),
    EntryStatus.ALPHA: ServingStatus("banner", "This is new, or has changed; use has not confirmed it yet."),
    EntryStatus.BETA: ServingStatus("banner", "A few have confirmed this; check what matters."),
    EntryStatus.STABLE: ServingStatus("plain", ""),
    EntryStatus.DEPRECATED: ServingStatus("warning", "This is no longer recommended."),
    EntryStatus.QUARANTINED: ServingStatus(
        "refused", "This is in quarantine and not shown until somebody has looked at it."
    ),
}
"""An entry without a status is untracked: served as it is, not judged."""


def serving_status(status: EntryStatus | None, superseded_by: str | None = None) -> ServingStatus:
    """How an entry of this status is served. Of one that has a successor, the words name it."""
    found = _STANDING[status]
    if status is EntryStatus.DEPRECATED and superseded_by and _NAME.fullmatch(superseded_by):
        return found._replace(words=f"This is no longer recommended; see `{superseded_by}` instead.")
    return found


def may_be_required(status: EntryStatus | None) -> bool:
    """Whether others may build on it."""
    return status not in (EntryStatus.DEPRECATED, EntryStatus.QUARANTINED)


def page_scope(path: str, corpora: tuple[Corpus, ...], text: str = "") -> Scope:
    """Pages of knowledge are current wherever they are stored, and however their folders are called."""
    corpus = corpus_of(path, corpora)
    return Scope.CURRENT if corpus is not None and corpus.layout != "plain" else scope_of(path, text)


def is_searched(path: str, kind: str, corpora: tuple[Corpus, ...], text: str = "") -> bool:
    """Whether search and briefings include it without `--all`. Decision records are about the past, and are included:
    the reasons that they give still apply. So are guides for upgrading, since people ask about that."""
    scope = page_scope(path, corpora, text)
    return scope is Scope.CURRENT or (scope is Scope.PAST and (kind == "decision" or explains_change(path)))


def status_of(frontmatter: Mapping[str, Any]) -> EntryStatus | None:
    said = frontmatter.get("status", next((frontmatter[k] for k in frontmatter if k.casefold() == "status"), None))
    word = said.strip().casefold() if isinstance(said, str) else None
    return EntryStatus(word) if word in set(EntryStatus) else None


_WINDOWS = {Volatility.FAST_MOVING: 14, Volatility.EVOLVING: 60, Volatility.STABLE: 180}


class Review(StrEnum):
    """Where an entry stands between two looks."""

    NEVER = "never"
    """Nobody has looked yet."""
    UNREADABLE = "unreadable"
    """There is a date, but it is none; that counts as longer ago than any."""
    OVERDUE = "overdue"
    """Longer ago than its window."""
    CURRENT = "current"
    """Within its window."""


def window_days(volatility: Volatility) -> int:
    """For so many days a look holds; on the day after the entry is due."""
    return _WINDOWS[volatility]


def review(entry: Entry, today: date) -> Review:
    if not entry.last_reviewed:
        return Review.NEVER
    age = age_days(entry, today)
    if age is None:
        return Review.UNREADABLE
    return Review.OVERDUE if age > window_days(entry.volatility) else Review.CURRENT


def is_due(entry: Entry, today: date) -> bool:
    return review(entry, today) is not Review.CURRENT


def age_days(entry: Entry, today: date) -> int | None:
    """Whole days since the last look; None when there was none, or nobody can read when."""
    looked = parse_date(entry.last_reviewed)
    return None if looked is None else (today - looked).days


def next_due(entry: Entry) -> date | None:
    """The first day on which it is due; None when it is due already, whatever the day."""
    looked = parse_date(entry.last_reviewed)
    if looked is None:
        return None
    try:
        return looked + timedelta(days=window_days(entry.volatility) + 1)
    except OverflowError:
        return date.max
