"""Signals of gaps, told at any time by anybody: straight into a ledger, or counted without one."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cairn import journal
from cairn.core.ports.observe import GapStore
from cairn.observe.gap_signals import DAY_MS, Signal, tally

NOW = 1_767_225_600_000 + 100 * DAY_MS + 12 * 3_600_000
"""Noon, UTC."""


def payload(topic: str, *, project: str = "a", session: str = "", excerpt: str = "") -> dict[str, Any]:
    said = {"topic": topic, "source": "agent_search", "project_id": project * 64 if len(project) == 1 else project}
    return {**said, **({"session": session} if session else {}), **({"agent_excerpt": excerpt} if excerpt else {})}


def signal(
    store: GapStore, topic: str, *, ago: float = 0, worktree: str = "app-1", now: int = NOW, **said: str
) -> None:
    """Counted as if it had come `ago` days before now."""
    count(store, [(now - int(ago * DAY_MS), worktree, payload(topic, **said))])


def count(store: GapStore, signals: Iterable[Signal]) -> None:
    """As reading the ledger does."""
    store.add(tally(signals))


def write(folder: Path, topic: str, *, ago: float = 0, worktree: str = "app-1", now: int = NOW, **said: str) -> bytes:
    """A line at the end of a work tree's file."""
    folder.mkdir(parents=True, exist_ok=True)
    event: dict[str, object] = {"type": "knowledge_gap_signal", "payload": payload(topic, **said)}
    line = journal.make_line(event, worktree=worktree, now_ms=now - int(ago * DAY_MS))[1]
    with (folder / f"{worktree}.jsonl").open("ab") as stream:
        stream.write(line)
    return line
