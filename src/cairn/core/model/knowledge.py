"""Knowledge: corpora with their layouts, and the entry, one model for the pages of every layout."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, NamedTuple


class Volatility(StrEnum):
    """How fast the world behind an entry moves."""

    STABLE = "stable"
    """Patterns and principles: looked at twice a year."""
    EVOLVING = "evolving"
    """Standards and practices: every two months. What an entry is that says nothing."""
    FAST_MOVING = "fast-moving"
    """Interfaces of vendors: every two weeks."""


class EntryStatus(StrEnum):
    """How far an entry is trusted. An entry without one is untracked: served, not judged."""

    DRAFT = "draft"
    """A skeleton of the house; nobody else may write one."""
    ALPHA = "alpha"
    """New, or changed since people vouched for it."""
    BETA = "beta"
    """Confirmed by a few."""
    STABLE = "stable"
    """Confirmed by many, over time."""
    DEPRECATED = "deprecated"
    """Still served, with a warning and where to go instead."""
    QUARANTINED = "quarantined"
    """Not served."""


Confidence = Literal["low", "medium", "high"]

SourceKind = Literal["url", "path"]


class Source(NamedTuple):
    """Where an entry has it from: a page of the web, or a place in the repository."""

    kind: SourceKind
    target: str
    """The url, or the path relative to the repository's root without what follows `#`."""
    anchor: str | None = None
    """Of a url: with its `#`. Of a path: `symbol`, `L10-L20` or a key such as `project.version`, without."""
    retrieved: str | None = None
    """Date of the last look."""
    hash: str | None = None
    """Of the canonical text (`sha256:` and 64 hex digits) as it was when somebody last found the entry right."""
    raw: str | None = None
    """Hash of the bytes, kept beside it."""
    canon: int | None = None
    """Version of the canonicaliser that made `hash`."""
    drifted: str | None = None
    """Day since which the source no longer says what the entry states. `hash` stays until the sentence is edited."""

    @property
    def reference(self) -> str:
        """As it is written: `src/app.py#connect`, `https://example.org/a#b`."""
        if self.anchor is None:
            return self.target
        return self.target + (self.anchor if self.kind == "url" else f"#{self.anchor}")


@dataclass(frozen=True, slots=True)
class Entry:
    path: str
    """Of the file; a virtual one for an entry of a `paths/index.json`."""
    kind: str
    """`entry`, `practice`, `map`, `procedure`, `route` or `decision`."""
    # identity
    name: str
    """What it is called by others; of the layout `nodes` its id."""
    title: str
    summary: str
    """`description` or `summary` on the wire."""
    topics: tuple[str, ...] = ()
    """Topics and tags, as written, each once."""
    # provenance
    derived_from: tuple[str, ...] = ()
    relates_to: tuple[str, ...] = ()
    depends_on: tuple[str, ...] = ()
    confidence: Confidence | None = None
    # freshness
    volatility: Volatility = Volatility.EVOLVING
    last_reviewed: str | None = None
    """ISO date."""
    edition: str | None = None
    """`version-pin`: the edition of the subject that the entry is about."""
    sources: tuple[Source, ...] = ()
    # trust
    status: EntryStatus | None = None
    version: str | None = None
    origin: str | None = None
    version_frozen: bool = False
    """`version_pin`: keep the entry's own version as it is."""
    superseded_by: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    """What else the frontmatter says, untouched."""


class FieldProblem(NamedTuple):
    """One thing that is wrong with an entry, with where and what to do."""

    field: str
    """Dotted, `sources[0].url`; empty when it is about the file as a whole."""
    message: str
    """One sentence that says what is wrong and how to mend it."""
    line: int
    """Of the file, from 1."""
    fix: str = ""
    """What to write instead, where that can be said in a few words."""
    rule: str = "entry-invalid"
    """Id of the analyzer or check that this belongs to."""

    @property
    def mendable(self) -> bool:
        """Whether `mend.py` knows how."""
        return self.rule == "url-fragment" and bool(self.fix)

    @property
    def advice(self) -> str:
        """What to do, as a sentence of its own; empty where the message says it already."""
        if self.mendable:
            return "`cairn freshness validate --fix` does it."
        is_a_line = ":" in self.fix and "`" not in self.fix
        return f"Write `{self.fix}`." if is_a_line and self.fix not in self.message else ""


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
