"""The default auditor: compares the old and the new text of each source without a model, and sends nothing.

It asserts only facts: a value, version, name or path that the entry states and the source no longer does. Passages that
changed in any other way make the verdict *to be read*: the findings show both texts, nothing is applied, and the entry
stays due.
"""

from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

from cairn.freshness.extractive.change import Changes, compare
from cairn.freshness.extractive.claims import Claim, claims
from cairn.freshness.extractive.comparable import why_not
from cairn.freshness.extractive.edition import Newer, newer_edition
from cairn.freshness.extractive.judge import Judge, Touch, cut, kind_of, severity_of
from cairn.kernel.knowledge.entry import Entry, Source
from cairn.kernel.model.verdict import EDITION_UPGRADE, TO_BE_READ, Checked, Finding, Outcome, Severity, Verdict

MODEL = "extractive/2"
BASELINE = "baseline taken"


class SourceTexts(NamedTuple):
    """What a source said when the entry was last found right, and what it says now; canonical texts."""

    source: Source
    old: str | None
    new: str | None
    retrieved: str
    """Date of the new text."""


class _Looked(NamedTuple):
    """What one source gave."""

    summary: str
    findings: tuple[Finding, ...] = ()
    newer: Newer | None = None
    warning: str | None = None
    """Why nothing could be said about it."""


def audit(entry: Entry, body: str, sources: Sequence[SourceTexts], *, today: str) -> Verdict:
    """What changed in the sources that the entry relies on. Never proposes an edit of the body."""
    relied = _Relied(entry, body)
    looked = [_look(relied, texts) for texts in sources]
    newer = next((one.newer for one in looked if one.newer), None)
    findings = tuple(finding for one in looked for finding in one.findings)
    proven = [finding for finding in findings if finding.drift_kind != TO_BE_READ]
    warnings = tuple(one.warning for one in looked if one.warning) or (() if sources else ("no sources to look at",))
    return Verdict(
        entry.name,
        today,
        MODEL,
        Outcome.SUPERSEDED if newer else Outcome.MINOR_DRIFT if findings else Outcome.CURRENT,
        tuple(_checked(texts, one) for texts, one in zip(sources, looked, strict=True)),
        findings,
        proposed_version_pin=newer.instead if newer else None,
        preserve_warnings=warnings,
        source_unverifiable=not proven and bool(warnings or findings),
    )


class _Relied:
    """An entry's claims, taken apart when the first source changed: most never did."""

    def __init__(self, entry: Entry, body: str) -> None:
        self.entry = entry
        self._body = body

    @cached_property
    def claims(self) -> list[Claim]:
        return claims(self.entry, self._body)


def _look(relied: _Relied, texts: SourceTexts) -> _Looked:
    where = texts.source.reference
    if texts.new is None:
        return _Looked("Could not be read.", warning=f"{where}: the source could not be read")
    if texts.old is None:
        return _Looked("Seen for the first time.", warning=f"{where}: {BASELINE}; the next audit can compare")
    if texts.old == texts.new:
        return _Looked("Unchanged.")
    changes = compare(texts.old, texts.new)
    if reason := why_not(texts.old, texts.new, changes.share_kept):
        return _Looked(f"Not comparable: {reason}.", warning=f"{where}: {reason}")
    newer = newer_edition(relied.entry.edition, texts.old, texts.new)
    touches = Judge(relied.claims, changes).touches()
    findings = tuple(_finding(touch, texts) for touch in touches)
    if newer:
        findings = (_edition(newer, relied.entry, texts), *findings)
    warning = f"{where}: {_WAITS}" if any(one.drift_kind == TO_BE_READ for one in findings) else None
    summary = _summary(changes, findings)
    return _Looked(summary, findings, newer if newer and newer.replaced else None, warning)


_WAITS = "passages that the entry relies on changed; somebody has to read them"


def _finding(touch: Touch, texts: SourceTexts) -> Finding:
    """Both passages, each as it stands in its text; one that is gone or new has no counterpart."""
    return Finding(
        cut(touch.claim.text),
        texts.source.reference,
        texts.retrieved,
        cut(touch.new.text) if touch.new else "",
        severity_of(touch),
        kind_of(touch),
        cut(touch.old.text) if touch.old else "",
    )


def _edition(newer: Newer, entry: Entry, texts: SourceTexts) -> Finding:
    """Proven where the pinned version is gone; a newer number beside it is for a reader."""
    assert texts.new is not None
    excerpt = cut(texts.new[newer.start : newer.end].strip())
    kind = EDITION_UPGRADE if newer.replaced else TO_BE_READ
    severity: Severity = "P1" if newer.replaced else "P3"
    claim = f"version-pin: {entry.edition}"
    return Finding(claim, texts.source.reference, texts.retrieved, excerpt, severity, kind)


def _summary(changes: Changes, findings: Sequence[Finding]) -> str:
    """One sentence of counts for the record; nothing about what a change means."""
    if not (changes.became or changes.gone or changes.came):
        return "No passage differs."
    counts = f"{len(changes.became)} passages changed, {len(changes.gone)} removed, {len(changes.came)} added"
    read = sum(finding.drift_kind == TO_BE_READ for finding in findings)
    lost = len(findings) - read
    touched = f"{lost} lost something that the entry states, {read} have to be read"
    return f"{counts}; {touched if findings else 'none is aligned with the entry'}."


def _checked(texts: SourceTexts, looked: _Looked) -> Checked:
    text = texts.new if texts.new is not None else ""
    digest = "sha256:" + sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return Checked(texts.source.reference, texts.retrieved, digest, looked.summary)
