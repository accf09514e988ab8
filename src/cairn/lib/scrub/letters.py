"""Writes words the way they are compared: in lower case, without marks on letters."""

import unicodedata

_SAME = str.maketrans("łøđıħŁØĐĦيىك", "lodihlodhییک")
"""Letters that have no decomposition, or two code points for one letter."""


def folded(text: str) -> str:
    """`rodné` and `rodne` are one word, and `إقامة` is `اقامة`."""
    if text.isascii():
        return text.lower()
    letters = unicodedata.normalize("NFKD", text.translate(_SAME))
    return "".join(char for char in letters if not unicodedata.combining(char)).lower()
