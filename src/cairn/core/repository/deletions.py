"""What the repository had and no longer has, with the commit that removed it."""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import takewhile
from posixpath import basename, splitext
from typing import NamedTuple

from cairn.core.model.issue import Proof
from cairn.core.ports.vcs import Commit, History
from cairn.core.repository.code import Code, words_in
from cairn.core.repository.deletion_history import (
    ByCommit,
    DocumentHistory,
    OldVersion,
    RemovedFile,
    RemovedName,
    by_commit,
    removed_files,
    removed_names,
    where_it_went,
)
from cairn.core.repository.tree import RepositoryTree, decoded
from cairn.core.scope import Scope, is_beside_the_product, is_code_noise, is_hidden, is_test, scope_of
from cairn.lib.code.definitions import is_definition, stands_alone
from cairn.lib.document.document import format_of


class OldValue(NamedTuple):
    value: str
    commit: Commit
    """The latest one that replaced the value."""
    at: int
    """Index of that commit."""
    path: str


def old_values(history: History, sources: Sequence[tuple[str, re.Pattern[bytes]]]) -> list[OldValue]:
    """What the first group of each pattern found in older versions of each file, newest first, each value once. A
    project may move a setting from one file to another, so all files that could hold it are asked together."""
    patterns = dict(sources)
    changes = [change for change in history.changes if change.path in patterns and change.old]
    texts = dict(history.blobs(dict.fromkeys(change.old for change in changes)))
    found: dict[str, OldValue] = {}
    for change in changes:
        match = patterns[change.path].search(texts[change.old] or b"")
        if match and match[1].decode() not in found:
            commit = history.commits[change.at]
            found[match[1].decode()] = OldValue(match[1].decode(), commit, change.at, change.path)
    return list(found.values())


_DATA = (".json", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".properties", ".env", ".jsonc", ".json5")
_SETTINGS = re.compile(r"(?:config|settings?|defaults?|schema|options?)[^/]*(?:/[^/]*)?$", re.IGNORECASE)
_LABEL = re.compile(rb"^[ \t]*\.\. _(`?)([^:`\n]+)\1:[ \t]*$", re.MULTILINE)
_MANIFEST = re.compile(
    r"(?:.*/)?(?:package\.json|composer\.json|pyproject\.toml|setup\.(?:py|cfg)|requirements[\w.-]*\.txt|go\.mod"
    r"|Cargo\.toml|Gemfile|[\w.-]+\.gemspec|mix\.exs|pom\.xml|build\.gradle(?:\.kts)?|Package\.swift)"
)
_KEPT = 256
"""Versions of files whose lines are kept; answers about commits."""


class NameRemoval(NamedTuple):
    """The code defined this name, a commit removed the definition, and the name stands nowhere in the code now."""

    name: str
    commit: Commit
    at: int
    path: str
    line: int
    text: str
    successor: str | None
    alone: bool
    """Whether the name was defined by itself, not as a field or parameter of something else."""
    owners: frozenset[str]
    """The types of the file that defined it, and the name of the file."""


class FileRemoval(NamedTuple):
    path: str
    commit: Commit
    at: int
    moved_to: str | None

    @property
    def proof(self) -> Proof:
        commit = self.commit
        if commit.id:
            return Proof(commit.subject[:80], self.path, 0, commit.short, commit.date)
        did = f"moved to `{self.moved_to}`" if self.moved_to else "deleted"
        return Proof(f"{did} in the work tree", self.path, date="not committed yet")


class Deletions:
    def __init__(self, tree: RepositoryTree, code: Code, history: History, not_checked: list[str]) -> None:
        self._tree = tree
        self._code = code
        self._history = history
        self._not_checked = not_checked
        self._version = lru_cache(_KEPT)(self._read_version)
        self._moved_out = lru_cache(_KEPT)(self._find_moved_out)

    @property
    def known(self) -> bool:
        """Whether there is more than one commit to compare."""
        return len(self._history.commits) > 1

    def ignored(self, paths: Sequence[str]) -> frozenset[str]:
        """Paths that git ignores: they may exist on the reader's machine."""
        return self._history.ignored(paths)

    # --- documents --------------------------------------------------------------------------------------------------

    @cached_property
    def _documents(self) -> DocumentHistory:
        return DocumentHistory(self._history, lambda path: format_of(path) is not None)

    def had(self, path: str, word: str, at: int) -> bool:
        """Whether a document had this word when the commit at this index landed."""
        text = self._tree.text(path)
        return text is not None and self._documents.had(path, word.encode(), at, text.encode())

    def versions(self, path: str) -> Iterator[tuple[Commit, int, str]]:
        """(commit, its index, the text before it) for each commit that changed a file, newest first."""
        changes = [change for change in self._history.changes if change.path == path and change.old]
        texts = dict(self._history.blobs(dict.fromkeys(change.old for change in changes)))
        for change in changes:
            yield self._history.commits[change.at], change.at, decoded(texts[change.old] or b"")

    def old_values(self, sources: Sequence[tuple[str, re.Pattern[bytes]]]) -> list[OldValue]:
        """Values that files declared once and declare no longer."""
        return old_values(self._history, sources)

    def removed_labels(self, labels: Collection[str]) -> dict[str, tuple[Commit, int, str]]:
        """Labels of Sphinx that a document defined once: the latest commit before which it did, and the document."""
        wanted = set(labels)
        changes = [change for change in self._history.changes if change.path.endswith(".rst") and change.old]
        texts = self._history.blobs(dict.fromkeys(change.old for change in changes))
        found: dict[str, tuple[Commit, int, str]] = {}
        seen: dict[str, frozenset[str]] = {}
        for change in changes:
            while change.old not in seen and wanted:
                id, data = next(texts)
                seen[id] = frozenset(_label(name) for _, name in _LABEL.findall(data or b""))
            for label in wanted & seen.get(change.old, frozenset()):
                found[label] = (self._history.commits[change.at], change.at, change.path)
                wanted.discard(label)
        return found

    # --- files ------------------------------------------------------------------------------------------------------

    def removed_file(self, path: str) -> FileRemoval | None:
        """The commit that deleted a file or folder, and where a file is today if it was moved."""
        gone = self._files.get(path) or self._folder(path)
        if gone is None or self._tree.exists(path):
            return None
        to = where_it_went(self._history, self._by_commit, self._files, path, self._tree.exists)
        return FileRemoval(path, self._history.commits[gone.change.at], gone.change.at, to)

    def comes_and_goes(self, path: str) -> bool:
        """Whether a file was deleted more than once: a program or a habit writes it anew."""
        return sum(1 for change in self._history.changes if change.path == path and change.deleted) > 1

    def _folder(self, path: str) -> RemovedFile | None:
        """The commit that deleted the last file of a folder."""
        inside = f"{path.rstrip('/')}/"
        start = bisect_left(self._paths, inside)
        found = takewhile(lambda other: other.startswith(inside), self._paths[start:])
        return min((self._files[other] for other in found), key=lambda gone: gone.change.at, default=None)

    @cached_property
    def _files(self) -> dict[str, RemovedFile]:
        return removed_files(self._history)

    @cached_property
    def _paths(self) -> list[str]:
        return sorted(self._files)

    # --- names ------------------------------------------------------------------------------------------------------

    @cached_property
    def _names(self) -> dict[str, list[RemovedName]]:
        return removed_names(self._history, _defines_names, self._wanted, self._not_checked)

    @cached_property
    def _wanted(self) -> frozenset[str]:
        """Every word in the code of the documents that is not in the code of the repository."""
        words: set[bytes] = set()
        for page in self._tree.pages():
            lines = (*(span.text for span in page.spans), *(line for block in page.blocks for line in block.lines))
            words |= words_in("\n".join(lines).encode())
        gone = frozenset(word for word in map(bytes.decode, words) if not self._code.spells(word))
        return frozenset() if self._code.incomplete else gone

    @cached_property
    def _by_commit(self) -> ByCommit:
        return by_commit(self._history.changes)

    @property
    def lost_names(self) -> bool:
        return bool(self._names)

    @property
    def lost_files(self) -> bool:
        return bool(self._files)

    def may_lack(self, name: str) -> bool:
        """Whether some commit removed a line that defined the name, and the code has it no more; for names that the
        documents have in code. Quick: the proof follows."""
        return name in self._names and not self._code.has(name)

    def removed_name(self, name: str) -> NameRemoval | None:
        """The proof that a name is gone, with the line that defined it and what that line became."""
        if not self.may_lack(name):
            return None
        return next((proof for removed in self._names[name] if (proof := self._proof(removed))), None)

    def _proof(self, removed: RemovedName) -> NameRemoval | None:
        change = removed.change
        old, new = self._version(change.old), self._version(change.new)
        at = old.find(removed.line)
        text = decoded(removed.line).strip()
        if at is None or not is_definition(old.lines, at, in_docstring=old.in_docstring(at)):
            return None
        if self._belongs_to_others(removed) or _is_shell_variable(change.path, removed):
            return None
        if change.deleted and self._moved_out(change.at):
            return None
        if new.passes_on:
            return None
        if removed.name.startswith("--") and not new.quotes_flags:
            return None  # flags may be derived from names now
        if text.count(removed.name) > 1:
            return None  # `class x(other.x)`: another package has the name, too
        successor = new.successors(old).of(removed.name, text)
        known = successor if successor and not old.has(successor) and self._code.has(successor) else None
        commit = self._history.commits[change.at]
        alone = stands_alone(removed.line)
        owners = old.types | {splitext(basename(change.path))[0]}
        return NameRemoval(removed.name, commit, change.at, change.path, at + 1, text, known, alone, owners)

    def _read_version(self, id: str) -> OldVersion:
        [(_, data)] = self._history.blobs([id]) if id else [("", b"")]
        return OldVersion(data or b"")

    def _belongs_to_others(self, removed: RemovedName) -> bool:
        """Whether it is a variable of the environment that the code only read, and whose name is not this project's."""
        quoted = re.search(rb"""["']""" + removed.name.encode() + rb"""["']""", removed.line)
        return bool(quoted) and removed.name.isupper() and not self._code.has_prefix(removed.name)

    def _find_moved_out(self, at: int) -> bool:
        """Whether deleted code may live on in a package of its own: the commit also changed the dependencies."""
        same = [c for c in self._by_commit[at] if c.new and _MANIFEST.fullmatch(c.path)]
        texts = dict(self._history.blobs({id for other in same for id in (other.old, other.new) if id}))
        return any(self._adds_sibling(texts.get(other.old), texts.get(other.new)) for other in same)

    def _adds_sibling(self, old: bytes | None, new: bytes | None) -> bool:
        """Whether a manifest got a dependency whose name begins like that of this project."""
        added = set((new or b"").split(b"\n")) - set((old or b"").split(b"\n"))
        text = b"\n".join(added).lower()
        return any(stem.encode() in text for stem in self._code.stems)


def _is_shell_variable(path: str, removed: RemovedName) -> bool:
    return path.endswith((".sh", ".bash", ".zsh")) and not removed.name.isupper() and b"=" in removed.line


def _label(name: bytes) -> str:
    return " ".join(name.decode("utf-8", "replace").lower().split())


def _defines_names(path: str) -> bool:
    """Code whose names documents talk about: not tests, examples, tool settings, or files that a program wrote."""
    if is_code_noise(path) or is_test(path) or is_hidden(path) or is_beside_the_product(path) or format_of(path):
        return False
    if path.lower().endswith(_DATA) and not _SETTINGS.search(path):
        return False
    return scope_of(path) not in (Scope.VENDORED, Scope.GENERATED, Scope.FIXTURE)
