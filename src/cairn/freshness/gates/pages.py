"""The pages of knowledge that a change touches, as they were and as they would be."""

from collections.abc import Iterator
from typing import NamedTuple

from cairn.changes.gate import GateContext
from cairn.core.model.change import ChangeSet
from cairn.core.model.knowledge import Corpus, Entry, corpus_of
from cairn.knowledge.layouts import ROUTES, kind_of
from cairn.knowledge.read import take_entry
from cairn.lib.markdown.frontmatter import ParsedFile, decode, parse


class Side(NamedTuple):
    """A page at one moment."""

    parsed: ParsedFile
    entry: Entry | None
    """As far as it can be understood."""


class Touched(NamedTuple):
    path: str
    corpus: Corpus
    kind: str
    old: Side | None
    """None when the page is new."""
    new: Side | None
    """None when it goes."""


def touched_pages(change: ChangeSet, around: GateContext) -> Iterator[Touched]:
    """Those of the layouts that Cairn has rules for; what lies elsewhere is nobody's page."""
    for edit in change.edits:
        corpus = corpus_of(edit.path, around.corpora)
        kind = kind_of(corpus, edit.path) if corpus else None
        if corpus is None or kind is None or kind == ROUTES or corpus.layout == "plain":
            continue
        old = _side(around.base(edit.path), edit.path, corpus, kind)
        yield Touched(edit.path, corpus, kind, old, _side(edit.content, edit.path, corpus, kind))


def _side(data: bytes | None, path: str, corpus: Corpus, kind: str) -> Side | None:
    if data is None:
        return None
    parsed = parse(decode(data).text)
    entry = take_entry(path, parsed.frontmatter, kind=kind, layout=corpus.layout, body=parsed.body)
    return Side(parsed, entry)
