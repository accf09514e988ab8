"""Finds declared sources that changed or are gone since the last review, with an index of the names in the code."""

import json
import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from cairn.core.isolate import item
from cairn.core.model.issue import Fix, Issue, Severity
from cairn.core.model.knowledge import Source, corpus_of
from cairn.core.ports.graph import OutlineRow
from cairn.core.ports.runtime import Files, FoundFile, Here, Workers
from cairn.core.ports.store import Store
from cairn.core.ports.vcs import Commit, Vcs
from cairn.freshness.path_sources import DeclaredSource, SourcePlace, declared_by_lock, declared_in, line_of, look
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.states import LARGEST, RepositoryState, WorkTree
from cairn.knowledge.corpora import knowledge_nodes
from cairn.knowledge.lockfile import Lock, read_locks
from cairn.lib.code.anchor import AnchorPlace, find_symbols
from cairn.lib.code.model import Outline, Probe, Symbol
from cairn.lib.text.parse_json import parse_json

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


class CodeReader(NamedTuple):
    """What helps to read code; nothing of it must be there."""

    probe: Probe | None = None
    workers: Workers | None = None


ALONE = CodeReader()


def outlines_of(contents: Mapping[str, bytes], reading: CodeReader = ALONE) -> dict[str, Outline]:
    """What these files define."""
    from cairn.lib.code.read import outline

    many = reading.workers if reading.workers is not None and len(contents) > MANY else Here()
    found = many.map(lambda file: outline(*file, probe=reading.probe), contents.items())
    return {one.path: one for one in found}


MANY = 150
"""Files; for fewer it is quicker to parse them here than to start other processes."""
_BATCH = 400
"""Files that are held in memory at once."""


def read_outlines(
    state: RepositoryState, *, store: Store | None = None, reading: CodeReader = ALONE
) -> dict[str, Outline]:
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
        packed, reader, path, language, digest, note, symbols = parse_json(text)
        if (packed, reader) != (_PACKED, _reader()):
            return None
        return Outline(path, language, tuple(Symbol(path, *symbol) for symbol in symbols), digest, note)
    except (ValueError, TypeError):
        return None


def _reader() -> str:
    from cairn.version import __version__

    return __version__


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


def build_index(state: RepositoryState, *, store: Store | None = None, reading: CodeReader = ALONE) -> CodeIndex:
    return CodeIndex(read_outlines(state, store=store, reading=reading), state.facts().keys())


CHANGED, MISSING, UNHASHED, UNREAD = "source-changed", "source-missing", "source-unhashed", "source-unread"


class EarlierSource(NamedTuple):
    """A source as it was at an earlier commit."""

    commit: Commit
    outline: Outline
    place: AnchorPlace


class DriftContext(NamedTuple):
    """What is needed to look at sources, and to find out what became of them."""

    files: Files
    vcs: Vcs
    everything: Callable[[], CodeIndex]
    """All that the repository defines; asked for only when something is gone."""
    probe: Probe | None = None


def drift(declared: Iterable[DeclaredSource], around: DriftContext) -> list[Issue]:
    """One issue for each declared source that is not as it was, in order of the documents."""
    listed = list(declared)
    contents = WorkTree(around.files).read({one.source.target for one in listed})
    places = look({one.source for one in listed}, contents, around.probe)
    pages = WorkTree(around.files).read({one.document for one in listed if _differs(one.source, places[one.source])})
    found = []
    for one in sorted(listed, key=lambda one: (one.document, one.at)):
        if _differs(one.source, places[one.source]):
            with item(f"{one.document}: {one.source.reference}"):
                line = line_of(pages.get(one.document, b"").decode("utf-8", "replace"), one.source)
                found.append(_issue(one, places[one.source], around)._replace(line=line))
    return found


def _differs(source: Source, now: SourcePlace) -> bool:
    return now.place is None or source.hash is None or source.hash != now.place.digest


def _issue(declared: DeclaredSource, now: SourcePlace, around: DriftContext) -> Issue:
    source = declared.source
    if now.unread:
        return _unread(declared, now.unread)
    if now.place is None:
        return _missing(declared, now, around)
    if source.hash is None:
        message = f"The source {source.reference} was never stamped, so a change of it goes unnoticed."
        fix = f"Read it, then run `cairn freshness stamp {declared.document}`."
        return _made(declared, UNHASHED, Severity.INFO, message, fix)
    past = find_past(source, around)
    if past is None and now.place.note:
        return _unread(declared, now.place.note)
    message = f"The source {source.reference} is not what it was{_since(past)}{_what(past, now.place)}."
    fix = f"Read the page again; if it is still right, run `cairn freshness stamp {declared.document}`."
    return _made(declared, CHANGED, Severity.WARN, message, fix)


def _unread(declared: DeclaredSource, note: str) -> Issue:
    """Read as text, a file has another hash than the one that was stamped, whether it changed or not."""
    message = f"The source {declared.source.reference} was not compared. {note}"
    return _made(declared, UNREAD, Severity.WARN, message, "See that the file can be read, then check again.")


def _made(declared: DeclaredSource, rule: str, severity: Severity, message: str, fix: str) -> Issue:
    data = {"target": declared.source.reference}
    return Issue(rule, severity, (declared.document,), message, fix=Fix(fix), data=data)


# --- what was -------------------------------------------------------------------------------------------------------


def find_past(source: Source, around: DriftContext) -> EarlierSource | None:
    """The newest commit at which a source was what its hash says."""
    from cairn.lib.code.anchor import locate
    from cairn.lib.code.read import outline

    commits = around.vcs.versions(source.target)
    contents = around.vcs.show([(one.id, source.target) for one in commits])
    for commit, data in zip(commits, contents, strict=True):
        if data is not None:
            then = outline(source.target, data, around.probe)
            place = locate(then, data, source.anchor)
            if place is not None and (source.hash is None or place.digest == source.hash):
                return EarlierSource(commit, then, place)
    return None


def _since(past: EarlierSource | None) -> str:
    if past is None:
        return " when it was last stamped"
    return f" at {past.commit.short} of {past.commit.date}"


def _what(past: EarlierSource | None, now: AnchorPlace) -> str:
    if past is None or past.place.shown == now.shown:
        return ""
    return f": `{past.place.shown}` is now `{now.shown}`"


# --- what is gone ---------------------------------------------------------------------------------------------------


def _missing(declared: DeclaredSource, now: SourcePlace, around: DriftContext) -> Issue:
    source = declared.source
    if now.outline is None:
        moved = _file_elsewhere(source, around)
        message = f"The source {source.target} is gone{f'; it may be {moved} now' if moved else ''}."
    else:
        moved = _symbol_elsewhere(source, around)
        message = f"There is no `{source.anchor}` in {source.target}{f'; it is now {moved}' if moved else ''}."
    fix = f"Write `path: {moved}` instead." if moved else "Name what the page relies on now, or take the source out."
    return _made(declared, MISSING, Severity.ERROR, message, fix)


def _file_elsewhere(source: Source, around: DriftContext) -> str:
    """The one file that defines the same, else the one of the same name."""
    index = around.everything()
    past = find_past(source._replace(anchor=None, hash=None), around)
    same = [path for path, outline in index.outlines.items() if past and outline.digest == past.outline.digest]
    named = index.files_by_name.get(posixpath.basename(source.target), ())
    for found in (same, named):
        if len(found) == 1:
            return _spelled(found[0], source.anchor)
    return _symbol_elsewhere(source, around) if source.anchor else ""


def _symbol_elsewhere(source: Source, around: DriftContext) -> str:
    from cairn.lib.code.anchor import same_elsewhere

    past = find_past(source, around) or find_past(source._replace(hash=None), around)
    old = find_symbols(past.outline, source.anchor or "") if past else ()
    found = same_elsewhere(old[0], around.everything().outlines.values()) if old else None
    return found.reference if found else ""


def _spelled(path: str, anchor: str | None) -> str:
    return f"{path}#{anchor}" if anchor else path


def worst_first(issues: Iterable[Issue]) -> Sequence[Issue]:
    order = list(Severity)
    return sorted(issues, key=lambda i: (order.index(i.severity), i.path, i.line or 0, i.analyzer, i.message))


def drift_issues(ports: FreshnessPorts) -> list[Issue]:
    """Computed here and now; a workspace without declared path sources pays nothing for it."""
    locks, broken = read_locks(ports.files, ports.corpora)
    found = list(declared_sources(ports, locks))
    drifted = (
        drift(found, DriftContext(ports.files, ports.vcs, lambda: code_index(ports), ports.probe)) if found else []
    )
    return [*broken, *drifted]


def code_index(ports: FreshnessPorts) -> CodeIndex:
    """Everything that the files of the repository define now."""
    return build_index(WorkTree(ports.files), store=ports.store, reading=_reading(ports))


def _reading(ports: FreshnessPorts) -> CodeReader:
    return CodeReader(ports.probe, ports.workers)


def declared_sources(ports: FreshnessPorts, locks: Mapping[str, Lock]) -> Iterator[DeclaredSource]:
    """In the pages, and in the lock files of corpora whose pages stay untouched."""
    for node in knowledge_nodes(ports.store, ports.corpora):
        corpus = corpus_of(node.path, ports.corpora)
        if corpus is not None and corpus.name in locks:
            record = locks[corpus.name].pages.get(corpus.inside(node.path))
            yield from declared_by_lock(node.path, node.frontmatter, record)
        else:
            yield from declared_in(node.path, node.frontmatter)
