"""INDEX.md and GRAPH.md of the bases of nodes: made anew, and whether they are still those of the nodes."""

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from cairn.changes.write import write_file
from cairn.core.isolate import item
from cairn.core.model.knowledge import Corpus, FieldProblem
from cairn.core.ports.application import HasLocks
from cairn.core.ports.runtime import ReadFailed, Settings, WalkRequest
from cairn.curate.index_document import (
    ENTRY,
    FOLDER,
    GRAPH_NAME,
    IndexedNode,
    graph_document,
    index_document,
    indexed,
    is_hashed,
    nodes_hash,
    recorded_hash,
    tree_documents,
)
from cairn.curate.index_document import NAME as INDEX
from cairn.curate.session_candidates import SUMMARY_LONGEST, TITLE_LONGEST
from cairn.errors import EnvironmentProblem
from cairn.knowledge.corpora import kind_of
from cairn.knowledge.ports import KnowledgePorts
from cairn.knowledge.routes import read_strict
from cairn.lib.markdown.frontmatter import decode, parse

DOCUMENTS = (INDEX, GRAPH_NAME)
"""What they are called in every base."""
_LONGEST = {"title": TITLE_LONGEST, "summary": SUMMARY_LONGEST}


class BadFile(NamedTuple):
    """A file that no index can list before somebody fixes it."""

    path: str
    line: int
    message: str


class BaseDocuments(NamedTuple):
    """What a base's documents are, made of its nodes as they are."""

    hash: str
    nodes: int
    texts: Mapping[str, str]
    """By their paths."""
    bad: tuple[BadFile, ...] = ()
    """In order of their paths; the texts are made of the others."""
    unlisted: tuple[str, ...] = ()


def documents_of(corpus: Corpus, contents: Mapping[str, bytes], entry: bytes = b"") -> BaseDocuments:
    """Of all files below `nodes/`, by their paths from the root of the repository. `entry` is the ENTRY.md of a tree as
    it is."""
    inside = {below_nodes(corpus, path): data for path, data in contents.items()}
    hash = nodes_hash(inside, tree=corpus.tree)
    nodes: list[IndexedNode] = []
    bad: list[BadFile] = []
    for path in sorted(contents):
        with item(path):
            if kind_of(corpus, path) is not None:
                node, found = _read(corpus, path, contents[path])
                nodes += [] if found else [node]
                bad += found
    index, graph = paths_of(corpus)
    texts = {graph: graph_document(nodes, hash, tree=corpus.tree)}
    if corpus.tree:
        made = tree_documents(nodes, inside, _written(inside, entry), hash)
        texts |= {posixpath.join(corpus.root, place): text for place, text in made.items()}
    else:
        texts = {index: index_document(nodes, hash), **texts}
    return BaseDocuments(hash, len(nodes), texts, tuple(bad), unlisted(corpus, contents))


def _written(inside: Mapping[str, bytes], entry: bytes) -> dict[str, str]:
    """The documents of a tree as they are, by their places."""
    there = {f"{FOLDER}/{place}": data for place, data in inside.items() if not is_hashed(place, tree=True)}
    return {place: data.decode("utf-8", "replace") for place, data in {ENTRY: entry, **there}.items() if data}


def unlisted(corpus: Corpus, contents: Iterable[str]) -> tuple[str, ...]:
    """Files that count in the hash and are no nodes: they lie in no folder of a kind, so that nobody is led to them."""
    counted = (path for path in contents if is_hashed(path, tree=corpus.tree))
    return tuple(sorted(path for path in counted if kind_of(corpus, path) is None))


def why_no_node(corpus: Corpus) -> str:
    """Of a file below `nodes/` that has no kind."""
    return "its name begins with neither `practice-` nor `map-`" if corpus.tree else "it lies in no folder of a kind"


def paths_of(corpus: Corpus) -> tuple[str, str]:
    """Where the documents of a base lie that say what they were made of."""
    return posixpath.join(corpus.root, ENTRY if corpus.tree else INDEX), posixpath.join(corpus.root, GRAPH_NAME)


def nodes_folder(corpus: Corpus) -> str:
    return posixpath.join(corpus.root, FOLDER)


def below_nodes(corpus: Corpus, path: str) -> str:
    return corpus.inside(path).removeprefix(f"{FOLDER}/")


# --- one file ---------------------------------------------------------------------------------------------------------


def _read(corpus: Corpus, path: str, data: bytes) -> tuple[IndexedNode, list[BadFile]]:
    text, problems, binary = decode(data)
    page = parse(text)
    node = indexed(corpus.inside(path), page.frontmatter, page.body)
    if binary:
        return node, [BadFile(path, problem.line, problem.message) for problem in problems]
    return node, list(_wrong(corpus, path, text, page.frontmatter))


def why_unlisted(corpus: Corpus, path: str, data: bytes) -> str:
    """The first thing that keeps a node out of the index; empty if nothing does."""
    _, found = _read(corpus, path, data)
    return next((one.message for one in found), "")


def too_large(size: int, settings: Settings) -> str:
    """Why a scan leaves a page of this many bytes out, and with it search and `check`; empty if it does not."""
    limit = settings.integer("scan.max_file_size_bytes")
    return f"it has {size:,} bytes, more than scan.max_file_size_bytes ({limit:,}); split it up" if size > limit else ""


def _wrong(corpus: Corpus, path: str, text: str, frontmatter: Mapping[str, Any]) -> Iterator[BadFile]:
    for problem in read_strict(path, text, corpus).errors:
        if not _is_for_lint(problem, frontmatter):
            yield BadFile(path, problem.line, problem.message)


def _is_for_lint(problem: FieldProblem, frontmatter: Mapping[str, Any]) -> bool:
    """A node of another name than its file, and a title or summary that is long, can be listed all the same."""
    longest = _LONGEST.get(problem.field)
    value = frontmatter.get(problem.field)
    is_long = longest is not None and isinstance(value, str) and len(value) > longest
    return problem.rule == "name-mismatch" or is_long


LOCK: Final = "index"
LOCK_TTL_MS: Final = 60_000
_WAIT_MS: Final = 5_000


class IndexPorts(KnowledgePorts, HasLocks, Protocol):
    """What making the documents needs of the application."""


class Base(NamedTuple):
    """One base, and what was done for it."""

    corpus: Corpus
    hash: str
    nodes: int
    was_fresh: bool
    """Both documents said already that they were made of these nodes."""
    documents: tuple[str, ...]
    changed: tuple[str, ...]
    """Documents that are other bytes now, or would be."""
    unlisted: tuple[str, ...] = ()
    """Files below `nodes/` that the hash counts and no document lists, because they lie in no folder of a kind."""


class Rebuilt(NamedTuple):
    bases: tuple[Base, ...] = ()
    bad: tuple[BadFile, ...] = ()
    """Files that could not be listed; the documents are made of the others."""
    staged: tuple[str, ...] = ()

    @property
    def changed(self) -> tuple[str, ...]:
        return tuple(path for base in self.bases for path in base.changed)

    @property
    def problem(self) -> str:
        """Which nodes the index does not list, in a sentence; empty when it lists all."""
        if not self.bad:
            return ""
        files = len({one.path for one in self.bad})
        many = f"{files:,} node" if files == 1 else f"{files:,} nodes"
        return f"the index does not list {many} with errors; `cairn index rebuild` names them"

    def json(self, *, dry_run: bool) -> dict[str, Any]:
        return {
            "bases": [_base_json(base) for base in self.bases],
            "bad": [one._asdict() for one in self.bad],
            "staged": list(self.staged),
            "dryRun": dry_run,
        }


def _base_json(base: Base) -> dict[str, Any]:
    return {
        "corpus": base.corpus.name,
        "root": base.corpus.root,
        "nodesHash": base.hash,
        "nodes": base.nodes,
        "wasFresh": base.was_fresh,
        "documents": [{"path": path, "changed": path in base.changed} for path in base.documents],
        "unlisted": list(base.unlisted),
    }


def bases(ports: IndexPorts) -> tuple[Corpus, ...]:
    """The corpora that have such documents."""
    return tuple(corpus for corpus in ports.corpora if corpus.layout == "nodes")


# --- making -----------------------------------------------------------------------------------------------------------


def rebuild_documents(ports: IndexPorts, *, stage: bool = False, dry_run: bool = False) -> Rebuilt:
    """Of every base; a node with errors is named and left out. With `stage`, a base whose documents fit its
    nodes is left alone, and those that don't are staged. Workspaces without a base have nothing to do."""
    if not bases(ports):
        return Rebuilt()
    if stage and ports.vcs.root() is None:
        raise EnvironmentProblem("This workspace is in no git repository, so nothing can be staged; leave --stage out.")
    if dry_run:
        return _rebuilt(ports, stage=stage, dry_run=True)

    with ports.locks.hold(LOCK, ttl_ms=LOCK_TTL_MS, wait_ms=_WAIT_MS):
        return _rebuilt(ports, stage=stage, dry_run=False)


def _rebuilt(ports: IndexPorts, *, stage: bool, dry_run: bool) -> Rebuilt:
    if stage and not stale_documents(ports):
        return Rebuilt(tuple(_as_it_is(ports, corpus) for corpus in bases(ports)))
    made = [(corpus, *_made(ports, corpus)) for corpus in bases(ports)]
    bad = sorted(one for _, documents, unread in made for one in (*unread, *documents.bad))
    done = tuple(_write(ports, corpus, documents, stage=stage, dry_run=dry_run) for corpus, documents, _ in made)
    staged = [path for base in done if stage and not base.was_fresh for path in base.documents]
    if staged and not dry_run:
        ports.vcs.stage(staged)
    return Rebuilt(done, tuple(bad), tuple(staged))


def _as_it_is(ports: IndexPorts, corpus: Corpus) -> Base:
    """A base whose documents fit: somebody looked at these very nodes when they were made."""
    contents, _ = contents_of(ports, corpus)
    nodes = sum(kind_of(corpus, path) is not None for path in contents)
    there = tuple(path for path in paths_of(corpus) if ports.files.exists(path))
    return Base(corpus, _hash(corpus, contents), nodes, True, there, (), unlisted(corpus, contents))


def _made(ports: IndexPorts, corpus: Corpus) -> tuple[BaseDocuments, list[BadFile]]:
    contents, unread = contents_of(ports, corpus)
    return documents_of(corpus, contents, _bytes(ports, paths_of(corpus)[0]) or b""), unread


def _write(ports: IndexPorts, corpus: Corpus, made: BaseDocuments, *, stage: bool, dry_run: bool) -> Base:
    paths = tuple(made.texts)
    fresh = all(_recorded(ports, path) == made.hash for path in paths_of(corpus))
    if stage and fresh:
        return Base(corpus, made.hash, made.nodes, fresh, paths, (), made.unlisted)
    if dry_run:
        changed = [path for path, text in made.texts.items() if _bytes(ports, path) != text.encode()]
    else:
        changed = [path for path, text in made.texts.items() if write_file(ports.root, path, text)]
    return Base(corpus, made.hash, made.nodes, fresh, paths, tuple(changed), made.unlisted)


# --- reading ----------------------------------------------------------------------------------------------------------


def contents_of(ports: IndexPorts, corpus: Corpus) -> tuple[dict[str, bytes], list[BadFile]]:
    """All files that the hash is made of, and those that can't be read. What git ignores counts as well."""
    folder = nodes_folder(corpus)
    if not ports.files.exists(folder):
        return {}, []
    walk = ports.files.walk(WalkRequest(roots=(folder,), gitignore=False))
    contents: dict[str, bytes] = {}
    unread = [BadFile(one.path, 1, one.message) for one in walk.problems if one.rule == "file-unreadable"]
    for file in walk.files:
        try:
            contents[file.path] = ports.files.read(file.path)[0]
        except ReadFailed as failed:
            unread.append(BadFile(file.path, 1, str(failed)))
    return contents, unread


def _hash(corpus: Corpus, contents: Mapping[str, bytes]) -> str:
    return nodes_hash({below_nodes(corpus, path): data for path, data in contents.items()}, tree=corpus.tree)


def _bytes(ports: IndexPorts, path: str) -> bytes | None:
    try:
        return ports.files.read(path)[0]
    except ReadFailed:
        return None


def _recorded(ports: IndexPorts, path: str) -> str | None:
    data = _bytes(ports, path)
    return None if data is None else recorded_hash(data.decode("utf-8", "replace"))


# --- fresh? -----------------------------------------------------------------------------------------------------------


class Stale(NamedTuple):
    """Documents of one base that are not of its nodes as they are."""

    paths: tuple[str, ...]
    missing: bool
    """They are not there at all."""

    @property
    def why(self) -> str:
        names = " and ".join(self.paths)
        one = len(self.paths) == 1
        if self.missing:
            return f"{names} {'is' if one else 'are'} not there, though there are nodes to list"
        return f"{names} {'was' if one else 'were'} not made of the nodes as they are now"


def stale_documents(ports: IndexPorts) -> list[Stale]:
    """Bases whose documents are not there, or were made of other nodes. Nodes are only hashed for this, not
    understood."""
    return [stale for corpus in bases(ports) if (stale := _stale(ports, corpus)).paths]


def _stale(ports: IndexPorts, corpus: Corpus) -> Stale:
    contents, _ = contents_of(ports, corpus)
    paths = paths_of(corpus)
    there = [path for path in paths if ports.files.exists(path)]
    if not contents and not there:
        return Stale((), missing=True)
    hash = _hash(corpus, contents)
    stale = tuple(path for path in paths if _recorded(ports, path) != hash)
    return Stale(stale, missing=not any(path in there for path in stale))


# --- in a change ------------------------------------------------------------------------------------------------------


def documents_with(ports: IndexPorts, base: str, texts: Mapping[str, str]) -> dict[str, str]:
    """The documents as they will be when these pages are in the tree of a commit. None of a base that has no documents
    there, or stays as it is."""
    found: dict[str, str] = {}
    for corpus in bases(ports):
        if any(path.startswith(f"{nodes_folder(corpus)}/") for path in texts):
            found |= _with(ports, corpus, base, texts)
    return found


def _with(ports: IndexPorts, corpus: Corpus, base: str, texts: Mapping[str, str]) -> Mapping[str, str]:
    known = ports.vcs.files(base)
    if not set(paths_of(corpus)) <= set(known):
        return {}
    folder = f"{nodes_folder(corpus)}/"
    contents = _at(ports, base, [path for path in known if path.startswith(folder) and path.endswith(".md")])
    own = {path: text.encode("utf-8", "surrogateescape") for path, text in texts.items() if path.startswith(folder)}
    entry = _at(ports, base, [paths_of(corpus)[0]]).get(paths_of(corpus)[0], b"")
    return documents_of(corpus, {**contents, **own}, entry).texts


def _at(ports: IndexPorts, base: str, paths: Sequence[str]) -> dict[str, bytes]:
    found = ports.vcs.show([(base, path) for path in paths])
    return {path: data for path, data in zip(paths, found, strict=True) if data is not None}
