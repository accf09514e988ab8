"""What Cairn leaves outside of its own folder, for those who take it away again: refs of git, hooks,
files in the user's state directory."""

from collections.abc import Sequence
from pathlib import Path

from cairn.agents.hosts import AGENTS
from cairn.agents.install import FileChange, carry_out, plan_uninstall
from cairn.errors import CairnError
from cairn.workspace.ports import WorkspacePorts


def refs_left(ports: WorkspacePorts) -> list[str]:
    """Names of refs. Where git cannot be asked there are none that we could take away."""
    try:
        return ports.own_refs.names()
    except CairnError:
        return []


def hooks_left(root: Path) -> tuple[list[FileChange], list[str]]:
    """What changes in settings of agent hosts; and what stays, because a file cannot be read."""
    changes: list[FileChange] = []
    kept: list[str] = []
    for agent in AGENTS.values():
        try:
            known = {change.path for change in changes}
            plan = plan_uninstall(root, agent)
            changes += [change for change in plan.changes if change.path not in known]
            kept += [note for note in plan.notes if note not in kept]
        except CairnError as error:
            kept.append(f"hooks for {agent.title} stay, if there are any: {error.message}")
    return changes, kept


def drop_hooks(root: Path, changes: Sequence[FileChange]) -> None:
    carry_out(root, changes)


def drop_user_files(ports: WorkspacePorts) -> str:
    """What stays there, for people: approvals are hashes, which hold in every repository of this user."""
    file, number = ports.user_files.leave()
    if not number:
        return ""
    return f"{file} stays: hashes of {number:,} approved page{'' if number == 1 else 's'}, of all repositories"
