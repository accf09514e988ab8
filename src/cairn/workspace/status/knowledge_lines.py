"""Lines of the status page about the corpora, and about the last run over all entries."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date

from cairn.core.isolate import item
from cairn.core.model.event import Event
from cairn.core.model.knowledge import Corpus, Entry, category_of, corpus_of
from cairn.core.ports.runtime import utc_day
from cairn.knowledge.corpora import kind_of
from cairn.knowledge.read import read_tolerant
from cairn.knowledge.serving_status import is_due
from cairn.workspace.status.context import Level, StatusContext, StatusLine, ago, counted

_AS_IT_IS = "plain"
"""A layout whose pages promise nothing: no reviews, no sources."""


def corpora(desk: "StatusContext") -> Iterator["StatusLine"]:
    """One line a corpus; with `--corpus` a second one by category."""
    if desk.store is None or not desk.app.corpora:
        return
    today = utc_day(desk.now_ms)
    entries = _by_corpus(desk)
    for corpus in desk.app.corpora:
        if not (desk.app.root / corpus.root).is_dir():
            continue
        yield _line(corpus, entries.get(corpus.name, []), today)
        if desk.by_category and entries.get(corpus.name):
            yield _categories(corpus, entries[corpus.name])
            yield from _cited(desk, corpus, entries[corpus.name])
    every = [entry for found in entries.values() for entry in found]
    yield from _off_list(desk, every)
    yield from _lost(desk, every)


def _lost(desk: "StatusContext", entries: list[Entry]) -> Iterator["StatusLine"]:
    """Pages that gave nothing twice in a row or more often: somebody should name the ones that took their place."""
    from cairn.freshness.sources import place_of
    from cairn.workspace.status.context import StatusLine, counted

    rows = [row for row in desk.store.web.sources() if row.failures > 1] if desk.store else []
    cited = {place_of(source) for entry in entries for source in entry.sources if source.kind == "url"} if rows else ()
    lost = [f"{row.url}{row.anchor}" for row in rows if (row.url, row.anchor) in cited]
    if lost:
        text = f"{counted(len(lost), 'source')} could not be read lately, such as {lost[0]}"
        yield StatusLine("waits", text, "warn", "cairn freshness sources", {"count": len(lost), "sources": lost[:20]})


def _by_corpus(desk: "StatusContext") -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for node in desk.store.nodes() if desk.store else ():
        corpus = corpus_of(node.path, desk.app.corpora)
        kind = kind_of(corpus, node.path) if corpus and not node.virtual else None
        if corpus is None or kind is None:
            continue
        with item(node.path):
            entry = read_tolerant(node.path, node.frontmatter, kind=kind, layout=corpus.layout)
            if entry is not None:
                found.setdefault(corpus.name, []).append(entry)
    return found


def _line(corpus: Corpus, entries: list[Entry], today: date) -> "StatusLine":
    from cairn.workspace.status.context import StatusLine, counted, listed

    kinds = Counter(entry.kind for entry in entries)
    many = counted(len(entries), "page") + (f" ({listed(kinds)})" if len(kinds) > 1 else "")
    text = f"corpus {corpus.name} ({corpus.layout}): {many if entries else 'no pages yet'}"
    data = {"corpus": corpus.name, "root": corpus.root, "layout": corpus.layout, "kinds": dict(kinds.most_common())}
    if corpus.layout == _AS_IT_IS or not entries:
        return StatusLine("health", text, data=data)
    counts = _counts(entries, today)
    words = (
        (counts["due"], "due for review"),
        (counts["inTime"], "reviewed in time"),
        (counts["unsourced"], "without a source"),
        (counts["derived"], "taken from sessions"),
    )
    parts = ", ".join(f"{number:,} {word}" for number, word in words if number)
    return StatusLine("health", f"{text}; {parts}", data={**data, **counts})


def _counts(entries: list[Entry], today: date) -> dict[str, int]:
    """Every page counts once. A page without a source is never due: there is nothing to compare it with."""
    sourced = [entry for entry in entries if entry.sources]
    due = sum(is_due(entry, today) for entry in sourced)
    derived = sum(bool(entry.derived_from) for entry in entries if not entry.sources)
    return {
        "due": due,
        "inTime": len(sourced) - due,
        "unsourced": len(entries) - len(sourced) - derived,
        "derived": derived,
    }


def _off_list(desk: "StatusContext", entries: list[Entry]) -> Iterator["StatusLine"]:
    """Sources on hosts that the list of the workspace does not have, as the list is now."""
    from cairn.freshness.list_sources import allowlist
    from cairn.workspace.status.context import StatusLine, counted

    if not desk.app.knowledge.allowlist:
        return
    listed = allowlist(desk.app)
    urls = {source.target for entry in entries for source in entry.sources if source.kind == "url"}
    off = sum(not listed.allows(url) for url in urls)
    text = f"allowlist: {counted(len(listed.places), 'place')}; {off:,} of {counted(len(urls), 'source')} not on it"
    data = {"places": len(listed.places), "sources": len(urls), "notListed": off}
    yield StatusLine("health", text, next="cairn freshness sources --by-host", data=data)


def _categories(corpus: Corpus, entries: list[Entry]) -> "StatusLine":
    from cairn.workspace.status.context import StatusLine

    counts = Counter(category_of(corpus, entry.path) for entry in entries)
    named = ", ".join(f"{name} {number:,}" for name, number in sorted(counts.items()))
    data = {"corpus": corpus.name, "categories": dict(sorted(counts.items()))}
    return StatusLine("health", f"corpus {corpus.name} by category: {named}", data=data)


def _cited(desk: "StatusContext", corpus: Corpus, entries: list[Entry]) -> Iterator["StatusLine"]:
    """Sources on the web and the pages that cite them, by the category of their host on the allowlist."""
    from cairn.freshness.list_sources import Citation, allowlist, by_category, cited
    from cairn.workspace.status.context import StatusLine, counted

    listed = cited([Citation(entry.path, s) for entry in entries for s in entry.sources], (), allowlist(desk.app))
    counts = by_category(listed)
    if not counts:
        return
    named = ", ".join(f"{name} {sources:,} in {counted(pages, 'page')}" for name, (sources, pages) in counts.items())
    data = {name: {"sources": sources, "entries": pages} for name, (sources, pages) in counts.items()}
    text = f"corpus {corpus.name} cites, by category of the host: {named}"
    yield StatusLine(
        "health", text, next="cairn freshness sources --by-host", data={"corpus": corpus.name, "hosts": data}
    )


_OUTCOMES = (
    ("confirmed", "confirmed"),
    ("drifted", "in doubt"),
    ("to_read", "to be read"),
    ("pending", "to be seen again"),
    ("baseline", "seen for the first time"),
    ("unverifiable", "not verifiable"),
)
"""Each entry that was audited has one of these, or failed."""
_LEFT = (
    ("held", "held back"),
    ("waiting", "due and not audited"),
)


def waiting_to_be_read(desk: StatusContext) -> Iterator[StatusLine]:
    """Entries whose sources changed in passages that only a reader can judge."""
    if desk.store is None:
        return
    from cairn.freshness.select_entries import waiting_for_a_reader

    waiting = waiting_for_a_reader(desk.app)
    if waiting:
        first = waiting[0].entry
        verb = "waits" if len(waiting) == 1 else "wait"
        text = f"{counted(len(waiting), 'entry', 'entries')} {verb} to be read, such as {first.path}"
        data = {"count": len(waiting), "entries": [one.entry.path for one in waiting]}
        yield StatusLine("waits", text, "warn", f"cairn freshness audit-run-entry {first.path}", data)


def waiting_to_be_edited(desk: StatusContext) -> Iterator[StatusLine]:
    """Entries that state what a source no longer says, until somebody edits the sentence."""
    if desk.store is None:
        return
    from cairn.freshness.select_entries import waiting_for_an_edit

    waiting = waiting_for_an_edit(desk.app)
    if waiting:
        first = waiting[0]
        verb, whose = ("states", "its source no longer says")
        if len(waiting) > 1:
            verb, whose = ("state", "their sources no longer say")
        said = " ".join(first.findings[0].claim_in_entry.split())[:120]
        text = f"{counted(len(waiting), 'entry', 'entries')} {verb} what {whose}"
        text += f", such as {first.entry.path}: “{said}”"
        data = {"count": len(waiting), "entries": [one.entry.path for one in waiting]}
        yield StatusLine("waits", text, "warn", f"cairn freshness audit-run-entry {first.entry.path}", data)


def out_of_reach(desk: StatusContext) -> Iterator[StatusLine]:
    """What the last run could not do because there was no network."""
    event = next(iter(desk.events("freshness_run")), None)
    sources = _number(event.payload.get("offline")) if event else 0
    if event is not None and sources:
        entries = _number(event.payload.get("waiting"))
        text = f"the last run had no network: {counted(sources, 'source')} not looked at"
        text += f", {counted(entries, 'entry is', 'entries are')} waiting" if entries else ""
        yield StatusLine("waits", text, "warn", "cairn freshness run", {"sources": sources, "entries": entries})


def last_run(desk: StatusContext) -> Iterator[StatusLine]:
    event = next(iter(desk.events("freshness_run")), None)
    if event is None:
        return
    data = event.payload
    audited = _number(data.get("entries"))
    parts = [f"{counted(audited, 'entry', 'entries')} audited{_outcomes(data, audited)}"]
    opened = data.get("opened")
    parts.append(f"{counted(len(opened) if isinstance(opened, list) else 0, 'request')} opened")
    parts += [f"{number:,} {words}" for key, words in _LEFT if (number := _number(data.get(key)))]
    level: Level = "warn" if _number(data.get("failed")) else "info"
    text = f"last nightly run {ago(desk.now_ms - _at(event))}: {', '.join(parts)}"
    yield StatusLine("health", text, level, "cairn freshness audit-prefilter --explain", {"at": event.at, **data})


def _outcomes(data: Mapping[str, object], audited: int) -> str:
    counts = [(_number(data.get(key)), words) for key, words in _OUTCOMES]
    counts.append((audited - sum(number for number, _ in counts), "failed"))
    named = ", ".join(f"{number:,} {words}" for number, words in counts if number > 0)
    return f" ({named})" if named else ""


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _at(event: Event) -> int:
    from datetime import datetime

    return int(datetime.fromisoformat(event.at).timestamp() * 1000)
