"""Transcripts in, what was said and which tools were used out: one reader a host, none of which keeps the file."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Final, Protocol

from cairn.capture.transcripts.claude import ClaudeReader
from cairn.capture.transcripts.codex import CodexReader
from cairn.capture.transcripts.cursor import CursorReader, CursorText
from cairn.capture.transcripts.lines import Line, lines, objects
from cairn.capture.transcripts.opencode import OpenCodeReader, messages
from cairn.capture.transcripts.tally import Tally
from cairn.core.model.session import Host, Segment


class _Reader(Protocol):
    def feed(self, line: Line, value: dict[str, Any]) -> Iterator[Segment]: ...

    def finish(self) -> Iterator[Segment]: ...


_READERS: Final[dict[Host, Callable[[Tally], _Reader]]] = {
    "claude": ClaudeReader,
    "codex": CodexReader,
    "cursor": CursorReader,
    "opencode": OpenCodeReader,
}
_HEAD: Final = 64 * 1024
_MESSAGES_OR_PARTS: Final = re.compile(rb'"(messages|parts)"\s*:\s*\[')


def segments(
    host: Host, chunks: Iterable[bytes], *, tally: Tally | None = None, start: int = 0, encoding: str | None = None
) -> Iterator[Segment]:
    """What is said in a transcript, in its order. `start` is where the first byte stands in its file; `tally` hears
    what was passed over, and how far was read. Nothing in a file can make this fail."""
    tally = tally if tally is not None else Tally()
    first, chunks = _peeked(chunks)
    source = lines(chunks, tally, start=start, encoding=encoding)
    if host == "cursor" and _is_plain_text(first):
        yield from CursorText(tally).read(source)
        return
    if host == "opencode" and _is_document(first):
        source = messages(chunks, tally, start=start)
    reader = _READERS[host](tally)
    for line, value in objects(source, tally):
        yield from reader.feed(line, value)
    yield from reader.finish()


def _peeked(chunks: Iterable[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Enough of the beginning to tell what it is, and all of it."""
    stream = iter(chunks)
    first = bytearray()
    for chunk in stream:
        first += chunk
        if len(first) >= _HEAD:
            break
    head = bytes(first)
    return head[:_HEAD], chain((head,), stream)


def _is_plain_text(first: bytes) -> bool:
    return first.lstrip(b"\xef\xbb\xbf \r\n\t").startswith((b"user:", b"assistant:"))


def _is_document(first: bytes) -> bool:
    """One that holds messages, and not a message a line."""
    found = _MESSAGES_OR_PARTS.search(first)
    return found is not None and found[1] == b"messages"
