"""What a model said, made into a verdict to rely on: names, dates and hashes are ours, quotes are checked."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from cairn.core.model.knowledge import Entry, Source
from cairn.core.model.verdict import CheckedSource, Verdict, VerdictFinding, VerdictOutcome
from cairn.errors import Refused
from cairn.lib.text.quotes import is_quoted

EDITING = frozenset({VerdictOutcome.MAJOR_DRIFT, VerdictOutcome.SUPERSEDED})
"""Only these may propose edits of the text."""


class SourceText(NamedTuple):
    """A source as the auditor got to see it."""

    reference: str
    text: str
    hash: str
    """Of the whole canonical text."""
    truncated: bool = False


class NormalisedVerdict(NamedTuple):
    verdict: Verdict
    notes: tuple[str, ...]
    """What was put right, one sentence each."""


def settle(
    verdict: Verdict, entry: Entry, sources: Sequence[SourceText], *, today: str, model: str
) -> NormalisedVerdict:
    """`model` is who really judged, as the runner knows it: `provider/model`."""
    if verdict.entry_name != entry.name:
        raise Refused(
            f"The verdict is about `{verdict.entry_name[:80]}`, not about `{entry.name}`; run the audit again."
        )
    notes: list[str] = []
    checked = _checked(verdict, entry, sources, today, notes)
    findings = tuple(finding._replace(previous_excerpt="") for finding in verdict.findings)  # it saw no earlier text
    settled = verdict._replace(audit_date=today, model=model, sources_checked=checked, findings=findings)
    settled = _demoted(settled, notes)
    return NormalisedVerdict(_proven(settled, sources, notes), tuple(notes))


# --- sources --------------------------------------------------------------------------------------------------------


def covers(source: Source, checked: Collection[str]) -> bool:
    """Whether a source is among those that were looked at: one with an anchor exactly, others whatever the anchor."""
    if source.anchor is not None or source.kind == "path":
        return source.reference in checked
    return any(one.partition("#")[0] == source.target for one in checked)


def _checked(
    verdict: Verdict, entry: Entry, sources: Sequence[SourceText], today: str, notes: list[str]
) -> tuple[CheckedSource, ...]:
    """Those that were sent, each once, with the hash of what was sent; a model has seen no others."""
    sent = {source.reference: source for source in sources}
    kept: dict[str, CheckedSource] = {}
    for one in verdict.sources_checked:
        found = sent.get(one.url) or _without_anchor(one.url, sources)
        if found is None:
            notes.append(f"`{one.url[:120]}` is no source of this entry and was taken out of the verdict.")
        elif found.reference not in kept:
            kept[found.reference] = CheckedSource(found.reference, today, found.hash, one.summary)
    missing = [source.reference for source in entry.sources if not covers(source, kept)]
    if missing:
        raise Refused(f"The model did not look at {_listed(missing)}; run the audit again.", sources=missing)
    return tuple(kept.values())


def _without_anchor(url: str, sources: Sequence[SourceText]) -> SourceText | None:
    """A model that leaves the anchor out, or makes one up, can only mean the one page that it was given."""
    page = url.partition("#")[0]
    same = [source for source in sources if source.reference.partition("#")[0] == page]
    return same[0] if len(same) == 1 else None


# --- edits ----------------------------------------------------------------------------------------------------------


def _demoted(verdict: Verdict, notes: list[str]) -> Verdict:
    """A page that is right, or nearly, is not rewritten; what the model would have liked to do is kept for people."""
    if verdict.outcome in EDITING or not verdict.proposed_changes:
        return verdict
    prefix = f"[demoted from proposed_changes — {verdict.outcome} carries no edits]"
    wished = tuple(f"{prefix} {change.location}: {change.rationale}" for change in verdict.proposed_changes)
    count = len(wished)
    notes.append(f"{count} proposed edit{'' if count == 1 else 's'} became remarks: `{verdict.outcome}` carries none.")
    return verdict._replace(proposed_changes=(), preserve_warnings=(*verdict.preserve_warnings, *wished))


# --- quotes ---------------------------------------------------------------------------------------------------------


def _proven(verdict: Verdict, sources: Sequence[SourceText], notes: list[str]) -> Verdict:
    """Edits that rest on words which no source has are refused; remarks that do are marked as such."""
    doubts = {finding: why for finding in verdict.findings if (why := doubt_about(finding, sources))}
    if not doubts:
        return verdict
    kept = tuple(finding for finding in verdict.findings if finding not in doubts)
    if verdict.proposed_changes or (not kept and verdict.outcome is not VerdictOutcome.CURRENT):
        reasons = list(doubts.values())
        raise Refused(f"The verdict was refused: {'; '.join(reasons[:3])}. Run the audit again.", reasons=reasons)
    notes += (f"A finding was set aside: {why}." for why in doubts.values())
    warnings = (f"[not verified: {why}] {finding.claim_in_entry}" for finding, why in doubts.items())
    return verdict._replace(findings=kept, preserve_warnings=(*verdict.preserve_warnings, *warnings))


def doubt_about(finding: VerdictFinding, sources: Sequence[SourceText]) -> str:
    """Why a finding is not proven by the source that it names; nothing when it is."""
    named = [source for source in sources if _names(finding.evidence_url, source.reference)]
    if not named:
        return f"`{finding.evidence_url[:120]}` is no source of this entry"
    if any(is_quoted(finding.source_excerpt, source.text) for source in named):
        return ""
    return f"the quote “{_shortened(finding.source_excerpt)}” is not in {named[0].reference}"


def _names(url: str, reference: str) -> bool:
    return url == reference or url.partition("#")[0] == reference.partition("#")[0]


def _shortened(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 80 else f"{words[:79]}…"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more"
