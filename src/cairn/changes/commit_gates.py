"""The gates about commits that are no change request of ours, such as those of a pull request that somebody opened.

The commits are data: nothing of them is checked out. They are judged as what they would make of the base branch as it
is now, with the settings that stand there.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cairn.adapters.forge.local.plumbing import Entry, Plumbing, regular
from cairn.adapters.forge.local.trees import three_way
from cairn.changes.base import base_commit
from cairn.changes.build import from_files
from cairn.changes.gate_alone import OPERATOR, issues_of
from cairn.changes.gate_registry import corpora_at, gates_of
from cairn.changes.ports import ChangesPorts
from cairn.changes.wire import ruling_value
from cairn.core.model.change import ChangeSet, Label, Level, Ruling, worst
from cairn.core.model.corpus import corpus_of
from cairn.core.model.issue import Issue
from cairn.errors import Conflict, Refused


class Judgement(NamedTuple):
    base: str
    head: str
    change: ChangeSet
    rulings: tuple[Ruling, ...]

    @property
    def level(self) -> Level:
        return worst(self.rulings)

    @property
    def paths(self) -> list[str]:
        return [edit.path for edit in self.change.edits]

    @property
    def issues(self) -> list[Issue]:
        """For annotations and SARIF. A gate that names no line is about the first page."""
        return [issue for ruling in self.rulings for issue in issues_of(ruling)]

    def json(self) -> dict[str, Any]:
        return {
            "base": self.base,
            "head": self.head,
            "level": self.level.word,
            "paths": self.paths,
            "rulings": [ruling_value(ruling) for ruling in self.rulings],
        }


def judge_commit(
    ports: ChangesPorts, revision: str, *, onto: str | None = None, labels: Sequence[str] = ()
) -> Judgement:
    """`onto` is where it should land; without it the base branch."""
    tip = ports.vcs.resolve(onto) if onto else base_commit(ports)
    head = ports.vcs.resolve(revision)
    files = _pages(ports, tip, _landing(ports, revision, tip, head))
    change = from_files(files, base=tip, labels=tuple(Label(name, OPERATOR) for name in labels))
    return Judgement(tip, head, change, gates_of(ports).judge(change) if files else ())


def _landing(ports: ChangesPorts, revision: str, tip: str, head: str) -> dict[str, Entry | None]:
    """What would be different on the branch, by path from the root of the workspace."""
    git = Plumbing(ports.root)
    parted = ports.vcs.common(tip, head)
    try:
        entries = three_way(git, git.tree_of(parted), git.tree_of(tip), git.tree_of(head))
    except Conflict as conflict:
        paths = ", ".join(conflict.details["paths"])
        raise Conflict(
            f"{revision} does not fit its base branch any more: both changed {paths}; rebase it.",
            paths=conflict.details["paths"],
        ) from None
    return {git.short(path): entry for path, entry in entries.items()}


def _pages(ports: ChangesPorts, tip: str, entries: Mapping[str, Entry | None]) -> dict[str, bytes | None]:
    """Of the corpora as the base branch has them."""
    corpora = corpora_at(ports, tip)
    ours = {path: entry for path, entry in entries.items() if corpus_of(path, corpora) is not None}
    for path, entry in ours.items():
        if not regular(entry):
            raise Refused(f"{path} would be a link or a submodule; a corpus holds regular files only.", path=path)
    ids = [entry.id for entry in ours.values() if entry is not None]
    contents = dict(zip(ids, Plumbing(ports.root).contents(ids), strict=True)) if ids else {}
    return {path: None if entry is None else contents[entry.id] or b"" for path, entry in ours.items()}
