"""What a person marked as private in a message is gone before anything else sees it."""

import re
from typing import Final

_OPEN: Final = re.compile(r"<(private|kk-private)\b[^<>]{0,200}>", re.IGNORECASE)


def without_private(text: str) -> str:
    """The text without `<private>…</private>` and `<kk-private>…</kk-private>`. One that is never closed reaches to the
    end of the message: who forgot to close it would rather lose a sentence than keep a secret in a log."""
    if "private" not in text.lower():
        return text
    kept: list[str] = []
    position = 0
    while opened := _OPEN.search(text, position):
        kept.append(text[position : opened.start()])
        position = _behind(text, opened[1], opened.end())
    kept.append(text[position:])
    return "".join(kept)


def _behind(text: str, tag: str, start: int) -> int:
    """Behind the end of a span, with what is nested in it."""
    depth, position = 1, start
    for found in re.finditer(rf"<(/?){re.escape(tag)}\b[^<>]{{0,200}}>", text[start:], re.IGNORECASE):
        depth += -1 if found[1] else 1
        position = start + found.end()
        if depth == 0:
            return position
    return len(text)
