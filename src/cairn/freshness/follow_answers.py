"""Uses what readers answered about entries, whoever asked them: fetches nothing, and opens the requests that follow."""

from collections.abc import Iterator, Sequence

from cairn.errors import CairnError
from cairn.freshness.ask_reader import answered_since
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.run import only_one, prepare, run_night
from cairn.freshness.run_plan import FreshnessRunSummary
from cairn.freshness.select_entries import EntrySelection, auditable
from cairn.freshness.unreliable_sources import waits


def follow_freshness(ports: FreshnessPorts) -> Sequence[str]:
    """Pages are as the last look found them; what changed since is asked again by the next run."""
    answered = answered_since(ports, ports.store.web.audits())
    if not answered:
        return ()
    now_ms = ports.clock.now_ms()
    resting = {row.path for row in ports.store.web.attempts() if waits(row, now_ms)}
    paths = frozenset(entry.path for entry in auditable(ports) if entry.path in answered - resting)
    if not paths:
        return ()
    try:
        with only_one(ports) as hold:
            prepared = prepare(ports)._replace(fetch=False)
            summary = run_night(ports, prepared, dry_run=False, wanted=EntrySelection(paths, paths), hold=hold)
    except CairnError as error:
        return (f"answers about sources wait: {error.message}",)
    return tuple(_told(summary))


def _told(summary: FreshnessRunSummary) -> Iterator[str]:
    for one in summary.opened:
        where = f"change request {one.id}" if one.id else "a change request"
        yield f"{where} ({one.level.word}): {one.title}"
    yield from (f"not verifiable: {one.path}: {one.reason}" for one in summary.unverifiable)
    yield from (f"{one.path}: {one.reason}" for one in summary.failed)
    yield from (f"{one.title}: {one.reason}" for one in summary.held)
