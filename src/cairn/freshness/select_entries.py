"""Selects entries: those to audit next, with the reason for every other one, and those that wait for a person."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path as FilePath
from typing import Any, Literal, NamedTuple

from cairn.core.isolate import each
from cairn.core.model.graph import Node
from cairn.core.model.knowledge import Entry, Source, category_of, corpus_of
from cairn.core.model.verdict import Verdict, VerdictFinding, VerdictOutcome
from cairn.core.ports.runtime import ReadFailed, utc_day
from cairn.core.ports.sources import AttemptRow
from cairn.errors import NotFound
from cairn.freshness.frontier import Frontier
from cairn.freshness.open_requests import CoveredRequests, covering
from cairn.freshness.path_sources import look
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.run_plan import HeldBack
from cairn.freshness.sources import SourceMemory, place_of
from cairn.freshness.states import WorkTree
from cairn.freshness.unreliable_sources import waits
from cairn.freshness.verdict_edits import states
from cairn.freshness.verdict_json import verdict_of
from cairn.graph.subgraph import node_called
from cairn.knowledge.corpora import kind_of, knowledge_nodes
from cairn.knowledge.read import read_tolerant
from cairn.knowledge.serving_status import Review, age_days, next_due, review, window_days
from cairn.lib.html.read import CANON
from cairn.lib.markdown.frontmatter import parse

Order = Literal["class", "seed"]
WaitingClass = Literal["overdue", "changed", "frontier", "never", "wanted"]

CLASSES: tuple[WaitingClass, ...] = ("overdue", "changed", "frontier", "never", "wanted")
_NEVER, _FRONTIER, _CHANGED, _OVERDUE, _UNREADABLE = 100, 80, 75, 50, 1050


class EntryFacts(NamedTuple):
    """What is known of an entry besides what it says."""

    entry: Entry
    changed: tuple[str, ...] = ()
    """References of sources that are not what they were."""
    failures: int = 0
    """In a row, up to now."""
    next_try: date | None = None
    """Until when it is left alone; None when it may be tried."""
    open_request: str | None = None
    """Id of a change request about it that is still open."""
    frontier: str = ""
    """What a source shows of a newer edition, in one sentence; empty when none does."""
    wanted: bool = False
    """Somebody named it: it is audited whether it is due or not, and however often it failed."""


class EntryChoice(NamedTuple):
    entry: Entry
    taken: bool
    waiting: WaitingClass | None
    """None when it does not wait for an audit, or must not have one now."""
    priority: int | None
    """By the numbers of the seed; the higher, the sooner."""
    reason: str
    """One sentence."""
    held: bool = False
    """Whether it would have an audit now, were nothing in the way."""

    @property
    def due(self) -> bool:
        return self.waiting is not None or self.held


def select(facts: Iterable[EntryFacts], *, today: date, most: int | None, order: Order = "class") -> list[EntryChoice]:
    """One choice for every entry: those that are taken come first and in order, then the others as they were given.

    `most` None takes all that wait."""
    judged = [_judged(fact, today) for fact in facts]
    waiting = [choice for choice in judged if choice.waiting is not None]
    ranked = sorted(waiting, key=lambda choice: -(choice.priority or 0))  # stable: ties stay as they were given
    chosen = _by_class(ranked, most) if order == "class" else ranked[:most]
    taken = [choice._replace(taken=True) for choice in chosen]
    paths = {choice.entry.path for choice in taken}
    left = [_left_out(choice, len(taken)) for choice in judged if choice.entry.path not in paths]
    return [*taken, *left]


def _left_out(choice: EntryChoice, taken: int) -> EntryChoice:
    if choice.waiting is None:
        return choice
    return choice._replace(reason=f"{choice.reason} There was no place left among {taken}; it waits for the next run.")


# --- one entry ------------------------------------------------------------------------------------------------------


def _judged(fact: EntryFacts, today: date) -> EntryChoice:
    entry = fact.entry
    if not entry.sources:
        return EntryChoice(entry, False, None, None, "It names no sources, so there is nothing to compare it with.")
    waiting, priority, reason = _class_of(fact, today)
    hindrance = _hindrance(fact)
    if hindrance:
        changed = f" {_changed(fact.changed)}" if fact.changed else ""
        return EntryChoice(entry, False, None, priority, hindrance + changed, held=waiting is not None)
    return EntryChoice(entry, False, waiting, priority, reason)


def _class_of(fact: EntryFacts, today: date) -> tuple[WaitingClass | None, int | None, str]:
    entry, age = fact.entry, age_days(fact.entry, today)
    newer = f" {fact.frontier}" if fact.frontier else ""
    also = (f" {_changed(fact.changed)}" if fact.changed else "") + newer
    match review(entry, today):
        case Review.NEVER:
            return "never", _NEVER, f"Nobody has reviewed it yet.{also}"
        case Review.UNREADABLE:
            return "overdue", _UNREADABLE, f"Its last review, `{entry.last_reviewed}`, is no date.{also}"
        case Review.OVERDUE:
            window = f"{entry.volatility} entries are due after {window_days(entry.volatility)} days"
            return "overdue", _OVERDUE + (age or 0), f"Last reviewed {age} days ago; {window}.{also}"
    if fact.changed:
        return "changed", _CHANGED, _changed(fact.changed) + newer
    if fact.frontier:
        return "frontier", _FRONTIER, fact.frontier
    if fact.wanted:
        return "wanted", 0, "It was named."
    due = next_due(entry)
    return None, None, f"It is not due before {due}, and no change of its sources is known."


def _changed(references: Sequence[str]) -> str:
    more = f" and {len(references) - 1} more" if len(references) > 1 else ""
    return f"A source changed: {references[0]}{more}."


def _hindrance(fact: EntryFacts) -> str:
    """Why it has to wait, however due it is."""
    if fact.open_request:
        return f"The change request {fact.open_request} is still open."
    if fact.next_try is not None and not fact.wanted:
        times = "once" if fact.failures == 1 else f"{fact.failures} times in a row"
        return f"Its audit failed {times}; the next try is on {fact.next_try}."
    return ""


# --- shares ---------------------------------------------------------------------------------------------------------


def shares(most: int) -> Mapping[WaitingClass, int]:
    """Up to half of the places for what is overdue, three in ten for what changed, one in ten for newer editions; the
    rest is for what nobody saw."""
    overdue = max(1, most // 2)
    changed = min(most - overdue, most * 3 // 10)
    frontier = min(most - overdue - changed, (most + 9) // 10) if most > 3 else 0
    return {
        "overdue": overdue,
        "changed": changed,
        "frontier": frontier,
        "never": most - overdue - changed - frontier,
        "wanted": 0,
    }


def _by_class(ranked: Sequence[EntryChoice], most: int | None) -> list[EntryChoice]:
    queues = {waiting: [choice for choice in ranked if choice.waiting == waiting] for waiting in CLASSES}
    if most is None:
        return [choice for waiting in CLASSES for choice in queues[waiting]]
    share = shares(most)
    counts = {waiting: min(share[waiting], len(queues[waiting])) for waiting in CLASSES}
    spare = (
        share["frontier"] - counts["frontier"]
    )  # came out of the share of what nobody saw, and goes back there first
    counts["never"] += min(spare, len(queues["never"]) - counts["never"])
    for waiting in CLASSES:
        free = most - sum(counts.values())
        counts[waiting] += min(free, len(queues[waiting]) - counts[waiting])
    return [choice for waiting in CLASSES for choice in queues[waiting][: counts[waiting]]]


def choose(
    ports: FreshnessPorts,
    *,
    most: int | None,
    order: Order,
    wanted: "EntrySelection | None" = None,
    covered: CoveredRequests | None = None,
) -> list[EntryChoice]:
    """One choice for every entry, or for those that are wanted. Nothing is fetched: pages are as the last look at them
    found them."""
    entries = [entry for entry in auditable(ports) if wanted is None or entry.path in wanted.paths]
    now_ms = ports.clock.now_ms()
    changed = changed_sources(ports, [source for entry in entries for source in entry.sources])
    covered = covered or covering(ports, entries)
    attempts = {row.path: row for row in ports.store.web.attempts()}
    frontier, memory = Frontier(ports), SourceMemory(ports.store.web, ports.blobs)
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


class EntrySelection(NamedTuple):
    """The entries that somebody means."""

    paths: frozenset[str]
    named: frozenset[str] = frozenset()
    """Those that are audited whether they are due or not."""


def entries_meant(
    ports: FreshnessPorts, names: Sequence[str], categories: Sequence[str], *, here: FilePath
) -> EntrySelection | None:
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
    return EntrySelection(frozenset(named | {path for path, one in of.items() if one in categories}), frozenset(named))


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
        from cairn.freshness.plain_pages import PlainCorpora

        plain = PlainCorpora(ports).entries()
    return [*entries_of(ports), *plain]


def _facts(entry: Entry, attempt: AttemptRow | None, now_ms: int) -> EntryFacts:
    if attempt is None:
        return EntryFacts(entry)
    later = utc_day(attempt.next_try_ms) if waits(attempt, now_ms) else None
    return EntryFacts(entry, failures=attempt.failures, next_try=later)


def _differing(entry: Entry, changed: Collection[Source], memory: SourceMemory) -> tuple[str, ...]:
    return tuple(s.reference for s in entry.sources if s in changed or _changed_since(entry, s, memory))


def behind_sources(ports: FreshnessPorts) -> dict[str, list[str]]:
    """Sources that are not what they were when an entry was last found right, with those entries."""
    entries = auditable(ports)
    changed = changed_sources(ports, [source for entry in entries for source in entry.sources])
    memory = SourceMemory(ports.store.web, ports.blobs)
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
    memory = SourceMemory(ports.store.web, ports.blobs)
    pages = (source for source in hashed if source.kind == "url")
    return frozenset(moved | {source for source in pages if _differs(source, memory)})


def _changed_since(entry: Entry, source: Source, memory: SourceMemory) -> bool:
    """Of a page without a hash: it became another one before our eyes, after somebody last read the entry."""
    if source.kind != "url" or source.hash is not None:
        return False
    row = memory.row(place_of(source))
    if row.changed_at_ms is None or row.pending_hash is not None:
        return False
    return utc_day(row.changed_at_ms).isoformat() > max(entry.last_reviewed or "", source.retrieved or "")


def _differs(source: Source, memory: SourceMemory) -> bool:
    """By the text that was settled on: one that was seen once may be a passing whim of the page."""
    row = memory.row(place_of(source))
    if row.hash is None or row.pending_hash is not None or source.hash in (row.hash, row.raw):
        return False
    before = memory.before(source, row)
    return source.canon == CANON if before is None else before.hash != row.hash


# --- on the wire ----------------------------------------------------------------------------------------------------


def candidates_json(choices: Sequence[EntryChoice]) -> list[dict[str, str]]:
    return [{"name": choice.entry.name, "path": choice.entry.path} for choice in choices if choice.taken]


def explained_json(choices: Sequence[EntryChoice]) -> list[dict[str, Any]]:
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


class EntryWithFindings(NamedTuple):
    entry: Entry
    findings: tuple[VerdictFinding, ...]
    """Each with both passages."""


def waiting_for_a_reader(ports: FreshnessPorts) -> list[EntryWithFindings]:
    """Entries whose sources changed in passages that only a reader can judge."""
    return [
        EntryWithFindings(entry, verdict.findings) for entry, verdict in _last_verdicts(ports) if verdict.to_be_read
    ]


def waiting_for_an_edit(ports: FreshnessPorts) -> list[EntryWithFindings]:
    """Entries that still state what a source no longer says. A merged request does not change that; an edit does."""
    found = []
    for entry, verdict in _last_verdicts(ports):
        if verdict.outcome is VerdictOutcome.CURRENT or verdict.source_unverifiable:
            continue
        body = _body(ports, entry)
        left = tuple(one for one in verdict.findings if body is None or states(one.claim_in_entry, entry, body))
        if left:
            found.append(EntryWithFindings(entry, left))
    return found


def _last_verdicts(ports: FreshnessPorts) -> Iterator[tuple[Entry, Verdict]]:
    """About each entry that nobody reviewed since."""

    last = {row.path: row for row in sorted(ports.store.web.audits(), key=lambda row: row.at_ms)}
    for entry in auditable(ports) if last else ():
        row = last.get(entry.path)
        verdict = verdict_of(json.loads(row.verdict)) if row else None
        if verdict is not None and not _is_read(entry, verdict):
            yield entry, verdict


def _body(ports: FreshnessPorts, entry: Entry) -> str | None:
    try:
        return parse(ports.files.read(entry.path)[0].decode("utf-8", "replace")).body
    except ReadFailed:
        return None


def _is_read(entry: Entry, verdict: Verdict) -> bool:
    """Whether somebody reviewed the entry since, or on that day with the texts that the verdict compared."""
    reviewed = entry.last_reviewed or ""
    hashes = {source.hash for source in entry.sources if source.hash}
    compared = {checked.content_hash for checked in verdict.sources_checked}
    return reviewed > verdict.audit_date or (reviewed == verdict.audit_date and compared <= hashes)


def held_choices(choices: Sequence[EntryChoice]) -> list[HeldBack]:
    """Entries that something is in the way of, one line for each reason."""
    by_reason: dict[str, list[str]] = {}
    for choice in choices:
        if choice.held:
            by_reason.setdefault(choice.reason, []).append(choice.entry.path)
    return [HeldBack(_audits(paths), tuple(paths), reason) for reason, paths in by_reason.items()]


def _audits(paths: Sequence[str]) -> str:
    return f"audit of {paths[0]}" if len(paths) == 1 else f"{len(paths):,} audits"
