"""What a document may say something about: a function, a flag, a key, a file; its digest, and its line for people."""

import codecs
import re
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Final, Literal, NamedTuple

Probe = Callable[[Callable[[], object]], bool]
"""Whether some work ends by itself, tried out where it can be ended. Parsers made by tree-sitter mend errors as they
go, can't be interrupted, and a stranger can write a file that keeps them at it for ever."""

SymbolKind = Literal["function", "class", "method", "constant", "attribute", "parameter", "flag", "key", "module"]


class Symbol(NamedTuple):
    """One named thing in a file of the repository."""

    path: str
    name: str
    """Dotted from the file's top: `Client.connect`, `project.version`, `--verbose`."""
    kind: SymbolKind
    line: int
    """First line of its definition, from 1."""
    end_line: int
    interface: str
    """Hex digest of what a caller or reader sees."""
    content: str
    """Hex digest of everything."""
    shown: str = ""
    """The interface for people, on one line: `connect(host, timeout=30)`, `TIMEOUT = 30`."""

    @property
    def short(self) -> str:
        """The last part: `connect` of `Client.connect`. Flags and keys keep theirs."""
        return self.name if self.kind in ("flag", "key", "module") else self.name.rpartition(".")[2]

    @property
    def reference(self) -> str:
        return f"{self.path}#{self.name}"


class Outline(NamedTuple):
    """Everything that one file defines."""

    path: str
    language: str
    """`python`, `json`, `toml`, `yaml`, `javascript`, …; `text` when no grammar knows it."""
    symbols: tuple[Symbol, ...]
    digest: str
    """Hex digest of the file in its normal form."""
    note: str = ""
    """Why it was read as text only, in words, when that was second best: no grammar installed, a syntax error."""


_BETWEEN = "\x1f"


def digest_of(parts: Iterable[str]) -> str:
    """Hex SHA-256 of tokens, which must not contain the unit separator themselves."""
    return sha256(_BETWEEN.join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def digest_of_bytes(data: bytes) -> str:
    return sha256(data).hexdigest()


MAX_SHOWN: Final = 160


def shortened(text: str) -> str:
    """On one line, without control characters, cut in the middle of nothing important."""
    line = " ".join(text.split())
    if not line.isprintable():
        line = "".join([character if character.isprintable() else "�" for character in line])
    return line if len(line) <= MAX_SHOWN else line[: MAX_SHOWN - 1].rstrip() + "…"


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
