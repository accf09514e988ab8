"""What Cairn leaves outside of its own folder, for those who take it away again: refs of git, hooks,
files in the user's state directory."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from cairn.adapters.approvals.files import FILE, ApprovalFiles, state_directory
from cairn.adapters.forge.local.forge import LocalForge
from cairn.adapters.vcs.own_commits import reflogs
from cairn.adapters.vcs.state_ref import StateRef
from cairn.agents.hosts import AGENTS
from cairn.agents.install import FileChange, carry_out, plan_uninstall
from cairn.errors import CairnError


def refs_left(root: Path) -> list[str]:
    """Names of refs. Where git cannot be asked there are none that we could take away."""
    try:
        return sorted((*LocalForge(root).belongings(), *StateRef(root).belongings()))
    except CairnError:
        return []


def drop_refs(root: Path) -> None:
    LocalForge(root).leave()
    StateRef(root).leave()


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


def user_files_left(root: Path, env: Mapping[str, str]) -> list[str]:
    """Files in the user's state directory that are about this repository."""
    return ApprovalFiles(state_directory(env)).places(reflogs(str(root)))


def drop_user_files(root: Path, env: Mapping[str, str]) -> str:
    """What stays there, for people: approvals are hashes, which hold in every repository of this user."""
    record = ApprovalFiles(folder := state_directory(env))
    record.drop_places(reflogs(str(root)))
    if not (number := record.number()):
        return ""
    return f"{folder}/{FILE} stays: hashes of {number:,} approved page{'' if number == 1 else 's'}, of all repositories"
