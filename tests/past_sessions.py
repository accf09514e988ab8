"""Sessions that took place in a folder, as two hosts keep them in somebody's home."""

import re
from pathlib import Path

from host_lines import claude, claude_result, claude_use, codex, codex_item, codex_meta, joined

Told = tuple[str, str]
"""(`user` or `assistant`, what was said), or (`fails` or `works`, a command that the agent ran)."""


def claude_session(home: Path, folder: Path, id: str, *talk: Told, day: int = 1, uuids: str = "") -> Path:
    rows = []
    for number, (who, what) in enumerate(talk):
        own = {"cwd": str(folder), "sessionId": id, "timestamp": _at(day, number)}
        uuid = f"{uuids or id}-{number}"
        if who in ("fails", "works"):
            rows.append(claude_use(uuid, "Bash", command=what) | own)
            rows.append(claude_result(uuid, is_error=who == "fails") | own)
        else:
            content = what if who == "user" else [{"type": "text", "text": what}]
            rows.append(claude(who, content, uuid=uuid) | own)
    slug = re.sub(r"[^A-Za-z0-9]", "-", str(folder.resolve()))
    return _written(home / ".claude/projects" / slug / f"{id}.jsonl", rows)


def codex_session(home: Path, folder: Path, id: str, *talk: Told, day: int = 1) -> Path:
    rows = [codex_meta(str(folder), id)]
    for number, (who, what) in enumerate(talk):
        at, call = _at(day, number), f"c-{number}"
        if who in ("fails", "works"):
            rows.append(
                codex("response_item", at, type="function_call", name="shell", arguments=_command(what), call_id=call)
            )
            output = f'{{"output": "…", "metadata": {{"exit_code": {int(who == "fails")}}}}}'
            rows.append(codex("response_item", at, type="function_call_output", call_id=call, output=output))
        else:
            rows.append(codex_item(who, what) | {"timestamp": at})
    return _written(home / f".codex/sessions/2026/05/{day:02}/rollout-2026-05-{day:02}T10-00-00-{id}.jsonl", rows)


def _at(day: int, number: int) -> str:
    return f"2026-05-{day:02}T10:{number:02}:00.000Z"


def _command(line: str) -> str:
    import json

    return json.dumps({"command": ["bash", "-lc", line]})


def _written(path: Path, rows: list[dict[str, object]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(joined(rows))
    return path
