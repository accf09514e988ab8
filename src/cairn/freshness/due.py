"""What is known of every entry, for choosing whom to audit next: its sources, open requests, tries that failed."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from cairn.core.isolate import each
from cairn.core.model.graph import Node
from cairn.core.model.knowledge import Entry, Source, category_of, corpus_of
from cairn.core.ports.runtime import utc_day
from cairn.core.ports.sources import AttemptRow
from cairn.errors import NotFound
from cairn.freshness.backoff import waits
from cairn.freshness.covered_requests import Covering, covering
from cairn.freshness.list_frontier import Frontier
from cairn.freshness.path_sources import look
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.prefilter import Choice, Facts, Order, select
from cairn.freshness.sources import Memory, place_of
from cairn.freshness.states import WorkTree
from cairn.graph.subgraph import node_called
from cairn.knowledge.corpora import knowledge_nodes
from cairn.knowledge.layouts import kind_of
from cairn.knowledge.read import read_tolerant
from cairn.lib.html.read import CANON


def choose(
    ports: FreshnessPorts,
    *,
    most: int | None,
    order: Order,
    wanted: "Wanted | None" = None,
    covered: Covering | None = None,
) -> list[Choice]:
    """One choice for every entry, or for those that are wanted. Nothing is fetched: pages are as the last look at them
    found them."""
    entries = [entry for entry in auditable(ports) if wanted is None or entry.path in wanted.paths]
    now_ms = ports.clock.now_ms()
    changed = changed_sources(ports, [source for entry in entries for source in entry.sources])
    covered = covered or covering(ports, entries)
    attempts = {row.path: row for row in ports.store.web.attempts()}
    frontier, memory = Frontier(ports), Memory(ports.store.web, ports.blobs)
    facts = [
        _facts(entry, attempts.get(entry.path), now_ms)._replace(
            changed=_differing(entry, changed, memory),
            open_request=covered.hindering(entry.path),
            wanted=wanted is not None and entry.path in wanted.named,
            frontier=frontier.said(entry),
        )
        for entry in entries
    ]
    return select(facts, today=utc_day(now_ms), most=most, order=order)


class Wanted(NamedTuple):
    """The entries that somebody means."""

    paths: frozenset[str]
    named: frozenset[str] = frozenset()
    """Those that are audited whether they are due or not."""


def entries_meant(
    ports: FreshnessPorts, names: Sequence[str], categories: Sequence[str], *, here: FilePath
) -> Wanted | None:
    """Entries by path or name, and those of categories; None when nobody names any."""
    if not names and not categories:
        return None
    known = {entry.path: entry for entry in auditable(ports)}
    named = {node_called(ports.store, name, root=ports.root, here=here).path for name in names}
    for path in sorted(named - known.keys()):
        raise NotFound(
            f"{path} is no entry that can be audited; `cairn freshness audit-prefilter --explain` lists those."
        )
    of = {path: _category(ports, path) for path in known}
    for category in categories:
        if category not in of.values():
            there = ", ".join(sorted({one for one in of.values() if one})) or "none"
            raise NotFound(f"There is no category `{category}`; there are: {there}.")
    return Wanted(frozenset(named | {path for path, one in of.items() if one in categories}), frozenset(named))


def _category(ports: FreshnessPorts, path: str) -> str:
    corpus = corpus_of(path, ports.corpora)
    return category_of(corpus, path) if corpus else ""


def entries_of(ports: FreshnessPorts) -> Iterator[Entry]:
    """Pages that an audit could be about, in order of their paths, without those that are not ours to edit."""
    found = each(
        knowledge_nodes(ports.store, ports.corpora), lambda node: _entry_of(ports, node), lambda node: node.path
    )
    yield from (entry for entry in found if entry is not None)


def _entry_of(ports: FreshnessPorts, node: Node) -> Entry | None:
    corpus = corpus_of(node.path, ports.corpora)
    kind = kind_of(corpus, node.path) if corpus and corpus.layout != "plain" else None
    return read_tolerant(node.path, node.frontmatter, kind=kind, layout=corpus.layout) if corpus and kind else None


def auditable(ports: FreshnessPorts) -> list[Entry]:
    """The same, and pages that are not ours to edit as far as their links are looked at."""
    plain: Iterator[Entry] = iter(())
    if any(corpus.layout == "plain" for corpus in ports.corpora):
        from cairn.freshness.plain_corpora import Plain

        plain = Plain(ports).entries()
    return [*entries_of(ports), *plain]


def _facts(entry: Entry, attempt: AttemptRow | None, now_ms: int) -> Facts:
    if attempt is None:
        return Facts(entry)
    later = utc_day(attempt.next_try_ms) if waits(attempt, now_ms) else None
    return Facts(entry, failures=attempt.failures, next_try=later)


def _differing(entry: Entry, changed: Collection[Source], memory: Memory) -> tuple[str, ...]:
    return tuple(s.reference for s in entry.sources if s in changed or _changed_since(entry, s, memory))


def behind_sources(ports: FreshnessPorts) -> dict[str, list[str]]:
    """Sources that are not what they were when an entry was last found right, with those entries."""
    entries = auditable(ports)
    changed = changed_sources(ports, [source for entry in entries for source in entry.sources])
    memory = Memory(ports.store.web, ports.blobs)
    found: dict[str, list[str]] = {}
    for entry in entries:
        for reference in _differing(entry, changed, memory):
            found.setdefault(reference, []).append(entry.path)
    return found


# --- what changed ---------------------------------------------------------------------------------------------------


def changed_sources(ports: FreshnessPorts, sources: Sequence[Source]) -> frozenset[Source]:
    """Those that have a hash and are something else now. What was never hashed, or can't be read, did not change."""
    hashed = [source for source in sources if source.hash]
    places = {source for source in hashed if source.kind == "path"}
    now = look(places, WorkTree(ports.files).read({source.target for source in places}), ports.probe)
    moved = {source for source, at in now.items() if at.place is not None and at.place.digest != source.hash}
    memory = Memory(ports.store.web, ports.blobs)
    pages = (source for source in hashed if source.kind == "url")
    return frozenset(moved | {source for source in pages if _differs(source, memory)})


def _changed_since(entry: Entry, source: Source, memory: Memory) -> bool:
    """Of a page without a hash: it became another one before our eyes, after somebody last read the entry."""
    if source.kind != "url" or source.hash is not None:
        return False
    row = memory.row(place_of(source))
    if row.changed_at_ms is None or row.pending_hash is not None:
        return False
    return utc_day(row.changed_at_ms).isoformat() > max(entry.last_reviewed or "", source.retrieved or "")


def _differs(source: Source, memory: Memory) -> bool:
    """By the text that was settled on: one that was seen once may be a passing whim of the page."""
    row = memory.row(place_of(source))
    if row.hash is None or row.pending_hash is not None or source.hash in (row.hash, row.raw):
        return False
    before = memory.before(source, row)
    return source.canon == CANON if before is None else before.hash != row.hash


# --- on the wire ----------------------------------------------------------------------------------------------------


def candidates_json(choices: Sequence[Choice]) -> list[dict[str, str]]:
    return [{"name": choice.entry.name, "path": choice.entry.path} for choice in choices if choice.taken]


def explained_json(choices: Sequence[Choice]) -> list[dict[str, Any]]:
    return [
        {
            "name": choice.entry.name,
            "path": choice.entry.path,
            "taken": choice.taken,
            "class": choice.waiting,
            "priority": choice.priority,
            "reason": choice.reason,
        }
        for choice in choices
    ]
