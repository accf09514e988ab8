"""Lists contradictions that a reader found since the last audit, without a new report."""

from collections.abc import Sequence

from cairn.core.ledger_events import events_of
from cairn.observe.ask_contradictions import KIND, LENS, answers
from cairn.observe.audit import AuditRequest, audit
from cairn.observe.ports import ObservePorts


def follow_contradictions(ports: ObservePorts) -> Sequence[str]:
    """Titles of the findings that are new."""
    rows = answers(ports)
    ports.index_ledger()
    last = next(iter(events_of(ports.ledger, ports.store, types=("audit_completed",), limit=1)), None)
    if not rows or (last is not None and rows[0].finished_at_ms <= last.at_ms):
        return ()
    before = {row.id for row in ports.store.findings.all()}
    done = audit(ports, AuditRequest(lenses=(LENS,), args=("follow",)))
    new = (one for one in done.findings if one.id not in before and one.evidence.get("kind") == KIND)
    return tuple(one.title for one in new if one.status == "open")
