"""Does the entry of a host start a server that answers? Tried word for word in a scratch folder, where it calls this
very Cairn."""

import json
import shlex
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from cairn.adapters.process.shell import Ran, run_shell
from cairn.agents.hosts import Agent
from cairn.agents.install import entry_file, own_programs
from cairn.agents.mcp_entry import PLACES, entry_in
from cairn.agents.try_hooks import as_the_agent
from cairn.hook.aside import SETTINGS
from cairn.workspace.doctor import Finding, State

_CHECK: Final = "mcp"
_FOLDER: Final = "${workspaceFolder}"
_HELLO: Final = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "cairn agent doctor", "version": "0"},
}


def try_entry(root: Path, agent: Agent, *, env: Mapping[str, str]) -> list[Finding]:
    """How it went; nothing where there is no entry of ours."""
    path = entry_file(root, agent)
    if path is None:
        return []
    words = _words(entry_in(PLACES[agent.name], path, (root / path).read_text("utf-8")))
    program = tuple(word for word in words[:-1] if word not in ("-C", _FOLDER))
    if program not in own_programs():
        why = f"{path} starts {program[0]}, which is not the Cairn that you are using; it was not run"
        return [Finding(_CHECK, State.ERROR, why)]
    with tempfile.TemporaryDirectory(prefix="cairn-doctor-") as folder:
        stage = Path(folder).resolve()
        (stage / ".cairn").mkdir()
        (stage / SETTINGS).write_text("{}\n")
        line = shlex.join(str(stage) if word == _FOLDER else word for word in words)
        ran = run_shell(line, stdin=_conversation(), cwd=str(stage), env=as_the_agent(env))
    return [_finding(path, ran)]


def _conversation() -> bytes:
    """The greeting, the tools, and one call, which needs everything behind them."""
    call = {"name": "context", "arguments": {"budget": 50}}
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": _HELLO},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
        {"id": 3, "method": "tools/call", "params": call},
    ]
    return b"".join(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n" for message in messages)


def _words(entry: Mapping[str, Any]) -> Sequence[str]:
    command = entry["command"]
    return command if isinstance(command, list) else [command, *entry.get("args", [])]


def _finding(path: str, ran: Ran) -> Finding:
    answers = [line for line in ran.out.splitlines() if '"result"' in line]
    if ran.code == 0 and len(answers) == 3 and '"isError":true' not in answers[-1].replace(" ", ""):
        return Finding(_CHECK, State.OK, f"{path}: the server answers")
    if ran.code == 0 and answers:
        return Finding(_CHECK, State.ERROR, f"{path}: the server starts, but a tool fails: {_why(answers[-1])}")
    said = ran.err.strip().splitlines()
    ended = "did not end within 15 seconds" if ran.code is None else f"ended with {ran.code}"
    return Finding(_CHECK, State.ERROR, f"{path}: the server {ended}" + (f": {said[-1][:200]}" if said else ""))


def _why(answer: str) -> str:
    try:
        return str(json.loads(answer)["result"]["content"][0]["text"])[:200]
    except (ValueError, KeyError, IndexError, TypeError):
        return "it gave no answer"
