"""Collecting the ledgers of other places into this workspace: line by line, since none of them is trusted."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol

from cairn.core.ledger_events import NEWER, STAYS, accept, redact_text
from cairn.core.paths import LEDGER
from cairn.core.ports.ledger import COLLECTED, CollectedLedgers, LedgerSource
from cairn.observe.ports import ObservePorts


class CollectPorts(ObservePorts, Protocol):
    def ledgers_at(self, place: Path) -> Sequence[LedgerSource]:
        """What is there to read at a place that a person named."""
        ...

    def collected_ledgers(self) -> AbstractContextManager[CollectedLedgers]:
        """What was collected so far. One process at a time holds it."""
        ...


class CollectedFile(NamedTuple):
    """What came from one file."""

    path: Path
    taken: int
    newer: int
    """Lines of a newer Cairn, kept as they are and not read yet."""
    refused: Mapping[str, int]
    """Why lines were left out, and how many."""


class CollectResult(NamedTuple):
    files: tuple[CollectedFile, ...]
    new: int
    """Events that were not known here."""
    twins: tuple[str, ...]
    """Work trees elsewhere that write under the name of this one."""


def collect(ports: CollectPorts, places: Sequence[Path]) -> CollectResult:
    """From where the last time ended."""
    sources = [source for place in places for source in ports.ledgers_at(place) if not _is_ours(ports, source)]
    ports.index_ledger()
    with ports.collected_ledgers() as collected:
        files = tuple(_collect(collected, source) for source in sources)
    return CollectResult(files, ports.index_ledger(), _twins(ports, files))


def _is_ours(ports: ObservePorts, source: LedgerSource) -> bool:
    return (ports.root / LEDGER).resolve() in source.path.resolve().parents


def _collect(collected: CollectedLedgers, source: LedgerSource) -> CollectedFile:
    reading, tally, taken, newer = collected.read_so_far(source), Counter[str](), 0, 0
    for block in source.blocks(reading.offset):
        answers = [accept(line, redact_text) for line in block.lines]
        kept = [answer.line for answer in answers if answer.line is not None]
        tally.update(answer.why for answer in answers if answer.line is None and answer.why != STAYS)
        tally.update(["it is far too long"] if block.too_long else [])
        newer += sum(answer.why == NEWER for answer in answers)
        taken += len(kept)
        reading = collected.put(source, kept, start=reading, offset=block.end)
    return CollectedFile(source.path, taken - newer, newer, dict(tally))


def _twins(ports: ObservePorts, files: Sequence[CollectedFile]) -> tuple[str, ...]:
    """Events that came from elsewhere under our own name: two folders have one identity, and one of them was copied
    where nobody could notice. What the copy only brought along is known here, and was not indexed again."""
    from cairn.journal import identity_of, worktree_name

    identity = identity_of(str(ports.root / LEDGER))
    if identity is None or not any(file.taken for file in files):
        return ()
    name = worktree_name(identity)
    theirs = (row for row in ports.store.events() if row.worktree == name and row.file.startswith(COLLECTED))
    return (name,) if next(theirs, None) else ()


def merged_lines(places: Sequence[Path], ledgers_at: Callable[[Path], Sequence[LedgerSource]]) -> Iterator[bytes]:
    """Every line of the ledgers at these places."""
    for place in places:
        for source in ledgers_at(place):
            for block in source.blocks():
                yield from block.lines
