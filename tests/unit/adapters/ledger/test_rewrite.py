"""Files of a ledger written anew: the rest stays as it was, to the byte and in order, whoever appends meanwhile."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cairn import journal
from cairn.adapters.ledger.collected import CollectedLedgerFiles, ledger_files
from cairn.adapters.ledger.jsonl import JsonlLedger
from cairn.adapters.ledger.rewrite import all_files, lines_of, rewrite
from cairn.core.ports.ledger import RewrittenLines

NOW = 1_700_000_000_000


def heartbeat(ledger: Path, note: str, **more: int) -> str:
    event = {"type": "progress_heartbeat", "payload": {"note": note}}
    return journal.append(str(ledger), event, now_ms=NOW, **more)


def without(word: bytes):
    return lambda line: None if word in line else line


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    folder = tmp_path / ".cairn" / "ledger"
    folder.parent.mkdir()
    return folder


def everything(ledger: Path) -> list[bytes]:
    return [line for _, path in all_files(ledger) for line in lines_of(path)]


def rewrite_all(ledger: Path, judge) -> RewrittenLines:
    return sum((rewrite(ledger, name, path, judge) for name, path in all_files(ledger)), start=RewrittenLines())


def test_the_rest_stays_to_the_byte(ledger: Path):
    for note in ("one", "secret two", "three"):
        heartbeat(ledger, note)
    first, _, third = everything(ledger)
    assert rewrite_all(ledger, without(b"secret")) == RewrittenLines(1, 0)
    assert everything(ledger) == [first, third]
    assert rewrite_all(ledger, without(b"secret")) == RewrittenLines()
    (file,) = ledger.glob("*.jsonl")
    assert file.stat().st_mode & 0o777 == 0o600
    assert not list(ledger.glob("*.new"))


def test_what_is_appended_next_comes_behind(ledger: Path):
    heartbeat(ledger, "secret")
    second = heartbeat(ledger, "two")
    rewrite_all(ledger, without(b"secret"))
    assert heartbeat(ledger, "three") > second
    assert [json.loads(line)["payload"]["note"] for line in everything(ledger)] == ["two", "three"]


def test_a_file_that_loses_everything_can_be_written_to(ledger: Path):
    heartbeat(ledger, "secret")
    rewrite_all(ledger, without(b"secret"))
    assert everything(ledger) == []
    heartbeat(ledger, "two")
    assert len(everything(ledger)) == 1


def test_full_files_are_called_by_their_first_event(ledger: Path):
    gone = heartbeat(ledger, "secret", rotate_at=10)
    kept = heartbeat(ledger, "kept", rotate_at=400)
    for note in ("more", "secret too"):
        heartbeat(ledger, note, rotate_at=300)
    assert any(gone in path.name for path in ledger.iterdir())
    rewrite_all(ledger, without(b"secret"))
    names = [path.name for path in ledger.iterdir()]
    assert not any(gone in name for name in names) and any(kept in name for name in names)
    assert [json.loads(line)["payload"]["note"] for line in everything(ledger)] == ["kept", "more"]


def test_torn_ends_and_odd_lines_are_looked_at_too(ledger: Path):
    heartbeat(ledger, "one")
    (file,) = ledger.glob("*.jsonl")
    (ledger / f"{file.name}.torn").write_bytes(b'{"secr\n{"v":1,"secret\nplain\n')
    with file.open("ab") as stream:
        stream.write(b"secret and no JSON\n" + b"x" * 2_000_000 + b"secret\n" + b'{"half')
    assert rewrite_all(ledger, without(b"secret")) == RewrittenLines(3, 0)
    heartbeat(ledger, "two")
    assert b"secret" not in b"".join(path.read_bytes() for path in ledger.iterdir())
    torn = (ledger / f"{file.name}.torn").read_bytes()
    assert b"plain" in torn and b'{"half' in torn


def test_what_an_older_program_left(ledger: Path):
    old = ledger.parent / "activity.jsonl"
    old.write_bytes(b'{"event_id":"a","x":"secret"}\n{"event_id":"b"}\n')
    os.chmod(old, 0o640)
    assert rewrite_all(ledger, without(b"secret")) == RewrittenLines(1, 0)
    assert old.read_bytes() == b'{"event_id":"b"}\n'
    assert old.stat().st_mode & 0o777 == 0o640


def collect(ledger: Path, theirs: Path) -> None:
    with CollectedLedgerFiles(ledger) as collected:
        for source in ledger_files(theirs):
            reading = collected.read_so_far(source)
            for block in source.blocks(reading.offset):
                reading = collected.put(source, block.lines, start=reading, offset=block.end)


def test_what_was_collected_goes_on_where_it_was(ledger: Path, tmp_path: Path):
    theirs = tmp_path / "theirs" / ".cairn" / "ledger"
    theirs.parent.mkdir(parents=True)
    for note in ("one", "secret two"):
        heartbeat(theirs, note)
    heartbeat(ledger, "ours")
    collect(ledger, tmp_path / "theirs")
    assert rewrite_all(ledger, without(b"secret")) == RewrittenLines(1, 0)
    heartbeat(theirs, "three")
    collect(ledger, tmp_path / "theirs")
    assert [json.loads(line)["payload"]["note"] for line in everything(ledger)] == ["ours", "one", "three"]


WRITER = """
import sys
from cairn import journal
for number in range(200):
    event = {"type": "progress_heartbeat", "payload": {"note": f"{sys.argv[2]} {number} secret" if number % 3 else "x"}}
    print(journal.append(sys.argv[1], event, now_ms=1_700_000_000_000), flush=True)
"""


def test_nothing_that_others_append_meanwhile_is_lost(ledger: Path):
    heartbeat(ledger, "first")
    line = [sys.executable, "-c", WRITER, str(ledger)]
    writers = [subprocess.Popen([*line, name], stdout=subprocess.PIPE, text=True) for name in ("a", "b")]
    while any(writer.poll() is None for writer in writers):
        rewrite_all(ledger, without(b"secret"))
    rewrite_all(ledger, without(b"secret"))
    told = [writer.communicate()[0].split() for writer in writers]
    kept = {id for ids in told for number, id in enumerate(ids) if number % 3 == 0}
    events = [event for file in JsonlLedger(ledger).files() for _, event in JsonlLedger(ledger).read(file.name)]
    assert {event.id for event in events[1:]} == kept and len(kept) == 134
    assert [event.id for event in events] == sorted(event.id for event in events)
