"""Collects what a reader is shown of a candidate: who said it, the nearest pages, and what people decided there."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from cairn.core.model.candidate import KnowledgeCandidate, KnowledgeConflict, Quote
from cairn.core.model.change import Taint
from cairn.core.session_log import SpokenText
from cairn.curate.session_material import PEOPLE, page_value
from cairn.curate.shortlist import Near, keys_of
from cairn.lib.markdown.blocks import sections

PAGES: Final = 4
WHOLE: Final = 4096
"""Bytes up to which a page is shown in full."""
_AROUND: Final = 600
"""Characters that are shown of a message beside the one that is quoted."""
_QUOTED: Final = 2_000
_DECIDED: Final = 6
_SUMMARY: Final = 400


def place_input(
    candidate: KnowledgeCandidate,
    near: Sequence[Near],
    *,
    evidence: Sequence[Mapping[str, Any]],
    decided: Iterable[KnowledgeConflict] = (),
    others: Iterable[Near] = (),
) -> dict[str, Any]:
    """`others` are pages of which a reader only sees what they are about, and may ask to see one."""
    pages = pages_shown(near)
    return {
        "candidate": {
            "kind": candidate.kind,
            "title": candidate.title,
            "summary": candidate.summary,
            "body": candidate.body,
            "tags": list(candidate.tags),
            "confidence": candidate.confidence,
        },
        "evidence": list(evidence),
        "pages": [_page(page, candidate) for page in pages],
        "others": [page_value(page) for page in others if page.id not in {one.id for one in pages}],
        "decided": list(_decided(decided, {page.id for page in pages})),
    }


def pages_shown(near: Iterable[Near]) -> list[Near]:
    """Those that a reader sees."""
    return [one for one in near if not one.broken][:PAGES]


# --- pages ------------------------------------------------------------------------------------------------------------


def _page(page: Near, candidate: KnowledgeCandidate) -> dict[str, Any]:
    section, text = shown_of(page.body, f"{candidate.title}\n{candidate.summary}\n{candidate.body}")
    return {
        "id": page.id,
        "kind": page.kind,
        "title": page.title,
        "summary": page.summary,
        "section": section,
        "text": text,
        "words": len(page.body.split()),
    }


def shown_of(body: str, asked: str) -> tuple[str, str]:
    """A short page in full. Of a long one the section that has most of the words that few sections have."""
    if len(body.encode("utf-8", "replace")) <= WHOLE:
        return "", body.strip()
    parts = [(one.heading or "(beginning)", body[one.start : one.end].strip()) for one in sections(body)]
    pieces = [(name, piece) for name, text in parts if text for piece in _pieces(text)]
    keys = keys_of(asked)
    having = [keys & keys_of(f"{name}\n{piece}") for name, piece in pieces]
    rarity = {key: 1 / sum(key in one for one in having) for key in keys if any(key in one for one in having)}
    best = max(range(len(pieces)), key=lambda at: (sum(rarity[key] for key in having[at]), -at))
    return pieces[best]


def _pieces(text: str) -> Iterator[str]:
    """A section that is itself too long, in runs of whole paragraphs."""
    run: list[str] = []
    for paragraph in text.split("\n\n"):
        if run and sum(map(len, run)) + len(paragraph) > WHOLE:
            yield "\n\n".join(run)
            run = []
        run.append(paragraph)
    yield "\n\n".join(run)


def _decided(conflicts: Iterable[KnowledgeConflict], shown: set[str]) -> Iterator[dict[str, Any]]:
    """The latest of those that a person settled without changing the page."""
    settled = [one for one in conflicts if one.status in ("kept", "rejected") and one.target_node_id in shown]
    for one in sorted(settled, key=lambda one: one.settled_at or one.detected_at)[-_DECIDED:]:
        statement = " ".join(one.proposed.body.split())[:_SUMMARY]
        reason = str(one.extra.get("reason") or "")
        yield {"page": one.target_node_id, "statement": statement, "decision": one.status, "reason": reason}


# --- evidence ---------------------------------------------------------------------------------------------------------


def session_evidence(candidate: KnowledgeCandidate, said: Sequence[SpokenText], date: str) -> list[dict[str, Any]]:
    """The messages that are quoted, and one before and after each."""
    at = {place: quote for quote in candidate.quotes if (place := _place(quote, said)) is not None}
    if not at:
        return told_evidence(candidate)
    shown = sorted({near for place in at for near in (place - 1, place, place + 1) if 0 <= near < len(said)})
    return [{"where": f"a session of {date[:10]}", "turns": [_turn(said[n], at.get(n)) for n in shown]}]


def _place(quote: Quote, said: Sequence[SpokenText]) -> int | None:
    if quote.start is None:
        return None
    found = (at for at, one in enumerate(said) if one.start <= quote.start < one.start + max(1, len(one.text)))
    return next(found, None)


def _turn(said: SpokenText, quote: Quote | None) -> dict[str, Any]:
    start = 0 if quote is None or quote.start is None else max(0, quote.start - said.start - _AROUND)
    most = _AROUND if quote is None else _QUOTED
    text = said.text[start : start + most]
    shown = f"{'[…] ' if start else ''}{text}{' […]' if start + most < len(said.text) else ''}"
    return {"who": PEOPLE[said.role], "text": shown, "quoted": quote is not None}


def told_evidence(candidate: KnowledgeCandidate) -> list[dict[str, Any]]:
    """Of a note or a document: the words themselves."""
    where = next(iter(candidate.derived_from), "")
    who = "document"
    if candidate.origin.startswith("note:"):
        where, who = "a note", "person" if candidate.taint is Taint.PERSON else "agent"
    turns = [{"who": who, "text": one.text[:_QUOTED], "quoted": True} for one in candidate.quotes]
    return [{"where": where, "turns": turns}] if turns else []
