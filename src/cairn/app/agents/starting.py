"""Does the entry of a host start a server that answers? Tried word for word, where it calls this very Cairn."""

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from cairn.adapters.process.shell import Ran, run_shell
from cairn.app.agents.entries import PLACES, entry_in
from cairn.app.agents.hosts import Agent
from cairn.app.agents.installing import entry_file, own_programs
from cairn.app.agents.trying import as_the_agent
from cairn.app.workspace.doctor import Finding, State

_CHECK: Final = "mcp"
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
    words = _words(entry_in(PLACES[agent.name], path, (root / path).read_text("utf-8")), root)
    program = tuple(word for word in words[:-1] if word not in ("-C", str(root)))
    if program not in own_programs():
        why = f"{path} starts {program[0]}, which is not the Cairn that you are using; it was not run"
        return [Finding(_CHECK, State.ERROR, why)]
    question = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _HELLO}).encode() + b"\n"
    ran = run_shell(shlex.join(words), stdin=question, cwd=str(root), env=as_the_agent(env))
    return [_finding(path, ran)]


def _words(entry: Mapping[str, Any], root: Path) -> Sequence[str]:
    command = entry["command"]
    words = command if isinstance(command, list) else [command, *entry.get("args", [])]
    return [str(root) if word == "${workspaceFolder}" else word for word in words]


def _finding(path: str, ran: Ran) -> Finding:
    if ran.code == 0 and '"serverInfo"' in ran.out:
        return Finding(_CHECK, State.OK, f"{path}: the server answers")
    said = ran.err.strip().splitlines()
    ended = "did not end within 15 seconds" if ran.code is None else f"ended with {ran.code}"
    return Finding(_CHECK, State.ERROR, f"{path}: the server {ended}" + (f": {said[-1][:200]}" if said else ""))
