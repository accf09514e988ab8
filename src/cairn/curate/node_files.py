"""The files of a base of nodes: those that its index is made of, and those that cannot be listed."""

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from cairn.core.isolate import item
from cairn.core.model.knowledge import Corpus, FieldProblem
from cairn.curate.index_document import (
    FOLDER,
    GRAPH_NAME,
    IndexedNode,
    graph_document,
    index_document,
    indexed,
    is_hashed,
    nodes_hash,
)
from cairn.curate.index_document import NAME as INDEX
from cairn.curate.session_candidates import SUMMARY_LONGEST, TITLE_LONGEST
from cairn.curate.tree_documents import ENTRY, tree_documents
from cairn.knowledge.layouts import kind_of
from cairn.knowledge.read import read_strict
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


def why_unlisted(corpus: Corpus, path: str, text: str) -> str:
    """The first thing that keeps a node out of the index; empty if nothing does."""
    found = _wrong(corpus, path, text, parse(text).frontmatter)
    return next((one.message for one in found), "")


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
