"""What is waiting to be read, in words."""

from collections.abc import Mapping, Sequence
from typing import Final

from cairn.core.ports.jobs import JobsWaiting
from cairn.jobs.action import JobAction

_NOUNS: Final = ("question", "questions")


def together(found: Sequence[JobsWaiting], unasked: Mapping[str, int]) -> list[JobsWaiting]:
    """The queue, and what no question was asked about yet, by action."""
    counts = {one.action_id: one for one in found}
    for id, number in unasked.items():
        known = counts.get(id, JobsWaiting(id, 0, 0))
        counts[id] = known._replace(jobs=known.jobs + number)
    return [one for one in counts.values() if one.jobs]


def waiting_line(found: Sequence[JobsWaiting], actions: Mapping[str, JobAction]) -> str:
    """`4 sessions and 2 changed sources are waiting to be read: run …`; empty for nothing."""
    count = sum(one.jobs for one in found)
    if not count:
        return ""
    verb = "is" if count == 1 else "are"
    return f"{waiting_words(found, actions)} {verb} waiting to be read: run `cairn judge`, or ask your agent to."


def waiting_words(found: Sequence[JobsWaiting], actions: Mapping[str, JobAction]) -> str:
    """`4 sessions and 2 changed sources`; kinds that have the same noun are one."""
    counts: dict[tuple[str, str], int] = {}
    for one in found:
        nouns = nouns_of(actions.get(one.action_id))
        counts[nouns] = counts.get(nouns, 0) + one.jobs
    parts = [f"{count:,} {nouns[count != 1]}" for nouns, count in counts.items()]
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def nouns_of(action: JobAction | None) -> tuple[str, str]:
    """What an action is asked about: one, and several."""
    if action is None:
        return _NOUNS
    if action.question is None:
        return f"document for `{action.id}`", f"documents for `{action.id}`"
    facts = action.question.facts
    return facts.get("noun", _NOUNS[0]), facts.get("nouns", _NOUNS[1])
