"""Every host by itself: settings of one that nobody can read are no reason not to look at the others."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cairn.agents.hosts import AGENTS, Agent
from cairn.agents.install import entry_file, found_hosts, hooks_in
from cairn.agents.recent import lately
from cairn.agents.start_server import try_entry
from cairn.agents.try_hooks import Tried, obstacles, try_hooks
from cairn.core.ports.settings import Settings
from cairn.errors import CairnError
from cairn.hook.aside import now_ms
from cairn.hook.briefed import put_down
from cairn.retrieve.context import BUDGET
from cairn.workspace.doctor import Finding, State

if TYPE_CHECKING:
    from cairn.agents.ports import AgentsPorts


class Examined(NamedTuple):
    tried: list[Tried]
    findings: list[Finding]

    @property
    def ok(self) -> bool:
        return all(one.ok for one in self.tried) and all(f.state != State.ERROR for f in self.findings)


def examine_hosts(
    root: Path, agents: Sequence[Agent], *, env: Mapping[str, str], settings: Settings, ports: "AgentsPorts"
) -> Examined:
    """Each hook and each server of ours, tried; and what became of real turns."""
    found = Examined([], [])
    for agent in agents:
        try:
            hooks = try_hooks(root, agent, env=env)
            found.tried.extend(hooks)
            if hooks:
                found.findings.extend(obstacles(root, agent, env=env, settings=settings))
            found.findings.extend(try_entry(root, agent, env=env))
        except CairnError as error:
            found.findings.append(Finding(agent.name, State.ERROR, error.message))
    found.findings.extend(lately(ports, agents))
    if found.tried and settings.integer(BUDGET) > 0:
        found.findings.append(_briefing(root))
    return found


def _briefing(root: Path) -> Finding:
    """What a session that began now would be told."""
    made = put_down(str(root))
    if not made:
        why = "no briefing was made for this branch yet; `cairn hook drain` makes one, as does the end of each turn"
        return Finding("briefing", State.WARN, why)
    text = str(made.get("text") or "")
    lines = sum(line.startswith("- ") for line in text.split("\n"))
    minutes = max(0, now_ms() - int(made["at_ms"])) // 60_000
    pages = "1 page" if lines == 1 else f"{lines} pages"
    what = f"a session that begins now hears of {pages}" if lines else "there is nothing approved to tell of yet"
    made_at = f"{minutes:,} min ago" if minutes else "just now"
    return Finding("briefing", State.OK, f"{what}; made {made_at}, `cairn context` prints it")


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
