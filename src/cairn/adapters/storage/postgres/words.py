"""Text as PostgreSQL's full-text index takes it, cut into the same words as SQLite's."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

from cairn.core.ports.graph import TextRow

_BETWEEN_WORDS = re.compile(r"[\W_]+")
_BODY = 120_000
_HEAD = 12_000
"""A word vector holds at most a megabyte; of a longer text the beginning is indexed."""


def words(text: str) -> str:
    """Words with a blank between them, without accents. PostgreSQL's own parser would keep `a/b.md` as one word."""
    return _BETWEEN_WORDS.sub(" ", text if text.isascii() else _without_accents(text))


def _without_accents(text: str) -> str:
    apart = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(c for c in apart if not unicodedata.combining(c)))


def text_parameters(rows: Iterable[TextRow]) -> Iterator[dict[str, Any]]:
    for id, name, title, summary, body in rows:
        heads = {"name": words(name[:_HEAD]), "title": words(title[:_HEAD]), "summary": words(summary[:_HEAD])}
        yield {"id": id, "body": words(body[:_BODY]), **heads}
