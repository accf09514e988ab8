"""Candidates as a reader lists them: what is refused, and what is put right because nothing is lost by it."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from cairn.core.model.candidate import Confidence, KnowledgeCandidate, Quote
from cairn.core.model.change import Taint
from cairn.curate.orders import orders_in
from cairn.jobs.question import CheckedAnswer, items_of
from cairn.lib.markdown.blocks import headings
from cairn.lib.scrub.find import redact

_TAINTS: Final = {taint.word: taint for taint in Taint}
_FIRST_HEADING: Final = re.compile(r"\s*+#{1,6}[ \t]++([^\n]*+)\n++(?=\S)")
_TOLD: Final = 60


class QuotedEvidence(NamedTuple):
    """What the quotes of a candidate prove."""

    quotes: tuple[tuple[str, int, int], ...]
    """The words as they stand in the material, and their characters in the text that it was made from."""
    taint: Taint
    confidence: Confidence


Evidence = Callable[[Mapping[str, Any]], "QuotedEvidence | str"]
"""Of a candidate; a sentence where its quotes prove nothing."""


def checked(report: Mapping[str, Any], evidence: Evidence) -> CheckedAnswer:
    """The candidates that count, each with the place of its quotes, its taint and its confidence."""
    kept: list[dict[str, Any]] = []
    problems: list[str] = []
    repairs: list[str] = []
    for number, given in items_of(report, "candidates"):
        where = f"candidate {number} ({_cut(given['title'])})"
        item, fixed = _repaired(given)
        found = _problem(item) or evidence(item)
        if isinstance(found, QuotedEvidence):
            found = _order(item, found) or found
        if isinstance(found, str):
            problems.append(f"{where}: {found}")
            continue
        repairs += [f"{where}: {one}" for one in fixed]
        kept.append({**item, **_proved(found)})
    return CheckedAnswer({"candidates": kept}, tuple(problems), tuple(repairs))


def _proved(found: QuotedEvidence) -> dict[str, Any]:
    quotes = [{"text": text, "start": start, "end": end} for text, start, end in found.quotes]
    return {"quotes": quotes, "taint": found.taint.word, "confidence": found.confidence}


def _cut(title: str) -> str:
    return title if len(title) <= _TOLD else f"{title[:_TOLD]}…"


def _repaired(item: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """A heading above the body is the title once more, and the page has one already."""
    fixed = []
    body = item["body"].strip()
    if above := _FIRST_HEADING.match(body):
        body = body[above.end() :]
        fixed.append(f"the heading “{_cut(above[1])}” above the body was left out")
    tags = list(dict.fromkeys(tag.lower().lstrip("#") for tag in item["tags"] if tag.strip("#")))
    return {
        **item,
        "title": item["title"].strip(),
        "summary": item["summary"].strip(),
        "body": body,
        "tags": tags,
    }, fixed


def _problem(item: Mapping[str, Any]) -> str:
    text = f"{item['title']}\n{item['summary']}\n{item['body']}"
    if found := redact(text).counts:
        return f"it holds what looks like a secret or personal data ({', '.join(sorted(found))}); leave that out"
    if not any(char.isalpha() for char in item["title"]):
        return "its title has no word"
    if next(headings(item["body"]), None) is not None:
        return "its body has a heading; write the statement, then `Why:` with the reason"
    return ""


def _order(item: Mapping[str, Any], found: QuotedEvidence) -> str:
    text = f"{item['title']}\n{item['summary']}\n{item['body']}"
    quotes = [quote for quote, _, _ in found.quotes]
    mark = next(orders_in(text, quotes, outside=found.taint is Taint.OUTSIDE), None)
    return "" if mark is None else f"it addresses a machine (“{_cut(mark.excerpt)}”) instead of describing this project"


def candidates_in(
    value: Mapping[str, Any], *, where: str, said_at: str | None, origin: Callable[[Mapping[str, Any]], str]
) -> Sequence[KnowledgeCandidate]:
    """Of a checked answer about a session or a document."""
    return tuple(
        KnowledgeCandidate(
            origin=origin(item),
            kind=item["kind"],
            title=item["title"],
            summary=item["summary"],
            body=item["body"],
            tags=tuple(item["tags"]),
            confidence=item["confidence"],
            taint=_TAINTS[item["taint"]],
            derived_from=(where,),
            quotes=tuple(Quote(where, one["text"], one["start"], one["end"]) for one in item["quotes"]),
            said_at=said_at,
        )
        for item in value["candidates"]
    )


def pages_text(pages: Sequence[Mapping[str, Any]]) -> str:
    """Titles and summaries, for a reader who must not repeat them."""
    if not pages:
        return "PAGES\n(none)\n"
    lines = (f"- [{one['kind']}] {one['title']}: {one['summary']}" for one in pages)
    return "PAGES\n" + "\n".join(lines) + "\n"
