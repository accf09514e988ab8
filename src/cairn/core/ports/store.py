"""The store: the graph of the last scan, what is kept beside it, and one transaction in which a scan replaces it.

Tables named `scan_*` can be dropped and rebuilt from the files; `state_*` is kept.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from cairn.core.model.graph import Emitters, Link, Node, Rejection, Triple
from cairn.core.model.issue import Issue
from cairn.core.ports.graph import (
    Appearance,
    ContributionRow,
    Degree,
    EnrichmentRow,
    GraphView,
    IssueCount,
    LinkTarget,
    MissingNode,
    NameRow,
    NodeRow,
    Orphan,
    OutlineRow,
    Rename,
    ScoreRow,
    SharedName,
    StoredNode,
    TagRow,
    TextRow,
    VirtualRow,
)
from cairn.core.ports.ledger import LedgerIndex
from cairn.core.ports.runtime import FoundFile

if TYPE_CHECKING:
    from cairn.core.ports.jobs import JobStore
    from cairn.core.ports.observe import FindingStore, GapStore
    from cairn.core.ports.search import Term, TextFilter, TextHit, TextQuery, UsageStore, VectorStore
    from cairn.core.ports.sources import SourceStore
    from cairn.core.ports.trust import TrustStore
    from cairn.core.ports.turns import TurnStore


class ScanSession(Protocol):
    """One write transaction. Leaving it normally commits everything at once, an exception leaves what was there."""

    def abandon(self) -> None:
        """Leave everything as it was when this transaction ends."""
        ...

    # what is there
    def meta(self) -> Mapping[str, Any]: ...
    def facts(self) -> set[tuple[str, int, int, int]]:
        """Of every file that was read or set aside: the values of a `FoundFile`, which is equal to them. Plain, because
        every scan compares all of them."""
        ...

    def ids(self, paths: Collection[str]) -> dict[str, int]: ...
    def paths(self, ids: Collection[int]) -> set[str]: ...
    def last_id(self) -> int:
        """The highest id of nodes ever given out; the caller counts on from there."""
        ...

    def last_text_id(self) -> int: ...
    def gone(self, paths: Collection[str]) -> list[MissingNode]: ...
    def stored(self, ids: Collection[int] | None = None) -> Iterator[StoredNode]:
        """Signals of these nodes, or of all, virtual ones left out."""
        ...

    def rows(self, ids: Collection[int] | None = None) -> Iterator[NodeRow]: ...
    def targets(self, paths: Collection[str] | None = None) -> list[LinkTarget]:
        """Visible nodes by path, or all."""
        ...

    def named(self, names: Collection[str] | None = None) -> list[tuple[str, LinkTarget]]:
        """(name, node) in order of path; all names when None."""
        ...

    def names_by_node(self, ids: Collection[int]) -> dict[int, set[str]]: ...
    def linkers(self, *, paths: Collection[str], names: Collection[str]) -> set[int]:
        """Sources of links whose target is one of these paths or whose lookup key is one of these names."""
        ...

    def loose_targets(self) -> list[tuple[str, str | None, str]]:
        """(target, key, state) of path-style links that point at no node, each once."""
        ...

    def living(self, ids: Collection[int]) -> set[int]:
        """Those of these ids that are still nodes."""
        ...

    def virtual_rows(self) -> list[NodeRow]: ...
    def neighbours(self, ids: Collection[int]) -> set[int]:
        """The other ends of links into and out of these nodes."""
        ...

    def resolved_from(self, ids: Collection[int]) -> set[int]:
        """Nodes that links out of these resolve to."""
        ...

    def virtuals(self) -> list[tuple[str, str, str, str, str]]:
        """(path, kind, provider, title, path of the file) of every implied virtual node, in order."""
        ...

    # writing
    def extractor_set(self, extractors: Sequence[str]) -> int: ...
    def extractor_sets(self) -> dict[int, tuple[str, ...]]: ...
    def nodes_with_set(self, set_id: int) -> list[tuple[int, str, str]]:
        """(id, path, claims) of the nodes whose signals came from this set."""
        ...

    def refit(self, id: int, gone: Collection[str], signals: str, set_id: int) -> None:
        """Take the contributions and enrichments of these extractors (qualified) out of a node, and let it have these
        packed signals."""
        ...

    def put_nodes(self, rows: Sequence[NodeRow]) -> None:
        """Insert, or replace the rows with the same id; what hangs on them is left to the other calls."""
        ...

    def forget_details(self, ids: Collection[int]) -> None:
        """Drop signals, names, tags, contributions, enrichments, virtuals and kernel issues of these nodes."""
        ...

    def emitters(self, pairs: Iterable[tuple[str, str]] = ()) -> Emitters:
        """The numbers by which packed signals name (extractor, kind); these pairs among them."""
        ...

    def put_signals(self, rows: Sequence[tuple[int, str]]) -> None:
        """(id, packed signals)."""
        ...

    def put_names(self, rows: Sequence[NameRow]) -> None: ...
    def put_tags(self, rows: Sequence[TagRow]) -> None: ...
    def put_contributions(self, rows: Sequence[ContributionRow]) -> None: ...
    def put_enrichments(self, rows: Sequence[EnrichmentRow]) -> None: ...
    def put_virtuals(self, rows: Sequence[VirtualRow]) -> None: ...
    def put_texts(self, rows: Sequence[TextRow]) -> None: ...
    def clear_texts(self) -> None: ...
    def text_counts(self) -> tuple[int, int]:
        """(rows in the full-text index, of them current)."""
        ...

    def set_claims(self, rows: Sequence[tuple[int, str]]) -> None: ...
    def set_severity(self, rules: Collection[str], severity: str) -> None:
        """Of the kernel's own issues."""
        ...

    def set_appearances(self, rows: Sequence[Appearance]) -> None: ...
    def replace_names(self, ids: Collection[int], rows: Sequence[NameRow]) -> None: ...
    def touch(self, rows: Sequence[FoundFile]) -> None:
        """New facts of files whose content is the same."""
        ...

    def drop_nodes(self, ids: Collection[int]) -> None:
        """The nodes with all that hangs on them, links out included; links that pointed at them stay, unresolved."""
        ...

    def set_aside(self, rows: Sequence[tuple[FoundFile, str]]) -> None:
        """Files that were not taken (too large, not text), with the rule, so that they are not read again."""
        ...

    def set_aside_paths(self) -> dict[str, str]: ...
    def drop_aside(self, paths: Collection[str]) -> None: ...
    def put_links(self, sources: Collection[int], rows: Sequence[tuple[Any, ...]]) -> None:
        """Replace all links out of these nodes; the rows have the values of a `LinkRow`."""
        ...

    def put_rejections(self, sources: Collection[int], rows: Sequence[tuple[int, str]]) -> None:
        """(id, packed rejections)."""
        ...

    def put_external_refs(self, rows: Sequence[tuple[int, str | None, int]]) -> None:
        """(id, JSON, count)."""
        ...

    def settle(self, ids: Collection[int] | None) -> None:
        """Count links in and out anew for these nodes, or for all."""
        ...

    def put_scores(self, focus: Collection[int] | None, rows: Sequence[ScoreRow]) -> None:
        """Replace the scores of links out of these nodes and set the confidence of the links they are about."""
        ...

    def put_issues(self, extension: str, focus: Collection[str] | None, issues: Sequence[Issue]) -> set[str]:
        """Replace the issues of an analyzer (qualified id) that are shown at these paths, or all of them; the paths
        that any changed issue names."""
        ...

    def add_issues(self, issues: Sequence[Issue]) -> None:
        """Issues of the kernel itself."""
        ...

    def drop_issues(self, *, rules: Collection[str], paths: Collection[str] | None = None) -> None:
        """Of these extensions (qualified) or rules of the kernel, everywhere or as shown at these paths."""
        ...

    def issue_analyzers(self) -> set[str]:
        """Qualified ids of the analyzers that have issues; the kernel's own rules are not among them."""
        ...

    def replace_contributions(
        self, extension: str, focus: Collection[int] | None, rows: Sequence[ContributionRow]
    ) -> None: ...
    def drop_contributions(self, *, keep: Collection[str]) -> None:
        """Contributions of extensions that are not among these."""
        ...

    def set_meta(self, values: Mapping[str, Any]) -> None: ...
    def clear(self) -> None:
        """Drop everything derived from files."""
        ...

    # kept state
    def record_renames(self, renames: Sequence[Rename]) -> None: ...
    def move_state(self, old: str, new: str) -> int:
        """Hang kept state of one path on another; how many rows moved."""
        ...

    def record_orphans(self, orphans: Sequence[Orphan]) -> None: ...
    def forget_orphans(self, paths: Collection[str]) -> int: ...
    def forget_rename(self, id: str) -> None: ...

    # for analyzers: limited to these nodes, or everything for None
    def focus(self, ids: Collection[int] | None) -> "FocusView": ...


class FocusView(Protocol):
    """Aggregate questions of analyzers, answered over the nodes in focus."""

    def nodes(self, mentioning: str | None = None) -> Iterator[Node]:
        """All, or those whose frontmatter, as JSON, has this text somewhere."""
        ...

    def links(self, state: str | None) -> Iterator[Link]: ...
    def self_links(self) -> Iterator[Link]: ...
    def mixed_links(self) -> Iterator[tuple[str, str, tuple[Link, ...]]]: ...
    def repeated_links(self) -> Iterator[tuple[str, str, tuple[Link, ...]]]: ...
    def links_to(self, targets: Iterable[str]) -> Iterator[Link]: ...
    def rejections(self) -> Iterator[tuple[str, Rejection]]: ...
    def shared_names(self, origin: str = "name") -> Iterator[SharedName]: ...
    def facts(self, extractor: str) -> Iterator[tuple[str, Mapping[str, Any]]]: ...
    def reserved(self) -> frozenset[str]: ...
    def degrees(self) -> Iterator[Degree]: ...
    def issue_counts(self) -> Iterator[IssueCount]: ...
    def graph(self) -> GraphView: ...


class Store(GraphView, LedgerIndex, Protocol):
    """Everything that is kept. Opening applies migrations; a newer or damaged database is refused."""

    def scan(self) -> AbstractContextManager[ScanSession]: ...
    def writing(self) -> AbstractContextManager[None]:
        """One transaction around several calls that write: all of them or none. Within another it is part of that."""
        ...

    def roomy(self) -> AbstractContextManager[None]:
        """With more memory than usual, for reading much into it."""
        ...

    def meta(self) -> Mapping[str, Any]: ...
    def file_facts(self) -> set[tuple[str, int, int, int]]:
        """What `ScanSession.facts` says, for somebody who only looks and waits for no writer."""
        ...

    def counts(self) -> Mapping[str, int]:
        """`nodes`, of which some are `documents` and some `urls`; `links`, `errors`, `warnings`, `infos`."""
        ...

    def kinds(self) -> Mapping[str, int]: ...
    def scores(self, path: str) -> list[ScoreRow]:
        """Every operation on the confidence of links out of a node."""
        ...

    def enrichments(self, path: str) -> Mapping[str, Any]: ...
    def keep_tokens(self, path: str, tokens: Triple) -> None: ...

    # full text, see `cairn.core.ports.search.TextIndex`
    def text_total(self) -> int: ...
    def text_frequency(
        self, term: "Term", *, at_most: int, titled: bool = False, beside: "tuple[Term, ...]" = ()
    ) -> int: ...
    def search(self, query: "TextQuery", wanted: "TextFilter", limit: int) -> "list[TextHit]": ...
    def texts_at(self, paths: Sequence[str], wanted: "TextFilter") -> "list[TextHit]": ...
    def tag_counts(self) -> dict[str, int]: ...

    def renames(self) -> list[Rename]: ...
    def orphans(self) -> list[Orphan]: ...

    # what can be made again at a price
    def outlines(self) -> Iterator[OutlineRow]: ...
    def keep_outlines(self, rows: Sequence[OutlineRow], gone: Collection[str] = ()) -> None:
        """Replace the outlines of these files, and drop those of files that are gone."""
        ...

    def cached(self, name: str, stamp: str) -> str | None:
        """A result that was kept under this name, if it was computed from what the stamp stands for."""
        ...

    def keep_cached(self, name: str, stamp: str, body: str) -> None:
        """Replace the result of this name."""
        ...

    @property
    def web(self) -> "SourceStore":
        """What is remembered about sources on the web."""
        ...

    @property
    def turns(self) -> "TurnStore":
        """Turns, notes and alerts, as far as the ledger was indexed."""
        ...

    @property
    def findings(self) -> "FindingStore":
        """What the lenses of the last audits found."""
        ...

    @property
    def gaps(self) -> "GapStore":
        """Topics that were missed, as far as the ledger was indexed."""
        ...

    @property
    def usage(self) -> "UsageStore":
        """How often pages are read, as far as the ledger was indexed."""
        ...

    @property
    def vectors(self) -> "VectorStore":
        """What pages mean, where the operator wants to know."""
        ...

    @property
    def jobs(self) -> "JobStore":
        """Questions that wait for a reader, and what became of them."""
        ...

    @property
    def trust(self) -> "TrustStore":
        """Artefacts and ballots, as far as the ledger was indexed."""
        ...

    # care
    def check(self) -> list[str]:
        """Sentences about what is wrong with the database; empty when nothing is."""
        ...

    def reset(self, *, state: bool) -> None:
        """Empty `scan_*`, and with `state` everything else too."""
        ...

    def dump(self) -> Iterator[str]:
        """SQL text that rebuilds the kept zones."""
        ...

    def backup(self, target: str) -> None: ...
    def close(self) -> None: ...


class SchemaStep(NamedTuple):
    """One migration."""

    version: int
    name: str


class Shell(NamedTuple):
    """A program that talks to the database; what is secret travels in the environment."""

    command: tuple[str, ...]
    environment: Mapping[str, str]


class Keeper(Protocol):
    @property
    def label(self) -> str:
        """Where the database is, as a person may read it: no password in it."""
        ...

    @property
    def suffix(self) -> str:
        """Of the names of its backups."""
        ...

    def exists(self) -> bool: ...
    def version(self) -> int:
        """Of its schema; 0 when there is no database yet."""
        ...

    def steps(self) -> Sequence[SchemaStep]:
        """Every migration that this program knows, in order."""
        ...

    def open(self) -> Store:
        """Makes it when it is missing, migrates it when it is old."""
        ...

    def inspect(self, backup: Path) -> int:
        """The schema of a backup; one that is damaged, newer or no backup at all is refused."""
        ...

    def restore(self, backup: Path) -> str | None:
        """Put a backup in the place of the database; where that is kept now, if there was one."""
        ...

    def erase(self) -> list[str]:
        """Take the database away, sound or not; what was removed."""
        ...

    def parts(self) -> list[str]:
        """What `erase` would remove."""
        ...

    def shell(self) -> Shell: ...
