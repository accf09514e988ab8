"""Asks whether an entry's sources show a newer edition of its subject, and checks the quote."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cairn.freshness.questions.checked_words import cut
from cairn.jobs.question import CheckedAnswer, Input, Question
from cairn.lib.text.quotes import is_quoted

_PROVED: Final = ("newer", "ended")


def material(input: Input) -> str:
    entry = input["entry"]
    parts = [f"ENTRY {entry['path']}: {entry['title']}", f"edition: {entry['edition']}", entry["summary"], ""]
    for number, source in enumerate(input["sources"], 1):
        parts += [f"SOURCE {number} {source['reference']}", *source["lines"], ""]
    return "\n".join(parts).rstrip()


def check(input: Input, report: Mapping[str, Any]) -> CheckedAnswer:
    value = {name: report[name] for name in ("answer", "reason", "edition", "quote", "source")}
    if value["answer"] not in _PROVED:
        return CheckedAnswer({**value, "edition": None, "quote": None, "source": None})
    problems = tuple(_problems(input, value))
    if problems:
        return CheckedAnswer({}, problems)
    where = _where(input, value)
    moved = (f"`source` is {where}",) if where != value["source"] else ()
    return CheckedAnswer({**value, "source": where, "edition": _edition(value)}, repairs=moved)


def _problems(input: Input, value: Mapping[str, Any]) -> Iterator[str]:
    if not (value["quote"] or "").strip() or _where(input, value) is None:
        yield f"`quote`: “{cut(value['quote'] or '')}” is in no source; copy the line that proves it exactly"
    elif value["answer"] == "newer" and not _names_edition(value):
        yield f"`edition`: the quote does not name `{cut(value['edition'] or '')}`; copy the edition from it"
    elif value["answer"] == "newer" and _bare(value["edition"]) in _bare(input["entry"]["edition"]).split():
        yield f"`edition`: `{cut(value['edition'])}` is the entry's own; a newer edition has another name"


def _where(input: Input, value: Mapping[str, Any]) -> int | None:
    """The source that has the quote in one of its lines: the one that is named, else the first."""
    having = [
        number
        for number, source in enumerate(input["sources"], 1)
        if any(is_quoted(value["quote"] or "", line) for line in source["lines"])
        or is_quoted(value["quote"] or "", "\n".join(source["lines"]))
    ]
    return value["source"] if value["source"] in having else next(iter(having), None)


def _names_edition(value: Mapping[str, Any]) -> bool:
    words = _bare(value["edition"] or "").split()
    telling = [word for word in words if any(map(str.isdigit, word))] or words
    return bool(telling) and all(word in _bare(value["quote"]) for word in telling)


def _edition(value: Mapping[str, Any]) -> str | None:
    return " ".join(value["edition"].split()) if value["answer"] == "newer" else None


def _bare(text: str) -> str:
    return " ".join(word.strip("()[].,:;\"'`").casefold() for word in text.split())


QUESTION: Final = Question(__file__, material=material, check=check)
