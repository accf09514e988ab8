"""A search as FTS5 wants it said. Whatever came from outside stands between quotes, where nothing is an operator."""

from cairn.core.ports.search import Term, TextQuery


def match_text(query: TextQuery) -> str:
    parts = [_term(term) for term in query.every]
    if query.any:
        parts.append(_either(query.any))
    wanted = " AND ".join(parts)
    if query.titled:
        wanted = f"{{name title summary}} : ({wanted})"
    return f"({wanted}) NOT {_either(query.none)}" if query.none else wanted


def _either(terms: tuple[Term, ...]) -> str:
    return f"({' OR '.join(map(_term, terms))})"


def _term(term: Term) -> str:
    star = " *" if term.prefix else ""
    phrases = [_quoted(" ".join(words)) + star for words in term.spellings]
    return phrases[0] if len(phrases) == 1 else f"({' OR '.join(phrases)})"


def _quoted(text: str) -> str:
    return '"' + text.replace("\0", " ").replace('"', '""') + '"'
