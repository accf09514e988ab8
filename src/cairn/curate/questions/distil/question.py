"""Asks what in a document is knowledge of this project, and checks that each answer rests on its words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from cairn.core.model.change import Taint
from cairn.curate.questions.found_candidates import QuotedEvidence, checked, pages_text
from cairn.jobs.question import CheckedAnswer, Input, Question
from cairn.lib.text.quotes import find_quote


def material(input: Input) -> str:
    above = f", under: {' > '.join(input['headings'])}" if input["headings"] else ""
    return "\n".join(
        (pages_text(input["pages"]), *_made(input["made"]), f"DOCUMENT {input['path']}{above}\n{input['text']}")
    )


def _made(made: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if made:
        yield (
            "MADE BEFORE\n"
            + "\n".join(f"- [{one['kind']}] {one['title']}\n{_inner(one['body'])}" for one in made)
            + "\n"
        )


def _inner(body: str) -> str:
    return "\n".join(f"  {line}" if line.strip() else "" for line in body.strip().splitlines())


def check(input: Input, report: Mapping[str, Any]) -> CheckedAnswer:
    return checked(report, lambda item: _evidence(item, input))


def _evidence(item: Mapping[str, Any], input: Input) -> QuotedEvidence | str:
    text, start = input["text"], input["from"]
    spans = [(words, find_quote(words, text)) for words in item["quotes"]]
    if missing := next((words for words, span in spans if span is None), ""):
        return f"its quote “{missing[:80]}” is not in the document; copy it letter by letter"
    quotes = tuple((text[s.start : s.end], start + s.start, start + s.end) for _, s in spans if s is not None)
    return QuotedEvidence(quotes, Taint.OUTSIDE if input["outside"] else Taint.MODEL, item["confidence"])


QUESTION: Final = Question(__file__, material=material, check=check)
