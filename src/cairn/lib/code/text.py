"""Files as text: decoded whatever they are, and compared line by line without minding spaces."""

import codecs
import re
from typing import Final

from cairn.lib.code.digest import digest_of_bytes
from cairn.lib.code.model import Outline

MAX_NORMALISED: Final = 8_000_000
"""Bytes. Longer files are hashed as they are: taking 50 MB of a lock file apart is not worth what it finds."""

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"[ \t\r\f\v]+")


def text_outline(path: str, data: bytes, note: str = "") -> Outline:
    """A file in which no names are known."""
    return Outline(path, "text", (), digest_of_bytes(normal_text(data)), note)


def normal_text(data: bytes) -> bytes:
    """Lines without indentation, runs of spaces as one, blank lines left out."""
    if len(data) > MAX_NORMALISED:
        return data
    spaced = _BLANK.sub(b" ", data.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
    return b"\n".join([line for raw in spaced.split(b"\n") if (line := raw.strip(b" "))])


def lines_of(data: bytes) -> list[bytes]:
    """As an editor counts them: `\\n`, `\\r\\n` and a lone `\\r` end a line, nothing else does."""
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    return lines if lines[-1] else lines[:-1]


def decode(data: bytes) -> str:
    """The text of a file: its byte order mark and coding cookie are believed, else UTF-8, and nothing is refused."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.removeprefix(mark).decode(encoding, "replace")
    return data.decode(_declared(data), "replace")


_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ORDINARY: Final = re.compile(r"utf_?8|ascii|latin_?1|iso8859_\d+|cp\d+|koi8_\w|euc_\w+|shift_jis|gbk?\d*|big5|mac_\w+")
"""Encodings of text that people write. Others that Python knows, such as `punycode`, are for strangers' jokes."""


def _declared(data: bytes) -> str:
    for line in data[:400].split(b"\n")[:2]:
        if found := _COOKIE.match(line):
            return _known(found[1].decode("ascii", "replace"))
    return "utf-8"


def _known(name: str) -> str:
    try:
        found = codecs.lookup(name).name.replace("-", "_")
    except (LookupError, ValueError):
        return "utf-8"
    return found if _ORDINARY.fullmatch(found) else "utf-8"
