"""Decides which findings of a verdict a page still has to answer for.

The hash of a source that drifted advances with an edit of the sentence, or when a person says that the page is right.
Until then the page keeps the hash of the text that bore it out, so that the next run finds the difference again.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from cairn.core.model.knowledge import Entry, Source
from cairn.core.model.verdict import TO_BE_READ, Verdict, VerdictFinding, VerdictOutcome
from cairn.lib.text.atoms import VALUES, atoms

PIN = "version-pin: "


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
    return [one for one in verdict.findings if not (edited and _is_answered(one, before, after))]


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
    return _values(finding.claim_in_entry) <= _values(before) | _values(finding.source_excerpt)


def _values(text: str) -> frozenset[str]:
    return frozenset(atom.key for atom in atoms(text) if atom.kind in VALUES)


def _proven(verdict: Verdict) -> Iterator[VerdictFinding]:
    return (one for one in verdict.findings if one.drift_kind != TO_BE_READ)


def _passages(finding: VerdictFinding) -> tuple[str, str, str]:
    return finding.evidence_url, finding.source_excerpt, finding.previous_excerpt
