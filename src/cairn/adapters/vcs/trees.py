"""Reads the trees of a repository by their ids, bare or not, with one process that stays open.

`Git` answers a question per process and needs a work tree; this is for those who compare many pairs of commits.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from pathlib import Path

from cairn.adapters.vcs import answers
from cairn.adapters.vcs.git import grep_tree
from cairn.adapters.vcs.program import QUIET, GitProgram, Objects
from cairn.core.ports.vcs import Change
from cairn.errors import EnvironmentProblem

_SECONDS = 120.0
_TREES = 8
_BYTES = 200_000_000
"""Of contents that are kept: pages hardly change from one commit to the next."""


class GitTrees:
    def __init__(self, root: Path, *, program: str = "git") -> None:
        self._git = GitProgram(root, program=program)
        self._objects = Objects(self._git)
        self._trees: OrderedDict[str, dict[str, str]] = OrderedDict()
        self._contents: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._ids: dict[tuple[str | None, str], str] = {}
        """Of the files that differ between the two trees that were last compared."""

    @property
    def lacking(self) -> int:
        """How many contents were asked for that this clone does not have."""
        return len(self._objects.lacking)

    def files(self, rev: str) -> tuple[str, ...]:
        return tuple(self._tree(rev))

    def changed(self, old: str, new: str | None = None) -> tuple[Change, ...]:
        options = ("-z", "--raw", "--no-abbrev", "--no-renames", "--relative", "--ignore-submodules", "--no-ext-diff")
        found = answers.raw_changes(self._ask("diff-tree", "-r", *options, old, str(new), "--"))
        self._ids = {(rev, one.path): id for one, *ids in found for rev, id in zip((old, new), ids, strict=True)}
        return tuple(one for one, *_ in found)

    def show(self, wanted: Sequence[tuple[str, str]]) -> list[bytes | None]:
        ids = [self._ids.get((rev, path)) or self._tree(rev).get(path, "") for rev, path in wanted]
        self._read([id for id in dict.fromkeys(ids) if id and id not in self._contents])
        found = [self._contents.get(id) for id in ids]
        self._forget()
        return found

    def grep(self, rev: str | None, words: Sequence[str]) -> Iterator[tuple[str, str]]:
        return grep_tree(self._git, str(rev), words)

    def _tree(self, rev: str) -> dict[str, str]:
        if rev not in self._trees:
            self._trees[rev] = answers.tree_ids(self._ask("ls-tree", "-r", "-z", rev))
            if len(self._trees) > _TREES:
                self._trees.popitem(last=False)
        self._trees.move_to_end(rev)
        return self._trees[rev]

    def _read(self, ids: Sequence[str]) -> None:
        for id, data in self._objects.read(ids):
            if data is not None:
                self._contents[id] = data
                self._size += len(data)

    def _forget(self) -> None:
        while self._size > _BYTES:
            self._size -= len(self._contents.popitem(last=False)[1])

    def _ask(self, *arguments: str) -> str:
        out = self._git.attempt(*QUIET, *arguments, seconds=_SECONDS)
        if out is None:
            raise EnvironmentProblem(f"git cannot read `{arguments[-1]}` in {self._git.root}; check that it exists.")
        return out.decode("utf-8", "surrogateescape")
