"""Audits one entry for a person or a script: its sources, the comparison, and the answers that readers gave."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from cairn.core.model.knowledge import Entry
from cairn.core.model.verdict import Verdict
from cairn.errors import Refused
from cairn.freshness.ask_reader import QUESTIONS, FreshnessReaders, Reading
from cairn.freshness.audit import (
    EntryPage,
    SourceReader,
    SourceVersions,
    UnreadableSource,
    compared,
    gather,
    page_called,
    ports_of,
    record_failure,
    today_of,
    without_sources,
)
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.unreliable_sources import OFFLINE
from cairn.freshness.verdict_json import verdict_json
from cairn.jobs.ask import ReadNow
from cairn.jobs.run import JobRunSummary


class AuditResult(NamedTuple):
    page: EntryPage
    verdict: Verdict
    notes: tuple[str, ...] = ()
    """What the reader of the report should know."""
    spent: JobRunSummary | None = None
    """None when no reader was asked to answer now."""


class SkippedAudit(NamedTuple):
    """Nothing could be said, and trying again would not help."""

    page: EntryPage
    url: str
    detail: str


def audit_once(
    ports: FreshnessPorts, name: str, *, here: Path, reader: ReadNow | None = None
) -> AuditResult | SkippedAudit:
    """With the answers that exist; with a reader, what is missing is asked now, also about whole sources. What fails is
    remembered, so that the entry is left alone for a while."""
    page = page_called(ports, name, here=here)
    path = page.entry.path
    try:
        result = _audit(ports, page, reader)
    except Refused as refused:
        record_failure(ports, path, OFFLINE if refused.details.get("offline") else refused.code, refused.message)
        raise
    if isinstance(result, SkippedAudit):
        record_failure(ports, path, "unusable", result.detail)
        return result
    ports.store.web.forget_attempts([path])
    return result._replace(notes=(*result.notes, *_vouched(ports, page.entry)))


def _audit(ports: FreshnessPorts, page: EntryPage, reader: ReadNow | None) -> AuditResult | SkippedAudit:
    found = texts_of(page, ports_of(ports))
    if isinstance(found, SkippedAudit):
        return found
    page, seen = found
    readers = FreshnessReaders(ports)
    comparison = compared(page, seen, today_of(ports))
    reading = readers.reading(page, seen, comparison, first_audits=reader is not None)
    spent = None if reader is None else _asked(readers, reading, reader)
    read = readers.read(reading)
    if read.failed and reader is not None:
        raise Refused(f"No reader could answer about {page.entry.path}: {read.failed}")
    notes = ("a reader is asked, and has not answered yet",) if read.waits else ()
    return AuditResult(page, read.verdict, notes, spent)


def _asked(readers: FreshnessReaders, reading: Reading, reader: ReadNow) -> JobRunSummary | None:
    for asked in reading.asked:
        readers.ask(asked, again=True)
    return reader(QUESTIONS) if reading.asked else None


def texts_of(page: EntryPage, ports: SourceReader) -> tuple[EntryPage, list[SourceVersions]] | SkippedAudit:
    """What its sources say; refused where one of them can't be read."""
    if not page.entry.sources:
        raise Refused(f"{page.entry.path} names no sources, so there is nothing to compare it with; add one.")
    found = gather(page.entry.sources, ports, page=page.entry.path)
    unseen = [one for one in found if isinstance(one, UnreadableSource)]
    if page.kept and len(unseen) < len(found):  # one dead link is no reason to leave the others unread
        page, unseen = without_sources(page, unseen), []
    if unseen and unseen[0].unusable:
        return SkippedAudit(page, unseen[0].source.reference, unseen[0].reason)
    if unseen:
        raise Refused(
            f"The source {unseen[0].source.reference} could not be read: {unseen[0].reason}",
            sources=[one.source.reference for one in unseen],
            offline=any(one.offline for one in unseen),
        )
    return page, [one for one in found if isinstance(one, SourceVersions)]


def _vouched(ports: FreshnessPorts, entry: Entry) -> Iterator[str]:
    """Whoever reads the report should know what was only fetched since the operator allows it."""
    from cairn.lib.urls.url import ALLOW, allowed_places, split_url

    allowed = allowed_places(ports.env)
    places = {split_url(source.target).place for source in entry.sources if source.kind == "url"} if allowed else set()
    for host, port in sorted(places & allowed):
        yield f"{host}:{port} was fetched since {ALLOW} lets it be"


def audited_json(audited: AuditResult, dollars: float | None) -> dict[str, Any]:
    """The verdict, and beside it what Cairn knows: which text was judged, and what it cost."""
    spent = audited.spent
    cost = None
    if spent is not None:
        cost = {
            "calls": spent.attempted,
            "tokens_in": spent.tokens_in,
            "tokens_out": spent.tokens_out,
            "dollars": dollars,
        }
    return {
        **verdict_json(audited.verdict),
        "entry_path": audited.page.entry.path,
        "entry_sha256": audited.page.digest,
        "notes": list(audited.notes),
        "spent": cost,
    }
