"""Turns of a transcript: from what the user asked to the end of the agent's answer."""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Final, Protocol

from cairn.capture.transcripts.claude import ClaudeReader
from cairn.capture.transcripts.codex import CodexReader
from cairn.capture.transcripts.cursor import CursorReader, CursorText
from cairn.capture.transcripts.lines import Line, Tally, lines, objects
from cairn.capture.transcripts.opencode import OpenCodeReader, messages
from cairn.core.model.session import Ending, Host, Segment, ToolCall, TurnFacts


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


MOST_QUESTIONS: Final = 20
MOST_TOOLS: Final = 1_000
"""Of one turn. Who asks or works on without end is remembered by the last of it, and by the first."""


def turns(host: Host, session: str, said: Iterable[Segment]) -> Iterator[TurnFacts]:
    """Each turn, with the id of the last message of the user before the agent began. Messages that came in a row are
    one question: the agent answered all of them."""
    open_turn: _Turn | None = None
    number = 0
    for segment in said:
        if segment.ending is not None and open_turn is not None:
            open_turn.ended = segment.ending
        if segment.injected:
            continue
        if segment.role == "assistant":
            if open_turn is not None:
                open_turn.answer(segment)
        elif open_turn is not None and not open_turn.begun:
            open_turn.ask(segment)
        else:
            if open_turn is not None:
                yield open_turn.facts(host, session, number)
            number += 1
            open_turn = _Turn(segment)
    if open_turn is not None:
        yield open_turn.facts(host, session, number)


def last_turn(
    host: Host, session: str, data: bytes, *, start: int = 0, encoding: str | None = None
) -> TurnFacts | None:
    """The last turn in a part of a transcript, usually its end; None when no message of the user is in it. `start` is
    where the data begins in the file: the line that it may begin in the middle of is passed over."""
    if start:
        cut = data.find(b"\n") + 1
        data, start = (data[cut:], start + cut) if cut else (b"", start)
    found = deque(turns(host, session, segments(host, (data,), start=start, encoding=encoding)), maxlen=1)
    return found[0] if found else None


class _Turn:
    def __init__(self, question: Segment) -> None:
        self._last = question
        self._asked = deque([question.text], maxlen=MOST_QUESTIONS)
        self._start, self._end = question.start, question.end
        self._answered = ""
        self._tools: list[ToolCall] = []
        self.begun = False
        self.ended: Ending = "unfinished"

    def ask(self, question: Segment) -> None:
        self._last = question
        self._asked.append(question.text)
        self._end = question.end

    def answer(self, segment: Segment) -> None:
        self.begun = True
        self.ended = "unfinished" if segment.tools else "answered"
        self._answered = segment.text or self._answered
        self._tools += segment.tools[: MOST_TOOLS - len(self._tools)]
        self._end = max(self._end, segment.end)

    def facts(self, host: Host, session: str, number: int) -> TurnFacts:
        return TurnFacts(
            host=host,
            session=session,
            message_id=self._last.id or f"@{self._last.start}",
            number=number,
            asked="\n\n".join(self._asked),
            answered=self._answered,
            tools=tuple(self._tools),
            start=self._start,
            end=self._end,
            at=self._last.at,
            ending=self.ended,
        )
