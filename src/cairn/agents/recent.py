"""What hosts did here lately, and what of it never arrived: words of turns, and tools in front of a model."""

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from cairn.agents.hosts import Agent
from cairn.agents.install import entry_file
from cairn.capture.host_turn import CLIENTS
from cairn.core.events import events_of
from cairn.core.ports.turns import TurnFilter, TurnRow
from cairn.errors import CairnError
from cairn.hook.aside import SPOOL
from cairn.workspace.doctor import Finding, State
from cairn.workspace.ledger_index import index_ledger

if TYPE_CHECKING:
    from cairn.agents.ports import AgentsPorts

DAYS: Final = 7
LEAST: Final = 3
"""Turns below which nothing is said: a thank-you has no words worth keeping, either."""
MOST: Final = 20
WORDLESS: Final = "Without words: "
"""How a note begins that was made of the names of tools."""
_ENDED: Final = ("completed", "skipped", "failed")


def lately(ports: "AgentsPorts", agents: Iterable[Agent]) -> list[Finding]:
    """What a trial of hooks cannot show: whether real turns of each host came with their words and its tools."""
    if not (ports.root / SPOOL).is_dir():  # no hook was ever called here
        return []
    try:
        index_ledger(ports.ledger, ports.store)
        return [finding for agent in agents for finding in _of_host(ports, agent)]
    except CairnError as error:
        return [Finding("turns", State.WARN, f"the ledger cannot be read: {error.message}")]


def _of_host(ports: "AgentsPorts", agent: Agent) -> Iterator[Finding]:
    since_ms = ports.clock.now_ms() - DAYS * 86_400_000
    rows = [row for row in ports.store.turns.turns(TurnFilter(since_ms=since_ms)) if row.host == agent.name]
    yield from _words(ports, agent, [row for row in rows if _could_have_words(row)][:MOST])
    yield from _tools(ports, agent, since_ms)


def _could_have_words(row: TurnRow) -> bool:
    """Turns of which the hook told and that ended by themselves."""
    return row.outcome in _ENDED and bool(row.transcript or row.message_id) and not row.reason.startswith("model_error")


def _words(ports: "AgentsPorts", agent: Agent, rows: list[TurnRow]) -> Iterator[Finding]:
    if len(rows) < LEAST:
        return
    notes = ports.store.turns.note_rows([row.turn_id for row in rows])
    said = [row for row in rows if _has_words(row, notes[row.turn_id].summary if row.turn_id in notes else "")]
    if said:
        yield Finding(agent.name, State.OK, f"{len(said)} of the last {len(rows)} turns came with their words")
        return
    why = next((row.reason for row in rows if row.outcome == "failed"), "")
    message = f"none of the last {len(rows)} turns came with its words{f' ({why})' if why else ''}"
    yield Finding(agent.name, State.ERROR, message, f"look whether {agent.title} keeps its transcripts elsewhere")


def _has_words(row: TurnRow, summary: str) -> bool:
    """Also a turn that was skipped, if what it said was weighed."""
    return bool(summary and not summary.startswith(WORDLESS)) or (row.outcome == "skipped" and bool(row.fingerprint))


def _tools(ports: "AgentsPorts", agent: Agent, since_ms: int) -> Iterator[Finding]:
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
        yield Finding(agent.name, State.OK, "its tools were listed lately")
        return
    message = f"{len(begun)} turns began in the last {DAYS} days, and {agent.title} never listed the tools"
    yield Finding(
        agent.name, State.ERROR, message, f"approve the server `cairn` in {agent.title}, and look at its MCP status"
    )


def _told(payload: str, name: str) -> str:
    return str(json.loads(payload).get(name) or "")
