"""What a run or the gates found, as a page of Markdown for the people who open the job."""

from collections.abc import Iterator, Sequence

from cairn.core.model.change import GateRuling, worst
from cairn.freshness.run_plan import FreshnessRunSummary
from cairn.freshness.sync_state import StateSync
from cairn.jobs.spent import spent_words
from cairn.lib.markdown.escape import escape_markdown

MOST = 50
"""Rows of each table; GitHub shows a page of a megabyte, and people read less."""
_LONGEST = 300


def night_page(summary: FreshnessRunSummary, journey: StateSync) -> str:
    return "\n".join(_night(summary, journey)) + "\n"


def _night(summary: FreshnessRunSummary, journey: StateSync) -> Iterator[str]:
    yield f"### Cairn: {'rehearsal of a night' if summary.dry_run else 'the night'}"
    yield from ("", escape_markdown(summary.totals()) + ".", "")
    opened = [(one.id or "", one.level.word, one.title, ", ".join(one.paths)) for one in summary.opened]
    yield from _table(("Request", "Gates", "Title", "Pages"), opened)
    doubts = [(one.path, one.reason) for one in summary.drifted]
    yield from _table(("In doubt", "Why"), doubts)
    yield from _table(("Held back", "Why"), [(one.title, one.reason) for one in summary.held])
    yield from _table(("Failed", "Cause", "Why"), [(one.path, one.cause, one.reason) for one in summary.failed])
    unread = [(one.reference, one.cause, ", ".join(one.paths)) for one in summary.unread]
    yield from _table(("Not read", "Cause", "Pages"), unread)
    spent = "" if summary.spent is None else spent_words(summary.spent)
    for line in (*journey.lines(), *filter(None, (spent, journey.problem))):
        yield f"- {escape_markdown(line)}"


def gates_page(rulings: Sequence[GateRuling], paths: Sequence[str]) -> str:
    return "\n".join(_gates(rulings, paths)) + "\n"


def _gates(rulings: Sequence[GateRuling], paths: Sequence[str]) -> Iterator[str]:
    yield f"### Cairn: gates say {worst(tuple(rulings)).word}"
    yield from ("", f"{len(paths):,} page{'' if len(paths) == 1 else 's'} of knowledge looked at.", "")
    ordered = sorted(rulings, key=lambda ruling: -ruling.level)
    yield from _table(("Gate", "Says", "Why"), [(r.gate, r.level.word, r.reason) for r in ordered])


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if not rows:
        return
    yield f"| {' | '.join(header)} |"
    yield f"|{' --- |' * len(header)}"
    yield from (f"| {' | '.join(escape_markdown(cell[:_LONGEST]) for cell in row)} |" for row in rows[:MOST])
    if len(rows) > MOST:
        yield from ("", f"… and {len(rows) - MOST:,} more.")
    yield ""
