"""What there is here that knowledge could be made of: an older base, files that agents remember by, documents."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cairn.curate.bootstrap_survey import BootstrapOptions, survey
from cairn.curate.memory import _OLD_LEDGER, MemoryReading, SeenMemory, ledger, look, places
from cairn.curate.old_base import OldBase, base_value, found
from cairn.curate.run_journal import MEMORY, CurateState

if TYPE_CHECKING:
    from cairn.curate.curate import CurateOptions, CurateResult
    from cairn.curate.ports import CuratePorts


def import_memory(ports: "CuratePorts", looked: Sequence[MemoryReading], wanted: "CurateOptions") -> "CurateResult":
    """As one run. A file counts as looked at when none of its candidates has to wait."""
    from cairn.curate.curate import curate
    from cairn.curate.memory import waiting

    found = [one for file in looked for one in file.candidates]
    curated = curate(ports, wanted, candidates=found)
    if not wanted.dry_run:
        late = waiting([one.origin for one in curated.waiting])
        _remember(ports, [one for one in looked if not one.skipped and one.place.iri not in late], curated)
    return curated


def _ledger_path(ports: "CuratePorts") -> str:
    """Where the older program keeps one. Else with ours: it names places of this machine, and git may not pass over
    that program's state."""
    return _OLD_LEDGER if ports.files.exists(_OLD_LEDGER) else MEMORY


def _remember(ports: "CuratePorts", looked: Sequence[MemoryReading], curated: "CurateResult") -> None:
    from cairn.changes.write import write_file
    from cairn.curate.memory import ledger_text

    new = {one.place.file.as_uri(): SeenMemory(one.sha256, curated.plan.run_id, curated.plan.made_at) for one in looked}
    if new:
        CurateState(ports).refuse_tracked()
        write_file(ports.root, _ledger_path(ports), ledger_text({**ledger(ports), **new}), mode=0o600)


def looked_value(one: MemoryReading) -> dict[str, Any]:
    return {
        "file": one.place.path,
        "namedBy": one.place.named_by or None,
        "own": one.place.outside,
        "candidates": len(one.candidates),
        "skipped": one.skipped or None,
        "remarks": list(one.remarks),
        "unreadTokens": one.unread,
    }


class Offer(NamedTuple):
    base: OldBase | None
    memory: tuple[MemoryReading, ...]
    documents: int
    """That a bootstrap would read: new or changed since the last."""

    @property
    def candidates(self) -> int:
        return sum(len(one.candidates) for one in self.memory)


def offer(ports: "CuratePorts") -> Offer:
    """Reads, and writes nothing."""
    documents = survey(ports, BootstrapOptions(incremental=True, dry_run=True)).due
    return Offer(found(ports), tuple(look(ports, places(ports))), len(documents))


def offered_rows(offer: Offer) -> list[tuple[str, str, str]]:
    """For a person: what, how much of it, and which command goes on from there."""
    return [_of_base(offer.base), _of_memory(offer), _of_documents(offer.documents)]


def _of_base(base: OldBase | None) -> tuple[str, str, str]:
    if base is None:
        return "older base", "none", ""
    held = f"{base.root}/: {_count(sum(base.nodes.values()), 'node')}, {_count(sum(base.sessions.values()), 'session')}"
    if base.corpus is None:
        return "older base", held, "`cairn import base` says why it is not used"
    return "older base", held, "used where it lies; `cairn import base` says what of it"


def _of_memory(offer: Offer) -> tuple[str, str, str]:
    if not offer.memory:
        return "memory files", "none", "`cairn import memory --user` looks in your home directory"
    held = f"{_count(len(offer.memory), 'file')}, {_count(offer.candidates, 'new candidate')}"
    if not offer.candidates:
        return "memory files", held, ""
    return "memory files", held, "`cairn import memory --dry-run` shows what would become of each"


def _of_documents(number: int) -> tuple[str, str, str]:
    if not number:
        return "documents", "none that is new", ""
    return (
        "documents",
        f"{_count(number, 'document')} to read",
        "`cairn bootstrap --dry-run` shows which can be imported, and what reading the others costs",
    )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def offer_value(offer: Offer) -> dict[str, Any]:
    return {
        "base": base_value(offer.base) if offer.base else None,
        "memory": [looked_value(one) for one in offer.memory],
        "candidates": offer.candidates,
        "documents": offer.documents,
    }
