"""A ledger that lives as long as the process. Refuses what the real one refuses."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import cairn.journal as journal
from cairn.adapters.ledger.jsonl import journal_event
from cairn.core.model.event import BadLine, Event, parse_event
from cairn.core.ports.ledger import LedgerBlock, LedgerFile
from cairn.errors import Refused

NAME = "memory.jsonl"


class MemoryLedger:
    def __init__(self) -> None:
        self._lines: list[bytes] = []

    def files(self, *, collected: bool = False) -> list[LedgerFile]:
        if not self._lines:
            return []
        return [LedgerFile(NAME, sum(map(len, self._lines)), 1, f"memory.{journal.first_id(self._lines[0])}")]

    def read(self, name: str, offset: int = 0) -> Iterator[tuple[int, Event | BadLine]]:
        position = 0
        for line in self._lines if name == NAME else ():
            position += len(line)
            if position > offset:
                yield position, parse_event(line)

    def blocks(self, name: str, offset: int = 0, *, inode: int | None = None) -> Iterator[LedgerBlock]:
        start = 0
        for line in self._lines if name == NAME else ():
            if start >= offset:
                yield LedgerBlock(start, line, start + len(line))
            start += len(line)

    def lines_at(self, places: Sequence[tuple[str, int]]) -> Iterator[bytes]:
        for name, offset in places:
            block = next(self.blocks(name, offset), None)
            yield block.lines[0] if block is not None and block.start == offset else b""

    def append(self, kind: str, payload: Mapping[str, Any], *, now_ms: int) -> str:
        return self.append_all([(kind, payload)], now_ms=now_ms)[0]

    def append_all(self, events: Sequence[tuple[str, Mapping[str, Any]]], *, now_ms: int) -> list[str]:
        try:
            made = [journal.make_line(journal_event(event), worktree="memory", now_ms=now_ms) for event in events]
        except journal.JournalRefused as refused:
            raise Refused(str(refused)) from refused
        self._lines += [line for _, line in made]
        return [event_id for event_id, _ in made]

    def mention(self, kind: str, payload: Mapping[str, Any], *, now_ms: int) -> str | None:
        return self.append(kind, payload, now_ms=now_ms)
