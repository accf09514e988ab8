"""Finds orders to a machine in what a reader wrote, unless people said it in these words."""

from collections.abc import Iterable, Iterator
from typing import Final

from cairn.curate.shortlist import keys_of
from cairn.lib.injection.marks import InjectionMark, exact_marks, marks

_QUOTED: Final = 0.4
"""Of the words of a passage that only seems to give orders, the share that its quotes must have."""


def orders_in(text: str, quotes: Iterable[str], *, outside: bool) -> Iterator[InjectionMark]:
    """Exact forms always count. A passage that the small model marks counts unless it says what its quotes say: it errs
    with about one rule in twenty. Text that rests on strangers' words gets no such credit."""
    exact = exact_marks(text)
    yield from exact
    known = {mark.why for mark in exact}
    said = _words("\n".join(quotes))
    for mark in marks(text):
        if mark.why not in known and (outside or not _is_said(mark.excerpt, said)):
            yield mark


def _is_said(excerpt: str, said: frozenset[str]) -> bool:
    words = _words(excerpt)
    return bool(words) and len(words & said) >= _QUOTED * len(words)


def _words(text: str) -> frozenset[str]:
    """A full stop of Chinese or Japanese ends a sentence here; in an address it would be a dot."""
    return keys_of(text.replace("。", " "))
