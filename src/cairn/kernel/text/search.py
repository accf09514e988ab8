"""Text as the full-text index takes it: scripts written without blanks get one between their characters."""

import re
from functools import cache

_UNSPACED = (
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff])"
)


@cache
def _unspaced() -> "re.Pattern[str]":
    """Compiled when a text needs it: that takes longer than indexing a dozen pages."""
    return re.compile(_UNSPACED)


def searchable(text: str) -> str:
    """A phrase of single characters then finds any word of such a script, without a dictionary."""
    return text if text.isascii() else _unspaced().sub(r" \1 ", text)
