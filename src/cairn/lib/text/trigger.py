"""How names are compared: `Clúster`, `cluster` and `CLUSTER` are one, `code-review` and `code_review` too."""

import re
import unicodedata

# White space as JavaScript has it, so that names written by other tools compare the same.
_SEPARATORS = re.compile("[-_\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")


def knowledge_name(text: str) -> str:
    """A name in the room of its own in which pages of knowledge call each other: no `@name` or `/name` leads there."""
    return f"&{normalize_trigger(text)}"


def normalize_trigger(text: str) -> str:
    """NFD, marks dropped, lower case, each run of `-`, `_` and white space one blank. `/`, `@`, `:`, `.` stay."""
    if text.isascii() and text.isprintable():
        return " ".join(text.lower().replace("-", " ").replace("_", " ").split())
    text = "".join(char for char in unicodedata.normalize("NFD", text) if unicodedata.category(char) != "Mn")
    return _SEPARATORS.sub(" ", text.lower()).strip(" ")
