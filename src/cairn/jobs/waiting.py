"""What waits to be read, in words."""

from collections.abc import Mapping, Sequence
from typing import Final

from cairn.core.ports.jobs import JobStore, JobsWaiting
from cairn.jobs.action import JobAction

_NOUNS: Final = ("question", "questions")


def waiting_line(store: JobStore, actions: Mapping[str, JobAction], only: Sequence[str] = ()) -> str:
    """`4 sessions and 2 changed sources are waiting to be read: run …`; empty when nothing waits."""
    found = [one for one in store.waiting() if not only or one.action_id in only]
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
