"""The knowledge base of a workspace: its corpora, and what a page is in them. Extensions are bound to it."""

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from cairn.core.model.knowledge import Corpus, Layout, corpus_of
from cairn.knowledge.corpora import ROUTES, folders_of, kind_of, suffixes_of

if TYPE_CHECKING:
    from cairn.core.model.knowledge import Entry
    from cairn.knowledge.allowlist import Allowlist
    from cairn.knowledge.read import EntryReading

ALLOWLIST = "docs/knowledge-freshness/authoritative-sources.yaml"
"""Where the hosts stand that may be cited."""


class KnowledgeBase(NamedTuple):
    corpora: tuple[Corpus, ...] = ()
    allowlist: str = ""
    """Text of the list of hosts that may be cited; empty when there is none."""

    def corpus(self, path: str) -> Corpus | None:
        """The corpus that a file belongs to: of nested ones the innermost."""
        return corpus_of(path, self.corpora)

    def has(self, layouts: Collection[str]) -> bool:
        """Whether any corpus is of one of these layouts."""
        return any(corpus.layout in layouts for corpus in self.corpora)

    def layout(self, path: str) -> Layout | None:
        corpus = corpus_of(path, self.corpora)
        return corpus.layout if corpus else None

    def kind(self, path: str) -> str | None:
        corpus = corpus_of(path, self.corpora)
        return kind_of(corpus, path) if corpus else None

    def folders(self) -> tuple[str, ...]:
        """Where its pages may lie, each with a slash at the end; empty means everywhere."""
        each = [folders_of(corpus) for corpus in self.corpora]
        return tuple(folder for folders in each for folder in folders) if all(each) else ()

    def suffixes(self) -> tuple[str, ...]:
        return tuple(sorted({suffix for corpus in self.corpora for suffix in suffixes_of(corpus)}))

    def read(self, path: str, text: str) -> "EntryReading | None":
        """The page, strictly, with everything that is wrong about it; None when it is in no corpus."""
        corpus = corpus_of(path, self.corpora)
        if corpus is None:
            return None
        if kind_of(corpus, path) == ROUTES:
            from cairn.knowledge.routes import read_strict as read
        else:
            from cairn.knowledge.read import read_page as read

        return read(path, text, corpus, allowlist=_allowlist(self.allowlist))

    def entry(self, path: str, frontmatter: Mapping[str, Any]) -> "Entry | None":
        """The page as far as it can be understood, without its text."""
        corpus = corpus_of(path, self.corpora)
        kind = kind_of(corpus, path) if corpus else None
        if corpus is None or kind is None:
            return None
        from cairn.knowledge.read import read_tolerant

        return read_tolerant(path, frontmatter, kind=kind, layout=corpus.layout)

    def routes(self, path: str, text: str) -> "tuple[Entry, ...]":
        """The entries of a list of routes."""
        from cairn.knowledge.routes import read_routes

        return read_routes(path, text).entries

    @property
    def stamp(self) -> str:
        """Changes whenever what is found through it may change."""
        from zlib import crc32  # nobody tries to deceive a stamp, and this loads in no time

        told = repr(tuple(self)).encode("utf-8", "replace")
        return f"{crc32(told):08x}-{len(told)}"


@lru_cache(maxsize=1)
def _allowlist(text: str) -> "Allowlist | None":
    """Parsed once for all pages. A list that is broken allows nothing and forbids nothing; those who edit it hear."""
    if not text:
        return None
    from cairn.errors import CairnError
    from cairn.knowledge.allowlist import parse_allowlist

    try:
        return parse_allowlist(text)
    except CairnError:
        return None
