"""A verdict into the page that it is about: dates, hashes and edition in place, and the edits of sections it names.

Nothing else of the page changes. Hashes come from whoever fetched the sources, never from the verdict.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from cairn.core.model.knowledge import Entry, Layout, Source
from cairn.core.model.verdict import TO_BE_READ, ProposedChange, Verdict, VerdictFinding, VerdictOutcome
from cairn.errors import CannotEdit, Refused
from cairn.freshness.sections import (
    deleted,
    headings,
    inserted,
    is_location,
    refuse_doubles,
    replaced,
    sentence_replaced,
)
from cairn.knowledge.edit import Path, remove, set_values
from cairn.knowledge.fields import reviewed_key
from cairn.knowledge.values import parse_date, take_source
from cairn.lib.markdown.frontmatter import ParsedFile, parse
from cairn.lib.text.atoms import VALUES, atoms

PIN = "version-pin: "
EDITING = frozenset({VerdictOutcome.MAJOR_DRIFT, VerdictOutcome.SUPERSEDED})
"""Only these may propose edits of the text."""


def covers(source: Source, checked: Collection[str]) -> bool:
    """Whether a source is among those that were looked at: one with an anchor exactly, others whatever the anchor."""
    if source.anchor is not None or source.kind == "path":
        return source.reference in checked
    return any(one.partition("#")[0] == source.target for one in checked)


def states(claim: str, entry: Entry, body: str) -> bool:
    """Whether a page has this sentence, or this pin, as it was found."""
    if claim.startswith(PIN):
        return claim == " ".join(f"{PIN}{entry.edition}".split())
    wanted = " ".join(claim.split())
    return any(wanted in " ".join(text.split()) for text in (entry.summary, body))


def unresolved(verdict: Verdict, before: tuple[Entry, str], after: tuple[Entry, str]) -> list[VerdictFinding]:
    """Findings that an edit did not answer. Entry and body as they were judged, and as the edits leave them."""
    if verdict.outcome is VerdictOutcome.CURRENT:
        return []
    edited = before != after
    replaced = {change.location for change in verdict.proposed_changes}
    return [
        one
        for one in verdict.findings
        if not (edited and (one.claim_in_entry in replaced or _is_answered(one, before, after)))
    ]


def _is_answered(finding: VerdictFinding, before: tuple[Entry, str], after: tuple[Entry, str]) -> bool:
    """A model may quote loosely; then any edit counts as its answer."""
    return not states(finding.claim_in_entry, *after) or not states(finding.claim_in_entry, *before)


def drifted_sources(verdict: Verdict, sources: Iterable[Source], findings: Sequence[VerdictFinding]) -> frozenset[str]:
    """References of sources that keep their hash: those that the findings name. A drift without any finding names
    none, so that none is taken for right."""
    if verdict.outcome is VerdictOutcome.CURRENT:
        return frozenset()
    named = {finding.evidence_url for finding in findings}
    if not verdict.findings and not verdict.proposed_changes:
        return frozenset(source.reference for source in sources)
    return frozenset(source.reference for source in sources if _is_named(source, named))


def _is_named(source: Source, named: Collection[str]) -> bool:
    return source.reference in named or (
        source.kind == "url" and source.target in {reference.partition("#")[0] for reference in named}
    )


# --- after an edit --------------------------------------------------------------------------------------------------


def after_edits(verdict: Verdict, earlier: Iterable[Verdict], entry: Entry, body: str) -> Verdict:
    """Without passages that need no reader any more: an earlier verdict named the sentence about the very same change,
    and somebody edited that sentence since, to nothing that the passage does not say."""
    edited = {
        _passages(one): one.claim_in_entry
        for old in earlier
        for one in _proven(old)
        if not states(one.claim_in_entry, entry, body)
    }
    left = tuple(one for one in verdict.findings if one.drift_kind != TO_BE_READ or not _is_settled(one, edited))
    if not verdict.to_be_read or left == verdict.findings:
        return verdict
    waiting = {one.evidence_url for one in left}
    gone = {one.evidence_url for one in verdict.findings} - waiting
    warnings = tuple(w for w in verdict.preserve_warnings if not any(w.startswith(f"{url}: ") for url in gone))
    settled = verdict._replace(findings=left, preserve_warnings=warnings)
    if left or warnings:
        return settled
    return settled._replace(outcome=VerdictOutcome.CURRENT, source_unverifiable=False)


def _is_settled(finding: VerdictFinding, edited: Mapping[tuple[str, str, str], str]) -> bool:
    """Whether its sentence was edited, and every value that the edit brought in stands in the passage."""
    before = edited.get(_passages(finding))
    if before is None:
        return False
    return _unresolved_values(finding.claim_in_entry) <= _unresolved_values(before) | _unresolved_values(
        finding.source_excerpt
    )


def _unresolved_values(text: str) -> frozenset[str]:
    return frozenset(atom.key for atom in atoms(text) if atom.kind in VALUES)


def _proven(verdict: Verdict) -> Iterator[VerdictFinding]:
    return (one for one in verdict.findings if one.drift_kind != TO_BE_READ)


def _passages(finding: VerdictFinding) -> tuple[str, str, str]:
    return finding.evidence_url, finding.source_excerpt, finding.previous_excerpt


KEPT = ("Summary", "Deep Guidance")
"""Sections that no audit may take out."""

_NO_PIN = frozenset({"", "null", "undefined", "none"})


def apply_verdict(
    text: str,
    entry: Entry,
    verdict: Verdict,
    *,
    trusted: Mapping[str, str],
    raw: Mapping[str, str] | None = None,
    canon: int | None = None,
    bearing: Mapping[str, str] | None = None,
    layout: Layout = "entries",
    kept: Sequence[str] = KEPT,
) -> str:
    """The page after a verdict. `trusted` has the hash of each source's text by its reference, or by its address;
    `raw` those of the bytes. `canon` is the version of what made the texts out of pages of the web. `bearing` has the
    hashes of the earlier texts that bore the page out, for sources that drifted."""
    if verdict.source_unverifiable:
        return text
    refuse_unfit(entry, verdict)
    page = parse(text)
    if page.raw is None or any(problem.hint != "byte-order-mark" for problem in page.problems):
        raise Refused(
            f"{entry.path} has no frontmatter that can be read; `cairn freshness validate` says what is wrong."
        )
    summary = _edited_summary(entry.summary, verdict.proposed_changes)
    body = _edited_body(page.body, entry.summary, verdict.proposed_changes, kept)
    pinned = replace(entry, edition=new_pin(verdict) or entry.edition, summary=summary)
    open_findings = unresolved(verdict, (entry, page.body), (pinned, body))
    drifted = drifted_sources(verdict, (source for _, source in _listed(page.frontmatter)), open_findings)
    changes = _values(page, verdict, _Facts(trusted, raw or {}, canon, drifted, bearing or {}), layout)
    changes |= {(key,): summary for key in _summary_keys(page.frontmatter, entry.summary) if summary != entry.summary}
    head = text[: len(text) - len(page.body)]
    try:
        after = set_values(head + body, changes)
        for at, source in _listed(page.frontmatter):
            after = after if source.reference in drifted else remove(after, ("sources", at, "drifted"))
        return after
    except CannotEdit as error:
        raise CannotEdit(f"{entry.path}: {error.message}", **error.details) from None


def refuse_unfit(entry: Entry, verdict: Verdict) -> None:
    """Everything that can be known before the page is touched."""
    if verdict.entry_name != entry.name:
        raise Refused(
            f"The verdict is about `{verdict.entry_name[:80]}`, but {entry.path} is `{entry.name}`; "
            "give the verdict of this entry."
        )
    if parse_date(verdict.audit_date) is None:
        raise Refused(f"The verdict's `audit_date` is `{verdict.audit_date[:40]}` and no day; run the audit again.")
    if verdict.outcome not in EDITING and verdict.proposed_changes:
        raise Refused(f"The verdict is `{verdict.outcome}` and yet proposes edits; run the audit again.")
    looked_at = {checked.url for checked in verdict.sources_checked}
    missing = [source.reference for source in entry.sources if not covers(source, looked_at)]
    if missing:
        raise Refused(f"The verdict says nothing about the source {missing[0]}; run the audit again.", sources=missing)


# --- frontmatter ----------------------------------------------------------------------------------------------------


class _Facts(NamedTuple):
    """What is known about the sources now."""

    trusted: Mapping[str, str]
    raw: Mapping[str, str]
    canon: int | None
    drifted: frozenset[str]
    """Those that keep their hash."""
    bearing: Mapping[str, str]


def _values(page: ParsedFile, verdict: Verdict, facts: _Facts, layout: Layout) -> dict[Path, Any]:
    """Nobody has found a page right while one of its sentences waits for an edit."""
    changes: dict[Path, Any] = {}
    if verdict.outcome is not VerdictOutcome.SUPERSEDED and not facts.drifted:
        changes[(reviewed_key(page.frontmatter, layout),)] = verdict.audit_date
    pin = new_pin(verdict)
    if pin is not None:
        changes[("version-pin",)] = pin
    for at, source in _listed(page.frontmatter):
        place: Path = ("sources", at)
        if source.reference in facts.drifted:
            changes |= {(*place, key): value for key, value in _kept(source, verdict, facts).items()}
            continue
        changes[(*place, "hash")] = _hash(source, facts.trusted)
        changes[(*place, "retrieved")] = verdict.audit_date
        if source.kind == "url" and facts.canon is not None:
            changes[(*place, "canon")] = facts.canon
        if source.kind == "url" and (of_bytes := facts.raw.get(source.reference) or facts.raw.get(source.target)):
            changes[(*place, "raw")] = of_bytes
    return changes


def _kept(source: Source, verdict: Verdict, facts: _Facts) -> dict[str, Any]:
    """Of a source that drifted: since when, and the hash of the text that bore the page out."""
    known: dict[str, Any] = {}
    before = facts.bearing.get(source.reference)
    if before is not None and before != source.hash:
        known = {"hash": before, "canon": facts.canon}
    return {**known, "drifted": source.drifted or verdict.audit_date}


def new_pin(verdict: Verdict) -> str | None:
    """The edition that a page is about from now on; None when that stays."""
    pin = (verdict.proposed_version_pin or "").strip()
    return None if verdict.outcome not in EDITING or pin.casefold() in _NO_PIN else pin


def _listed(frontmatter: Mapping[str, Any]) -> list[tuple[int, Source]]:
    """The sources with their places in the file; what is no source has a place too."""
    items = frontmatter.get("sources")
    listed = [take_source(item) if isinstance(item, dict) else None for item in items or ()]
    return [(at, source) for at, source in enumerate(listed) if source is not None]


def _hash(source: Source, trusted: Mapping[str, str]) -> str:
    found = trusted.get(source.reference) or (trusted.get(source.target) if source.kind == "url" else None)
    if found is None:
        raise Refused(f"Nobody fetched the source {source.reference}, so its hash is not known; nothing was changed.")
    return found


# --- body -----------------------------------------------------------------------------------------------------------


def _edited_summary(summary: str, changes: Sequence[ProposedChange]) -> str:
    for change in changes:
        if not is_location(change.location):
            summary = sentence_replaced(summary, change.location, change.new_text or "") or summary
    return summary


def _summary_keys(frontmatter: Mapping[str, Any], summary: str) -> list[str]:
    """What the page calls its summary."""
    return [key for key in ("summary", "description") if summary and frontmatter.get(key) == summary]


def _edited_body(body: str, summary: str, changes: Sequence[ProposedChange], kept: Sequence[str]) -> str:
    """Each edit sees what the ones before it left."""
    edited = body
    for change in changes:
        edited = _edit(edited, summary, change, kept)
    if changes:
        refuse_doubles(body, edited)
    return edited


def _edit(body: str, summary: str, change: ProposedChange, kept: Sequence[str]) -> str:
    if change.kind == "replace" and not is_location(change.location):
        return _with_sentence(body, summary, change)
    if change.kind == "replace":
        return replaced(body, change.location, _text_of(change))
    if change.kind == "insert":
        return inserted(body, change.location, _text_of(change))
    if _title(change.location) in map(_title, kept):
        raise Refused(f"The verdict would delete `{change.location.strip()}`, which every page has to have.")
    return deleted(body, change.location)


def _with_sentence(body: str, summary: str, change: ProposedChange) -> str:
    edited = sentence_replaced(body, change.location, _text_of(change))
    if edited is None and change.location not in summary:
        raise Refused(
            f"`{change.location.strip()[:60]}` is not in the page; it may have been edited since it was audited."
        )
    if edited is not None and len(headings(edited)) != len(headings(body)):
        raise Refused(f"The new text for `{change.location.strip()[:60]}` changes the headings of the page.")
    return body if edited is None else edited


def _title(heading: str) -> str:
    return " ".join(heading.strip().lstrip("#").rstrip("#").split()).casefold()


def _text_of(change: ProposedChange) -> str:
    if not (change.new_text or "").strip():
        raise Refused(f"The verdict would {change.kind} at `{change.location.strip()[:60]}` without saying what with.")
    return change.new_text or ""
