"""What was written down for one step of the work: a table of the pages, then what each says, within a hard budget."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from cairn.knowledge.topics import topic_forms
from cairn.lib.injection.marks import without_unseen
from cairn.retrieve.quote import fenced, said

SECTION: Final = "Deep Guidance"
_NAME: Final = 80
_ABOUT: Final = 200
_TABLE_SHARE: Final = 0.35
_SHARES: Final = (1.0, 0.85, 0.7, 0.5)
"""Of the room, for what pages say: what a text costs is only known when it is put together."""
_LEAST: Final = 60
"""Tokens below which a piece of a page helps nobody."""
_FRAME: Final = 30
"""Tokens of a page's fences and of the word that it was cut."""
_OUR_FRAME: Final = re.compile(r"<(?=[\s/!-]*cairn[-:])", re.IGNORECASE)
_MARK: Final = 14
_MARK_OF_PARAGRAPH: Final = 3


class Guide(NamedTuple):
    """A page that a step was told of."""

    path: str
    name: str
    about: str
    text: str
    """What it says for those who do the work."""
    label: str = ""

    @property
    def row(self) -> str:
        name, about = (said(text, most).replace("|", "/") for text, most in ((self.name, _NAME), (self.about, _ABOUT)))
        return f"| {name}{f' [{self.label}]' if self.label else ''} | {about} | `{self.path}` |"


class Guidance(NamedTuple):
    text: str
    tokens: int
    shown: tuple[Guide, ...] = ()
    """In the table."""
    quoted: tuple[str, ...] = ()
    """Paths of those whose words are there, too, whole or in part."""


class Words(NamedTuple):
    head: str
    tail: str
    """How to say what is missing; empty where nobody wants to hear it."""
    mark: Callable[[str], str]
    count: Callable[[str], int]


def fitting(wanted: Sequence[str], topics: Sequence[str]) -> int:
    """How many of the wanted topics a page is about, whatever their spelling."""
    known = {form for topic in topics for form in topic_forms(topic)}
    return sum(not known.isdisjoint(topic_forms(topic)) for topic in wanted)


def guide(guides: Sequence[Guide], words: Words, budget: int) -> Guidance:
    room = budget - words.count(_text((), (), words)) - _MARK
    table = list(
        _within(guides, int(room * _TABLE_SHARE), lambda one: words.count(f"{one.row}\n") + _MARK_OF_PARAGRAPH)
    )
    room -= sum(words.count(f"{one.row}\n") + _MARK_OF_PARAGRAPH for one in table)
    for pieces in (*(_pieces(table, words, int(room * share)) for share in _SHARES), ()):
        made = _guidance(table, pieces, words)
        if made.tokens <= budget:
            return made
    while table and made.tokens > budget:
        table = table[:-1]
        made = _guidance(table, (), words)
    return made if made.tokens <= budget else Guidance("", 0)


def _guidance(table: Sequence[Guide], pieces: Sequence[tuple[str, str]], words: Words) -> Guidance:
    text = _text(table, pieces, words)
    return Guidance(text, words.count(text), tuple(table), tuple(path for path, _ in pieces))


def _within(guides: Sequence[Guide], room: int, cost: Callable[[Guide], int]) -> Iterator[Guide]:
    for one in guides:
        room -= cost(one)
        if room < 0:
            return
        yield one


def _pieces(table: Sequence[Guide], words: Words, room: int) -> tuple[tuple[str, str], ...]:
    """As much of each page as there is room, the best page first."""
    found: list[tuple[str, str]] = []
    for one in table:
        piece, price = _beginning(one, words, room - _FRAME)
        if not piece:
            break
        room -= price + _FRAME
        found.append((one.path, piece))
    return tuple(found)


def _beginning(one: Guide, words: Words, room: int) -> tuple[str, int]:
    """Whole lines, and a word about it when there are more; nothing where that would be too little to help."""
    kept: list[str] = []
    price = 0
    lines = _harmless(one.text).strip().split("\n")
    for line in lines:
        cost = words.count(f"{line}\n") + (_MARK_OF_PARAGRAPH if line.strip() else 0)
        if price + cost > room:
            break
        price += cost
        kept.append(line)
    whole = len(kept) == len(lines)
    if not whole and price < _LEAST:
        return "", 0
    more = "" if whole else f"\n… `cairn show {one.path}` has the rest"
    return "\n".join(kept).rstrip() + more, price


def _harmless(text: str) -> str:
    """Without characters that a terminal would obey, and without anything that could end our frame."""
    shown = "".join(char if char.isprintable() or char in "\n\t" else " " for char in without_unseen(text))
    return _OUR_FRAME.sub("‹", shown)


def _text(table: Sequence[Guide], pieces: Sequence[tuple[str, str]], words: Words) -> str:
    rows = ["| page | about | id |", "|---|---|---|", *(one.row for one in table)] if table else []
    parts = [words.head, "\n".join(rows), *(fenced(piece, path) for path, piece in pieces), words.tail.strip()]
    inside = "\n\n".join(part for part in parts if part)
    told = "\n\n".join([*(said(one.about, _ABOUT) for one in table), *(piece for _, piece in pieces)])
    return f"<cairn-briefing>\n{inside}\n</cairn-briefing>\n{words.mark(told)}".strip()
