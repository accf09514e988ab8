"""Lists entries whose sources changed in passages that wait for a reader, from the verdicts that runs stored."""

import json
from typing import NamedTuple

from cairn.app.build import App
from cairn.freshness.verdict_wire import verdict_of
from cairn.kernel.knowledge.entry import Entry
from cairn.kernel.model.verdict import Finding, Verdict


class Waiting(NamedTuple):
    entry: Entry
    findings: tuple[Finding, ...]
    """Each with both passages."""


def waiting_for_a_reader(app: App) -> list[Waiting]:
    """By the last verdict about each entry. Nobody waits for one that was reviewed since."""
    from cairn.app.freshness.choosing import auditable

    last = {row.path: row for row in sorted(app.store.web.audits(), key=lambda row: row.at_ms)}
    found = []
    for entry in auditable(app) if last else ():
        row = last.get(entry.path)
        verdict = verdict_of(json.loads(row.verdict)) if row else None
        if verdict is not None and verdict.to_be_read and not _is_read(entry, verdict):
            found.append(Waiting(entry, verdict.findings))
    return found


def _is_read(entry: Entry, verdict: Verdict) -> bool:
    """Whether somebody reviewed the entry since, or on that day with the texts that the verdict compared."""
    reviewed = entry.last_reviewed or ""
    hashes = {source.hash for source in entry.sources if source.hash}
    compared = {checked.content_hash for checked in verdict.sources_checked}
    return reviewed > verdict.audit_date or (reviewed == verdict.audit_date and compared <= hashes)
