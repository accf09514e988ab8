"""What readers were asked during a command: added up over several runs, as JSON and in words."""

from typing import Any

from cairn.jobs.run import JobRunSummary


def together(one: JobRunSummary | None, two: JobRunSummary | None) -> JobRunSummary | None:
    if one is None or two is None:
        return one or two
    return one._replace(
        completed=one.completed + two.completed,
        failed=one.failed + two.failed,
        duration_ms=one.duration_ms + two.duration_ms,
        tokens_in=one.tokens_in + two.tokens_in,
        tokens_out=one.tokens_out + two.tokens_out,
        returned=one.returned + two.returned,
        stopped=two.stopped,
    )


def is_stopped(spent: JobRunSummary | None) -> bool:
    """Whether a reader was left alone although questions wait."""
    return spent is not None and bool(spent.stopped)


def spent_value(spent: JobRunSummary | None) -> dict[str, Any] | None:
    """As JSON."""
    if spent is None:
        return None
    return {
        "questions": spent.attempted,
        "failed": spent.failed,
        "tokensIn": spent.tokens_in,
        "tokensOut": spent.tokens_out,
    }


def spent_words(spent: JobRunSummary | None) -> str:
    """“not asked” when no question was sent."""
    if spent is None or not spent.attempted:
        why = spent.stopped if spent and spent.stopped else "no question was waiting"
        return f"not asked: {why}"
    asked = f"{spent.attempted:,} question{'' if spent.attempted == 1 else 's'} asked"
    failed = f", {spent.failed:,} without an answer that counts" if spent.failed else ""
    stopped = f"; {spent.stopped}" if spent.stopped else ""
    return f"{asked}{failed}; {spent.tokens_in:,} tokens read and {spent.tokens_out:,} written{stopped}"
