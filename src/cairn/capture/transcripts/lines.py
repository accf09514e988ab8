"""Cuts a stream of bytes into lines, each with its place, however long the stream and however odd its bytes."""

import codecs
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, NamedTuple


@dataclass(slots=True)
class Tally:
    lines: int = 0
    broken: int = 0
    """Lines that are no JSON, or not of the form that the host writes."""
    unknown: int = 0
    """Lines of a kind that this Cairn doesn't know; a newer host may write them."""
    too_long: int = 0
    recoded: int = 0
    """Lines that are not UTF-8 and were read as Latin-1."""
    torn: bool = False
    """The last line is not whole; it may still be written."""
    encoding: str = "utf-8"
    through: int = 0
    """Offset behind the last line that was read to its end."""

    def remarks(self) -> list[str]:
        """In words, for a person; nothing when all was well."""
        said = []
        if self.encoding != "utf-8":
            said.append(f"it is written in {self.encoding.upper()}, not in UTF-8")
        if self.recoded:
            said.append(f"{_lines(self.recoded)} not in UTF-8; read as Latin-1")
        if self.broken:
            said.append(f"{_lines(self.broken)} broken; passed over")
        if self.too_long:
            said.append(f"{_lines(self.too_long)} too long; passed over")
        if self.torn:
            said.append("the last line is not whole; it is read when it is")
        return said


def _lines(count: int) -> str:
    return "1 line is" if count == 1 else f"{count:,} lines are"


LINE_LIMIT: Final = 16 * 1024 * 1024
"""Bytes. No message of a person is that long; a longer line is passed over without being kept in memory."""

_MARKS: Final = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_BLANK: Final = b" \t\r\n\0"
"""Around a line. A machine that lost its power leaves NUL bytes where a line should be."""


class Line(NamedTuple):
    start: int
    end: int
    """Behind its newline."""
    data: bytes
    """In UTF-8 as far as we can tell, without what is blank around it."""
    last: bool = False
    """No newline follows: it may still be written."""


def sniff(head: bytes) -> str:
    """The encoding that the first bytes of a file announce."""
    return next((name for mark, name in _MARKS if head.startswith(mark)), "utf-8")


def lines(chunks: Iterable[bytes], tally: Tally, *, start: int = 0, encoding: str | None = None) -> Iterator[Line]:
    """Every line that is neither blank nor too long. `start` is the offset of the first byte in its file; who starts in
    the middle has to say the encoding."""
    rest = iter(chunks)
    first = next(rest, b"")
    encoding = encoding or (sniff(first) if start == 0 else "utf-8")
    tally.encoding = encoding.removesuffix("-sig")
    tally.through = start
    cutter = _Cutter(tally, start, "\n".encode(tally.encoding))
    stream = chain((first,), rest)
    for chunk in stream if cutter.width == 1 else _even(stream):
        for line in cutter.feed(chunk):
            yield from _shown(line, encoding)
    for line in cutter.rest():
        yield from _shown(line, encoding)


def _even(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Whole characters of two bytes, so that a newline is never cut in half."""
    left = b""
    for chunk in chunks:
        data = left + chunk
        cut = len(data) & ~1
        left = data[cut:]
        yield data[:cut]
    yield left


def _shown(line: Line, encoding: str) -> Iterator[Line]:
    data = line.data
    if encoding == "utf-8-sig":
        data = data.removeprefix(codecs.BOM_UTF8)
    elif encoding != "utf-8":
        data = data.decode(encoding, "replace").removeprefix("\ufeff").encode("utf-8", "replace")
    data = data.strip(_BLANK)
    if data:
        yield line._replace(data=data)


class _Cutter:
    """Keeps no more than one line, and nothing of one that is too long."""

    def __init__(self, tally: Tally, start: int, newline: bytes) -> None:
        self._tally = tally
        self._newline = newline
        self.width = len(newline)
        self._start = self._at = start
        self._held = bytearray()
        self._too_long = False

    def feed(self, chunk: bytes) -> Iterator[Line]:
        position = 0
        while (cut := self._find(chunk, position)) >= 0:
            self._hold(chunk[position : cut + self.width])
            position = cut + self.width
            yield from self._cut(last=False)
        self._hold(chunk[position:])

    def rest(self) -> Iterator[Line]:
        if self._at > self._start:
            yield from self._cut(last=True)

    def _find(self, chunk: bytes, position: int) -> int:
        cut = chunk.find(self._newline, position)
        while cut % self.width and cut >= 0:
            cut = chunk.find(self._newline, cut + 1)
        return cut

    def _hold(self, piece: bytes) -> None:
        self._at += len(piece)
        if self._at - self._start > LINE_LIMIT:
            self._too_long = True
            self._held = bytearray()
        else:
            self._held += piece

    def _cut(self, *, last: bool) -> Iterator[Line]:
        line = Line(self._start, self._at, bytes(self._held), last)
        too_long = self._too_long
        self._start, self._held, self._too_long = self._at, bytearray(), False
        if too_long and not last:
            self._tally.too_long += 1
            self._tally.through = line.end
        elif too_long:
            self._tally.torn = True
        else:
            yield line


def objects(source: Iterable[Line], tally: Tally) -> Iterator[tuple[Line, dict[str, Any]]]:
    """Those lines that hold a JSON object. The last one counts as read only when it is whole."""
    for line in source:
        value = _loaded(line.data, tally)
        if value is None and line.last:
            tally.torn = True
            return
        tally.lines += 1
        tally.through = line.end
        if value is None:
            tally.broken += 1
        else:
            yield line, value


def _loaded(data: bytes, tally: Tally) -> dict[str, Any] | None:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        tally.recoded += 1
        text = data.decode("latin-1")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
