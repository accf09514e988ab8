"""A search as `to_tsquery` wants it said. What came from outside is cut into words, and those stand between quotes."""

from cairn.adapters.storage.postgres.words import words
from cairn.core.ports.search import Term, TextQuery

_NOWHERE = f"'{'q' * 200}'"
"""A term without a word in it is in no text; PostgreSQL would leave it out instead."""


def match_text(query: TextQuery) -> str:
    weights = "ABC" if query.titled else ""
    parts = [_term(term, weights) for term in query.every]
    if query.any:
        parts.append(f"({' | '.join(_term(term, weights) for term in query.any)})")
    parts += [f"!{_term(term)}" for term in query.none]
    return " & ".join(parts)


def _term(term: Term, weights: str = "") -> str:
    end = f":{'*' if term.prefix else ''}{weights}".rstrip(":")
    inside = f":{weights}".rstrip(":")
    phrases = [f"{phrase}{end}" for spelling in term.spellings if (phrase := _phrase(spelling, inside))]
    return f"({' | '.join(phrases or [_NOWHERE])})"


def _phrase(spelling: tuple[str, ...], weights: str) -> str:
    return f"{weights} <-> ".join(f"'{word}'" for word in words(" ".join(spelling)).split())
