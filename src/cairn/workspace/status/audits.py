"""Lines of the status page about audits: what is open, and when somebody last looked."""

import json
from collections import Counter
from collections.abc import Iterator

from cairn.core.ledger_events import events_of
from cairn.observe.acknowledge import findings_now
from cairn.observe.lens_coverage_gaps import LENS
from cairn.workspace.status.page import Desk, Level, StatusLine, ago, counted

_STALE_MS = 7 * 86_400_000


def audits(desk: Desk) -> Iterator[StatusLine]:
    if desk.store is None:
        return
    last = next(events_of(desk.app.ledger, desk.store, types=("audit_completed",), limit=1), None)
    # Gaps have a line of their own, which is counted anew; the last audit may not know yet that one was closed.
    found = [one for one in findings_now(desk.app) if one.status == "open" and one.lens != LENS]
    if found:
        counts = Counter(finding.severity for finding in found)
        told = ", ".join(f"{number:,} {severity}" for severity, number in sorted(counts.items()))
        level: Level = "error" if min(counts) == "P0" else "warn"
        text = f"{counted(len(found), 'finding')} of audits: {told}, such as: {found[0].title}"
        data = {"count": len(found), "severities": dict(counts)}
        yield StatusLine("waits", text, level, "cairn observe findings", data)
    if last is not None:
        said = json.loads(last.payload)
        old = desk.now_ms - last.at_ms > _STALE_MS
        text = f"last audit {ago(desk.now_ms - last.at_ms)}: {said.get('verdict', '')}"
        data = {"atMs": last.at_ms, "verdict": said.get("verdict"), "report": said.get("report_id")}
        yield StatusLine("health", text, "info", "cairn observe audit" if old else None, data)
