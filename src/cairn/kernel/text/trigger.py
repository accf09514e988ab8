"""How names are compared: `Clúster`, `cluster` and `CLUSTER` are one, `code-review` and `code_review` too."""

import re
import unicodedata

_SEPARATORS = re.compile(r"[-_\s]+")


def normalize_trigger(text: str) -> str:
    """NFD, marks dropped, lower case, each run of `-`, `_` and white space one blank. `/`, `@`, `:`, `.` stay."""
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
    return _SEPARATORS.sub(" ", text.lower()).strip()
