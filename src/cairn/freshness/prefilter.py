"""Which entries are audited next, and for every other one why not.

Four classes wait: overdue, changed (a source is not what it was), frontier (a source shows a newer edition), and never
reviewed. Each has its share of the places, and what one class does not need flows on to the others, so that no class
starves another.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Literal, NamedTuple

from cairn.core.model.knowledge import Entry
from cairn.knowledge.cadence import Review, age_days, next_due, review, window_days

Order = Literal["class", "seed"]
Waiting = Literal["overdue", "changed", "frontier", "never", "wanted"]

CLASSES: tuple[Waiting, ...] = ("overdue", "changed", "frontier", "never", "wanted")
_NEVER, _FRONTIER, _CHANGED, _OVERDUE, _UNREADABLE = 100, 80, 75, 50, 1050


class Facts(NamedTuple):
    """What is known of an entry besides what it says."""

    entry: Entry
    changed: tuple[str, ...] = ()
    """References of sources that are not what they were."""
    failures: int = 0
    """In a row, up to now."""
    next_try: date | None = None
    """Until when it is left alone; None when it may be tried."""
    open_request: str | None = None
    """Id of a change request about it that is still open."""
    frontier: str = ""
    """What a source shows of a newer edition, in one sentence; empty when none does."""
    wanted: bool = False
    """Somebody named it: it is audited whether it is due or not, and however often it failed."""


class Choice(NamedTuple):
    entry: Entry
    taken: bool
    waiting: Waiting | None
    """None when it does not wait for an audit, or must not have one now."""
    priority: int | None
    """By the numbers of the seed; the higher, the sooner."""
    reason: str
    """One sentence."""
    held: bool = False
    """Whether it would have an audit now, were nothing in the way."""

    @property
    def due(self) -> bool:
        return self.waiting is not None or self.held


def select(facts: Iterable[Facts], *, today: date, most: int | None, order: Order = "class") -> list[Choice]:
    """One choice for every entry: those that are taken come first and in order, then the others as they were given.

    `most` None takes all that wait."""
    judged = [_judged(fact, today) for fact in facts]
    waiting = [choice for choice in judged if choice.waiting is not None]
    ranked = sorted(waiting, key=lambda choice: -(choice.priority or 0))  # stable: ties stay as they were given
    chosen = _by_class(ranked, most) if order == "class" else ranked[:most]
    taken = [choice._replace(taken=True) for choice in chosen]
    paths = {choice.entry.path for choice in taken}
    left = [_left_out(choice, len(taken)) for choice in judged if choice.entry.path not in paths]
    return [*taken, *left]


def _left_out(choice: Choice, taken: int) -> Choice:
    if choice.waiting is None:
        return choice
    return choice._replace(reason=f"{choice.reason} There was no place left among {taken}; it waits for the next run.")


# --- one entry ------------------------------------------------------------------------------------------------------


def _judged(fact: Facts, today: date) -> Choice:
    entry = fact.entry
    if not entry.sources:
        return Choice(entry, False, None, None, "It names no sources, so there is nothing to compare it with.")
    waiting, priority, reason = _class_of(fact, today)
    hindrance = _hindrance(fact)
    if hindrance:
        changed = f" {_changed(fact.changed)}" if fact.changed else ""
        return Choice(entry, False, None, priority, hindrance + changed, held=waiting is not None)
    return Choice(entry, False, waiting, priority, reason)


def _class_of(fact: Facts, today: date) -> tuple[Waiting | None, int | None, str]:
    entry, age = fact.entry, age_days(fact.entry, today)
    newer = f" {fact.frontier}" if fact.frontier else ""
    also = (f" {_changed(fact.changed)}" if fact.changed else "") + newer
    match review(entry, today):
        case Review.NEVER:
            return "never", _NEVER, f"Nobody has reviewed it yet.{also}"
        case Review.UNREADABLE:
            return "overdue", _UNREADABLE, f"Its last review, `{entry.last_reviewed}`, is no date.{also}"
        case Review.OVERDUE:
            window = f"{entry.volatility} entries are due after {window_days(entry.volatility)} days"
            return "overdue", _OVERDUE + (age or 0), f"Last reviewed {age} days ago; {window}.{also}"
    if fact.changed:
        return "changed", _CHANGED, _changed(fact.changed) + newer
    if fact.frontier:
        return "frontier", _FRONTIER, fact.frontier
    if fact.wanted:
        return "wanted", 0, "It was named."
    due = next_due(entry)
    return None, None, f"It is not due before {due}, and no change of its sources is known."


def _changed(references: Sequence[str]) -> str:
    more = f" and {len(references) - 1} more" if len(references) > 1 else ""
    return f"A source changed: {references[0]}{more}."


def _hindrance(fact: Facts) -> str:
    """Why it has to wait, however due it is."""
    if fact.open_request:
        return f"The change request {fact.open_request} is still open."
    if fact.next_try is not None and not fact.wanted:
        times = "once" if fact.failures == 1 else f"{fact.failures} times in a row"
        return f"Its audit failed {times}; the next try is on {fact.next_try}."
    return ""


# --- shares ---------------------------------------------------------------------------------------------------------


def shares(most: int) -> Mapping[Waiting, int]:
    """Up to half of the places for what is overdue, three in ten for what changed, one in ten for newer editions; the
    rest is for what nobody saw."""
    overdue = max(1, most // 2)
    changed = min(most - overdue, most * 3 // 10)
    frontier = min(most - overdue - changed, (most + 9) // 10) if most > 3 else 0
    return {
        "overdue": overdue,
        "changed": changed,
        "frontier": frontier,
        "never": most - overdue - changed - frontier,
        "wanted": 0,
    }


def _by_class(ranked: Sequence[Choice], most: int | None) -> list[Choice]:
    queues = {waiting: [choice for choice in ranked if choice.waiting == waiting] for waiting in CLASSES}
    if most is None:
        return [choice for waiting in CLASSES for choice in queues[waiting]]
    share = shares(most)
    counts = {waiting: min(share[waiting], len(queues[waiting])) for waiting in CLASSES}
    spare = (
        share["frontier"] - counts["frontier"]
    )  # came out of the share of what nobody saw, and goes back there first
    counts["never"] += min(spare, len(queues["never"]) - counts["never"])
    for waiting in CLASSES:
        free = most - sum(counts.values())
        counts[waiting] += min(free, len(queues[waiting]) - counts[waiting])
    return [choice for waiting in CLASSES for choice in queues[waiting][: counts[waiting]]]
