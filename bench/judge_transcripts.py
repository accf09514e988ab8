"""Writes sessions of an evaluation set as the transcripts of Claude Code and Codex, in the hosts' own file formats."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

Message = Mapping[str, str]

HOSTS: Final = {"claude-code": "claude", "codex": "codex"}
"""As Cairn calls them."""
BEGAN: Final = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
_FOLDER: Final = "/home/dev/project"


def session_id(set_name: str, item: str) -> str:
    """Says nothing about the item."""
    return str(uuid5(NAMESPACE_URL, f"cairn-bench/{set_name}/{item}"))


def write_transcript(folder: Path, host: str, id: str, messages: Sequence[Message]) -> Path:
    lines = _claude(id, messages) if host == "claude-code" else _codex(id, messages)
    file = folder / (f"{id}.jsonl" if host == "claude-code" else f"rollout-2026-11-02T09-00-00-{id}.jsonl")
    folder.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
    return file


def _time(number: int) -> str:
    return (BEGAN + timedelta(seconds=40 * number)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _claude(id: str, messages: Sequence[Message]) -> Iterator[dict[str, Any]]:
    """A tool is used in the message of the agent before its output, or in one that says nothing."""
    common = {"isSidechain": False, "userType": "external", "cwd": _FOLDER, "sessionId": id, "version": "2.1.12"}
    for number, one in enumerate(messages):
        line = {**common, "parentUuid": None, "uuid": f"m-{number}", "timestamp": _time(number)}
        tool = {"type": "tool_use", "id": f"t-{number + 1}", "name": "Bash", "input": {"command": "…"}}
        follows = messages[number + 1]["who"] == "tool" if number + 1 < len(messages) else False
        if one["who"] == "person":
            yield {**line, "type": "user", "message": {"role": "user", "content": one["text"]}}
        elif one["who"] == "agent":
            content = [{"type": "text", "text": one["text"]}, *([tool] if follows else [])]
            yield {**line, "type": "assistant", "message": {"role": "assistant", "content": content}}
        else:
            if number == 0 or messages[number - 1]["who"] != "agent":
                used = {**tool, "id": f"t-{number}"}
                message = {"role": "assistant", "content": [used]}
                yield {**line, "uuid": f"u-{number}", "type": "assistant", "message": message}
            result = {"type": "tool_result", "tool_use_id": f"t-{number}", "content": one["text"]}
            yield {**line, "type": "user", "message": {"role": "user", "content": [result]}}


def _codex(id: str, messages: Sequence[Message]) -> Iterator[dict[str, Any]]:
    """What the person says is written twice, as Codex does."""
    meta = {"id": id, "timestamp": _time(0), "cwd": _FOLDER, "originator": "codex_cli_rs", "cli_version": "0.65.0"}
    yield {"timestamp": _time(0), "type": "session_meta", "payload": meta}
    for number, one in enumerate(messages):
        for kind, payload in _codex_lines(number, one):
            yield {"timestamp": _time(number), "type": kind, "payload": payload}


def _codex_lines(number: int, one: Message) -> Iterator[tuple[str, dict[str, Any]]]:
    text = one["text"]
    if one["who"] == "person":
        content = [{"type": "input_text", "text": text}]
        yield "response_item", {"type": "message", "role": "user", "content": content}
        yield "event_msg", {"type": "user_message", "message": text}
    elif one["who"] == "agent":
        content = [{"type": "output_text", "text": text}]
        yield "event_msg", {"type": "agent_message", "message": text}
        yield "response_item", {"type": "message", "role": "assistant", "content": content}
    else:
        call = {"type": "function_call", "name": "shell", "arguments": '{"command": ["…"]}', "call_id": f"c-{number}"}
        output = json.dumps({"output": text, "metadata": {"exit_code": 0}}, ensure_ascii=False)
        yield "response_item", call
        yield "response_item", {"type": "function_call_output", "call_id": f"c-{number}", "output": output}
