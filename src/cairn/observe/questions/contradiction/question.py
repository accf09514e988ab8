"""Asks whether two passages disagree about the same thing, and checks that both quotes occur."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cairn.jobs.question import CheckedAnswer, Input, Question
from cairn.lib.text.quotes import find_quote

_TOLD: Final = 80


def material(input: Input) -> str:
    return "\n".join((*_passage("A", input["a"]), *_passage("B", input["b"]))).rstrip()


def _passage(name: str, passage: Mapping[str, Any]) -> Iterator[str]:
    date = f" ({passage['date']})" if passage["date"] else ""
    yield f"{name} {passage['path']} [{' > '.join(passage['headings']) or 'at the top'}]{date}"
    yield passage["text"].strip()
    if passage["sources"]:
        yield f"sources of the document: {', '.join(passage['sources'])}"
    yield f"END OF {name}\n"


def check(input: Input, report: Mapping[str, Any]) -> CheckedAnswer:
    value = {
        name: report[name] for name in ("same_subject", "disagree", "quote_a", "quote_b", "right", "why", "who_decides")
    }
    if not report["disagree"]:
        return CheckedAnswer({**value, "quote_a": None, "quote_b": None, "right": "unknown", "who_decides": None})
    problems = [*_problems(input, report)]
    return CheckedAnswer({}, tuple(problems)) if problems else CheckedAnswer(value)


def _problems(input: Input, report: Mapping[str, Any]) -> Iterator[str]:
    if not report["same_subject"]:
        yield "`disagree` is true and `same_subject` is false; passages about different things do not disagree"
    for name in ("a", "b"):
        quote = report[f"quote_{name}"] or ""
        if find_quote(quote, input[name]["text"]) is None:
            yield f"`quote_{name}`: “{_cut(quote)}” is not in passage {name.upper()}; copy the words that clash exactly"
    if _same(report["quote_a"], report["quote_b"]):
        yield "`quote_a` and `quote_b` are the same words; quote the words that clash, or answer `disagree` false"


def _same(one: str | None, other: str | None) -> bool:
    return bool(one) and " ".join((one or "").split()).casefold() == " ".join((other or "").split()).casefold()


def _cut(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= _TOLD else f"{line[:_TOLD]}…"


QUESTION: Final = Question(__file__, material=material, check=check)
