"""Makes a verdict of what a reader answered about an entry: quotes were checked, dates and hashes are ours."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cairn.core.model.knowledge import Entry
from cairn.core.model.verdict import (
    EDITION_UPGRADE,
    FACTUAL_ERROR,
    OBSOLETE,
    REMOVED,
    ProposedChange,
    Verdict,
    VerdictFinding,
    VerdictOutcome,
)
from cairn.freshness.editions import ANY_VERSION, pins_of, written_like
from cairn.freshness.verdict_edits import PIN
from cairn.lib.text.quotes import is_quoted

_HEADING_MARKS = "# "


class SourceNow(NamedTuple):
    """A source as it is, in the order of the question."""

    reference: str
    text: str


def verdict_from(
    answer: Mapping[str, Any],
    entry: Entry,
    sources: Sequence[SourceNow],
    compared: Verdict,
    *,
    model: str,
) -> Verdict:
    """The verdict on an answer to `still-true`. `compared` is what the comparison without a reader found; a pin that
    the page itself contradicts stays a finding, whatever the reader answered."""
    verdict = compared._replace(model=model, findings=(), preserve_warnings=(), source_unverifiable=False)
    if answer["verdict"] == "unverifiable":
        return verdict._replace(
            outcome=VerdictOutcome.CURRENT, preserve_warnings=(answer["reason"],), source_unverifiable=True
        )
    parts = _Parts(answer, entry, sources, compared)
    findings = (*parts.newer(), *parts.drifted(), *parts.exact())
    if not findings and parts.unproven:
        return compared._replace(preserve_warnings=(*compared.preserve_warnings, *parts.unproven))
    changes = tuple(parts.changes())
    outcome = _outcome(answer, bool(findings), bool(changes))
    return verdict._replace(
        outcome=outcome,
        findings=findings,
        proposed_changes=changes,
        proposed_version_pin=parts.pin() if changes and outcome is VerdictOutcome.SUPERSEDED else None,
        preserve_warnings=tuple(parts.unproven),
    )


def _outcome(answer: Mapping[str, Any], has_findings: bool, has_changes: bool) -> VerdictOutcome:
    if answer["superseded_by"] is not None:
        return VerdictOutcome.SUPERSEDED
    if has_changes:
        return VerdictOutcome.MAJOR_DRIFT
    return VerdictOutcome.MINOR_DRIFT if has_findings else VerdictOutcome.CURRENT


class _Parts:
    def __init__(
        self, answer: Mapping[str, Any], entry: Entry, sources: Sequence[SourceNow], compared: Verdict
    ) -> None:
        self._answer, self._entry, self._sources, self._compared = answer, entry, sources, compared
        self._proven = [item for item in answer["drifted"] if self._is_proven(item)]
        self.unproven = [
            f"the reader doubts “{_line(item['sentence'])}”, and its quote is not proven by the source"
            for item in answer["drifted"]
            if item not in self._proven
        ]

    def _is_proven(self, item: Mapping[str, Any]) -> bool:
        """Against the whole source: a reader saw only the passages that differ."""
        return is_quoted(item["quote"], self._sources[item["source"] - 1].text) is item["now"]

    def drifted(self) -> Iterator[VerdictFinding]:
        for item in self._proven:
            now, before = (item["quote"], self._earlier(item)) if item["now"] else ("", item["quote"])
            kind = FACTUAL_ERROR if item["now"] else REMOVED
            yield VerdictFinding(item["sentence"], self._where(item), self._day, now, "P2", kind, before)

    def _earlier(self, item: Mapping[str, Any]) -> str:
        """What the source said before, where the comparison found the same sentence."""
        found = (item["sentence"], self._where(item))
        same = (one for one in self._compared.findings if (one.claim_in_entry, one.evidence_url) == found)
        return next((one.previous_excerpt for one in same), "")

    def newer(self) -> Iterator[VerdictFinding]:
        found = self._answer["superseded_by"]
        if found is not None:
            yield edition_finding(self._entry, found["quote"], self._where(found), self._day)

    def exact(self) -> Iterator[VerdictFinding]:
        """What the comparison proved and the answer leaves open."""
        left = self._answer["unanswered"]
        for one in self._compared.findings:
            is_pin = one.claim_in_entry.startswith(PIN) and self._answer["superseded_by"] is None
            if one.drift_kind in (FACTUAL_ERROR, REMOVED) and (is_pin or one.claim_in_entry in left):
                yield one

    def changes(self) -> Iterator[ProposedChange]:
        for item in self._proven:
            if item["new_sentence"] is not None:
                old, new = _bare(item["sentence"], item["new_sentence"])
                why = f"{self._where(item)} {'says' if item['now'] else 'no longer says'} “{_line(item['quote'])}”"
                yield ProposedChange(old, "replace", why, new)

    def pin(self) -> str | None:
        """The newer edition, as the entry writes its own."""
        pins = pins_of(self._entry.edition)
        found = ANY_VERSION.findall(self._answer["superseded_by"]["edition"])
        if len(pins) != 1 or not found or self._entry.edition is None:
            return None
        return self._entry.edition.replace(pins[0].version, written_like(pins[0].version, found[-1]))

    def _where(self, item: Mapping[str, Any]) -> str:
        source: int = item["source"]
        return self._sources[source - 1].reference

    @property
    def _day(self) -> str:
        return self._compared.audit_date


def _bare(sentence: str, new: str) -> tuple[str, str]:
    """Of a heading, only its words: a place that begins with `## ` means a whole section."""
    words = sentence.lstrip(_HEADING_MARKS)
    marks = sentence[: len(sentence) - len(words)]
    return (words, new.removeprefix(marks)) if "#" in marks else (sentence, new)


def edition_finding(entry: Entry, quote: str, where: str, day: str) -> VerdictFinding:
    """A newer edition that a source shows."""
    claim = f"{PIN}{entry.edition}" if entry.edition else entry.title
    return VerdictFinding(" ".join(claim.split()), where, day, quote, "P2", EDITION_UPGRADE)


def with_frontier_answer(
    verdict: Verdict, entry: Entry, answer: Mapping[str, Any], reference: str, *, model: str
) -> Verdict:
    """Adds what a reader answered to `frontier`: nothing, unless there is a newer edition, or this one ended. Passages
    that wait to be read come first."""
    if verdict.source_unverifiable:
        return verdict
    verdict = verdict._replace(model=model)
    if answer["answer"] not in ("newer", "ended"):
        return verdict
    found = edition_finding(entry, answer["quote"], reference, verdict.audit_date)
    if answer["answer"] == "ended":
        found = found._replace(drift_kind=OBSOLETE)
    kept = tuple(one for one in verdict.findings if one.claim_in_entry != found.claim_in_entry)
    return verdict._replace(outcome=VerdictOutcome.SUPERSEDED, findings=(*kept, found))


def _line(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 160 else f"{words[:159]}…"
