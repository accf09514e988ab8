"""A search as `to_tsquery` wants it said. What came from outside is cut into words, and those stand between quotes."""

from cairn.adapters.storage.postgres.words import words
from cairn.kernel.ports.search import Term, TextQuery

_NOWHERE = f"'{'q' * 200}'"
"""A term without a word in it is in no text; PostgreSQL would leave it out instead."""


def match_text(query: TextQuery) -> str:
    parts = [_term(term) for term in query.every]
    if query.any:
        parts.append(_either(query.any))
    parts += [f"!{_term(term)}" for term in query.none]
    return " & ".join(parts)


def _either(terms: tuple[Term, ...]) -> str:
    return f"({' | '.join(map(_term, terms))})"


def _term(term: Term) -> str:
    star = ":*" if term.prefix else ""
    phrases = [phrase + star for spelling in term.spellings if (phrase := _phrase(spelling))]
    return f"({' | '.join(phrases or [_NOWHERE])})"


def _phrase(spelling: tuple[str, ...]) -> str:
    return " <-> ".join(f"'{word}'" for word in words(" ".join(spelling)).split())
