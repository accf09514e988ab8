"""Searching the store: words, vectors of meaning, and how often pages are read."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import pow
from typing import Final, NamedTuple, Protocol

from cairn.core.ports.graph import NodeFilter


class Term(NamedTuple):
    """Something to look for: any of its spellings. A spelling of several words is a phrase, in this order."""

    spellings: tuple[tuple[str, ...], ...]
    prefix: bool = False
    """The last word of each spelling may go on."""


class TextQuery(NamedTuple):
    """Nodes that hold every one of `every`, one of `any` (if there are some), and none of `none`."""

    every: tuple[Term, ...] = ()
    any: tuple[Term, ...] = ()
    none: tuple[Term, ...] = ()
    titled: bool = False
    """Only what stands in paths, titles, summaries, tags and headings counts."""


class TextFilter(NamedTuple):
    """Which nodes are asked at all; empty fields don't restrict."""

    nodes: NodeFilter = NodeFilter()
    """Sort, limit and offset don't count here."""
    types: tuple[str, ...] = ()
    """`type` of the frontmatter, or the kind."""
    statuses: tuple[str, ...] = ()
    """`status` of the frontmatter."""


class TextHit(NamedTuple):
    path: str
    kind: str
    provider: str
    title: str
    description: str
    frontmatter: str
    """JSON."""
    score: float
    """Higher is better; says nothing across two queries or two databases."""


class TextIndex(Protocol):
    def text_total(self) -> int:
        """How many nodes are searched by their text; of thousands about how many."""
        ...

    def text_frequency(self, term: Term, *, at_most: int, titled: bool = False, beside: tuple[Term, ...] = ()) -> int:
        """In how many texts it occurs, counted no further than that; of thousands about how many. What is left out by
        scope counts where nothing else has it. `titled`: in paths, titles, summaries, tags and headings. `beside`: in
        texts that have one of these, too."""
        ...

    def search(self, query: TextQuery, wanted: TextFilter, limit: int) -> list[TextHit]:
        """Best first, those of the same score by path. What was changed or removed since is not found by what it
        once said."""
        ...

    def texts_at(self, paths: Sequence[str], wanted: TextFilter) -> list[TextHit]:
        """Those of these nodes that pass the filter, in the order of paths, whatever they say."""
        ...

    def tag_counts(self) -> dict[str, int]:
        """Every tag, with how many nodes carry it."""
        ...


class PageToEmbed(NamedTuple):
    """A page that has no vector of some model."""

    path: str
    title: str
    description: str
    body_hash: bytes
    frontmatter_hash: bytes


class VectorRow(NamedTuple):
    body_hash: bytes
    frontmatter_hash: bytes
    vector: bytes


class VectorStore(Protocol):
    def missing(self, model: str, limit: int) -> list[PageToEmbed]:
        """In the order of paths."""
        ...

    def count_missing(self, model: str) -> int: ...

    def keep(self, model: str, rows: Sequence[VectorRow]) -> None: ...

    def tidy(self, model: str) -> int:
        """Drop what no page needs any more, and what other models made; how many."""
        ...

    def all(self, model: str, limit: int) -> Iterator[tuple[str, bytes]]:
        """(path, vector)."""
        ...


Vector = Sequence[float]


class Embedder(Protocol):
    @property
    def id(self) -> str:
        """Which model this is; vectors of another one cannot be compared with its own."""
        ...

    @property
    def at_once(self) -> int:
        """So many texts it makes vectors of without anybody having to wait for long."""
        ...

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One for each text, in order. Raises a sentence of the environment when it cannot."""
        ...


DAY_MS: Final = 86_400_000
HALF_LIFE_DAYS: Final = 30
"""After so many days a reading counts half."""


class PageRead(NamedTuple):
    """Somebody read a page. Twice on one day is once: an agent that reads a page again and again needs it no more than
    one that remembers."""

    path: str
    reader: str
    """A session, or the work tree where none is known."""
    at_ms: int


class PageUse(NamedTuple):
    reads: int
    """By different readers, or on different days."""
    last_ms: int
    days: tuple[tuple[int, int], ...] = ()
    """(day since 1970, readings), in order."""

    def lately(self, now_ms: int) -> float:
        """Readings, each worth the less the longer it is ago."""
        today = now_ms // DAY_MS
        return sum(reads * pow(0.5, max(0, today - day) / HALF_LIFE_DAYS) for day, reads in self.days)


class UsageStore(Protocol):
    def add(self, readings: Iterable[PageRead]) -> None:
        """One that is there already, or an order that is another one, changes nothing."""
        ...

    def readers(self, paths: Sequence[str], since_ms: int) -> list[tuple[str, str, int]]:
        """(path, reader, time) of these pages, the oldest first."""
        ...

    def has_reader(self, reader: str) -> bool:
        """Whether they read any page."""
        ...

    def counts(self, paths: Sequence[str]) -> Mapping[str, PageUse]:
        """Of those that anybody read. What was read under the name that a page had before it was moved counts too."""
        ...
