"""Transcripts as the hosts write them, line by line."""

import json
from collections.abc import Iterable
from typing import Any

AT = "2026-05-04T10:00:00.000Z"


def line(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def joined(values: Iterable[Any]) -> bytes:
    return b"".join(line(value) for value in values)


# --- Claude Code ----------------------------------------------------------------------------------------------------


def claude(kind: str, content: Any, *, uuid: str = "", **more: Any) -> dict[str, Any]:
    return {
        "parentUuid": None,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/home/ada/garden",
        "sessionId": "5f1c8d1e-6f3a-4b52-9c3e-0d8a6f2b7c11",
        "version": "2.1.12",
        "gitBranch": "main",
        "type": kind,
        "message": {"role": kind, "content": content},
        "uuid": uuid or f"{kind}-1",
        "timestamp": AT,
    } | more


def claude_use(id: str, name: str, **given: Any) -> dict[str, Any]:
    return claude("assistant", [{"type": "tool_use", "id": id, "name": name, "input": given}], uuid=f"use-{id}")


def claude_result(id: str, content: str = "output of a tool", **more: Any) -> dict[str, Any]:
    return claude("user", [{"type": "tool_result", "tool_use_id": id, "content": content} | more], uuid=f"result-{id}")


# --- Codex ----------------------------------------------------------------------------------------------------------


def codex(kind: str, at: str = AT, **payload: Any) -> dict[str, Any]:
    return {"timestamp": at, "type": kind, "payload": payload}


def codex_item(role: str, text: str, **more: Any) -> dict[str, Any]:
    block = {"type": "input_text" if role == "user" else "output_text", "text": text}
    return codex("response_item", **{"type": "message", "role": role, "content": [block]} | more)


def codex_event(kind: str, text: str) -> dict[str, Any]:
    return codex("event_msg", type=kind, message=text)


def codex_meta(cwd: str, id: str = "019a2d7a-41c4-78b1-b7cc-a45d62a89cd5") -> dict[str, Any]:
    return codex("session_meta", id=id, timestamp=AT, cwd=cwd, originator="codex_cli_rs", cli_version="0.65.0")


# --- Cursor, OpenCode -----------------------------------------------------------------------------------------------


def cursor(role: str, text: str, *blocks: dict[str, Any]) -> dict[str, Any]:
    said = [{"type": "text", "text": text}] if text else []
    return {"role": role, "message": {"content": [*said, *blocks]}}


def opencode(role: str, *parts: dict[str, Any], id: str = "", **more: Any) -> dict[str, Any]:
    info = {"id": id or f"msg_{role}", "sessionID": "ses_1", "role": role, "time": {"created": 1_777_888_800_000}}
    return {"info": info | more, "parts": list(parts)}


def part(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": text} | more


def tool_part(tool: str, status: str = "completed", **given: Any) -> dict[str, Any]:
    return {"type": "tool", "tool": tool, "callID": "c1", "state": {"status": status, "input": given, "output": "x"}}
