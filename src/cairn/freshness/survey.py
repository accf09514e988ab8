"""Finds the sentences that a change between two moments of a repository makes false."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple, Protocol

from cairn.freshness.doubt import Doubt
from cairn.freshness.names import name_doubts
from cairn.freshness.moves import moves
from cairn.freshness.occurrence import WrittenPage
from cairn.freshness.paths import LostPaths, path_doubts
from cairn.freshness.states import LARGEST, Revision, State
from cairn.freshness.vanished import ChangedFile, LostWords
from cairn.kernel.ports.vcs import Change
from cairn.kernel.repository.code import package_names
from cairn.kernel.repository.words import tokens_in
from cairn.kernel.scope import Scope, scope_of
from cairn.kernel.text.frontmatter import decode
from cairn.kernel.text.outline import format_of

_OWN = re.compile(r"\.cairn/(?!plugins/)")
"""Files that Cairn writes. Plugins are code like any other."""


class Survey(NamedTuple):
    doubts: tuple[Doubt, ...]
    notes: tuple[str, ...] = ()
    """What could not be read."""
    changed: int = 0
    """Files that differ."""
    mentions: tuple[Doubt, ...] = ()
    """Sentences that name something that changed, without a proof that they are false."""
    lacking: int = 0
    """Contents that this clone does not have."""


class Trees(Protocol):
    """What a survey asks of version control; `Vcs` has it too."""

    def files(self, rev: str) -> tuple[str, ...]: ...
    def changed(self, old: str, new: str | None = None) -> tuple[Change, ...]: ...
    def show(self, wanted: Sequence[tuple[str, str]]) -> list[bytes | None]: ...
    def grep(self, rev: str | None, words: Sequence[str]) -> Iterator[tuple[str, str]]: ...


class SurveyMemory:
    """What is known about contents, for those who compare many moments."""

    def __init__(self, most: int = 20_000) -> None:
        self.tokens: Callable[[bytes], frozenset[str]] = lru_cache(most)(_document_tokens)
        self.scope: Callable[[str, bytes], Scope] = lru_cache(most)(_scope)


def _document_tokens(data: bytes) -> frozenset[str]:
    return frozenset(token.decode("ascii", "replace") for token in tokens_in(data))


def _scope(path: str, data: bytes) -> Scope:
    return scope_of(path, decode(data[:4096]).text)


def survey_revisions(
    trees: Trees, before: str, after: str, *, documents_from: str | None = None, memory: SurveyMemory | None = None
) -> Survey:
    """The doubts that the change from one tree to another puts into the documents of the latter, or of a third tree."""
    memory = memory or SurveyMemory()
    documents = Revision(trees, documents_from or after)
    pages = [path for path in documents.facts() if format_of(path) and scope_of(path) is Scope.CURRENT]
    sides = Sides(Revision(trees, before), Revision(trees, after), documents)
    found = examine(sides, trees.changed(before, after), pages, lambda words: trees.grep(after, words), memory)
    return found._replace(lacking=getattr(trees, "lacking", 0))


class Sides(NamedTuple):
    old: State
    new: State
    documents: State


def examine(
    sides: Sides,
    changes: Iterable[Change],
    documents: Collection[str],
    grep: Callable[[Sequence[str]], Iterable[tuple[str, str]]],
    memory: SurveyMemory,
    is_current: Callable[[str, bytes], bool] | None = None,
) -> Survey:
    listed = [change for change in changes if not _OWN.match(change.path)]
    files = list(_changed_files(listed, sides))
    if not files:
        return Survey((), changed=len(listed))
    lost = LostWords(files)
    texts = _texts(documents, sides.documents)
    edited = _old_lines(texts, listed, sides.old)
    pages = Pages(texts, memory, sides.new)
    found = [*name_doubts(lost, pages, grep), *path_doubts(_lost_paths(files, sides), pages)]
    kept = [doubt for doubt in found if doubt.document not in edited or doubt.sentence in edited[doubt.document]]
    return Survey(tuple(_in_order(kept)), changed=len(files))


def _lost_paths(files: Sequence[ChangedFile], sides: Sides) -> LostPaths:
    gone = {file.path: file.old for file in files if file.new is None}
    came = {file.path: file.new for file in files if file.old is None}
    return LostPaths(gone.keys(), sides.new.facts().keys() if gone else (), moves(gone, came))


def _in_order(found: Iterable[Doubt]) -> list[Doubt]:
    return sorted(found, key=lambda doubt: (doubt.document, doubt.line, doubt.written))


def _changed_files(changes: Sequence[Change], sides: Sides) -> Iterator[ChangedFile]:
    """With both contents; without those of which nothing differs."""
    paths = [change.path for change in changes]
    old = sides.old.read([change.path for change in changes if change.status != "added"])
    new = sides.new.read([change.path for change in changes if change.status != "removed"])
    for path in paths:
        before, after = old.get(path), new.get(path)
        if before != after:
            yield ChangedFile(path, _small(before), _small(after))


def _small(data: bytes | None) -> bytes | None:
    return data if data is None or len(data) < LARGEST else b""


def _texts(documents: Collection[str], state: State) -> dict[str, bytes]:
    return {path: data for path, data in state.read(sorted(documents)).items() if len(data) < LARGEST}


def _old_lines(texts: Mapping[str, bytes], changes: Iterable[Change], old: State) -> dict[str, frozenset[str]]:
    """The lines that documents had before; a line that is not among them was just written by somebody who knows."""
    paths = [change.path for change in changes if change.path in texts]
    before = old.read(paths)
    return {path: frozenset(decode(before.get(path, b"")).text.replace("\r\n", "\n").split("\n")) for path in paths}


class Pages:
    """The documents, looked up by the words that they have."""

    def __init__(self, texts: Mapping[str, bytes], memory: SurveyMemory, code: State) -> None:
        self._texts = texts
        self._memory = memory
        self._code = code
        self._pages: dict[str, WrittenPage] = {}

    @cached_property
    def packages(self) -> frozenset[str]:
        """Names under which the code is imported and run."""
        paths = [path for path in self._code.facts() if format_of(path) is None]
        return package_names(paths, lambda path: decode(self._code.read([path]).get(path, b"")).text)

    def having(self, words: Collection[str]) -> dict[str, list[str]]:
        """By word: the documents that have it."""
        wanted = frozenset(words)
        found: dict[str, list[str]] = defaultdict(list)
        for path, data in self._texts.items():
            for word in wanted & self._memory.tokens(data):
                found[word].append(path)
        return found

    def page(self, path: str) -> WrittenPage | None:
        """None for a document that is not about today."""
        if path not in self._pages:
            self._pages[path] = WrittenPage(path, decode(self._texts[path]).text, self.packages)
        current = self._memory.scope(path, self._texts[path]) is not Scope.GENERATED
        return self._pages[path] if current else None
