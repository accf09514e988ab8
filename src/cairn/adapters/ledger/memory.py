"""A ledger that lives as long as the process. Refuses what the real one refuses."""

from collections.abc import Iterator, Mapping
from typing import Any

from cairn import journal
from cairn.errors import Refused
from cairn.kernel.model.event import BadLine, Event, parse_event
from cairn.kernel.ports.ledger import LedgerFile

NAME = "memory.jsonl"


class MemoryLedger:
    def __init__(self) -> None:
        self._lines: list[bytes] = []

    def files(self) -> list[LedgerFile]:
        if not self._lines:
            return []
        return [LedgerFile(NAME, sum(map(len, self._lines)), 1, f"memory.{journal.first_id(self._lines[0])}")]

    def read(self, name: str, offset: int = 0) -> Iterator[tuple[int, Event | BadLine]]:
        position = 0
        for line in self._lines if name == NAME else ():
            position += len(line)
            if position > offset:
                yield position, parse_event(line)

    def append(self, kind: str, payload: Mapping[str, Any], *, now_ms: int) -> str:
        event: dict[str, object] = {"type": kind, "payload": dict(payload)}
        try:
            event_id, line = journal.make_line(event, worktree="memory", now_ms=now_ms)
        except journal.JournalRefused as refused:
            raise Refused(str(refused)) from refused
        self._lines.append(line)
        return event_id
