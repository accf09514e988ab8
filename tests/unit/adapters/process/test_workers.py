"""Workers give what one process would, in order, and leave nobody behind."""

import os
import signal
from pathlib import Path

import pytest

from cairn.adapters.process.fork import WorkerDied
from cairn.adapters.process.workers import ForkWorkers
from cairn.adapters.storage.sqlite.store import open_memory
from cairn.core.ports.runtime import Silent
from cairn.graph.ingest import WORTH_SHARING
from cairn.graph.scan import scan
from cairn.graph.scan_request import ScanPorts, ScanRequest
from snapshot import snapshot
from workbench import Bench


def children() -> set[int]:
    """Of this process, dead or alive, that nobody waited for."""
    return {int(pid) for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text().split()}


@pytest.mark.parametrize("count", [1, 2, 3, 8])
@pytest.mark.parametrize("things", [[], [1], list(range(7)), list(range(100))], ids=len)
def test_results_come_in_the_order_of_the_things(count: int, things: list[int]):
    before = children()
    assert list(ForkWorkers(count).map(lambda n: (n * n, os.getpid() != parent), things)) == [
        (n * n, True) for n in things
    ]
    assert children() == before


parent = os.getpid()


def test_what_a_worker_changes_stays_there():
    seen: list[int] = []
    assert list(ForkWorkers(2).map(seen.append, [1, 2, 3])) == [None, None, None]
    assert seen == []


def test_things_and_results_may_be_larger_than_a_pipe():
    big = "x" * 5_000_000
    assert [len(text) for text in ForkWorkers(2).map(lambda text: text + text, [big] * 5)] == [10_000_000] * 5


class Stubborn(Exception):
    """Cannot be sent to another process."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(first)


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (ValueError("no"), ValueError, "no"),
        (Stubborn("a", "b"), RuntimeError, "Stubborn: a"),
    ],
)
def test_an_error_arrives_here_and_nobody_is_left(error: Exception, kind: type[Exception], message: str):
    def work(number: int) -> int:
        if number == 3:
            raise error
        return number

    before, got = children(), []
    with pytest.raises(kind, match=message):
        for result in ForkWorkers(2).map(work, range(10)):
            got.append(result)
    assert got == [0, 1, 2]
    assert children() == before


def test_a_worker_that_dies_is_said_with_what_to_do():
    def work(number: int) -> int:
        if number == 4:
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    with pytest.raises(WorkerDied, match="--no-plugins"):
        list(ForkWorkers(2).map(work, range(10)))


def test_who_stops_listening_leaves_nobody_behind():
    before = children()
    results = ForkWorkers(3).map(lambda n: n, range(1000))
    assert next(results) == 0
    results.close()  # type: ignore[attr-defined]
    assert children() == before


def test_a_shared_scan_leaves_what_one_process_would(tmp_path: Path):
    bench = Bench(tmp_path, open_memory())
    for number in range(WORTH_SHARING + 50):
        name = f"---\nname: page-{number}\ndescription: A page.\n---\n" if number % 3 else ""
        bench.write(
            f".claude/agents/page-{number}.md" if number % 5 == 0 else f"docs/{number % 7}/page-{number}.md",
            f"{name}# Page {number}\n\n@page-{number * 5 % 900} [x](./page-{number + 7}.md) [[page-3]]\n",
        )
    bench.write("docs/binary.md", b"\0")
    bench.write("docs/broken.md", "---\na: [\n---\n")
    bench.scan()
    shared = open_memory()
    ports = ScanPorts(bench.files, shared, bench.clock, Silent(), ForkWorkers(2))
    report = scan(ScanRequest(), registry=bench.registry, active="claude", ports=ports)
    assert len(report.added) == WORTH_SHARING + 51
    assert snapshot(shared) == snapshot(bench.store)
    shared.close()
