"""The store's index of the ledger: incremental, and not to be upset by a line."""

import json
from pathlib import Path

import pytest

from cairn.adapters.ledger.jsonl import JsonlLedger
from cairn.adapters.ledger.memory import MemoryLedger
from cairn.adapters.storage.memory import open_memory
from cairn.app.ledgering import index_ledger

PAYLOAD = {"nodes": 3}


def test_only_what_is_new_is_read():
    ledger, store = MemoryLedger(), open_memory()
    ledger.append("scan_completed", PAYLOAD, now_ms=1_000)
    assert index_ledger(ledger, store) == 1
    assert index_ledger(ledger, store) == 0
    ledger.append("scan_completed", PAYLOAD, now_ms=2_000)
    assert index_ledger(ledger, store) == 1
    assert [(event.type, event.at_ms) for event in store.events()] == [
        ("scan_completed", 2_000),
        ("scan_completed", 1_000),
    ]


def line(**changes: object) -> bytes:
    event = {"v": 1, "id": "e1", "type": "t", "at": "2026-01-01T00:00:00Z", "worktree": "w", "payload": {}, **changes}
    return json.dumps(event).encode() + b"\n"


ODD = [
    b"not json\n",
    line(at="yesterday"),
    line(at="0001-01-01T00:00:00+23:59"),
    line(id="\ud800"),
    line(type="\udfff"),
    line(v=99),
    b"\xff\xfe\n",
    b"[" * 5_000 + b"\n",
]


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_a_line_that_makes_no_sense_is_passed_over(tmp_path: Path, odd: bytes):
    ledger, store = JsonlLedger(tmp_path), open_memory()
    ledger.append("scan_completed", PAYLOAD, now_ms=1_000)
    (file,) = tmp_path.glob("*.jsonl")
    with file.open("ab") as stream:
        stream.write(odd + line(id="last"))
    index_ledger(ledger, store)
    assert "last" in [event.id for event in store.events()]
    assert index_ledger(ledger, store) == 0


def test_a_payload_of_half_letters_is_kept(tmp_path: Path):
    ledger, store = JsonlLedger(tmp_path), open_memory()
    (tmp_path / "w.jsonl").write_bytes(line(payload={"x": "\ud83d"}))
    assert index_ledger(ledger, store) == 1
    (event,) = store.events()
    assert json.loads(event.payload) == {"x": "\ud83d"}


def test_a_time_without_a_zone_is_utc(tmp_path: Path):
    ledger, store = JsonlLedger(tmp_path), open_memory()
    (tmp_path / "w.jsonl").write_bytes(line(at="1970-01-01T00:00:01"))
    index_ledger(ledger, store)
    assert [event.at_ms for event in store.events()] == [1_000]


def test_one_event_in_two_files_is_one(tmp_path: Path):
    ledger, store = JsonlLedger(tmp_path), open_memory()
    for name in ("one", "two"):
        (tmp_path / f"{name}.jsonl").write_bytes(line(worktree=name))
    index_ledger(ledger, store)
    assert len(list(store.events())) == 1
