"""`cairn agent doctor`: looks at each host's hooks and server entry, and at what hosts did here lately."""

import json
import shlex
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cairn.agents.hosts import AGENTS, Agent
from cairn.agents.install import entry_file, found_hosts, hooks_in, own_programs
from cairn.agents.mcp_entry import PLACES, entry_in
from cairn.agents.try_hooks import HookTrial, as_the_agent, obstacles, try_hooks
from cairn.core.agent_host import CLIENTS
from cairn.core.ledger_events import events_of
from cairn.core.model.issue import HealthFinding, HealthState
from cairn.core.ports.process import RunShell, ShellResult
from cairn.core.ports.runtime import Settings
from cairn.core.ports.turns import TurnFilter, TurnRow
from cairn.errors import CairnError
from cairn.hook.aside import SETTINGS, SPOOL, now_ms
from cairn.hook.briefed import put_down
from cairn.lib.text.parse_json import parse_json

if TYPE_CHECKING:
    from cairn.agents.ports import AgentsPorts

DAYS: Final = 7
LEAST: Final = 3
"""Turns below which nothing is said: a thank-you has no words worth keeping, either."""
MOST: Final = 20
WORDLESS: Final = "Without words: "
"""How a note begins that was made of the names of tools."""
_ENDED: Final = ("completed", "skipped", "failed")


def lately(ports: "AgentsPorts", agents: Iterable[Agent]) -> list[HealthFinding]:
    """What a trial of hooks cannot show: whether real turns of each host came with their words and its tools."""
    if not (ports.root / SPOOL).is_dir():  # no hook was ever called here
        return []
    try:
        ports.index_ledger()
        return [finding for agent in agents for finding in _of_host(ports, agent)]
    except CairnError as error:
        return [HealthFinding("turns", HealthState.WARN, f"the ledger cannot be read: {error.message}")]


def _of_host(ports: "AgentsPorts", agent: Agent) -> Iterator[HealthFinding]:
    since_ms = ports.clock.now_ms() - DAYS * 86_400_000
    rows = [row for row in ports.store.turns.turns(TurnFilter(since_ms=since_ms)) if row.host == agent.name]
    yield from _words(ports, agent, [row for row in rows if _could_have_words(row)][:MOST])
    yield from _tools(ports, agent, since_ms)


def _could_have_words(row: TurnRow) -> bool:
    """Turns of which the hook told and that ended by themselves."""
    return row.outcome in _ENDED and bool(row.transcript or row.message_id) and not row.reason.startswith("model_error")


def _words(ports: "AgentsPorts", agent: Agent, rows: list[TurnRow]) -> Iterator[HealthFinding]:
    if len(rows) < LEAST:
        return
    notes = ports.store.turns.note_rows([row.turn_id for row in rows])
    said = [row for row in rows if _has_words(row, notes[row.turn_id].summary if row.turn_id in notes else "")]
    if said:
        yield HealthFinding(
            agent.name, HealthState.OK, f"{len(said)} of the last {len(rows)} turns came with their words"
        )
        return
    why = next((row.reason for row in rows if row.outcome == "failed"), "")
    message = f"none of the last {len(rows)} turns came with its words{f' ({why})' if why else ''}"
    yield HealthFinding(
        agent.name, HealthState.ERROR, message, f"look whether {agent.title} keeps its transcripts elsewhere"
    )


def _has_words(row: TurnRow, summary: str) -> bool:
    """Also a turn that was skipped, if what it said was weighed."""
    return bool(summary and not summary.startswith(WORDLESS)) or (row.outcome == "skipped" and bool(row.fingerprint))


def _tools(ports: "AgentsPorts", agent: Agent, since_ms: int) -> Iterator[HealthFinding]:
    """Only where prompts are told of: that is as new as the record of who listed the tools."""
    begun = [
        row
        for row in events_of(ports.ledger, ports.store, types=("turn_begun",), since_ms=since_ms)
        if _told(row.payload, "host") == agent.name
    ]
    if not begun or entry_file(ports.root, agent) is None:
        return
    listed = events_of(ports.ledger, ports.store, types=("tools_listed",), since_ms=since_ms)
    if any(CLIENTS.get(_told(row.payload, "client")) == agent.name for row in listed):
        yield HealthFinding(agent.name, HealthState.OK, "its tools were listed lately")
        return
    message = f"{len(begun)} turns began in the last {DAYS} days, and {agent.title} never listed the tools"
    yield HealthFinding(
        agent.name,
        HealthState.ERROR,
        message,
        f"approve the server `cairn` in {agent.title}, and look at its MCP status",
    )


def _told(payload: str, name: str) -> str:
    return str(json.loads(payload).get(name) or "")


_CHECK: Final = "mcp"
_FOLDER: Final = "${workspaceFolder}"
_HELLO: Final = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "cairn agent doctor", "version": "0"},
}


def try_entry(root: Path, agent: Agent, *, env: Mapping[str, str], run_shell: RunShell) -> list[HealthFinding]:
    """How it went; nothing where there is no entry of ours."""
    path = entry_file(root, agent)
    if path is None:
        return []
    words = _start_server_words(entry_in(PLACES[agent.name], path, (root / path).read_text("utf-8")))
    program = tuple(word for word in words[:-1] if word not in ("-C", _FOLDER))
    if program not in own_programs():
        why = f"{path} starts {program[0]}, which is not the Cairn that you are using; it was not run"
        return [HealthFinding(_CHECK, HealthState.ERROR, why)]
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


def _start_server_words(entry: Mapping[str, Any]) -> Sequence[str]:
    command = entry["command"]
    return command if isinstance(command, list) else [command, *entry.get("args", [])]


def _finding(path: str, ran: ShellResult) -> HealthFinding:
    answers = [line for line in ran.out.splitlines() if '"result"' in line]
    if ran.code == 0 and len(answers) == 3 and '"isError":true' not in answers[-1].replace(" ", ""):
        return HealthFinding(_CHECK, HealthState.OK, f"{path}: the server answers")
    if ran.code == 0 and answers:
        return HealthFinding(
            _CHECK, HealthState.ERROR, f"{path}: the server starts, but a tool fails: {_why(answers[-1])}"
        )
    said = ran.err.strip().splitlines()
    ended = "did not end within 15 seconds" if ran.code is None else f"ended with {ran.code}"
    return HealthFinding(
        _CHECK, HealthState.ERROR, f"{path}: the server {ended}" + (f": {said[-1][:200]}" if said else "")
    )


def _why(answer: str) -> str:
    try:
        return str(parse_json(answer)["result"]["content"][0]["text"])[:200]
    except (ValueError, KeyError, IndexError, TypeError):
        return "it gave no answer"


class HostsReport(NamedTuple):
    tried: list[HookTrial]
    findings: list[HealthFinding]

    @property
    def ok(self) -> bool:
        return all(one.ok for one in self.tried) and all(f.state != HealthState.ERROR for f in self.findings)


def examine_hosts(
    root: Path, agents: Sequence[Agent], *, env: Mapping[str, str], settings: Settings, ports: "AgentsPorts"
) -> HostsReport:
    """Each hook and each server of ours, tried; and what became of real turns."""
    found = HostsReport([], [])
    for agent in agents:
        try:
            hooks = try_hooks(root, agent, env=env, run_shell=ports.run_shell)
            found.tried.extend(hooks)
            if hooks:
                found.findings.extend(obstacles(root, agent, env=env, settings=settings))
            found.findings.extend(try_entry(root, agent, env=env, run_shell=ports.run_shell))
        except CairnError as error:
            found.findings.append(HealthFinding(agent.name, HealthState.ERROR, error.message))
    found.findings.extend(lately(ports, agents))
    if found.tried and settings.integer("retrieve.context_budget") > 0:
        found.findings.append(_briefing(root))
    return found


def _briefing(root: Path) -> HealthFinding:
    """What a session that began now would be told."""
    made = put_down(str(root))
    if not made:
        why = "no briefing was made for this branch yet; `cairn hook drain` makes one, as does the end of each turn"
        return HealthFinding("briefing", HealthState.WARN, why)
    text = str(made.get("text") or "")
    lines = sum(line.startswith("- ") for line in text.split("\n"))
    minutes = max(0, now_ms() - int(made["at_ms"])) // 60_000
    pages = "1 page" if lines == 1 else f"{lines} pages"
    what = f"a session that begins now hears of {pages}" if lines else "there is nothing approved to tell of yet"
    made_at = f"{minutes:,} min ago" if minutes else "just now"
    return HealthFinding("briefing", HealthState.OK, f"{what}; made {made_at}, `cairn context` prints it")


def host_rows(root: Path) -> list[dict[str, Any]]:
    """Which hosts are used here, and what of ours they have."""
    seen = found_hosts(root)
    named = AGENTS.items()
    return [{"agent": name, "title": one.title, "found": name in seen, **_ours(root, one)} for name, one in named]


def _ours(root: Path, agent: Agent) -> dict[str, Any]:
    try:
        hooks = hooks_in(root, agent)
        files = [{"path": path, "events": [hook.event for hook in wired]} for path, wired in hooks.items()]
        return {"files": files, "mcp": entry_file(root, agent), "problem": None}
    except CairnError as error:
        return {"files": [], "mcp": None, "problem": error.message}
