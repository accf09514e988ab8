"""What expires: words of notes, old events, full files, logs; at its time, and nothing else."""

import json
import os
from pathlib import Path

import pytest

from cairn import journal
from cairn.adapters.clock.memory import SettableClock
from cairn.app.build import App, build_app
from cairn.capture.note import write_turn
from cairn.capture.redaction import EXPIRED
from cairn.capture.retention import DAY_MS, RetentionResult, expire, expire_sometimes, sizes, sizes_text
from cairn.core.ledger_events import accept
from cairn.core.model.session import TurnRequest
from cairn.core.ports.turns import NoteFilter

NOW = 1_800_000_000_000


@pytest.fixture
def app(tmp_path: Path) -> App:
    root = tmp_path / "work"
    (root / ".cairn").mkdir(parents=True)
    (root / ".cairn" / "settings.json").write_text("{}")
    return build_app(root, env={}, clock=SettableClock(NOW))


def note(app: App, turn: str, words: str, *, automatic: bool = False) -> None:
    request = TurnRequest(turn_id=turn, source="claude", agent="claude", summary=words, session="s")
    write_turn(app, request, automatic=automatic)


def lines(app: App) -> list[dict]:
    files = sorted((app.root / ".cairn/ledger").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def later(app: App, days: float) -> None:
    app.clock.advance(int(days * DAY_MS))


def low_note(app: App) -> None:
    """As a hook writes one that is worth little."""
    payload = {"turn_id": "low", "source": "claude", "agent": "claude", "summary": "Words that expire.", "score": 3}
    until = journal.iso_utc(app.clock.now_ms() + 14 * DAY_MS)
    payload |= {"title": "Words that", "visibility": "low", "expires_at": until, "evidence": ["file:words"]}
    app.ledger.append("turn_eligible", {"turn_id": "low", "source": "claude"}, now_ms=app.clock.now_ms())
    app.ledger.append("turn_completed", payload, now_ms=app.clock.now_ms())


def test_of_notes_that_expired_the_words_go_and_the_outcome_stays(app: App):
    low_note(app)
    note(app, "kept", "Said by a person, so it stays.")
    before = lines(app)
    later(app, 13)
    assert expire(app) == RetentionResult()
    later(app, 2)
    assert expire(app, dry_run=True) == RetentionResult(notes=1) and lines(app) == before
    assert expire(app) == RetentionResult(notes=1)
    after = lines(app)
    assert [line["id"] for line in after[:-1]] == [line["id"] for line in before]
    assert (after[-1]["type"], after[-1]["payload"]["notes"]) == ("forgotten", 1)
    assert "Words that" not in json.dumps(after) and "Said by a person" in json.dumps(after)
    short = next(line for line in after if line["payload"].get("summary") == EXPIRED)
    assert accept(json.dumps(short).encode() + b"\n", lambda text: text).line is not None, "it is a sound event"
    app.index_ledger()
    assert app.store.turns.turn_rows(["low"])["low"].outcome == "completed"
    assert [seen.note.turn_id for seen in app.store.turns.notes(NoteFilter(now_ms=app.clock.now_ms(), low=True))] == [
        "kept"
    ]
    assert expire(app) == RetentionResult()


def test_old_events_go(app: App):
    note(app, "old", "Said two years ago.")
    later(app, 729)
    note(app, "young", "Said today, and other words.")
    assert expire(app) == RetentionResult()
    later(app, 2)
    assert expire(app).events == 2
    assert {line["payload"].get("turn_id") for line in lines(app)} == {"young", None}


def test_the_oldest_full_files_go_when_there_is_too_much(tmp_path: Path):
    root = tmp_path / "work"
    (root / ".cairn").mkdir(parents=True)
    (root / ".cairn" / "settings.json").write_text("{}")
    for number in range(12):
        event = {"type": "progress_heartbeat", "payload": {"note": f"note {number}"}}
        journal.append(str(root / ".cairn/ledger"), event, now_ms=NOW + number, rotate_at=500)
    app = build_app(root, env={}, clock=SettableClock(NOW), flags={"capture.ledger_max_bytes": 900})
    names = sorted(path.name for path in (root / ".cairn/ledger").glob("*.*.jsonl"))
    gone = expire(app).files
    assert gone and [Path(name).name for name in gone] == names[: len(gone)]
    notes = [line["payload"]["note"] for line in lines(app) if "note" in line["payload"]]
    assert "note 11" in notes and "note 0" not in notes


def test_old_logs_go(app: App):
    folder = app.root / ".cairn"
    (folder / "log").mkdir()
    (folder / "ledger").mkdir()
    names = ["log/cairn-crash-1.log", "hook-errors.log.1", "ledger/w.jsonl.torn", "hook-errors.log"]
    for name in (*names, "log/young.log"):
        (folder / name).write_text("x")
        os.utime(folder / name, (NOW / 1000 - 31 * 86_400,) * 2)
    os.utime(folder / "log/young.log", (NOW / 1000,) * 2)
    assert set(expire(app).files) == {f".cairn/{name}" for name in names[:3]}
    assert (folder / "hook-errors.log").exists() and (folder / "log/young.log").exists()
    assert not (folder / "log/cairn-crash-1.log").exists()


def test_once_a_day_and_the_ledger_once_a_week(app: App):
    assert expire_sometimes(app) == 0
    low_note(app)
    later(app, 0.5)
    assert expire_sometimes(app) == 0
    later(app, 15)
    assert expire_sometimes(app) == 1
    low_note(app)
    later(app, 2)
    assert expire_sometimes(app) == 0
    assert "Words that" in json.dumps(lines(app))


def test_sizes_are_told(app: App):
    assert sizes_text(sizes(app)) == ""
    note(app, "one", "Some words.")
    (app.root / ".cairn/hook-errors.log").write_text("x" * 250_000)
    assert sizes_text({**sizes(app), "ledger": 99_001}) == "ledger 100 kB, logs 0.2 MB"
    assert sizes(app)["ledger"] > 300
