"""Transcripts of Claude Code: `~/.claude/projects/<project>/<session>.jsonl`, one event a line."""

from collections.abc import Iterator
from typing import Any, Final

from cairn.capture.transcripts.lines import Draft, Line, Tally, role_of, target_of, text_or_none
from cairn.core.model.session import Segment, ToolCall

_OTHERS: Final = frozenset(
    {
        "agent-name",
        "ai-title",
        "attachment",
        "custom-title",
        "file-history-snapshot",
        "last-prompt",
        "mode",
        "permission-mode",
        "pr-link",
        "progress",
        "queue-operation",
        "summary",
        "system",
        "tag",
    }
)
"""Kinds of lines in which nobody says anything."""


class ClaudeReader:
    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._draft = Draft()

    def feed(self, line: Line, value: dict[str, Any]) -> Iterator[Segment]:
        if value.get("isMeta") is True or value.get("isSidechain") is True:
            return
        message = value.get("message")
        inner = message if isinstance(message, dict) else {}
        role = role_of(inner.get("role")) or role_of(value.get("role")) or role_of(value.get("type"))
        content = inner.get("content", value.get("content")) if role else None
        if role is None or not isinstance(content, str | list):
            self._tally.unknown += text_or_none(value.get("type")) not in _OTHERS
        elif role == "user":
            yield from self._user(line, value, content)
        else:
            yield from self._assistant(line, value, inner, content)

    def finish(self) -> Iterator[Segment]:
        return self._draft.close()

    def _user(self, line: Line, value: dict[str, Any], content: "str | list[Any]") -> Iterator[Segment]:
        for block in _blocks(content):
            if block.get("type") == "tool_result":
                self._draft.result(block.get("tool_use_id"), block.get("is_error") is not True, line)
        id, at = text_or_none(value.get("uuid")), text_or_none(value.get("timestamp"))
        yield from self._draft.user(_text(content), line, id, at, injected=_is_injected(value))

    def _assistant(
        self, line: Line, value: dict[str, Any], inner: dict[str, Any], content: "str | list[Any]"
    ) -> Iterator[Segment]:
        id, at = text_or_none(value.get("uuid")), text_or_none(value.get("timestamp"))
        injected = inner.get("model") == "<synthetic>"
        if value.get("isApiErrorMessage") is True:
            yield from self._draft.ended("error", line, at)
            return
        yield from self._draft.say(_text(content), line, id, at, injected=injected)
        for block in _blocks(content):
            if block.get("type") == "tool_use":
                tool = ToolCall(text_or_none(block.get("name")) or "?", target_of(block.get("input")))
                yield from self._draft.use(text_or_none(block.get("id")), tool, line, id, at)


def _is_injected(value: dict[str, Any]) -> bool:
    origin = value.get("origin")
    from_elsewhere = isinstance(origin, dict) and origin.get("kind") not in (None, "human")
    return from_elsewhere or any(value.get(key) is True for key in ("isCompactSummary", "isVisibleInTranscriptOnly"))


def _blocks(content: "str | list[Any]") -> list[dict[str, Any]]:
    return [] if isinstance(content, str) else [block for block in content if isinstance(block, dict)]


def _text(content: "str | list[Any]") -> str:
    if isinstance(content, str):
        return content
    texts = [block.get("text") for block in _blocks(content) if block.get("type", "text") == "text"]
    return "\n".join(text for text in texts if isinstance(text, str))
