"""Asks about one entry: its text, and of each source what a reader has to compare it with."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from cairn.core.model.change import Taint
from cairn.core.model.knowledge import Entry
from cairn.core.model.verdict import TO_BE_READ, Verdict
from cairn.freshness.extractive.audit import why_not
from cairn.freshness.extractive.change import compare
from cairn.freshness.extractive.claims import Claim, claims
from cairn.freshness.questions.still_true.differing_passages import bearing_passages, differing_passages
from cairn.freshness.questions.still_true.question import QUESTION
from cairn.jobs.ask import AskedQuestion

LONGEST_SOURCE: Final = 98_304
"""Characters of a source that is shown whole."""
LONGEST_ENTRY: Final = 65_536
_PIN: Final = "version-pin: "


class ComparedText(NamedTuple):
    """A source as it was when the entry was last found right, where that is known, and as it is."""

    reference: str
    old: str | None
    new: str
    is_url: bool = True


def question_about(entry: Entry, body: str, texts: Sequence[ComparedText], compared: Verdict) -> AskedQuestion:
    """`compared` is what the comparison without a reader found."""
    return AskedQuestion(QUESTION, entry.path, input_about(entry, body, texts, compared), taint_of(texts))


def taint_of(texts: Sequence[ComparedText]) -> Taint:
    return Taint.OUTSIDE if any(one.is_url for one in texts) else Taint.REPOSITORY


def input_about(entry: Entry, body: str, texts: Sequence[ComparedText], compared: Verdict) -> dict[str, Any]:
    stated = claims(entry, body)
    lost = [one.claim_in_entry for one in compared.findings if one.drift_kind != TO_BE_READ]
    touched = {one.claim_in_entry for one in compared.findings}
    in_question = [claim for claim in stated if any(claim.text.startswith(text) for text in touched)]
    return {
        "entry": {
            "path": entry.path,
            "title": entry.title,
            "summary": entry.summary,
            "edition": entry.edition,
            "text": body.strip()[:LONGEST_ENTRY],
        },
        "sources": [_source(one, stated, in_question) for one in texts],
        "lost": list(dict.fromkeys(text for text in lost if not text.startswith(_PIN))),
    }


def _source(texts: ComparedText, stated: Sequence[Claim], in_question: Sequence[Claim]) -> dict[str, Any]:
    facts: dict[str, Any] = {"reference": texts.reference, "sections": [], "left_out": 0, "text": "", "cut": False}
    if texts.old == texts.new:
        return {**facts, "standing": "same", "sections": bearing_passages(in_question, texts.new)}
    if texts.old is None or why_not(texts.old, texts.new, compare(texts.old, texts.new).share_kept):
        whole = texts.new[:LONGEST_SOURCE]
        return {**facts, "standing": "whole", "text": whole, "cut": len(whole) < len(texts.new)}
    sections, left_out = differing_passages(stated, texts.old, texts.new)
    return {**facts, "standing": "changed", "sections": sections, "left_out": left_out}
