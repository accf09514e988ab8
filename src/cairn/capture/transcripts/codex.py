"""Rollouts of Codex: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`, each line `{timestamp, type, payload}`.

What is said is written twice, as an item of the conversation and as an event for the screen; which of the two comes
first, and whether both do, depends on the version. Older rollouts have the items bare, without an envelope.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from cairn.capture.transcripts.lines import Draft, Line, Tally, role_of, target_of, text_or_none, typed
from cairn.core.model.session import Segment, ToolCall

_OTHERS: Final = frozenset(("session_meta", "turn_context", "compacted", "ghost_snapshot", "world_state"))
_CALLS: Final = frozenset(
    ("function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call")
)
_OUTPUTS: Final = frozenset(("function_call_output", "custom_tool_call_output"))
_SPOKEN: Final = {"user_message": "user", "agent_message": "assistant", "task_complete": "assistant"}
_EXIT: Final = re.compile(r"^(?:Exit code:|Process exited with code|exit(?:ed with)? code) *(-?\d+)", re.MULTILINE)
MOST_ECHOES: Final = 32
"""Texts that are remembered. An echo follows at once, or, at the end of a task, after the last text."""


class CodexReader:
    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._draft = Draft()
        self._questions, self._answers = _Echoes(), _Echoes()
        self._asked: Segment | None = None
        """Held back, because its echo gives it its place: the last line that says it."""

    def feed(self, line: Line, value: dict[str, Any]) -> Iterator[Segment]:
        payload = value.get("payload")
        at = text_or_none(value.get("timestamp"))
        kind = text_or_none(value.get("type"))
        if not isinstance(payload, dict):
            yield from self._item(line, value, at)
        elif kind == "response_item":
            yield from self._item(line, payload, at)
        elif kind == "event_msg":
            yield from self._event(line, payload, at)
        else:
            self._tally.unknown += kind not in _OTHERS

    def finish(self) -> Iterator[Segment]:
        yield from self._asked_by_now()
        yield from self._draft.close()

    # --- what is said --------------------------------------------------------------------------------------------

    def _item(self, line: Line, item: dict[str, Any], at: str | None) -> Iterator[Segment]:
        kind = text_or_none(item.get("type"))
        if kind == "message":
            yield from self._said(line, item, at)
        elif kind in _CALLS:
            yield from self._begun()
            tool = ToolCall(_name(item), target_of(item.get("arguments") or item.get("input") or item.get("action")))
            yield from self._draft.use(text_or_none(item.get("call_id")), tool, line, text_or_none(item.get("id")), at)
        elif kind in _OUTPUTS:
            self._draft.result(item.get("call_id"), _went_well(item.get("output")), line)
        elif kind not in ("reasoning", "compaction", "compaction_summary", None):
            self._tally.unknown += 1

    def _said(self, line: Line, item: dict[str, Any], at: str | None) -> Iterator[Segment]:
        role = role_of(item.get("role"))
        if role is None:  # `developer` and `system` are words of the host
            return
        id, text = text_or_none(item.get("id")), _text(item.get("content"))
        if role == "user":
            yield from self._ask("item", text, line, id, at)
        else:
            yield from self._answer("item", text, line, id, at)

    def _event(self, line: Line, event: dict[str, Any], at: str | None) -> Iterator[Segment]:
        if event.get("type") == "turn_aborted" or isinstance(event.get("error"), dict):
            yield from self._begun()
            yield from self._draft.ended("interrupted" if event["type"] == "turn_aborted" else "error", line, at)
            return
        role = _SPOKEN.get(str(event.get("type")))
        text = event.get("message") or event.get("last_agent_message")
        if role is None or not isinstance(text, str):
            return
        if role == "user":
            yield from self._ask("event", text, line, None, at)
        else:
            yield from self._answer(str(event.get("type")), text, line, None, at)

    # --- once, although it is written twice ------------------------------------------------------------------------

    def _ask(self, source: str, text: str, line: Line, id: str | None, at: str | None) -> Iterator[Segment]:
        words = typed(text)
        if words and self._asked is not None and self._questions.is_echo(source, words):
            own = self._asked.id if self._asked.id and not self._asked.id.startswith("@") else None
            self._asked = self._asked._replace(id=own or id or f"@{line.start}", end=line.end)
            return
        for segment in self._draft.user(text, line, id, at):
            if segment.role == "user" and not segment.injected:
                yield from self._asked_by_now()
                self._asked = segment
                self._questions.hear(source, words)
                self._answers.forget()
            else:
                yield segment

    def _answer(self, source: str, text: str, line: Line, id: str | None, at: str | None) -> Iterator[Segment]:
        yield from self._begun()
        words = text.strip()
        if not self._answers.is_echo(source, words):
            self._answers.hear(source, words)
            yield from self._draft.say(text, line, id, at)

    def _begun(self) -> Iterator[Segment]:
        """The agent does something: no echo of the question comes any more."""
        yield from self._asked_by_now()
        self._questions.forget()

    def _asked_by_now(self) -> Iterator[Segment]:
        if self._asked is not None:
            yield self._asked
        self._asked = None


class _Echoes:
    """How often each source said each of the last texts. What one source says that another said more often is the same
    thing told again."""

    def __init__(self) -> None:
        self._said: dict[str, dict[str, int]] = {}

    def is_echo(self, source: str, text: str) -> bool:
        counts = self._said.get(text, {})
        echo = counts.get(source, 0) < max((n for name, n in counts.items() if name != source), default=0)
        if echo:
            self.hear(source, text)
        return echo

    def hear(self, source: str, text: str) -> None:
        counts = self._said.setdefault(text, {})
        counts[source] = counts.get(source, 0) + 1
        if len(self._said) > MOST_ECHOES:
            del self._said[next(iter(self._said))]

    def forget(self) -> None:
        self._said.clear()


def _name(item: dict[str, Any]) -> str:
    return text_or_none(item.get("name")) or str(item.get("type")).removesuffix("_call")


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    texts = [b.get("text") for b in blocks if isinstance(b, dict) and str(b.get("type", "text")).endswith("text")]
    return "\n".join(text for text in texts if isinstance(text, str))


def _went_well(output: Any) -> bool | None:
    """By the exit code, where one is told; an answer without one says nothing about that."""
    if isinstance(output, str) and output.lstrip().startswith("{"):
        import json

        try:
            output = json.loads(output)
        except (ValueError, RecursionError):
            return None
    if isinstance(output, dict):
        metadata = output.get("metadata")
        code = metadata.get("exit_code") if isinstance(metadata, dict) else None
        success = output.get("success")
        return code == 0 if isinstance(code, int) else success if isinstance(success, bool) else None
    found = _EXIT.search(output[:2_000]) if isinstance(output, str) else None
    return int(found[1]) == 0 if found else None
