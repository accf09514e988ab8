"""Every name that the repository defines at one moment, and which files define it."""

import hashlib
import json
import posixpath
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from cairn.freshness.states import LARGEST, State
from cairn.kernel.code.model import Outline, Probe, Symbol
from cairn.kernel.ports.files import FoundFile
from cairn.kernel.ports.rows import OutlineRow
from cairn.kernel.ports.store import Store
from cairn.kernel.ports.workers import Here, Workers

SUFFIXES = (
    *(".py", ".pyi", ".pyw", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue", ".svelte"),
    *(".go", ".rs", ".java", ".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".cs", ".rb", ".php", ".kt", ".kts"),
    *(".swift", ".scala", ".lua", ".ex", ".exs", ".sh", ".bash", ".json", ".yaml", ".yml", ".toml", ".ini", ".cfg"),
)
NAMES = frozenset({"Makefile", "GNUmakefile", "makefile", "justfile", "Justfile", ".env.example"})

_ASIDE = re.compile(
    r"(?:^|/)(?:\.[^/]+|tests?|testing|__tests__|spec|specs|fixtures?|testdata|test_data|snapshots?|__snapshots__"
    r"|vendor|vendored|_vendor|third[_-]party|node_modules|bower_components|site-packages|dist|build|out|target"
    r"|generated|gen|migrations|locales?|i18n|translations)/"
)
_SAMPLE = re.compile(r"(?:^|/)(?:examples?|samples?|demos?|docs_src|benchmarks?|tutorials?|playground)/")
_NOT_BY_HAND = re.compile(
    r"(?:\.min\.(?:js|css)|[.-]lock\.(?:json|yaml|yml)|\.lock|\.map|_pb2(?:_grpc)?\.pyi?|\.pb\.go|\.g\.cs|\.designer\.cs"
    r"|(?:^|/)(?:package-lock\.json|pnpm-lock\.yaml|npm-shrinkwrap\.json|composer\.lock|go\.sum|test_[^/]*\.py"
    r"|[^/]*_test\.(?:py|go)|[^/]*\.(?:test|spec)\.[jt]sx?|conftest\.py))$",
    re.IGNORECASE,
)
_PACKED = 1
"""Of the form in which outlines are kept; a new number, or a new reader of code, makes the old ones worthless."""


def is_code(path: str) -> bool:
    """Whether people may write sentences about what this file defines. Tests, copies of other people's code and what
    programs wrote are full of names that mean something else there."""
    name = posixpath.basename(path)
    if name not in NAMES and not name.lower().endswith(SUFFIXES):
        return False
    return not _ASIDE.search(path) and not _NOT_BY_HAND.search(path)


def sample_of(path: str) -> str:
    """The folder of examples that a file lies in, empty for most. What is defined there means something only to the
    documents of the same folder."""
    found = _SAMPLE.search(path)
    return path[: found.end()] if found else ""


# --- outlines -------------------------------------------------------------------------------------------------------


class Reading(NamedTuple):
    """What helps to read code; nothing of it must be there."""

    probe: Probe | None = None
    workers: Workers | None = None
    memory: dict[tuple[str, bytes], Outline] | None = None
    """What was read before, by path and digest of the content, for those who compare many moments."""


ALONE = Reading()


def outlines_of(contents: Mapping[str, bytes], reading: Reading = ALONE) -> dict[str, Outline]:
    """What these files define."""
    if reading.memory is None:
        return _parsed(contents, reading)
    keys = {path: (path, hashlib.blake2b(data, digest_size=16).digest()) for path, data in contents.items()}
    new = {path: data for path, data in contents.items() if keys[path] not in reading.memory}
    reading.memory.update((keys[path], outline) for path, outline in _parsed(new, reading).items())
    return {path: reading.memory[key] for path, key in keys.items()}


def _parsed(contents: Mapping[str, bytes], reading: Reading) -> dict[str, Outline]:
    from cairn.kernel.code.read import outline

    many = reading.workers if reading.workers is not None and len(contents) > MANY else Here()
    found = many.map(lambda file: outline(*file, probe=reading.probe), contents.items())
    return {one.path: one for one in found}


MANY = 150
"""Files; for fewer it is quicker to parse them here than to start other processes."""
_BATCH = 400
"""Files that are held in memory at once."""


def read_outlines(state: State, *, store: Store | None = None, reading: Reading = ALONE) -> dict[str, Outline]:
    """What all files of code define; only those are parsed that differ from what the store remembers."""
    facts = {path: fact for path, fact in state.facts().items() if is_code(path) and (not fact or fact.size < LARGEST)}
    known = {row.path: row for row in store.outlines()} if store else {}
    found = dict(_remembered(known, facts))
    missing = [path for path in facts if path not in found]
    for start in range(0, len(missing), _BATCH):
        found |= outlines_of(state.read(missing[start : start + _BATCH]), reading)
    if store is not None:
        kept = [
            _row(fact, found[path])
            for path in missing
            if path in found and (fact := facts[path]) and _lasts(found[path])
        ]
        gone = [path for path in known if path not in facts]
        if kept or gone:
            store.keep_outlines(kept, gone)
    return found


def _remembered(
    known: Mapping[str, OutlineRow], facts: Mapping[str, FoundFile | None]
) -> Iterator[tuple[str, Outline]]:
    for path, fact in facts.items():
        row = known.get(path)
        if row is not None and fact == row[:4] and (outline := unpack(row.outline)):
            yield path, outline


def _lasts(outline: Outline) -> bool:
    """Not what was read as text for want of a grammar: it may be installed tomorrow."""
    return not (outline.note and outline.language == "text")


def _row(fact: FoundFile, outline: Outline) -> OutlineRow:
    return OutlineRow(fact.path, fact.size, fact.mtime_ns, fact.inode, pack(outline))


def pack(outline: Outline) -> str:
    head = [_PACKED, _reader(), outline.path, outline.language, outline.digest, outline.note]
    symbols = [list(symbol[1:]) for symbol in outline.symbols]
    return json.dumps([*head, symbols], ensure_ascii=False, separators=(",", ":"))


def unpack(text: str) -> Outline | None:
    """None when an older Cairn wrote it."""
    try:
        packed, reader, path, language, digest, note, symbols = json.loads(text)
        if (packed, reader) != (_PACKED, _reader()):
            return None
        return Outline(path, language, tuple(Symbol(path, *symbol) for symbol in symbols), digest, note)
    except (ValueError, TypeError):
        return None


def _reader() -> str:
    import cairn

    return cairn.__version__


# --- the index ------------------------------------------------------------------------------------------------------


class CodeIndex:
    """Made of outlines and of the names of all files. Everything is looked up, nothing is searched for."""

    def __init__(self, outlines: Mapping[str, Outline], paths: Collection[str]) -> None:
        self.outlines = outlines
        self.paths = frozenset(paths)
        self._below: CodeIndex | None = None
        self._own = outlines

    def at(self, outlines: Mapping[str, Outline], *, gone: Collection[str], paths: Collection[str]) -> "CodeIndex":
        """As this one, with some files as they are at another moment, and the names of all files then. Only those
        files are sorted by their names anew."""
        kept = {path: outline for path, outline in self.outlines.items() if path not in gone}
        other = CodeIndex(kept | dict(outlines), paths)
        other._below, other._own = self, outlines
        return other

    def named(self, name: str) -> tuple[Symbol, ...]:
        """Symbols by the last part of their names; flags, keys and targets by all of it. In order of the paths."""
        return _once(sorted(self._named(name), key=lambda symbol: symbol.path))

    def _named(self, name: str) -> Iterator[Symbol]:
        yield from self._by_last.get(name, ())
        if self._below is not None:
            below = self._below._named(name)
            yield from (s for s in below if s.path in self.outlines and s.path not in self._own)

    @cached_property
    def _by_last(self) -> Mapping[str, list[Symbol]]:
        found: dict[str, list[Symbol]] = defaultdict(list)
        for outline in self._own.values():
            for symbol in outline.symbols:
                found[symbol.short].append(symbol)
        return found

    @cached_property
    def files_by_name(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.paths):
            found[posixpath.basename(path)].append(path)
        return {name: tuple(paths) for name, paths in found.items()}

    @cached_property
    def folders(self) -> frozenset[str]:
        return frozenset(parent for path in self.paths for parent in _parents(path))

    @cached_property
    def programs(self) -> frozenset[str]:
        """What the repository itself can be run as: scripts that it installs, its packages, its own files."""
        named = {
            symbol.name.removeprefix(prefix)
            for path, outline in self.outlines.items()
            if posixpath.basename(path) in _PACKAGED
            for symbol in outline.symbols
            for prefix in _SCRIPTS
            if symbol.kind == "key" and symbol.name.startswith(prefix)
        }
        packages = {module_parts(path)[0] for path in self.outlines if path.endswith(".py") and module_parts(path)}
        return frozenset({*named, *packages})

    def symbol(self, path: str, name: str) -> Symbol | None:
        outline = self.outlines.get(path)
        return next((s for s in outline.symbols if s.name == name), None) if outline else None


_PACKAGED = frozenset({"pyproject.toml", "package.json"})
_SCRIPTS = ("project.scripts.", "project.gui-scripts.", "tool.poetry.scripts.", "bin.")


def build_index(state: State, *, store: Store | None = None, reading: Reading = ALONE) -> CodeIndex:
    return CodeIndex(read_outlines(state, store=store, reading=reading), state.facts().keys())


def module_parts(path: str) -> tuple[str, ...]:
    """What a file is imported as: `cairn.app.build` of `src/cairn/app/build.py`."""
    parts = posixpath.splitext(path)[0].split("/")
    if parts[0] in ("src", "lib", "python", "packages") and len(parts) > 1:
        parts = parts[1:]
    return tuple(parts[:-1] if parts[-1] in ("__init__", "index", "mod") else parts)


def _once(symbols: Iterable[Symbol]) -> tuple[Symbol, ...]:
    """Of definitions in one file under one name the first: the others are overloads, or other branches of an `if`. A
    stub of something that is there adds nothing either. Flags stay apart: two commands may each have their own."""
    first: dict[tuple[str, str, str, str], Symbol] = {}
    for symbol in symbols:
        apart = symbol.interface if symbol.kind == "flag" else ""
        first.setdefault((symbol.path, symbol.name, symbol.kind, apart), symbol)
    real = {symbol.name for symbol in first.values() if not symbol.path.endswith(".pyi")}
    return tuple(s for s in first.values() if not s.path.endswith(".pyi") or s.name not in real)


def _parents(path: str) -> Iterator[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path
