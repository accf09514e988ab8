"""Finds the words that a copy made by hand is to replace, and fits the new words into their place.

A copy may differ in case, marks and white space. It has to be of one place, without a gap, and where a sentence is
replaced, of all of it.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from cairn.lib.text.quotes import Span, copies_of, has_ellipsis

_LINE_START: Final = re.compile(r"[ \t]*+(?:(?:[-*+•>]|#{1,6}|\d{1,3}[.)])[ \t]++|\|[ \t]*+)+")
_CELL_END: Final = re.compile(r"(?<![ \t])[ \t]*+\|[ \t]*+\Z")
_STOPS: Final = ".!?…。！？"
_JOINTS: Final = ",;:，；：、"
_CLOSING: Final = "*_`~\"'”’»)]"
_ENDS: Final = re.compile(f"(?<![{_STOPS}])([{_STOPS}]++)[{re.escape(_CLOSING)}]*$")
_STOP_BEHIND: Final = re.compile(f"([{re.escape(_CLOSING)}]*+)([.!?…]++(?=[\\s|{re.escape(_CLOSING)}]|\\Z)|[。！？]++)")
_BLOCK_START: Final = r"[-*+•|][ \t]|#|\d{1,3}[.)][ \t]|```|~~~"
_BLOCK_ENDS: Final = re.compile(
    f"[{re.escape(_CLOSING)}]*+[ \\t]*+(?:\\Z|\\||\\r?\\n[ \\t>]*+(?:\\Z|\\r?\\n|{_BLOCK_START}))"
)
_NEAR: Final = 40
_RUNS: Final = 4
"""Of marks, at each edge."""
_MARKS: Final = "*_~`'\"‘’“”„«»()[]"
_MARK: Final = re.compile(r"(?<![^\W_])([*_~`'\"‘’“”„«»])\1*+|([*_~`'\"‘’“”„«»])\2*+(?![^\W_])|[()\[\]]")
_KINDS: Final = {**dict.fromkeys("“”„«»", '"'), **dict.fromkeys("‘’", "'"), ")": "(", "]": "["}
_GOES_ON: Final = "ends where the sentence goes on; copy all of the sentence"


class CopyProblem(Exception):
    """Why words can't be replaced: the end of a sentence that begins with the words. In it `{text}` stands for the name
    that the text has for the reader."""

    def told(self, text: str) -> str:
        return str(self).format(text=text)


class WordsToReplace(NamedTuple):
    """Characters of a text, and what should stand there."""

    start: int
    end: int
    new: str


def replaced(copied: str, new: str, text: str) -> WordsToReplace:
    """The only place that a copy is of, with the stop where the new words have one, and the new words as they fit."""
    span = _only(copied, text)
    exact = text[span.start : span.end]
    if exact == copied:
        return _with_stop(span, copied, new, text)
    fitting = _without_line_start(new.strip(), copied, exact)
    if exact[:1] != copied[:1] and exact[:1].casefold() == copied[:1].casefold() and fitting[:1] == copied[:1]:
        fitting = exact[:1] + fitting[1:]
    return _with_stop(span, copied, fitting, text)


def first_copied(copied: str, text: str) -> str | None:
    """The first stretch of a text that a copy is of, with its stop."""
    span = next(iter(_spans(copied, text)), None)
    if span is None or text[span.start : span.end] == copied:
        return None if span is None else copied
    try:
        start, end, _ = _with_stop(span, copied, "", text)
    except CopyProblem:
        start, end = span
    return text[start:end]


def _only(copied: str, text: str) -> Span:
    spans = _spans(copied, text)
    if len(spans) > 1:
        raise CopyProblem("occurs more than once; copy more of the text around it")
    if spans:
        return spans[0]
    if has_ellipsis(copied):
        raise CopyProblem("leaves words out; copy all the words that are to be replaced")
    raise CopyProblem("is not in {text}; copy it exactly")


def _spans(copied: str, text: str) -> list[Span]:
    bare = copied.strip()
    start = _LINE_START.match(bare)
    for words in (copied, bare, bare[start.end() :] if start else ""):
        if words and (found := list(_exact(words, text))):
            return found
    return [_widened(span, bare, text) for span in copies_of(bare, text) if _is_whole(span, text)]


def _exact(words: str, text: str) -> Iterator[Span]:
    at = text.find(words)
    while at >= 0:
        yield Span(at, at + len(words))
        at = text.find(words, at + 1)


def _is_whole(span: Span, text: str) -> bool:
    """Whether it begins and ends between two words; scripts without blanks have no such places."""
    edges = (text[max(0, at - 1) : at + 1] for at in span)
    return not any(len(edge) == 2 and edge.isascii() and edge.isalnum() for edge in edges)


# --- marks around the words -------------------------------------------------------------------------------------------


def _widened(span: Span, copied: str, text: str) -> Span:
    """With the marks at the edges that the copy has as well, or whose other half is inside."""
    start, end = span
    for _ in range(_RUNS):
        size = _run_at(text[max(0, start - _NEAR) : start][::-1])
        start -= size if size and _belongs(text[start - 1], copied, text[start:end]) else 0
        size = _run_at(text[end : end + _NEAR])
        end += size if size and _belongs(text[end], copied[::-1], text[start:end]) else 0
    return Span(start, end)


def _run_at(text: str) -> int:
    """The length of the marks of one kind at the start."""
    return len(text) - len(text.lstrip(text[0])) if text and text[0] in _MARKS else 0


def _belongs(mark: str, copied: str, inner: str) -> bool:
    kind = _kind(mark)
    at_edge = copied[: len(copied) - len(copied.lstrip(_MARKS + _STOPS))]
    inside = [_kind(found[0][0]) for found in _MARK.finditer(inner)].count(kind)
    of_copied = [_kind(found[0][0]) for found in _MARK.finditer(copied)].count(kind)
    return inside % 2 == 1 or (inside < of_copied and kind in map(_kind, at_edge))


def _kind(mark: str) -> str:
    return _KINDS.get(mark, mark)


# --- the end of the words ---------------------------------------------------------------------------------------------


def _with_stop(span: Span, copied: str, new: str, text: str) -> WordsToReplace:
    """The stop behind the words is replaced too, where one of the two has it, so that it stands there once."""
    start, end = span
    exact = text[start:end]
    last, ends = copied.rstrip()[-1:], _ENDS.search(copied.strip())
    if _ENDS.search(exact.rstrip()):
        if exact[-1] == "." and text[end : end + 1].isalnum():
            raise CopyProblem(_GOES_ON)
        return WordsToReplace(start, end, new)
    if joint := next((sign for sign in (last, new[-1:]) if sign in _JOINTS and sign and exact[-1:] != sign), ""):
        return _with_joint(WordsToReplace(start, end, new), joint, joint == last, text)
    stop = _STOP_BEHIND.match(text, end)
    new_ends = _ENDS.search(new)
    if stop is None:
        if (ends or new_ends) and not _BLOCK_ENDS.match(text, end):
            raise CopyProblem(_GOES_ON)
    elif stop[1]:
        new = new[: new_ends.start()] + new[new_ends.end(1) :] if new_ends else new
    elif new_ends or not new or exact != copied:
        new = new if new_ends or not new or ends else new + stop[2]
        end = stop.end()
    return WordsToReplace(start, end, new)


def _with_joint(found: WordsToReplace, joint: str, is_copied: bool, text: str) -> WordsToReplace:
    """A comma, colon or semicolon at the end of the old words or the new ones."""
    if text[found.end : found.end + 1] == joint:
        return found._replace(end=found.end + 1)
    if is_copied:
        raise CopyProblem("is not in {text} with its last sign; copy it exactly")
    return found


def _without_line_start(new: str, copied: str, exact: str) -> str:
    """Without the marker of a list, quote or row that is not replaced."""
    if not _LINE_START.match(copied) or _LINE_START.match(exact):
        return new
    start = _LINE_START.match(new)
    bare = new[start.end() :] if start else new
    return _CELL_END.sub("", bare) if copied.startswith("|") else bare
