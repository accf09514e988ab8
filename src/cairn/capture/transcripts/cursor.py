"""Transcripts of Cursor's agent: lines `{role, message: {content: […]}}`, or, from older versions, plain text with
`user:` and `assistant:` on lines of their own."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from cairn.capture.transcripts.lines import Draft, Line, Tally, role_of, target_of, text_or_none
from cairn.core.model.session import Segment, ToolCall


class CursorReader:
    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._draft = Draft()

    def feed(self, line: Line, value: dict[str, Any]) -> Iterator[Segment]:
        message = value.get("message")
        inner = message if isinstance(message, dict) else value
        role = role_of(value.get("role")) or role_of(inner.get("role")) or role_of(value.get("type"))
        content = inner.get("content")
        if role is None or not isinstance(content, str | list):
            self._tally.unknown += value.get("type") not in ("turn_ended", "turn_started", "system", "result")
            return
        id, at = text_or_none(value.get("id")), text_or_none(value.get("timestamp"))
        blocks = content if isinstance(content, list) else [{"text": content}]
        yield from self._blocks(role, [block for block in blocks if isinstance(block, dict)], line, id, at)

    def finish(self) -> Iterator[Segment]:
        return self._draft.close()

    def _blocks(
        self, role: str, blocks: list[dict[str, Any]], line: Line, id: str | None, at: str | None
    ) -> Iterator[Segment]:
        texts = [block.get("text") for block in blocks if block.get("type", "text") == "text"]
        text = "\n".join(text for text in texts if isinstance(text, str))
        yield from self._draft.user(text, line, id, at) if role == "user" else self._draft.say(text, line, id, at)
        for block in blocks:
            if block.get("type") == "tool_use":
                tool = ToolCall(text_or_none(block.get("name")) or "?", target_of(block.get("input")))
                yield from self._draft.use(text_or_none(block.get("id")), tool, line, id, at)
            elif block.get("type") == "tool_result":
                self._draft.result(block.get("tool_use_id"), block.get("is_error") is not True, line)


# --- plain text -----------------------------------------------------------------------------------------------------

_SPEAKER: Final = re.compile(rb"(user|assistant):\s*")
_CALL: Final = re.compile(rb"\[Tool call\] *([\w.:-]{1,80})")
_QUIET: Final = re.compile(rb"\[(?:Tool result|Thinking|Tool call)\]")


class CursorText:
    """The old form. Tools have no results that could be told from what they printed, so nothing is said of those."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._draft = Draft()
        self._role: str | None = None
        self._quiet = False
        self._words: list[bytes] = []
        self._first: Line | None = None

    def read(self, lines: Iterable[Line]) -> Iterator[Segment]:
        for line in lines:
            self._tally.lines += 1
            self._tally.through = line.end
            yield from self._line(line)
        yield from self._spoken()
        yield from self._draft.close()

    def _line(self, line: Line) -> Iterator[Segment]:
        if speaker := _SPEAKER.fullmatch(line.data):
            yield from self._spoken()
            self._role, self._quiet, self._first = speaker[1].decode(), False, line
        elif self._role is None:
            self._tally.unknown += 1
        elif call := _CALL.match(line.data):
            yield from self._spoken()
            self._quiet = True
            yield from self._draft.use(None, ToolCall(call[1].decode()), line, None, None)
        elif _QUIET.match(line.data):
            # What the agent thought stands on the line itself; what a tool said goes on below.
            self._quiet = not line.data.startswith(b"[Thinking]")
        elif not self._quiet:
            self._words.append(line.data)
            self._first = (self._first or line)._replace(end=line.end)

    def _spoken(self) -> Iterator[Segment]:
        line, text = self._first, b"\n".join(self._words).decode("utf-8", "replace")
        self._words, self._first = [], None
        if line is None or not text:
            return
        if self._role == "user":
            yield from self._draft.user(text, line, None, None)
        else:
            yield from self._draft.say(text, line, None, None)
