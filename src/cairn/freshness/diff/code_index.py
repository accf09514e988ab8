"""Every name that the repository defines at one moment, and which files define it."""

import json
import posixpath
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from cairn.core.ports.files import FoundFile
from cairn.core.ports.rows import OutlineRow
from cairn.core.ports.store import Store
from cairn.core.ports.workers import Here, Workers
from cairn.freshness.states import LARGEST, State
from cairn.lib.code.model import Outline, Probe, Symbol

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


# --- outlines -------------------------------------------------------------------------------------------------------


class Reading(NamedTuple):
    """What helps to read code; nothing of it must be there."""

    probe: Probe | None = None
    workers: Workers | None = None


ALONE = Reading()


def outlines_of(contents: Mapping[str, bytes], reading: Reading = ALONE) -> dict[str, Outline]:
    """What these files define."""
    from cairn.lib.code.read import outline

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
        self.paths = paths

    @cached_property
    def files_by_name(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.paths):
            found[posixpath.basename(path)].append(path)
        return {name: tuple(paths) for name, paths in found.items()}


def build_index(state: State, *, store: Store | None = None, reading: Reading = ALONE) -> CodeIndex:
    return CodeIndex(read_outlines(state, store=store, reading=reading), state.facts().keys())
