"""A corpus: a folder of knowledge and the layout of its pages."""

from typing import Literal, NamedTuple

Layout = Literal["entries", "nodes", "artefacts", "plain"]
LAYOUTS: tuple[Layout, ...] = ("entries", "nodes", "artefacts", "plain")

KINDS = ("entry", "practice", "map", "procedure", "route", "decision")


class Corpus(NamedTuple):
    name: str
    """Its key in the settings."""
    root: str
    """Folder relative to the repository, without a slash at the end; empty is the repository itself."""
    layout: Layout
    required_sections: tuple[str, ...] | None = None
    """Headings that each page must have; None leaves it to the house, and empty means none at all."""
    tree: bool = False
    """The layout `nodes` in its second form: folders by topic, of any depth, below `nodes/`; an `ENTRY.md` at the root,
    and an `index.md` in each folder."""

    def holds(self, path: str) -> bool:
        return not self.root or path.startswith(f"{self.root}/")

    def inside(self, path: str) -> str:
        """The path as it is below the corpus's root."""
        return path[len(self.root) + 1 :] if self.root else path


def corpus_of(path: str, corpora: tuple[Corpus, ...]) -> Corpus | None:
    """The corpus that a file belongs to: of nested ones the innermost."""
    return max((c for c in corpora if c.holds(path)), key=lambda c: len(c.root), default=None)


def category_of(corpus: Corpus, path: str) -> str:
    """The folder below the corpus's root; pages that lie in the root itself are in none."""
    inside = corpus.inside(path)
    return inside.split("/")[0] if "/" in inside else "(none)"
