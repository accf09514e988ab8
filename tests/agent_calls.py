"""What agent hosts send to hooks, and a workspace that they are called in."""

import json
import subprocess
import time
from pathlib import Path
from typing import Any

from cairn.hook.briefed import place_of
from program import Ran, clean_env, command_line

SESSION = "0a6f2c34-1111-4222-8333-944445555666"
ASKED = {
    "claude": {"type": "user", "uuid": "u-1", "message": {"role": "user", "content": "mend the parser"}},
    "codex": {"type": "event_msg", "payload": {"type": "user_message", "message": "mend the parser"}},
    "cursor": {"role": "user", "message": {"content": [{"type": "text", "text": "mend the parser"}]}},
}
WORKED = {
    "claude": {
        "type": "assistant",
        "uuid": "a-1",
        "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "Edit", "input": {}}]},
    },
    "codex": {"type": "response_item", "payload": {"type": "custom_tool_call", "name": "apply_patch", "input": "x"}},
    "cursor": {"role": "assistant", "message": {"content": [{"type": "tool_use", "name": "edit_file", "input": {}}]}},
}
NOTED = {
    "claude": {
        "type": "assistant",
        "uuid": "a-2",
        "message": {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "n", "name": "Bash", "input": {"command": "cairn note -s x"}}],
        },
    },
    "codex": {
        "type": "response_item",
        "payload": {"type": "function_call", "name": "shell", "arguments": '{"command":["cairn note -s x"]}'},
    },
    "cursor": {
        "role": "assistant",
        "message": {"content": [{"type": "tool_use", "name": "run", "input": {"command": "cairn note -s x"}}]},
    },
}
EVENTS = {
    "claude": {
        "stop": "Stop",
        "session-start": "SessionStart",
        "pre-compact": "PreCompact",
        "session-end": "SessionEnd",
    },
    "codex": {"stop": "Stop", "session-start": "SessionStart", "pre-compact": "PreCompact"},
    "cursor": {
        "stop": "stop",
        "session-start": "sessionStart",
        "pre-compact": "preCompact",
        "session-end": "sessionEnd",
    },
    "opencode": {name: name for name in ("stop", "session-start", "pre-compact", "session-end")},
}
ALL = [(host, event) for host, events in EVENTS.items() for event in events]


def workspace(root: Path) -> Path:
    (root / ".cairn").mkdir(parents=True)
    (root / ".cairn/settings.json").write_text("{}\n")
    return root


def transcript(root: Path, host: str, *lines: dict[str, Any]) -> Path:
    """Where the host would keep it, more or less."""
    folder = root / f".{host}"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / ("rollout-1.jsonl" if host == "codex" else "talk.jsonl")
    said = lines or ((ASKED[host], WORKED[host]) if host in ASKED else ())
    path.write_text("".join(json.dumps(line) + "\n" for line in said))
    return path


def payload(host: str, event: str, cwd: Path, path: Path | None, **more: Any) -> dict[str, Any]:
    """As the host's own documentation has it."""
    told: dict[str, Any] = {
        "hook_event_name": EVENTS[host].get(event, event),
        "transcript_path": str(path or "") or None,
    }
    if host == "cursor":
        told |= {"conversation_id": SESSION, "generation_id": "g-1", "workspace_roots": [str(cwd)], "model": "m"}
        told |= {"cursor_version": "3.7.21", "user_email": None}
        told |= {"status": "completed", "loop_count": 0} if event == "stop" else {}
        return {**told, **more}
    if host == "opencode":
        told |= {"host": "opencode", "session_id": "ses_1", "cwd": str(cwd)}
        told |= {"message_id": "msg_1", "tools": ["edit"], "noted": False} if event == "stop" else {}
        return {**told, **more}
    told |= {"session_id": SESSION, "cwd": str(cwd)}
    told |= {"permission_mode": "default", "stop_hook_active": False} if event == "stop" else {}
    told |= {"source": "startup"} if event == "session-start" else {}
    told |= {"model": "m", "permission_mode": "default", "turn_id": "t-1"} if host == "codex" else {}
    return {**told, **more}


def hook(event: str, stdin: bytes | dict[str, Any], *, cwd: Path, args: tuple[str, ...] = (), **env: str) -> Ran:
    """One call, as a host makes it; what it would start on its own is left out."""
    data = json.dumps(stdin).encode() if isinstance(stdin, dict) else stdin
    whole = clean_env(**{"CAIRN_HOOK_DETACH": "0", **env})
    done = subprocess.run(
        command_line("hook", event, *args), cwd=cwd, env=whole, input=data, capture_output=True, timeout=60
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def events(root: Path) -> list[dict[str, Any]]:
    files = sorted((root / ".cairn/ledger").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def mishaps(root: Path) -> list[str]:
    file = root / ".cairn/hook-errors.log"
    return [json.loads(line)["error"] for line in file.read_text().splitlines()] if file.exists() else []


def put_down(root: Path, text: str, **facts: Any) -> None:
    """A briefing as the detached step leaves it, for a folder without a repository."""
    made = {"branch": None, "head": None, "at_ms": int(time.time() * 1000), "text": text, **facts}
    write_briefing(root, json.dumps({"v": 3, "place": place_of(str(root)), "base": None, "briefings": [made]}))


def write_briefing(root: Path, text: str) -> None:
    place = root / ".cairn/briefing.json"
    place.unlink(missing_ok=True)
    place.write_text(text)
    place.chmod(0o400)
