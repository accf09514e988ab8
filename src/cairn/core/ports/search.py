"""Full-text search: which nodes hold these words, best first, as the index of the last scan has it."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

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
