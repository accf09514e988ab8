"""What there is here that knowledge could be made of: an older base, files that agents remember by, documents."""

from typing import TYPE_CHECKING, Any, NamedTuple

from cairn.curate.bootstrap_survey import BootstrapOptions, survey
from cairn.curate.import_memory import MemoryReading, look, looked_value, places
from cairn.curate.old_base import OldBase, base_value, found

if TYPE_CHECKING:
    from cairn.curate.ports import CuratePorts


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
