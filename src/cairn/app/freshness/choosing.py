"""What is known of every entry, for choosing whom to audit next: its sources, open requests, tries that failed."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from cairn.app.build import App
from cairn.app.freshness.frontier import Frontier
from cairn.app.workspace.checking import knowledge_nodes
from cairn.freshness.backoff import waits
from cairn.freshness.declared import look
from cairn.freshness.prefilter import Choice, Facts, Order, select
from cairn.freshness.sources import Memory, place_of
from cairn.freshness.states import WorkTree
from cairn.kernel.knowledge.corpus import corpus_of
from cairn.kernel.knowledge.entry import Entry, Source
from cairn.kernel.knowledge.layouts import kind_of
from cairn.kernel.knowledge.read import read_tolerant
from cairn.kernel.model.change import ChangeRequest, State
from cairn.kernel.page.read import CANON
from cairn.kernel.ports.clock import utc_day
from cairn.kernel.ports.sources import AttemptRow


def choose(app: App, *, most: int | None, order: Order) -> list[Choice]:
    """One choice for every entry. Nothing is fetched: pages are as the last look at them found them."""
    entries = auditable(app)
    now_ms = app.clock.now_ms()
    changed = changed_sources(app, [source for entry in entries for source in entry.sources])
    requests = open_requests(app)
    attempts = {row.path: row for row in app.store.web.attempts()}
    frontier, memory = Frontier(app), Memory(app.store.web, app.blobs)
    facts = [
        _facts(entry, attempts.get(entry.path), now_ms)._replace(
            changed=_differing(entry, changed, memory),
            open_request=requests.get(entry.path),
            frontier=frontier.said(entry),
        )
        for entry in entries
    ]
    return select(facts, today=utc_day(now_ms), most=most, order=order)


def entries_of(app: App) -> Iterator[Entry]:
    """Pages that an audit could be about, in order of their paths, without those that are not ours to edit."""
    for node in knowledge_nodes(app):
        corpus = corpus_of(node.path, app.corpora)
        kind = kind_of(corpus, node.path) if corpus and corpus.layout != "plain" else None
        entry = read_tolerant(node.path, node.frontmatter, kind=kind, layout=corpus.layout) if corpus and kind else None
        if entry is not None:
            yield entry


def auditable(app: App) -> list[Entry]:
    """The same, and pages that are not ours to edit as far as their links are looked at."""
    plain: Iterator[Entry] = iter(())
    if any(corpus.layout == "plain" for corpus in app.corpora):
        from cairn.app.freshness.plain import Plain

        plain = Plain(app).entries()
    return [*entries_of(app), *plain]


def _facts(entry: Entry, attempt: AttemptRow | None, now_ms: int) -> Facts:
    if attempt is None:
        return Facts(entry)
    later = utc_day(attempt.next_try_ms) if waits(attempt, now_ms) else None
    return Facts(entry, failures=attempt.failures, next_try=later)


def _differing(entry: Entry, changed: Collection[Source], memory: Memory) -> tuple[str, ...]:
    return tuple(s.reference for s in entry.sources if s in changed or _changed_since(entry, s, memory))


def open_requests(app: App) -> dict[str, str]:
    """The newest request that waits, by the paths that it changes; none where there is no repository."""
    if app.vcs.root() is None:
        return {}
    waiting = app.forge.requests(states=(State.OPEN, State.READY))
    return {path: request.id for request in reversed(waiting) for path in _about(request)}


def _about(request: ChangeRequest) -> tuple[str, ...]:
    """The pages; a request that only edits a lock file says which ones it is about."""
    pages = request.evidence.get("pages")
    return (*request.paths, *(str(page) for page in (pages if isinstance(pages, list) else ())))


# --- what changed ---------------------------------------------------------------------------------------------------


def changed_sources(app: App, sources: Sequence[Source]) -> frozenset[Source]:
    """Those that have a hash and are something else now. What was never hashed, or can't be read, did not change."""
    hashed = [source for source in sources if source.hash]
    places = {source for source in hashed if source.kind == "path"}
    now = look(places, WorkTree(app.files).read({source.target for source in places}), app.probe)
    moved = {source for source, at in now.items() if at.place is not None and at.place.digest != source.hash}
    memory = Memory(app.store.web, app.blobs)
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
