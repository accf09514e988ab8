"""Lines of `cairn status` about the corpora: how much there is, how much of it is due, how much has no source."""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING

from cairn.core.isolate import item
from cairn.core.model.knowledge import Corpus, Entry, category_of, corpus_of
from cairn.core.ports.runtime import utc_day
from cairn.knowledge.cadence import is_due
from cairn.knowledge.layouts import kind_of
from cairn.knowledge.read import read_tolerant

if TYPE_CHECKING:
    from cairn.workspace.status.page import Desk, StatusLine

_AS_IT_IS = "plain"
"""A layout whose pages promise nothing: no reviews, no sources."""


def corpora(desk: "Desk") -> Iterator["StatusLine"]:
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


def _lost(desk: "Desk", entries: list[Entry]) -> Iterator["StatusLine"]:
    """Pages that gave nothing twice in a row or more often: somebody should name the ones that took their place."""
    from cairn.freshness.sources import place_of
    from cairn.workspace.status.page import StatusLine, counted

    rows = [row for row in desk.store.web.sources() if row.failures > 1] if desk.store else []
    cited = {place_of(source) for entry in entries for source in entry.sources if source.kind == "url"} if rows else ()
    lost = [f"{row.url}{row.anchor}" for row in rows if (row.url, row.anchor) in cited]
    if lost:
        text = f"{counted(len(lost), 'source')} could not be read lately, such as {lost[0]}"
        yield StatusLine("waits", text, "warn", "cairn freshness sources", {"count": len(lost), "sources": lost[:20]})


def _by_corpus(desk: "Desk") -> dict[str, list[Entry]]:
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
    from cairn.workspace.status.page import StatusLine, counted, listed

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


def _off_list(desk: "Desk", entries: list[Entry]) -> Iterator["StatusLine"]:
    """Sources on hosts that the list of the workspace does not have, as the list is now."""
    from cairn.freshness.list_sources import allowlist
    from cairn.workspace.status.page import StatusLine, counted

    if not desk.app.knowledge.allowlist:
        return
    listed = allowlist(desk.app)
    urls = {source.target for entry in entries for source in entry.sources if source.kind == "url"}
    off = sum(not listed.allows(url) for url in urls)
    text = f"allowlist: {counted(len(listed.places), 'place')}; {off:,} of {counted(len(urls), 'source')} not on it"
    data = {"places": len(listed.places), "sources": len(urls), "notListed": off}
    yield StatusLine("health", text, next="cairn freshness sources --by-host", data=data)


def _categories(corpus: Corpus, entries: list[Entry]) -> "StatusLine":
    from cairn.workspace.status.page import StatusLine

    counts = Counter(category_of(corpus, entry.path) for entry in entries)
    named = ", ".join(f"{name} {number:,}" for name, number in sorted(counts.items()))
    data = {"corpus": corpus.name, "categories": dict(sorted(counts.items()))}
    return StatusLine("health", f"corpus {corpus.name} by category: {named}", data=data)


def _cited(desk: "Desk", corpus: Corpus, entries: list[Entry]) -> Iterator["StatusLine"]:
    """Sources on the web and the pages that cite them, by the category of their host on the allowlist."""
    from cairn.freshness.citations import Citation, by_category, cited
    from cairn.freshness.list_sources import allowlist
    from cairn.workspace.status.page import StatusLine, counted

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
