"""What differs between two moments of the repository: the files, and what those that hold code define."""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from cairn.freshness.code_index import ALONE, Reading, is_code, outlines_of
from cairn.freshness.moves import moves
from cairn.freshness.states import LARGEST, State
from cairn.kernel.code.model import Outline, Symbol
from cairn.kernel.ports.vcs import Change

_WORD = re.compile(r"[A-Za-z_]\w{3,}")
_ANY_WORD = re.compile(r"[^\W\d]\w*")


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
    def came(self) -> tuple[Outline, ...]:
        """Of each file the symbols that it did not have before."""
        before = {path: {symbol.name for symbol in outline.symbols} for path, outline in self.old.items()}
        found = []
        for path, outline in self.new.items():
            had = before.get(path, set())
            if symbols := tuple(symbol for symbol in outline.symbols if symbol.name not in had):
                found.append(outline._replace(symbols=symbols))
        return tuple(found)

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


def compare(changes: Iterable[Change], old: State, new: State, reading: Reading = ALONE) -> Delta:
    """Read what changed at both moments."""
    listed = list(changes)
    removed = frozenset(change.path for change in listed if change.status == "removed")
    added = frozenset(change.path for change in listed if change.status == "added")
    before = old.read([c.path for c in listed if c.status != "added" and _worth_reading(c.path)])
    after = new.read([c.path for c in listed if c.status != "removed" and _worth_reading(c.path)])
    same = {path for path, data in before.items() if after.get(path) == data}
    contents = _Contents(_small(before, same), _small(after, same))
    before_code = outlines_of(_code(contents.old), reading)
    after_code = _completed(outlines_of(_code(contents.new), reading), before_code, after)
    changed = frozenset(change.path for change in listed) - same
    moved = moves(_some(contents.old, removed), _some(contents.new, added))
    return Delta(_with_words(before_code, contents), after_code, changed, moved, removed, added)


def _some(contents: Mapping[str, bytes], paths: Iterable[str]) -> dict[str, bytes | None]:
    return {path: contents.get(path) for path in paths}


def _code(contents: Mapping[str, bytes]) -> dict[str, bytes]:
    return {path: data for path, data in contents.items() if is_code(path)}


def _worth_reading(path: str) -> bool:
    return is_code(path) or path.lower().endswith((".md", ".mdx", ".txt", ".rst"))


def _small(contents: Mapping[str, bytes], same: Iterable[str]) -> dict[str, bytes]:
    return {path: data for path, data in contents.items() if path not in same and len(data) < LARGEST}


# --- files that can't be read now -----------------------------------------------------------------------------------


def _completed(
    new: Mapping[str, Outline], old: Mapping[str, Outline], after: Mapping[str, bytes]
) -> dict[str, Outline]:
    """What stands in a file that is half edited, broken or too large, and was defined there before, counts as still
    defined: nobody can say that it is gone."""
    found = dict(new)
    for path, before in old.items():
        now = new.get(path)
        if path in after and (now is None or now.note):
            now = now or Outline(path, "text", (), "", f"It is larger than {LARGEST // 2**20} MB, so it was not read.")
            words = None if path not in new else frozenset(_ANY_WORD.findall(_text(after[path])))
            kept = _still_written(before, now, words)
            found[path] = now._replace(symbols=(*now.symbols, *kept))
    return found


def _still_written(before: Outline, now: Outline, words: frozenset[str] | None) -> list[Symbol]:
    """None for words that nobody has looked at."""
    there = {symbol.name for symbol in now.symbols}
    return [
        symbol
        for symbol in before.symbols
        if symbol.name not in there and (words is None or words.issuperset(_ANY_WORD.findall(symbol.short)))
    ]


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
    return set(_WORD.findall(_text(data)))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _few(paths: list[str]) -> str:
    shown = ", ".join(paths[:3])
    return shown if len(paths) <= 3 else f"{shown} and {len(paths) - 3} more"
