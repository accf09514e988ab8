"""`cairn agent install` and `uninstall`: which files change and how, a backup of each, and the way back."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cairn.agents.hook_settings import InstalledHook, installed, read_object, removed, wired
from cairn.agents.hosts import AGENTS, Agent
from cairn.agents.mcp_entry import NAME, PLACES, entry_in, is_ours, place_of, with_entry, without_entry
from cairn.agents.ports import AgentsPorts
from cairn.agents.shipped_skills import files_to_remove, how_to_call, is_shipped, skill_files
from cairn.changes.write import remove_file, remove_folder, write_file
from cairn.core.model.session import HOSTS, Host
from cairn.errors import CairnError, CannotWrite
from cairn.hook.aside import open_regular
from cairn.version import __version__

BACKUPS = ".cairn/backups/hosts"
"""Git never sees what is there: a backup beside the file went into commits."""
_OLD_BACKUP = ".before-cairn"
_NO_LIBRARY = 'agents get no tools: serving them needs `pip install "cairn-kb[mcp]"`; then install again'
_LARGEST = 1_048_576


class FileChange(NamedTuple):
    path: str
    before: str | None
    after: str | None
    """None: the file goes."""
    backup: str | None = None
    """Content of the backup that is written."""
    drop_backup: bool = False

    @property
    def backup_path(self) -> str:
        return f"{BACKUPS}/{self.path}"

    @property
    def action(self) -> str:
        return "create" if self.before is None else "remove" if self.after is None else "update"


class InstallPlan(NamedTuple):
    agent: Agent
    changes: tuple[FileChange, ...]
    notes: tuple[str, ...] = ()

    def json(self) -> dict[str, Any]:
        files = [
            {"path": c.path, "action": c.action, "backup": c.backup_path if c.backup is not None else None}
            for c in self.changes
        ]
        return {"agent": self.agent.name, "files": files, "notes": list(self.notes)}


# --- which program, which hosts -------------------------------------------------------------------------------------


class Program(NamedTuple):
    words: tuple[str, ...]
    everywhere: bool
    """`cairn`, found by its name; else a place on this machine, which belongs into no shared file."""


def program_for(env: Mapping[str, str]) -> Program:
    """How an agent reaches us. An active virtual environment is this terminal's, not the agent's."""
    from shutil import which

    if which("cairn", path=agents_path(env)):
        return Program(("cairn",), True)
    _, beside, module = own_programs()
    return Program(beside if os.access(beside[0], os.X_OK) else module, False)


def own_programs() -> tuple[tuple[str, ...], ...]:
    """Every way in which we may be called: by name, by the script of this environment, by its interpreter."""
    beside = os.path.join(os.path.dirname(sys.executable), "cairn")
    return ("cairn",), (beside,), (sys.executable, "-P", "-m", "cairn")


def agents_path(env: Mapping[str, str]) -> str:
    active = env.get("VIRTUAL_ENV")
    folders = env.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(f for f in folders if f and not (active and f.startswith(active.rstrip("/") + "/")))


def found_hosts(root: Path) -> list[Host]:
    """Hosts that this project shows signs of, and those that hooks of ours are in."""
    return [name for name in HOSTS if any(os.path.lexists(root / mark) for mark in AGENTS[name].marks)]


def files_of(root: Path, agent: Agent) -> Iterator[str]:
    """The files that may hold hooks of ours."""
    yield _shared(root, agent)
    if agent.local is not None:
        yield agent.local


def _shared(root: Path, agent: Agent) -> str:
    """OpenCode has two names for the folder, an old one and a new one."""
    if agent.style == "plugin" and (root / ".opencode/plugin").is_dir() and not (root / ".opencode/plugins").is_dir():
        return ".opencode/plugin/cairn.js"
    return agent.shared


def hooks_in(root: Path, agent: Agent) -> dict[str, list[InstalledHook]]:
    """By file: the hooks of ours that are there."""
    found = {}
    for path in files_of(root, agent):
        text = _current(root, path)
        if text is not None and (hooks := wired(agent._replace(shared=path), text)):
            found[path] = hooks
    return found


# --- the plans ------------------------------------------------------------------------------------------------------


class InstallOptions(NamedTuple):
    """What to install besides hooks."""

    mcp: bool = True
    skills: bool = False
    library: bool = True
    """Whether the library behind the MCP entry is there."""


def plan_install(root: Path, agent: Agent, program: Program, wanted: InstallOptions | None = None) -> InstallPlan:
    wanted = wanted or InstallOptions()
    target = agent.local if not program.everywhere and agent.local else _shared(root, agent)
    changes = list(_install(root, agent, target, program))
    notes = [agent.note] if agent.note else []
    if program.everywhere and agent.local:
        changes += _uninstall(root, agent, agent.local)  # what stood there was for want of this
    local = [target] if agent.local is None else []
    if wanted.mcp:
        added, said = _entry_plan(root, agent, program) if wanted.library else ([], [_NO_LIBRARY])
        changes, notes = [*changes, *added], [*notes, *said]
        local += [change.path for change in added]
    if not program.everywhere and local:
        names = " and ".join(local)
        verb = "names" if len(local) == 1 else "name"
        notes.append(f"{names} {verb} a program of this machine; keep it out of git, or put `cairn` on the PATH")
    if wanted.skills:
        added, said = _skills_plan(root, agent)
        changes, notes = [*changes, *added], [*notes, *said]
    return InstallPlan(agent, tuple(changes), tuple(notes))


def _entry_plan(root: Path, agent: Agent, program: Program) -> tuple[list[FileChange], list[str]]:
    """The entry of our MCP server. A file that cannot be edited costs this entry only, not the hooks."""
    place = PLACES[agent.name]
    path = place_of(root, place)
    try:
        before = _current(root, path)
        known = entry_in(place, path, before) if before and before.strip() else None
        if known is not None and not is_ours(known):
            return [], [f"{path} has an entry `cairn` that is not ours; it stays as it is"]
        after = with_entry(place, path, before, program.words)
    except CairnError as error:
        # Hooks are written all the same, so that nothing was written is true of this file alone.
        said = error.message.replace("Nothing was written.", "It stays as it is.")
        return [], [f"{agent.title} gets no tools: {said.replace('nothing was written', 'it stays as it is')}"]
    if after == before:
        return [], []
    fresh = before is not None and known is None
    return [FileChange(path, before, after, backup=before if fresh else None)], []


def _skills_plan(root: Path, agent: Agent) -> tuple[list[FileChange], list[str]]:
    """A text of an earlier version is brought up to date; one that somebody edited stays."""
    changes, notes = [], [f"in {agent.title}, type `{how_to_call(agent.name)}` to curate what sessions taught"]
    for path, text in skill_files(root, agent.name).items():
        before = _current(root, path)
        if before is None or (before != text and is_shipped(before)):
            changes.append(FileChange(path, before, text))
        elif before != text:
            notes.append(f"{path} is there and not what we would write; it stays. Remove it to get ours")
    return changes, notes


def _install(root: Path, agent: Agent, path: str, program: Program) -> Iterator[FileChange]:
    here = agent._replace(shared=path)
    before = _current(root, path)
    after = installed(here, before, program.words)
    if after == before:
        return
    fresh = before is not None and not wired(here, before)
    yield FileChange(path, before, after, backup=before if fresh else None)


def plan_uninstall(root: Path, agent: Agent, *, shared: bool = True) -> InstallPlan:
    """`shared`: also what other hosts use, because they go too."""
    hooks = [change for path in files_of(root, agent) for change in _uninstall(root, agent, path)]
    entry, of_entry = _without_entry(root, agent)
    skills, of_skills = _without_skills(root, agent, shared)
    return InstallPlan(agent, (*hooks, *entry, *skills), (*of_entry, *of_skills))


def each_once(plans: Sequence[InstallPlan]) -> list[InstallPlan]:
    """Hosts share a folder for skills; a file that an earlier plan changes is not changed again."""
    seen: set[str] = set()
    kept = []
    for plan in plans:
        changes = tuple(change for change in plan.changes if change.path not in seen)
        notes = tuple(note for note in plan.notes if note not in seen)
        seen |= {*(change.path for change in changes), *notes}
        kept.append(plan._replace(changes=changes, notes=notes))
    return kept


def _without_entry(root: Path, agent: Agent) -> tuple[list[FileChange], list[str]]:
    """A file that cannot be read, which may well be somebody's own, keeps nothing else from being taken out."""
    place = PLACES[agent.name]
    path = place_of(root, place)
    before = None
    try:
        before = _current(root, path)
        if before is None or not is_ours(entry_in(place, path, before)):
            return [], []
        backup = _kept(root, path)
        after = without_entry(place, path, before, backup)
    except CairnError:
        mentioned = before is None or NAME in before
        note = f"{path} cannot be edited and stays; take the entry `{NAME}` out by hand, if it has one"
        return [], [note] if mentioned else []
    return [FileChange(path, before, after, drop_backup=backup is not None)], []


def _without_skills(root: Path, agent: Agent, shared: bool) -> tuple[list[FileChange], list[str]]:
    """Those that nobody has edited; the others are named."""
    changes, notes = [], []
    for path, text in files_to_remove(root, agent.name, shared=shared).items():
        before = _current(root, path)
        if before is not None and (before == text or is_shipped(before)):
            changes.append(FileChange(path, before, None))
        elif before is not None:
            notes.append(f"{path} is not as we would write it today and stays; remove it if nobody wants it")
    return changes, notes


def entry_file(root: Path, agent: Agent) -> str | None:
    """The file that has our MCP entry, if one does."""
    place = PLACES[agent.name]
    path = place_of(root, place)
    try:
        text = _current(root, path)
        return path if text is not None and is_ours(entry_in(place, path, text)) else None
    except CairnError:
        return None


def _uninstall(root: Path, agent: Agent, path: str) -> Iterator[FileChange]:
    here = agent._replace(shared=path)
    before = _current(root, path)
    if before is None or not wired(here, before):
        return
    backup = _backup(root, here)
    yield FileChange(path, before, removed(here, before, backup), drop_backup=backup is not None)


def _backup(root: Path, agent: Agent) -> str | None:
    """What was there before us, if it can still be read."""
    try:
        text = _kept(root, agent.shared)
        if text is not None and text.strip():
            read_object(text, agent.shared)
        return text
    except CairnError:
        return None


def _kept(root: Path, path: str) -> str | None:
    """The backup of a file, also where earlier versions put it: beside the file."""
    text = _current(root, f"{BACKUPS}/{path}")
    return text if text is not None else _current(root, path + _OLD_BACKUP)


def _current(root: Path, path: str) -> str | None:
    place = root / path
    if not os.path.lexists(place):
        return None
    if os.path.islink(place):
        raise CannotWrite(f"{path} is a symbolic link; edit the file it leads to. Nothing was written.", path=path)
    handle = open_regular(str(place))
    if handle < 0:
        raise CannotWrite(f"{path} cannot be read as a file; check what it is. Nothing was written.", path=path)
    with open(handle, "rb") as stream:
        data = stream.read(_LARGEST + 1)
    try:
        if len(data) > _LARGEST:
            raise CannotWrite(f"{path} is larger than 1 MB, which no settings are. Nothing was written.", path=path)
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise CannotWrite(f"{path} is not UTF-8; save it as UTF-8. Nothing was written.", path=path) from None


# --- doing it -------------------------------------------------------------------------------------------------------


def carry_out(root: Path, changes: Sequence[FileChange]) -> list[str]:
    """Write what was planned and return the files. What changed meanwhile is not written over."""
    for change in changes:
        if _current(root, change.path) != change.before:
            raise CannotWrite(f"{change.path} has changed meanwhile; run the command again. Nothing was written.")
    for change in changes:
        if change.backup is not None:
            write_file(root, change.backup_path, change.backup, mode=0o600)
        if change.after is None:
            remove_file(root, change.path)
        else:
            write_file(root, change.path, change.after)
        if change.drop_backup:
            _drop_backup(root, change)
        if change.after is None:
            _drop_empty(root, change.path)
    return [change.path for change in changes]


def _drop_backup(root: Path, change: FileChange) -> None:
    for path in (change.backup_path, change.path + _OLD_BACKUP):
        if os.path.lexists(root / path):
            remove_file(root, path)
    _drop_empty(root, change.backup_path)


def _drop_empty(root: Path, path: str) -> None:
    folder = os.path.dirname(path)
    while folder and not os.listdir(root / folder):
        remove_folder(root, folder)
        folder = os.path.dirname(folder)


def carry_out_plans(ports: AgentsPorts, plans: Sequence[InstallPlan], event: str) -> list[str]:
    """The files that were written. They count; a ledger that cannot be written does not undo them."""
    files = carry_out(ports.root, [change for plan in plans for change in plan.changes])
    for plan in plans:
        if plan.changes:
            payload = {"agent": plan.agent.name, "files": [c.path for c in plan.changes], "version": __version__}
            try:
                ports.ledger.append(event, payload, now_ms=ports.clock.now_ms())
            except CairnError:
                continue
    return files
