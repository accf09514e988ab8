"""Lists entries that wait for somebody, from the verdicts that runs stored: to be read, or to be edited."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from cairn.core.model.knowledge import Entry
from cairn.core.model.verdict import Verdict, VerdictFinding, VerdictOutcome
from cairn.core.ports.files import ReadFailed
from cairn.freshness.diff.unresolved import states
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.verdict_wire import verdict_of
from cairn.lib.markdown.frontmatter import parse


class Waiting(NamedTuple):
    entry: Entry
    findings: tuple[VerdictFinding, ...]
    """Each with both passages."""


def waiting_for_a_reader(ports: FreshnessPorts) -> list[Waiting]:
    """Entries whose sources changed in passages that only a reader can judge."""
    return [Waiting(entry, verdict.findings) for entry, verdict in _last_verdicts(ports) if verdict.to_be_read]


def waiting_for_an_edit(ports: FreshnessPorts) -> list[Waiting]:
    """Entries that still state what a source no longer says. A merged request does not change that; an edit does."""
    found = []
    for entry, verdict in _last_verdicts(ports):
        if verdict.outcome is VerdictOutcome.CURRENT or verdict.source_unverifiable:
            continue
        body = _body(ports, entry)
        left = tuple(one for one in verdict.findings if body is None or states(one.claim_in_entry, entry, body))
        if left:
            found.append(Waiting(entry, left))
    return found


def _last_verdicts(ports: FreshnessPorts) -> Iterator[tuple[Entry, Verdict]]:
    """About each entry that nobody reviewed since."""
    from cairn.freshness.due import auditable

    last = {row.path: row for row in sorted(ports.store.web.audits(), key=lambda row: row.at_ms)}
    for entry in auditable(ports) if last else ():
        row = last.get(entry.path)
        verdict = verdict_of(json.loads(row.verdict)) if row else None
        if verdict is not None and not _is_read(entry, verdict):
            yield entry, verdict


def _body(ports: FreshnessPorts, entry: Entry) -> str | None:
    try:
        return parse(ports.files.read(entry.path)[0].decode("utf-8", "replace")).body
    except ReadFailed:
        return None


def _is_read(entry: Entry, verdict: Verdict) -> bool:
    """Whether somebody reviewed the entry since, or on that day with the texts that the verdict compared."""
    reviewed = entry.last_reviewed or ""
    hashes = {source.hash for source in entry.sources if source.hash}
    compared = {checked.content_hash for checked in verdict.sources_checked}
    return reviewed > verdict.audit_date or (reviewed == verdict.audit_date and compared <= hashes)
