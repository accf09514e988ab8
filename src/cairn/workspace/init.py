"""Makes a workspace in a repository, and takes it away again without a trace."""

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cairn.changes.write import remove_file, remove_folder, write_file
from cairn.core.model.knowledge import Corpus
from cairn.core.paths import MACHINE_FILES
from cairn.curate.old_base import is_newer, is_there, root_of, with_old_base
from cairn.errors import CannotWrite
from cairn.graph.run_scan import Ask, ProviderChoice, choose, remember_choice
from cairn.knowledge.approve import record_of
from cairn.knowledge.corpora import configured, with_a_place_to_write
from cairn.workspace.ports import WorkspacePorts

FOLDER = ".cairn"
SETTINGS = f"{FOLDER}/settings.json"
IGNORE = f"{FOLDER}/.gitignore"

COMMITTED = {
    SETTINGS: "shared settings",
    IGNORE: "keeps local files out of git",
    f"{FOLDER}/plugins/": "plugins of this project, if any",
    f"{FOLDER}/conflicts/": "contradictions that wait for a person, and how they were settled",
}

_IGNORE_TEXT = "# Belongs to this machine; Cairn refuses to read it from a commit.\n" + "".join(
    f"/{n}\n" for n in MACHINE_FILES
)


@dataclass(frozen=True, slots=True)
class InitStep:
    """One file that making the workspace is about."""

    path: str
    action: str
    """`create`, `update` or `keep`."""
    what: str


def plan(root: Path, settings: dict[str, object]) -> list[tuple[InitStep, str]]:
    """What would be written, with the content. What is there already is kept, unless it is ours and outdated."""
    wanted = [(SETTINGS, json.dumps(settings, indent=2) + "\n", False), (IGNORE, _IGNORE_TEXT, True)]
    steps = []
    for path, content, ours in wanted:
        target = root / path
        there = target.exists()
        current = target.read_text("utf-8", "replace") if there and ours else None
        action = "create" if not there else "update" if ours and current != content else "keep"
        steps.append((InitStep(path, action, COMMITTED[path]), content))
    return steps


def carry_out(root: Path, steps: Iterable[tuple[InitStep, str]]) -> None:
    for step, content in steps:
        if step.action != "keep":
            write_file(root, step.path, content)


def belongings(root: Path) -> list[str]:
    """Every file and folder below `.cairn`, deepest first; folders end with a slash."""
    base = root / FOLDER
    if base.is_symlink() or not base.is_dir():
        return []
    found = [path for path in base.rglob("*") if not _below_symlink(path, base)]
    names = [f"{p.relative_to(root).as_posix()}{'/' if p.is_dir() and not p.is_symlink() else ''}" for p in found]
    return [*sorted(names, key=lambda name: (-name.rstrip("/").count("/"), name)), f"{FOLDER}/"]


def _below_symlink(path: Path, base: Path) -> bool:
    return any(parent.is_symlink() for parent in path.parents if parent != base and base in parent.parents)


def _is_plain(path: Path) -> bool:
    return not path.is_symlink() and (path.is_file() or path.is_dir())


def remove(root: Path, names: Sequence[str], *, tell: Callable[[str], None]) -> None:
    """Take these away, in order. What Cairn did not make is not taken away, and then nothing is. What is gone
    meanwhile, such as a backup of settings that were just restored, is left out."""
    names = [name for name in names if os.path.lexists(root / name)]
    odd = next((name for name in names if not _is_plain(root / name)), None)
    if odd is not None:
        raise CannotWrite(f"`{odd}` is not a regular file; remove it yourself, then run the command again.")
    for name in names:
        if name.endswith("/"):
            remove_folder(root, name.rstrip("/"))
        else:
            remove_file(root, name)
        tell(name)


@dataclass(frozen=True, slots=True)
class InitOptions:
    strict: bool = False
    force: bool = False
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class InitResult:
    root: Path
    steps: tuple[InitStep, ...]
    choice: ProviderChoice
    notes: tuple[str, ...]
    corpora: tuple[Corpus, ...] = ()

    def json(self) -> dict[str, Any]:
        return {
            "root": str(self.root),
            "activeProvider": self.choice.active,
            "foundProviders": list(self.choice.found),
            "corpora": [{"name": c.name, "root": c.root, "layout": c.layout} for c in self.corpora],
            "files": [{"path": s.path, "action": s.action, "purpose": s.what} for s in self.steps],
            "notes": list(self.notes),
        }


def initialise(ports: WorkspacePorts, wishes: InitOptions, *, ask: Ask | None, outer: Path | None = None) -> InitResult:
    """Doing it twice is doing it once: what is there stays, except that --force chooses the provider anew. `outer` is
    the workspace that this one lies in, if any."""
    root = ports.root
    choice = _choice(ports, wishes.force, ask)
    known = configured(ports.settings)
    corpora = known or with_a_place_to_write(with_old_base(ports, ports.corpora))
    settings = _provider_settings(choice)
    if wishes.strict:
        settings["scan"] = {"strict": True}
    there = tuple(corpus for corpus in corpora if (root / corpus.root).is_dir())
    settings["corpora"] = {corpus.name: {"root": corpus.root or ".", "layout": corpus.layout} for corpus in there}
    steps = plan(root, settings)
    if not wishes.dry_run:
        carry_out(root, steps)
        if wishes.force and choice.active and not choice.note:
            remember_choice(ports, choice)
        if not known:
            _remember_corpora(ports, there)
        record_of(ports)  # pages that are committed from now on are this user's, also before the next command
    told = tuple(_told(step, corpora_are_new=bool(there) and not known) for step, _ in steps)
    return InitResult(root, told, choice, tuple(_notes(ports, outer, dry_run=wishes.dry_run)), known or there)


def _provider_settings(choice: ProviderChoice) -> dict[str, object]:
    if choice.note:
        return {}
    return {"active_provider": choice.active, "active_provider_markers": list(choice.found)}


def _remember_corpora(ports: WorkspacePorts, corpora: tuple[Corpus, ...]) -> None:
    """Into settings that are there already; in new ones they stand."""
    for corpus in corpora:
        ports.write_setting(f"corpora.{corpus.name}.root", corpus.root or ".")
        ports.write_setting(f"corpora.{corpus.name}.layout", corpus.layout)


def _told(step: InitStep, *, corpora_are_new: bool) -> InitStep:
    return (
        replace(step, action="update") if step.path == SETTINGS and step.action == "keep" and corpora_are_new else step
    )


def _choice(ports: WorkspacePorts, force: bool, ask: Ask | None) -> ProviderChoice:
    configured = None if force else ports.settings.optional_text("active_provider")
    snapshot = ports.settings.values["active_provider_markers"]
    return choose(
        ports.registry,
        configured=configured,
        snapshot=snapshot,
        exists=ports.files.exists,
        ask=ask,
        take_first=ask is None,
    )


def _notes(ports: WorkspacePorts, outer: Path | None, *, dry_run: bool) -> list[str]:
    notes = []
    top = ports.vcs.root()
    if top is not None and not dry_run:
        notes.append(
            "commit .cairn/settings.json and .cairn/.gitignore; .cairn/ also has a database, which stays local"
        )
    if top is None:
        notes.append("this folder is not in a git repository: scan, check and search work, proposed changes need git")
    elif Path(top).resolve() != ports.root.resolve():
        notes.append(f"the repository's root is {top}; this workspace covers only this folder of it")
    if outer is not None:
        notes.append(f"there is another workspace above, in {outer}; files below this folder now belong to this one")
    if is_there(ports):
        notes.append(_about_the_old_base(ports))
    return notes


def _about_the_old_base(ports: WorkspacePorts) -> str:
    root = root_of(ports)
    if is_newer(ports):
        return f"{root}/ has a later format of another program: its pages are found and checked, not written"
    if ports.files.exists(f"{root}/ENTRY.md"):
        return f"{root}/ is the knowledge base, and is used where it lies; `cairn import base` says what is in it"
    return (
        f"{root}/ is an older knowledge base, and is used where it lies, with its sessions, conflicts and "
        "config.yaml; `cairn import base` says what is in it"
    )
