"""Sessions of OpenCode: a message with its parts, one a line, as Cairn reads them from its database or its folders;
or the one document that `opencode export` prints."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from cairn.capture.transcripts.lines import LINE_LIMIT, Draft, Line, Tally, role_of, target_of, text_or_none
from cairn.core.model.session import Segment, ToolCall

_ENDED: Final = {"completed": True, "error": False}


class OpenCodeReader:
    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._draft = Draft()

    def feed(self, line: Line, value: dict[str, Any]) -> Iterator[Segment]:
        info = value.get("info")
        head = info if isinstance(info, dict) else value
        role, parts = role_of(head.get("role")), value.get("parts")
        if role is None or not isinstance(parts, list):
            self._tally.unknown += 1
            return
        id, at = text_or_none(head.get("id")), _at(head.get("time"))
        blocks = [part for part in parts if isinstance(part, dict)]
        if role == "user":
            yield from self._draft.user(_text(blocks), line, id, at, injected=not _text(blocks))
        else:
            yield from self._assistant(line, blocks, id, at, injected=head.get("summary") is True)
            if isinstance(head.get("error"), dict):
                aborted = "Abort" in str(head["error"].get("name"))
                yield from self._draft.ended("interrupted" if aborted else "error", line, at)

    def finish(self) -> Iterator[Segment]:
        return self._draft.close()

    def _assistant(
        self, line: Line, parts: list[dict[str, Any]], id: str | None, at: str | None, *, injected: bool
    ) -> Iterator[Segment]:
        for part in parts:
            if part.get("type") == "text" and isinstance(part.get("text"), str):
                yield from self._draft.say(part["text"], line, id, at, injected=injected)
            elif part.get("type") == "tool":
                yield from self._tool(line, part, id, at)

    def _tool(self, line: Line, part: dict[str, Any], id: str | None, at: str | None) -> Iterator[Segment]:
        state = part.get("state")
        facts = state if isinstance(state, dict) else {}
        ok = _ENDED.get(str(facts.get("status")))
        tool = ToolCall(text_or_none(part.get("tool")) or "?", target_of(facts.get("input")), ok)
        return self._draft.use(text_or_none(part.get("callID")), tool, line, id, at)


def _text(parts: list[dict[str, Any]]) -> str:
    """What the user typed; a part that is `synthetic` was put there by the host."""
    typed = [p for p in parts if p.get("type") == "text" and not p.get("synthetic") and not p.get("ignored")]
    return "\n".join(part["text"] for part in typed if isinstance(part.get("text"), str))


def _at(time: Any) -> str | None:
    """ISO 8601, of milliseconds since 1970."""
    created = time.get("created") if isinstance(time, dict) else None
    if not isinstance(created, int) or not 0 < created < 1 << 47:
        return None
    from cairn.journal import iso_utc

    return iso_utc(created)


# --- the exported document ------------------------------------------------------------------------------------------

_OUTSIDE: Final = re.compile(rb'["{}\[\]]')
_INSIDE: Final = re.compile(rb'["\\]')
_MESSAGE_DEPTH: Final = 3
"""Of `{"messages": [{`."""


def messages(chunks: Iterable[bytes], tally: Tally, *, start: int = 0) -> Iterator[Line]:
    """Each message of an exported document, cut out without holding more than one of them."""
    cutter = _Messages(tally, start)
    for chunk in chunks:
        yield from cutter.feed(chunk)
    tally.torn = tally.torn or cutter.depth > 0


class _Messages:
    def __init__(self, tally: Tally, start: int) -> None:
        self._tally = tally
        self._at = self._start = start
        """Offset of the chunk that is being read, and of the message that is open."""
        self._held: bytearray | None = None
        """What was read of an open message; None between two of them."""
        self._in_list = self._in_string = self._escaped = False
        self.depth = 0

    def feed(self, chunk: bytes) -> Iterator[Line]:
        begin = 0
        for position, mark in self._marks(chunk):
            if mark in b"{[":
                self.depth += 1
                if self.depth < _MESSAGE_DEPTH:
                    self._in_list = mark == b"["
                elif self.depth == _MESSAGE_DEPTH and self._in_list and mark == b"{":
                    begin, self._start, self._held = position, self._at + position, bytearray()
            else:
                if self.depth == _MESSAGE_DEPTH and self._held is not None:
                    yield from self._cut(chunk[begin : position + 1], self._at + position + 1)
                self.depth -= 1
        if self._held is not None:
            self._hold(chunk[begin:])
        self._at += len(chunk)

    def _marks(self, chunk: bytes) -> Iterator[tuple[int, bytes]]:
        """Brackets that stand outside of texts."""
        position = int(self._escaped)
        self._escaped = False
        while found := (_INSIDE if self._in_string else _OUTSIDE).search(chunk, position):
            position = found.end()
            if found[0] == b'"':
                self._in_string = not self._in_string
            elif self._in_string:
                self._escaped = position >= len(chunk)
                position += 1
            else:
                yield found.start(), found[0]

    def _hold(self, piece: bytes) -> None:
        assert self._held is not None
        if len(self._held) + len(piece) > LINE_LIMIT:
            self._tally.too_long += 1
            self._held = None
        else:
            self._held += piece

    def _cut(self, piece: bytes, end: int) -> Iterator[Line]:
        self._hold(piece)
        if self._held is not None:
            yield Line(self._start, end, bytes(self._held))
        self._held = None
