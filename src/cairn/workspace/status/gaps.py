"""The line of the status page about gaps: which topics are missed often enough to be written about."""

from collections.abc import Iterator

from cairn.observe.list_gaps import gap_findings, look_at_gaps
from cairn.workspace.status.page import Desk, StatusLine, counted

_NAMED = 3


def gaps(desk: Desk) -> Iterator[StatusLine]:
    if desk.store is None:
        return
    found = [one for one in gap_findings(desk.app, look_at_gaps(desk.app)) if one.status == "open"]
    if not found:
        return
    topics = [(str(one.evidence["topic"]), int(one.evidence["signal_count"])) for one in found]
    named = ", ".join(f"{topic} ({signals:,} times)" for topic, signals in topics[:_NAMED])
    more = f" and {len(topics) - _NAMED:,} more" if len(topics) > _NAMED else ""
    text = f"{counted(len(topics), 'topic')} that nobody has written about: {named}{more}"
    data = {"count": len(topics), "topics": dict(topics)}
    yield StatusLine("waits", text, "warn", "cairn gaps list", data)
