"""The default auditor: compares the old and the new text of each source without a model, and sends nothing.

It asserts only facts: a value, version, name or path that the entry states and the source no longer does. Passages that
changed in any other way make the verdict *to be read*: the findings show both texts, nothing is applied, and the entry
stays due.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

from cairn.core.model.knowledge import Entry, Source
from cairn.core.model.verdict import FACTUAL_ERROR, TO_BE_READ, CheckedSource, Verdict, VerdictFinding, VerdictOutcome
from cairn.freshness.editions import NewerEdition, newer_edition
from cairn.freshness.extractive.change import ChangedPassage, PassageChanges, compare, differing
from cairn.freshness.extractive.claims import Claim, PassageRanking, claims, weights_of
from cairn.freshness.extractive.judge import LONGEST, Judge, TouchedClaim, cut, kind_of, severity_of
from cairn.freshness.extractive.passages import Passage, passages
from cairn.lib.html.read import CANON
from cairn.lib.text.atoms import VALUES

_WORD = re.compile(r"[^\W\d_]+")
_LEAST_KEPT = 0.08
"""Share of the old text, by length, that stands in the new one."""
_LEAST_WORDS = 0.18
"""Share of the old text's longer words that the new one has."""
_LEAST_LENGTH = 0.12
"""Length of the new text, compared with the old one."""


def why_not(old: str, new: str, share_kept: float) -> str | None:
    """The reason why nothing can be compared, as a measurement; None when it can."""
    if not new.strip():
        return "the source has no text now"
    words = _common(old, new)
    if share_kept < _LEAST_KEPT and words < _LEAST_WORDS:
        return f"the source shares {share_kept:.0%} of its passages and {words:.0%} of its words with its earlier text"
    if len(new) < _LEAST_LENGTH * len(old):
        return f"the source has {len(new):,} characters now and had {len(old):,}"
    return None


def _common(old: str, new: str) -> float:
    before = {word for word in _WORD.findall(old.lower()) if len(word) > 4}
    after = set(_WORD.findall(new.lower()))
    return len(before & after) / max(len(before), 1)


MODEL = "extractive/2"
BASELINE = "baseline taken"
UNSTORED = (
    "changed since the entry was last found right; its earlier text is not stored, so somebody has to read all of it"
)
MOST_FINDINGS = 20
"""Passages of a source that a verdict shows; it states how many it leaves out."""
MOST_UNALIGNED = 3
"""The same, where none of them is aligned with the entry."""


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
    findings: tuple[VerdictFinding, ...] = ()
    warnings: tuple[str, ...] = ()
    """Why nothing could be said about it, or not everything is shown."""


def audit(entry: Entry, body: str, sources: Sequence[SourceTexts], *, today: str) -> Verdict:
    """What changed in the sources that the entry relies on. Never proposes an edit of the body."""
    relied = _Relied(entry, body, sources)
    looked = [_look(relied, texts) for texts in sources]
    findings = tuple(finding for one in looked for finding in one.findings)
    proven = [finding for finding in findings if finding.drift_kind != TO_BE_READ]
    warnings = tuple(one for each in looked for one in each.warnings) or (() if sources else ("no sources to look at",))
    return Verdict(
        entry.name,
        today,
        MODEL,
        VerdictOutcome.MINOR_DRIFT if findings else VerdictOutcome.CURRENT,
        tuple(_checked(texts, one) for texts, one in zip(sources, looked, strict=True)),
        findings,
        preserve_warnings=warnings,
        source_unverifiable=not proven and bool(warnings or findings),
    )


class _Relied:
    """An entry's claims, taken apart when the first source changed: most never did."""

    def __init__(self, entry: Entry, body: str, sources: Sequence[SourceTexts]) -> None:
        self.entry = entry
        self._body, self._sources = body, sources
        self._rankings: dict[str, PassageRanking] = {}

    @cached_property
    def claims(self) -> list[Claim]:
        return claims(self.entry, self._body)

    def elsewhere(self, claim: Claim, here: Source) -> float:
        """How strongly a claim is bound to a passage of another source."""
        others = (one for one in self._sources if one.source != here)
        return max((self._ranking(one).best(claim) for one in others), default=0.0)

    def _ranking(self, texts: SourceTexts) -> PassageRanking:
        reference = texts.source.reference
        if reference not in self._rankings:
            text = texts.new or ""
            some = passages(text)
            self._rankings[reference] = PassageRanking(some, weights_of(text, len(some)))
        return self._rankings[reference]


def _look(relied: _Relied, texts: SourceTexts) -> _Looked:
    where = texts.source.reference
    if texts.new is None:
        return _Looked("Could not be read.", warnings=(f"{where}: the source could not be read",))
    if texts.old is None and _is_comparable(texts.source):
        behind = VerdictFinding(f"hash: {texts.source.hash}", where, texts.retrieved, "", "P3", TO_BE_READ)
        return _Looked("Changed; its earlier text is not stored.", (behind,), (f"{where}: {UNSTORED}",))
    if texts.old is None:
        return _Looked("Seen for the first time.", warnings=(f"{where}: {BASELINE}; the next audit can compare",))
    if texts.old == texts.new:
        return _Looked("Unchanged.")
    changes = compare(texts.old, texts.new)
    if reason := why_not(texts.old, texts.new, changes.share_kept):
        return _Looked(f"Not comparable: {reason}.", warnings=(f"{where}: {reason}",))
    touches = Judge(relied.claims, changes, lambda claim: relied.elsewhere(claim, texts.source)).touches()
    found = tuple(_finding(touch, texts) for touch in touches[:MOST_FINDINGS])
    found = found or _unaligned(relied, changes, texts)
    if newer := newer_edition(relied.entry.edition, texts.old, texts.new):
        found = (_edition(newer, relied.entry, texts), *found)
    return _Looked(_summary(changes, touches), found, tuple(f"{where}: {one}" for one in _warnings(found, touches)))


def _unaligned(relied: _Relied, changes: PassageChanges, texts: SourceTexts) -> tuple[VerdictFinding, ...]:
    """Changed passages where none is aligned with the entry. It may rely on them all the same: it may be in another
    language, and a new passage may end what all others describe."""
    stated = frozenset(key for claim in relied.claims for key in claim.keys)
    pairs = [(one.old.text, one.new.text) for one in changes.became if not _is_stamp(one, stated)]
    pairs += [(one.text, "") for one in changes.gone] + [("", one.text) for one in changes.came]
    shown = (differing(old, new, LONGEST) for old, new in pairs[:MOST_UNALIGNED])
    claim, where, day = cut(relied.entry.title), texts.source.reference, texts.retrieved
    return tuple(VerdictFinding(claim, where, day, now, "P3", TO_BE_READ, before) for before, now in shown)


def _is_stamp(pair: ChangedPassage, stated: frozenset[str]) -> bool:
    """Whether only dates and numbers differ, and the entry states none of the old ones: nothing of it rests on them."""
    lost, came = _values(pair.old) - _values(pair.new), _values(pair.new) - _values(pair.old)
    return pair.old.keys - lost == pair.new.keys - came and bool(lost) and not lost & stated


def _values(passage: Passage) -> frozenset[str]:
    return frozenset(atom.key for atom in passage.atoms if atom.kind in VALUES)


def _is_comparable(source: Source) -> bool:
    """Whether another hash means another text: one that other programs took of a page's bytes does not."""
    return source.hash is not None and (source.kind == "path" or source.canon == CANON)


def _warnings(findings: Sequence[VerdictFinding], touches: Sequence[TouchedClaim]) -> Iterator[str]:
    if any(one.drift_kind == TO_BE_READ for one in findings):
        yield "passages of the source changed; somebody has to read them"
    if (left := len(touches) - MOST_FINDINGS) > 0:
        yield f"{_counted(left, 'more changed passage is', 'more changed passages are')} not shown"


def _finding(touch: TouchedClaim, texts: SourceTexts) -> VerdictFinding:
    """Both passages, each as it stands in its text; one that is gone or new has no counterpart. One that only moved is
    shown below its heading."""
    moved = touch.old is not None and touch.new is not None and touch.old.wording == touch.new.wording
    before, now = differing(_whole(touch.old, moved), _whole(touch.new, moved), LONGEST)
    claim, where = cut(touch.claim.text), texts.source.reference
    return VerdictFinding(claim, where, texts.retrieved, now, severity_of(touch), kind_of(touch), before)


def _whole(passage: Passage | None, moved: bool) -> str:
    if passage is None:
        return ""
    return passage.with_heading if moved else passage.text


def _edition(newer: NewerEdition, entry: Entry, texts: SourceTexts) -> VerdictFinding:
    """A fact where the pinned version is gone; a newer number beside it is for a reader."""
    claim, where = f"version-pin: {entry.edition}", texts.source.reference
    if newer.before:
        return VerdictFinding(claim, where, texts.retrieved, cut(newer.line), "P2", FACTUAL_ERROR, cut(newer.before))
    return VerdictFinding(claim, where, texts.retrieved, cut(newer.line), "P3", TO_BE_READ)


def _summary(changes: PassageChanges, touches: Sequence[TouchedClaim]) -> str:
    """One sentence of counts for the record; nothing about what a change means."""
    became, gone, came = len(changes.became), len(changes.gone), len(changes.came)
    if not (became or gone or came):
        return "No passage differs."
    counts = f"{_counted(became, 'passage', 'passages')} changed, {gone} removed, {came} added"
    lost = sum(touch.exact for touch in touches)
    read = _counted(len(touches) - lost, "has", "have")
    touched = f"{lost} lost something that the entry states, {read} to be read"
    return f"{counts}; {touched if touches else 'none is aligned with the entry'}."


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _checked(texts: SourceTexts, looked: _Looked) -> CheckedSource:
    text = texts.new if texts.new is not None else ""
    digest = "sha256:" + sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return CheckedSource(texts.source.reference, texts.retrieved, digest, looked.summary)
