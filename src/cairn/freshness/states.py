"""The files of the repository at one moment: as they lie there, as they are staged, or as a commit has them."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from cairn.core.ports.runtime import Files, FoundFile, ReadFailed, WalkRequest
from cairn.core.ports.vcs import INDEX, Vcs
from cairn.errors import UsageError

LARGEST = 5 * 1024 * 1024
"""Bytes. Nobody writes a larger file of code by hand."""


class RepositoryState(Protocol):
    def facts(self) -> Mapping[str, FoundFile | None]:
        """Every file, with its facts where the file system has some."""
        ...

    def read(self, paths: Collection[str]) -> dict[str, bytes]:
        """The content of those that can be read."""
        ...


class WorkTree:
    """As the files lie there now, without those that git or Cairn are told to pass over."""

    def __init__(self, files: Files, *, ignore: tuple[str, ...] = ()) -> None:
        self._files = files
        self._ignore = ignore
        self._facts: dict[str, FoundFile | None] | None = None

    def facts(self) -> Mapping[str, FoundFile | None]:
        if self._facts is None:
            walk = self._files.walk(WalkRequest(suffixes=("",), ignore=self._ignore))
            self._facts = {file.path: file for file in walk.files}
        return self._facts

    def read(self, paths: Collection[str]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for path in paths:
            try:
                found[path] = self._files.read(path)[0]
            except ReadFailed:
                continue
        return found


class RevisionSource(Protocol):
    """Where a revision is read from; `Vcs` has it too."""

    def files(self, rev: str) -> tuple[str, ...]: ...
    def show(self, wanted: Sequence[tuple[str, str]]) -> list[bytes | None]: ...


class RevisionState:
    """As a commit or the index has them."""

    def __init__(self, vcs: "RevisionSource", rev: str) -> None:
        self._vcs = vcs
        self.rev = rev
        self._paths: dict[str, FoundFile | None] | None = None

    def facts(self) -> Mapping[str, FoundFile | None]:
        if self._paths is None:
            self._paths = dict.fromkeys(self._vcs.files(self.rev))
        return self._paths

    def read(self, paths: Collection[str]) -> dict[str, bytes]:
        wanted = list(paths)
        contents = self._vcs.show([(self.rev, path) for path in wanted])
        return {path: data for path, data in zip(wanted, contents, strict=True) if data is not None}


class StateSpan(NamedTuple):
    """Two moments to compare."""

    old: str
    """A commit."""
    new: str | None
    """A commit, the index, or None for the work tree."""


def span_of(vcs: Vcs, text: str) -> StateSpan:
    """`REV` is that commit against the work tree, `A..B` two commits, `A^!` one commit, `A...B` what came since they
    parted; an empty end of `A...` is the work tree."""
    if text.endswith("^!"):
        only = text.removesuffix("^!")
        return StateSpan(vcs.start(f"{only}^"), vcs.resolve(only))
    if "..." in text:
        old, _, new = text.partition("...")
        base = vcs.common(old or "HEAD", new or "HEAD")
        return StateSpan(base, vcs.resolve(new) if new else None)
    if ".." in text:
        old, _, new = text.partition("..")
        return StateSpan(vcs.start(old or "HEAD"), vcs.resolve(new or "HEAD"))
    if not text.strip():
        raise UsageError("--diff needs a revision to compare with, such as HEAD or main...")
    return StateSpan(vcs.start(text), None)


def staged_span(vcs: Vcs) -> StateSpan:
    return StateSpan(vcs.resolve("HEAD"), INDEX)
