"""A verdict into the page that it is about: dates, hashes and edition in place, and the edits of sections it names.

Nothing else of the page changes. Hashes come from whoever fetched the sources, never from the verdict.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from cairn.core.model.knowledge import Entry, Layout, Source
from cairn.core.model.verdict import ProposedChange, Verdict, VerdictOutcome
from cairn.errors import CannotEdit, Refused
from cairn.freshness.diff.unresolved import drifted_sources, unresolved
from cairn.freshness.normalise_verdict import EDITING, covers
from cairn.freshness.sections import deleted, inserted, refuse_doubles, replaced
from cairn.knowledge.edit import Path, remove, set_values
from cairn.knowledge.fields import reviewed_key
from cairn.knowledge.values import parse_date, take_source
from cairn.lib.markdown.frontmatter import ParsedFile, parse

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
    body = _edited_body(page.body, verdict.proposed_changes, kept)
    pinned = replace(entry, edition=new_pin(verdict) or entry.edition)
    open_findings = unresolved(verdict, (entry, page.body), (pinned, body))
    drifted = drifted_sources(verdict, (source for _, source in _listed(page.frontmatter)), open_findings)
    changes = _values(page, verdict, _Facts(trusted, raw or {}, canon, drifted, bearing or {}), layout)
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


def _edited_body(body: str, changes: Sequence[ProposedChange], kept: Sequence[str]) -> str:
    """Each edit sees what the ones before it left."""
    edited = body
    for change in changes:
        edited = _edit(edited, change, kept)
    if changes:
        refuse_doubles(body, edited)
    return edited


def _edit(body: str, change: ProposedChange, kept: Sequence[str]) -> str:
    if change.kind == "replace":
        return replaced(body, change.location, _text_of(change))
    if change.kind == "insert":
        return inserted(body, change.location, _text_of(change))
    if _title(change.location) in map(_title, kept):
        raise Refused(f"The verdict would delete `{change.location.strip()}`, which every page has to have.")
    return deleted(body, change.location)


def _title(heading: str) -> str:
    return " ".join(heading.strip().lstrip("#").rstrip("#").split()).casefold()


def _text_of(change: ProposedChange) -> str:
    if not (change.new_text or "").strip():
        raise Refused(f"The verdict would {change.kind} at `{change.location.strip()[:60]}` without saying what with.")
    return change.new_text or ""
