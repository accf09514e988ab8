"""The ledger port: the same on disk and in memory, and what only a disk can do to it."""

import os
from pathlib import Path

import pytest

from cairn import journal
from cairn.adapters.ledger.jsonl import LONGEST_LINE, JsonlLedger
from cairn.adapters.ledger.memory import MemoryLedger
from cairn.core.model.event import BadLine, Event
from cairn.core.ports.ledger import Ledger
from cairn.errors import CannotWrite, Refused

NOW = 1_767_225_600_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "app/.cairn").mkdir(parents=True)
    return tmp_path / "app/.cairn/ledger"


@pytest.fixture
def disk(folder: Path) -> JsonlLedger:
    return JsonlLedger(folder)


@pytest.fixture(params=["jsonl", "memory"])
def ledger(request: pytest.FixtureRequest, folder: Path) -> Ledger:
    return JsonlLedger(folder) if request.param == "jsonl" else MemoryLedger()


def forget(ledger: Ledger, path: str = "a.md") -> str:
    return ledger.append("orphan_forgotten", {"path": path}, now_ms=NOW)


def ids(ledger: Ledger, name: str, offset: int = 0) -> list[str]:
    return [line.id if isinstance(line, Event) else line.reason for _, line in ledger.read(name, offset)]


def index(ledger: Ledger, known: dict[str, int]) -> list[str]:
    """What a store does, as the port describes it: only what is new, by key and offset."""
    found = []
    for file in ledger.files():
        offset = known.get(file.key, 0)
        if file.size == offset:
            continue
        for behind, line in ledger.read(file.name, offset if file.size > offset else 0):
            known[file.key] = behind
            found.append(line.id if isinstance(line, Event) else line.reason)
    return found


def test_nothing_yet(ledger: Ledger) -> None:
    assert ledger.files() == []
    assert list(ledger.read("nowhere.jsonl")) == []


def test_what_goes_in_comes_out(ledger: Ledger) -> None:
    event_id = forget(ledger, "schön.md")
    (file,) = ledger.files()
    ((offset, event),) = ledger.read(file.name)
    assert offset == file.size
    assert isinstance(event, Event)
    assert (event.id, event.type, event.at) == (event_id, "orphan_forgotten", "2026-01-01T00:00:00.000Z")
    assert event.payload == {"path": "schön.md"}
    assert event.worktree and file.key == f"{event.worktree}.{event_id}"


def test_reading_goes_on_where_it_ended(ledger: Ledger) -> None:
    known: dict[str, int] = {}
    assert index(ledger, known) == []
    first = [forget(ledger), forget(ledger)]
    assert index(ledger, known) == first
    assert index(ledger, known) == []
    assert index(ledger, known) == [] and (third := forget(ledger))
    assert index(ledger, known) == [third]


@pytest.mark.parametrize(("kind", "payload"), [("made_up", {}), ("init", {"x": 1}), ("init", {"version": "x" * 5000})])
def test_refusals(ledger: Ledger, kind: str, payload: dict[str, object]) -> None:
    with pytest.raises(Refused):
        ledger.append(kind, payload, now_ms=NOW)
    assert ledger.files() == []


# --- on disk --------------------------------------------------------------------------------------------------------


def test_rotation_costs_nothing_and_loses_nothing(folder: Path, disk: JsonlLedger) -> None:
    known: dict[str, int] = {}
    seen, written = [], []
    for turn in range(9):
        written.append(
            journal.append(
                os.fspath(folder), {"type": "orphan_forgotten", "payload": {"path": "x"}}, now_ms=NOW, rotate_at=400
            )
        )
        if turn % 2:
            seen += index(disk, known)
    seen += index(disk, known)
    assert seen == written
    assert [name for file in disk.files() for name in ids(disk, file.name)] == written


BAD_LINES: list[tuple[bytes, str]] = [
    (b"not json\n", "it is not JSON"),
    (b"\xff\xfe\n", "it is not JSON"),
    (b"[1]\n", "it is not an object"),
    (b"{}\n", "it has no version"),
    (b'{"v":true}\n', "it has no version"),
    (b'{"v":2}\n', "it was written by a newer Cairn"),
    (b'{"v":1,"id":7}\n', "its `id` is missing"),
    (b'{"v":1,"id":"x","type":"t","at":"a","worktree":"w"}\n', "its `payload` is missing"),
    (b"[" * 100_000 + b"\n", "it is not JSON"),
    (b"x" * (3 * LONGEST_LINE) + b"\n", "it is far too long"),
    (b"x" * LONGEST_LINE + b"\n", "it is far too long"),
]


@pytest.mark.parametrize(("line", "reason"), BAD_LINES, ids=[repr(case[0][:30]) for case in BAD_LINES])
@pytest.mark.parametrize("where", ["first", "middle"])
def test_a_bad_line_is_a_value(folder: Path, disk: JsonlLedger, line: bytes, reason: str, where: str) -> None:
    event = forget(disk)
    (file,) = disk.files()
    good = (folder / file.name).read_bytes()
    (folder / file.name).write_bytes(line + good if where == "first" else good + line + good)
    (file,) = disk.files()
    assert ids(disk, file.name) == ([reason, event] if where == "first" else [event, reason, event])
    assert [offset for offset, _ in disk.read(file.name)][-1] == file.size
    assert all(len(line.excerpt) <= 120 for _, line in disk.read(file.name) if isinstance(line, BadLine))


def test_an_empty_line_is_no_bad_line(folder: Path, disk: JsonlLedger) -> None:
    event = forget(disk)
    (file,) = disk.files()
    good = (folder / file.name).read_bytes()
    (folder / file.name).write_bytes(b"\n" + good + b" \r\n\n")
    assert ids(disk, file.name) == [event]


def test_types_of_tomorrow_are_events(folder: Path, disk: JsonlLedger) -> None:
    folder.mkdir()
    line = '{"v":1,"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","type":"t","at":"a","worktree":"w","payload":{},"more":1}\n'
    (folder / "w.jsonl").write_text(line)
    assert ids(disk, "w.jsonl") == ["01ARZ3NDEKTSV4RRFFQ69G5FAV"]


def test_a_line_that_is_being_written_waits(folder: Path, disk: JsonlLedger) -> None:
    event = forget(disk)
    (file,) = disk.files()
    with (folder / file.name).open("ab") as ledger_file:
        ledger_file.write(b'{"v":1,')
    ((offset, line),) = disk.read(file.name)
    assert isinstance(line, Event) and (line.id, offset) == (event, file.size)
    assert list(disk.read(file.name, offset)) == []


def test_a_file_without_a_whole_line_is_not_listed(folder: Path, disk: JsonlLedger) -> None:
    folder.mkdir()
    (folder / "empty.jsonl").write_bytes(b"")
    (folder / "torn.jsonl").write_bytes(b"{")
    (folder / "notes.txt").write_bytes(b"x\n")
    assert disk.files() == []


def test_ledgers_of_other_work_trees_are_read_too(folder: Path, disk: JsonlLedger) -> None:
    mine = forget(disk)
    (file,) = disk.files()
    theirs = (folder / file.name).read_text().replace(mine, mine.replace("-", "0")).replace("app-", "zoo-")
    (folder / "zoo-12345678.jsonl").write_text(theirs)
    assert [ids(disk, file.name) for file in disk.files()] == [[mine], [mine.replace("-", "0")]]


@pytest.mark.parametrize("name", ["../../secret.jsonl", "link.jsonl", "pipe.jsonl", "folder.jsonl", "x.txt", ""])
def test_only_real_files_of_the_ledger(tmp_path: Path, folder: Path, disk: JsonlLedger, name: str) -> None:
    folder.mkdir()
    line = b'{"v":1,"id":"1","type":"t","at":"a","worktree":"w","payload":{}}\n'
    for path in (tmp_path / "app/secret.jsonl", folder / "x.txt"):
        path.write_bytes(line)
    (folder / "link.jsonl").symlink_to(tmp_path / "app/secret.jsonl")
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "folder.jsonl").mkdir()
    assert list(disk.read(name)) == []
    assert disk.files() == []


def test_a_ledger_that_cannot_be_written(folder: Path, disk: JsonlLedger) -> None:
    folder.write_text("a file in its place")
    with pytest.raises(CannotWrite, match="cannot be written"):
        forget(disk)
