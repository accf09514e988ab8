"""Snapshots that nobody needs any more go: texts that no entry means, and what is beyond the limits."""

from cairn.freshness.list_sources import citations
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.snapshots import needed_keys, outdated, sweep


def sweep_snapshots(ports: FreshnessPorts) -> int:
    """How many files went. The last texts of a source stay, and those that a hash in a page was taken of."""
    store = ports.store.web
    referred = {citation.source.hash for citation in citations(ports)} - {None}
    store.drop_texts(outdated(store.texts(), {hash for hash in referred if hash}))
    rows = store.sources()
    pages = [key for row in rows for key in (row.snapshot, row.pending_snapshot, row.shown_snapshot)]
    needed = needed_keys(pages, store.texts())
    days = ports.settings.integer("freshness.snapshots.days")
    most = ports.settings.integer("freshness.snapshots.max_bytes")
    return sweep(ports.blobs, needed, now_ms=ports.clock.now_ms(), days=days, most_bytes=most)
