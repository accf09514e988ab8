"""Reading the whole ledger to see whether it is sound."""

from collections.abc import Iterator
from typing import NamedTuple

from cairn.core.ledger_events import LedgerFault, faults
from cairn.core.ports.ledger import Ledger, LedgerFile

MOST = 200
"""Faults that are named."""


class FileFault(NamedTuple):
    file: str
    line: int
    text: str
    grave: bool


class LedgerVerification(NamedTuple):
    files: int
    lines: int
    errors: int
    faults: tuple[FileFault, ...]
    omitted: int


def verify(ledger: Ledger) -> LedgerVerification:
    """Ids must be unique among our own files; a collected ledger may hold what another one holds."""
    found: list[FileFault] = []
    files = lines = errors = omitted = 0
    ours: set[str] = set()
    for file in ledger.files(collected=True):
        files += 1
        own = "/" not in file.name
        reading = _Reading(ledger, file)
        for fault in (*faults(reading.lines(), ours if own else set(), ordered=own), *reading.ends()):
            errors += fault.grave
            if len(found) < MOST:
                found.append(FileFault(file.name, fault.line, fault.text, fault.grave))
            else:
                omitted += 1
        lines += reading.number
    return LedgerVerification(files, lines, errors, tuple(found), omitted)


class _Reading:
    def __init__(self, ledger: Ledger, file: LedgerFile) -> None:
        self._ledger, self._file = ledger, file
        self.number = self._end = 0

    def lines(self) -> Iterator[bytes]:
        for block in self._ledger.blocks(self._file.name):
            self._end = block.end
            for line in block.lines:
                self.number += 1
                yield line
            if block.too_long:
                self.number += 1
                yield block.too_long

    def ends(self) -> Iterator[LedgerFault]:
        if self._end < self._file.size:
            yield LedgerFault(
                self.number + 1, "it is not finished; the next event puts it aside or completes it", False
            )
