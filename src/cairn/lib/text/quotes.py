"""Finds the words that a reader quotes: copied by hand, they differ in marks, shapes of quotes and white space only."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple
from unicodedata import category, normalize

from cairn.lib.text.search_words import runs

TYPOGRAPHY: Final = str.maketrans(dict(zip("‘’‚‛“”„‟‐‑", "''''\"\"\"\"--", strict=True)))
"""Quotes and hyphens that look the same."""
ENOUGH: Final = 8
"""Letters that prove something wherever they stand. Fewer are found in every text, and have to be a whole line."""
_OF_A_SIGN: Final = 3
"""Letters that one sign counts as in scripts without blanks between words."""
_PIECE: Final = 5
"""Letters of a piece between two ellipses, where the piece is near the one before it."""
_GAP: Final = 200

_DASHES: Final = str.maketrans(dict.fromkeys("‐‑‒–—―−", "-"))
_QUOTES: Final = "'\"‘’‚‛“”„‟«»‹›「」『』`´′″"
_ELLIPSIS: Final = re.compile(r"\[\s{0,3}(?:\.{3,}|…)\s{0,3}\]|\(\s{0,3}(?:\.{3,}|…)\s{0,3}\)|\.{3,}|…")
_LEFT_OUT: Final = re.compile(r"(?<!\S)(?:[-+•>·–—]|#{1,6})(?!\S)|~~|" + f"[\\s*_|\\\\{_QUOTES}]+")
"""White space, quotes, marks of Markdown, and signs that stand alone, such as those of lists, headings and dashes."""
_NUMBER: Final = re.compile(r"^[ \t>]{0,20}\d{1,3}[.)](?=[ \t])", re.MULTILINE)
"""In front of an item. Wrapped prose can begin like one, so texts are compared with these numbers and without."""
_CLUSTER: Final = re.compile(r"[^\u0300-\u036f\u1160-\u11ff\u3099\u309a][\u0300-\u036f\u1160-\u11ff\u3099\u309a]*+|.")
"""A letter with its accents, or the parts of a Hangul syllable."""
_EDGES: Final = f" \t\r\n{_QUOTES}.。．,，;；:：!！"
_NEAR: Final = 40
_OPENS: Final = re.compile(
    r"(?:\n|[.!?;:](?=\s)|[。！？；：|])[\s*_`>#'\"“”„«»…•+-]{0,40}+(?:\d{1,3}[.)]\s{0,40}+)?[*_`'\"“”„«»]{0,40}+\Z"
)
_CLOSES: Final = re.compile(r"[*_`'\"“”„«»]*+[ \t]*+(?:[.!?;:…]*+[*_`'\"“”„«»]*+(?=\s)|[。！？；|])")


class Span(NamedTuple):
    """Characters of a text."""

    start: int
    end: int


class _Form(NamedTuple):
    """A text without all that a quote may leave out."""

    letters: str
    starts: Sequence[int]
    """Of each letter, the place in the text where it stands."""
    ends: Sequence[int]

    def span(self, at: int, length: int) -> Span:
        return Span(self.starts[at], self.ends[at + length - 1])


def is_quoted(quote: str, text: str) -> bool:
    return find_quote(quote, text) is not None


def find_quote(quote: str, text: str) -> Span | None:
    """The stretch of a text that a quote is of, whatever the case, the marks and the white space. Where it leaves
    something out, its pieces have to come in order. A few letters count only as a whole line or sentence."""
    pieces = [piece for piece in _ELLIPSIS.split(quote) if _letters(piece)]
    whole = pieces[0] if len(pieces) == 1 else quote
    for numbered in (True, False):
        form = _form(text, numbered)
        found = _whole(_letters(whole, numbered), form, text) if pieces else None
        found = found or _in_order([_letters(piece, numbered) for piece in pieces], form)
        if found:
            return found
    return None


def _whole(wanted: str, form: _Form, text: str) -> Span | None:
    if _weight(wanted) < ENOUGH:
        return _line(wanted, form, text) if len(wanted) > 1 else None
    at = form.letters.find(wanted)
    return form.span(at, len(wanted)) if at >= 0 else None


def places_of(words: str, text: str) -> list[Span]:
    """Every place where a text has all of these words, with nothing left out."""
    form, wanted = _form(text, True), _form(words, True).letters
    return [form.span(at, len(wanted)) for at in _finds(form.letters, wanted)] if wanted else []


def copies_of(words: str, text: str) -> list[Span]:
    """Every place of words that were copied by hand, whatever the stops at their ends, with nothing left out. A few
    letters count only as a whole line or sentence."""
    for numbered in (True, False):
        form, wanted = _form(text, numbered), _letters(words, numbered)
        spans = [form.span(at, len(wanted)) for at in _finds(form.letters, wanted)] if wanted else []
        if _weight(wanted) < ENOUGH:
            spans = [span for span in spans if len(wanted) > 1 and _stands_alone(span, text)]
        if spans:
            return spans
    return []


def has_ellipsis(quote: str) -> bool:
    return _ELLIPSIS.search(quote) is not None


def _letters(quote: str, numbered: bool = True) -> str:
    """Of a quote, without the stops at its ends."""
    return _form(quote.strip(_EDGES), numbered).letters


def _finds(letters: str, wanted: str) -> Iterator[int]:
    at = letters.find(wanted)
    while at >= 0:
        yield at
        at = letters.find(wanted, at + len(wanted))


def _line(wanted: str, form: _Form, text: str) -> Span | None:
    """Where few letters stand alone: as a line, a heading, a cell of a table, a sentence."""
    spans = (form.span(at, len(wanted)) for at in _finds(form.letters, wanted))
    return next((span for span in spans if _stands_alone(span, text)), None)


def _stands_alone(span: Span, text: str) -> bool:
    before, after = f"\n{text}"[max(0, span.start + 1 - _NEAR) : span.start + 1], text[span.end : span.end + _NEAR]
    return _OPENS.search(before) is not None and _CLOSES.match(f"{after}\n") is not None


def _in_order(pieces: Sequence[str], form: _Form) -> Span | None:
    """Pieces of few letters count only near the piece before them."""
    if len(pieces) < 2 or max(map(_weight, pieces)) < ENOUGH or min(map(_weight, pieces)) < _PIECE:
        return None
    first = position = form.letters.find(pieces[0])
    for before, piece in pairwise(pieces):
        if position < 0:
            return None
        after = position + len(before)
        is_short = min(_weight(before), _weight(piece)) < ENOUGH
        position = form.letters.find(piece, after, after + _GAP if is_short else len(form.letters))
    return Span(form.starts[first], form.ends[position + len(pieces[-1]) - 1]) if position >= 0 else None


def _weight(letters: str) -> int:
    return len(letters) + (_OF_A_SIGN - 1) * sum(map(len, runs().findall(letters)))


@lru_cache(16)
def _form(text: str, numbered: bool) -> _Form:
    letters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _chunks(text, numbered):
        for place, stop, letter in _clusters(text, start, end):
            letters.append(letter)
            starts += [place] * len(letter)
            ends += [stop] * len(letter)
    return _Form("".join(letters), starts, ends)


def _chunks(text: str, numbered: bool) -> Iterator[tuple[int, int]]:
    """What is between the stretches that are left out."""
    shown = text if numbered else _NUMBER.sub(lambda found: " " * len(found[0]), text)
    at = 0
    for out in _LEFT_OUT.finditer(shown):
        if out.start() > at:
            yield at, out.start()
        at = out.end()
    if at < len(shown):
        yield at, len(shown)


def _clusters(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    chunk = text[start:end]
    if chunk.isascii():
        yield from ((start + at, start + at + 1, letter) for at, letter in enumerate(chunk.lower()))
        return
    for found in _CLUSTER.finditer(chunk):
        letter = "".join(c for c in normalize("NFKC", found[0]).casefold() if category(c) not in ("Cf", "Zs"))
        yield start + found.start(), start + found.end(), letter.translate(_DASHES)
