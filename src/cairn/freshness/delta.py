"""What differs between two moments of the repository: the files, and what those that hold code define."""

import posixpath
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from cairn.freshness.code_index import is_code, outlines_of
from cairn.freshness.states import LARGEST, State
from cairn.kernel.code.model import Outline, Symbol
from cairn.kernel.ports.vcs import Change
from cairn.kernel.ports.workers import Workers

_ALIKE = 0.5
"""How much of its lines a file must share with one that is gone, to be taken for it."""
_WORD = re.compile(r"[A-Za-z_]\w{3,}")


class Delta:
    def __init__(
        self,
        old: Mapping[str, Outline],
        new: Mapping[str, Outline],
        changed: frozenset[str],
        moved: Mapping[str, str],
        removed: frozenset[str],
        added: frozenset[str],
    ) -> None:
        self.old = old
        self.new = new
        self.changed = changed
        """All paths whose content differs, whatever they hold."""
        self.moved = moved
        """Where files that are gone went, as far as that can be told."""
        self.removed = removed
        self.added = added

    @cached_property
    def touched(self) -> frozenset[str]:
        """Short names of everything whose interface is not what it was, and names of files and folders that went."""
        names = {symbol.short for symbol in self._lost()}
        for path in self.removed:
            names.update(part for part in path.split("/") if part)
        return frozenset(names)

    @cached_property
    def touched_words(self) -> frozenset[str]:
        """The last word of each of these names: whoever writes the name writes it too."""
        return frozenset(found[-1] for name in self.touched if (found := re.findall(r"\w+", name)))

    def _lost(self) -> Iterable[Symbol]:
        for path, outline in self.old.items():
            now = {(s.name, s.interface) for s in self.new[path].symbols} if path in self.new else set()
            yield from (symbol for symbol in outline.symbols if (symbol.name, symbol.interface) not in now)

    @cached_property
    def came(self) -> tuple[Symbol, ...]:
        """Symbols that were not there before under their name and path."""
        before = {(s.path, s.name) for outline in self.old.values() for s in outline.symbols}
        return tuple(s for o in self.new.values() for s in o.symbols if (s.path, s.name) not in before)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Which files were read as text only, and why; one sentence a reason."""
        reasons: dict[str, list[str]] = {}
        for path, outline in sorted({**self.old, **self.new}.items()):
            if outline.note:
                reasons.setdefault(outline.note, []).append(path)
        return tuple(f"{_few(paths)}: {note}" for note, paths in reasons.items())


class _Contents(NamedTuple):
    old: dict[str, bytes]
    new: dict[str, bytes]


def compare(changes: Iterable[Change], old: State, new: State, workers: Workers | None = None) -> Delta:
    """Read what changed at both moments."""
    listed = list(changes)
    removed = frozenset(change.path for change in listed if change.status == "removed")
    added = frozenset(change.path for change in listed if change.status == "added")
    before = old.read([c.path for c in listed if c.status != "added" and _worth_reading(c.path)])
    after = new.read([c.path for c in listed if c.status != "removed" and _worth_reading(c.path)])
    same = {path for path, data in before.items() if after.get(path) == data}
    contents = _Contents(_small(before, same), _small(after, same))
    after_code = outlines_of(_code(contents.new), workers)
    before_code = _with_words(outlines_of(_code(contents.old), workers), contents)
    changed = frozenset(change.path for change in listed) - same
    return Delta(before_code, after_code, changed, _moves(contents, removed, added), removed, added)


def _code(contents: Mapping[str, bytes]) -> dict[str, bytes]:
    return {path: data for path, data in contents.items() if is_code(path)}


def _worth_reading(path: str) -> bool:
    return is_code(path) or path.lower().endswith((".md", ".mdx", ".txt", ".rst"))


def _small(contents: Mapping[str, bytes], same: Iterable[str]) -> dict[str, bytes]:
    return {path: data for path, data in contents.items() if path not in same and len(data) < LARGEST}


# --- files that moved -----------------------------------------------------------------------------------------------


def _moves(contents: _Contents, removed: Iterable[str], added: Iterable[str]) -> dict[str, str]:
    """For each file that is gone the one that came most like it: the same bytes, else half of its lines."""
    left = {path: contents.new.get(path) for path in sorted(added)}
    found: dict[str, str] = {}
    for path in sorted(removed):
        target = _likest(path, contents.old.get(path), left)
        if target is not None:
            found[path] = target
            left.pop(target)
    return found


def _likest(path: str, data: bytes | None, others: Mapping[str, bytes | None]) -> str | None:
    name = posixpath.basename(path)
    if data is None:  # not read, because it is neither code nor a document: only its name can tell
        named = [other for other in others if posixpath.basename(other) == name]
        return named[0] if len(named) == 1 else None
    scored = [(_alike(data, other), posixpath.basename(at) == name, at) for at, other in others.items() if other]
    best = max(scored, default=(0.0, False, ""))
    return best[2] if best[0] >= _ALIKE else None


def _alike(one: bytes, other: bytes) -> float:
    if one == other:
        return 1.0
    a, b = ({line.strip() for line in data.splitlines() if line.strip()} for data in (one, other))
    return len(a & b) / max(len(a), len(b), 1)


# --- files without a grammar ----------------------------------------------------------------------------------------


def _with_words(outlines: Mapping[str, Outline], contents: _Contents) -> dict[str, Outline]:
    """Of files that no grammar reads, the words that nobody uses any more stand in for the names that they define."""
    texts = [path for path, outline in outlines.items() if outline.language == "text" and not outline.symbols]
    kept = {word for data in contents.new.values() for word in _words(data)} if texts else set()
    found = dict(outlines)
    for path in texts:
        gone = sorted(_words(contents.old[path]) - kept)
        found[path] = outlines[path]._replace(symbols=tuple(_stand_in(path, word) for word in gone))
    return found


def _stand_in(path: str, word: str) -> Symbol:
    return Symbol(path, word, "function", 1, 1, word, word, word)


def _words(data: bytes) -> set[str]:
    return set(_WORD.findall(data.decode("utf-8", "replace")))


def _few(paths: list[str]) -> str:
    shown = ", ".join(paths[:3])
    return shown if len(paths) <= 3 else f"{shown} and {len(paths) - 3} more"
