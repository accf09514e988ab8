"""Runs gates outside of a request: one about files or a diff, or all about a commit."""

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cairn.changes.gate_registry import corpora_at, gates_of, one_gate, registered
from cairn.changes.make_change import base_commit, from_diff, from_files, from_worktree
from cairn.changes.ports import ChangesPorts
from cairn.changes.request_lifecycle import ruling_value
from cairn.core.model.change import ChangeSet, GateRuling, Label, Level, worst
from cairn.core.model.issue import Issue, Severity
from cairn.core.model.knowledge import corpus_of
from cairn.core.ports.runtime import ReadFailed
from cairn.core.ports.vcs import MergedFile
from cairn.errors import CairnError, Conflict, Refused, UsageError
from cairn.knowledge.corpora import kind_of

OPERATOR = "operator"
"""Who set the labels that were given with the command."""
_SEVERITY = {Level.BLOCK: Severity.ERROR, Level.WARN: Severity.WARN}


class GateRequest(NamedTuple):
    """What a gate should look at; nothing means what is different in the working tree."""

    paths: tuple[str, ...] = ()
    """From the root of the workspace."""
    diff: bytes | None = None
    labels: tuple[str, ...] = ()


class GateResult(NamedTuple):
    ruling: GateRuling
    change: ChangeSet

    def json(self) -> dict[str, Any]:
        return {
            "gate": self.ruling.gate,
            "level": self.ruling.level.word,
            "reason": self.ruling.reason,
            "paths": [edit.path for edit in self.change.edits],
            "evidence": [dict(fact) for fact in self.ruling.evidence],
        }


def judge(ports: ChangesPorts, gate: str, asked: GateRequest) -> GateResult:
    change = change_of(ports, asked)
    return GateResult(one_gate(ports, gate).judge(change)[0], change)


# --- what is looked at ------------------------------------------------------------------------------------------------


def change_of(ports: ChangesPorts, asked: GateRequest) -> ChangeSet:
    base = base_of(ports)
    labels = tuple(Label(name, OPERATOR) for name in asked.labels)
    if asked.diff is not None:
        return _of_diff(ports, asked.diff, base, labels)
    if asked.paths:
        must_be_pages(ports, asked.paths)
        return from_files({path: _now(ports, path) for path in asked.paths}, base=base, labels=labels)
    if not base:
        raise UsageError("There is no commit to compare with; name the pages to look at.")
    return from_worktree(ports.vcs, _reader(ports), base=base, wanted=lambda path: is_page(ports, path), labels=labels)


def base_of(ports: ChangesPorts) -> str:
    """Where the branch parted from the base branch; empty without a commit."""
    if ports.vcs.root() is None:
        return ""
    try:
        head = ports.vcs.resolve("HEAD")
    except CairnError:
        return ""
    try:
        return ports.vcs.common(base_commit(ports), head)
    except CairnError:  # a base branch that is not here, or has nothing in common with this one
        return head


def _of_diff(ports: ChangesPorts, diff: bytes, base: str, labels: tuple[Label, ...]) -> ChangeSet:
    """Made from the base branch, or, as `git diff` does it, from the last commit."""
    if not base:
        raise UsageError("There is no commit that the diff could be put on; commit the pages first.")
    head = ports.vcs.resolve("HEAD")
    try:
        return from_diff(diff, _at(ports, base), base=base, labels=labels)
    except Conflict:
        if head == base:
            raise
        return from_diff(diff, _at(ports, head), base=head, labels=labels)


def _at(ports: ChangesPorts, revision: str) -> Callable[[str], bytes | None]:
    return lambda path: ports.vcs.show([(revision, path)])[0]


def _reader(ports: ChangesPorts) -> Callable[[str], bytes | None]:
    return lambda path: _now(ports, path)


def _now(ports: ChangesPorts, path: str) -> bytes | None:
    try:
        return ports.files.read(path)[0]
    except ReadFailed as failed:
        if failed.rule == "file-vanished":
            return None
        raise UsageError(str(failed)) from None


def is_page(ports: ChangesPorts, path: str) -> bool:
    corpus = corpus_of(path, ports.corpora)
    return corpus is not None and kind_of(corpus, path) is not None


def must_be_pages(ports: ChangesPorts, paths: Iterable[str]) -> None:
    for path in paths:
        if not is_page(ports, path):
            corpora = ", ".join(f"`{corpus.root or '.'}`" for corpus in ports.corpora) or "none"
            raise UsageError(f"`{path}` is no page of knowledge; the corpora here are: {corpora}.", path=path)
        if _now(ports, path) is None:
            raise UsageError(f"There is no file `{path}`; check the spelling.", path=path)


def listed_paths(text: str) -> list[str]:
    """Of `--files-from`: a JSON array, or one path a line."""
    if not text.lstrip().startswith("["):
        return [line for line in text.splitlines() if line.strip()]
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise UsageError("--files-from holds no list of paths; write a JSON array, or one path a line.")
    return value


def from_root(ports: ChangesPorts, directory: Path, paths: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(relative_to(ports.root, directory, path) for path in paths))


def relative_to(root: Path, directory: Path, path: str) -> str:
    """As seen from the root; a path that leads outside is refused."""
    found = "" if "\0" in path else os.path.relpath(directory.resolve() / path, root.resolve())
    if not found or found == ".." or found.startswith("../"):
        raise UsageError(f"`{path}` is outside of the repository; name a file in it.", path=path)
    return found


# --- for people's tools ----------------------------------------------------------------------------------------------


def issues_of(ruling: GateRuling) -> list[Issue]:
    """What a gate said as issues, for annotations and SARIF. A pass is none."""
    severity = _SEVERITY.get(ruling.level, Severity.INFO)
    return [
        Issue(ruling.gate, severity, (str(fact["path"]),), str(fact.get("message", ruling.reason)), fact.get("line"))
        for fact in ruling.evidence
        if ruling.level is not Level.PASS and "path" in fact
    ]


def rule_texts(gates: Sequence[str]) -> Mapping[str, str]:
    """The first sentence of each gate's documentation."""
    return {gate.id: (type(gate).__doc__ or gate.id).strip().splitlines()[0] for gate in registered(gates)}


class Judgement(NamedTuple):
    base: str
    head: str
    change: ChangeSet
    rulings: tuple[GateRuling, ...]

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


def _landing(ports: ChangesPorts, revision: str, tip: str, head: str) -> Mapping[str, MergedFile | None]:
    """What would be different on the branch, by path from the root of the workspace."""
    parted = ports.vcs.common(tip, head)
    try:
        return ports.merges.merged(parted, tip, head)
    except Conflict as conflict:
        paths = ", ".join(conflict.details["paths"])
        raise Conflict(
            f"{revision} does not fit its base branch any more: both changed {paths}; rebase it.",
            paths=conflict.details["paths"],
        ) from None


def _pages(ports: ChangesPorts, tip: str, entries: Mapping[str, MergedFile | None]) -> dict[str, bytes | None]:
    """Of the corpora as the base branch has them."""
    corpora = corpora_at(ports, tip)
    ours = {path: entry for path, entry in entries.items() if corpus_of(path, corpora) is not None}
    for path, entry in ours.items():
        if entry is not None and not entry.regular:
            raise Refused(f"{path} would be a link or a submodule; a corpus holds regular files only.", path=path)
    ids = [entry.id for entry in ours.values() if entry is not None]
    contents = dict(zip(ids, ports.merges.contents(ids), strict=True)) if ids else {}
    return {path: None if entry is None else contents[entry.id] or b"" for path, entry in ours.items()}
