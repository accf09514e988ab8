"""Checks the words that an answer brings: quotes that occur, and new sentences that add nothing of their own."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from cairn.freshness.diff.code_forms import CODE_SPAN
from cairn.lib.injection.marks import marks
from cairn.lib.scrub.find import redact
from cairn.lib.text.atoms import VALUES, atoms

_HEADING: Final = re.compile(r"^ {0,3}#{1,6}[ \t]", re.MULTILINE)
_ADDRESS: Final = re.compile(r"https?://[^\s<>\"'`)\]]+")
_NUMBER: Final = re.compile(r"\d[\d.,]*")
_AROUND: Final = "`'\"(){}[]<>,;"
"""Signs around a word of a command that do not belong to it."""
_TIMES: Final = 3
_MORE: Final = 300
"""A new sentence is at most so many times as long as the old one, and so many characters more."""
_TOLD: Final = 80


class AnswerProblem(Exception):
    """Why a part of an answer is set aside, in words for the reader."""


def cut(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= _TOLD else f"{line[:_TOLD]}…"


def must_fit(new: str, old: str, shown: Iterable[str], where: str) -> None:
    """A new sentence says the same kind of thing as the old one, of which every value, name and address is shown."""
    if " ".join(new.split()) == " ".join(old.split()):
        raise AnswerProblem(f"{where}: it is the old sentence; write what should stand there, or null")
    if not any(letter.isalnum() for letter in new):
        raise AnswerProblem(f"{where}: it says nothing; write the sentence, or null if nothing should stand there")
    if len(new) > _TIMES * len(old) + _MORE:
        raise AnswerProblem(f"{where}: it is far longer than the old sentence; change only what has changed")
    if len(_HEADING.findall(new)) > len(_HEADING.findall(old)) or ("\n\n" in new and "\n\n" not in old):
        raise AnswerProblem(f"{where}: it adds a heading or a paragraph; write one sentence in place of the old one")
    must_be_harmless(new, old, where)
    if stranger := next(strange_words(new, [old, *shown]), None):
        raise AnswerProblem(
            f"{where}: `{cut(stranger)}` is neither in the old sentence nor in what is shown; state only what is shown"
        )


def must_be_harmless(new: str, old: str, where: str) -> None:
    if found := redact(new).counts:
        raise AnswerProblem(f"{where}: it holds what looks like a secret or personal data ({', '.join(sorted(found))})")
    known = {mark.why for mark in marks(old)}
    if orders := [mark for mark in marks(new) if mark.why not in known]:
        raise AnswerProblem(f"{where}: it gives orders to a machine (“{cut(orders[0].excerpt)}”); state the fact only")


def strange_words(new: str, shown: Iterable[str]) -> Iterator[str]:
    """Values, code and addresses of a text that stand in none of the others."""
    texts = list(shown)
    yield from (one for one in _ADDRESS.findall(new) if not any(one.rstrip(".,;:") in text for text in texts))
    low = ["".join(text.casefold().split()) for text in texts]
    words = {word.strip(_AROUND) for text in texts for word in text.casefold().split()}
    for code in (span[2] for span in CODE_SPAN.finditer(new)):
        bare = "".join(code.casefold().split())  # a block of code is quoted on one line
        put_together = words.issuperset(word.strip(_AROUND) for word in code.casefold().split())
        if not put_together and not any(part in text for text in low for part in (bare, bare.strip("`'\"()-"))):
            yield code
    yield from _strange_values(new, texts)


def _strange_values(new: str, texts: list[str]) -> Iterator[str]:
    """As digits, or as the same value in another unit."""
    wanted = [atom for atom in atoms(new) if atom.kind in VALUES and any(map(str.isdigit, atom.text))]
    digits = {number for text in texts for number in _numbers(text)} if wanted else set()
    missing = [atom for atom in wanted if not digits.issuperset(_numbers(atom.text))]
    known = {atom.key for text in texts for atom in atoms(text)} if missing else set()
    yield from (atom.text for atom in missing if atom.key not in known)


def _numbers(text: str) -> list[str]:
    return [number.rstrip(".,").replace(",", "") for number in _NUMBER.findall(text)]
