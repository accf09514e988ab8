"""Turns that hooks left as pointers, and the watchdog that looks after them."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.adapters.process.told import tell_program
from cairn.app.build import App, build_app
from cairn.app.open_workspace import open_before_init
from cairn.capture.list_turns import show_turn
from cairn.capture.note import write_turn
from cairn.capture.settle_turns import LATE_MS, PAUSE_MS, has_late_turns, settle_turns
from cairn.capture.watchdog import look_at_turns, unreadable_lines, watch
from cairn.core.fingerprint import recall_mark
from cairn.core.ledger_events import project_of
from cairn.core.model.session import TurnRequest
from cairn.errors import StoreLocked
from cairn.workspace.init import InitOptions, initialise
from cairn.workspace.status.context import StatusContext
from cairn.workspace.status.page import status
from host_lines import claude, claude_result, claude_use, joined

HOUR = 3_600_000
LONG = "Edited the parser, since rows in latin-1 were lost without a word."
SESSION = [
    claude("user", "Before.", uuid="u0"),
    claude("assistant", "An earlier answer that is long enough to be kept.", uuid="a0"),
    claude("user", "Mend it.", uuid="u1"),
    claude_use("t1", "Edit", file_path="src/parser.py"),
    claude_result("t1"),
    claude("assistant", LONG, uuid="a1"),
    claude("user", "Thanks.", uuid="u2"),
    claude("assistant", "Sure.", uuid="a2"),
]


class Desktop:
    def __init__(self, root: Path) -> None:
        initialise(open_before_init(root, env={}), InitOptions(), ask=None)
        self.clock = SettableClock(1_770_000_000_000)
        self.app = build_app(root, env={}, clock=self.clock)
        self.transcript = root / "session.jsonl"
        self.transcript.write_bytes(joined(SESSION))

    def stop(self, message: str, **given: Any) -> str:
        """As the Stop hook records it: where, never what."""
        told = {
            "turn_id": f"claude:s:{message}",
            "source": "claude",
            "agent": "claude",
            "session": "s",
            "host": "claude",
        }
        told |= {"message_id": message, "transcript": str(self.transcript), "tools": ["Edit"], "tool_errors": 0}
        self.app.ledger.append("turn_eligible", {**told, **given}, now_ms=self.clock.now_ms())
        return str(told["turn_id"])


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desktop]:
    made = Desktop(tmp_path)
    yield made
    made.app.close()


def test_each_pointer_becomes_a_note_or_a_skip(desk: Desktop) -> None:
    start = joined(SESSION[:2]).rfind(b"\n") + 1
    worked, talked = desk.stop("u1", start=start), desk.stop("u2")
    desk.clock.advance(5_000)
    found = {done.turn_id: done for done in settle_turns(desk.app)}
    assert (found[worked].result, found[talked].result) == ("inserted", "no-new-information")
    note = show_turn(desk.app, worked).note
    assert note is not None
    assert note.summary == LONG
    assert json.loads(note.evidence) == ["tools:Edit", "file:src/parser.py"]
    assert json.loads(note.tags) == ["claude", "tool-use"]
    assert settle_turns(desk.app) == []


def test_a_turn_without_words_is_told_by_its_tools(desk: Desktop) -> None:
    desk.transcript.write_bytes(joined([*SESSION[2:5]]))
    turn = desk.stop("u1")
    desk.clock.advance(LATE_MS + 1)
    settle_turns(desk.app)
    note = show_turn(desk.app, turn).note
    assert note is not None
    assert note.summary == "Without words: Edit on src/parser.py."


def test_a_host_without_a_transcript_says_at_least_its_tools(desk: Desktop) -> None:
    turn = desk.stop("m", transcript="", tools=["bash", "edit"], tool_errors=1)
    settle_turns(desk.app)
    note = show_turn(desk.app, turn).note
    assert note is not None
    assert note.summary == "Without words: bash (failed); edit."


@pytest.mark.parametrize("host", ["claude", "cursor", "opencode"])
def test_a_turn_of_which_nothing_can_be_known_is_not_called_empty(desk: Desktop, host: str) -> None:
    turn = desk.stop("m", host=host, transcript="", tools=[])
    (done,) = settle_turns(desk.app)
    assert (done.outcome, show_turn(desk.app, turn).turn.outcome) == ("failed", "failed")
    assert settle_turns(desk.app) == []


def test_a_turn_of_a_hook_belongs_to_the_project_of_the_workspace(desk: Desktop) -> None:
    turn = desk.stop("u1")
    settle_turns(desk.app)
    found = show_turn(desk.app, turn)
    assert found.note is not None
    assert found.turn.project == found.note.project == project_of(desk.app)


def test_what_cairn_told_is_not_captured_again(desk: Desktop) -> None:
    known = "Refunds need the order's id and a reason that the customer can read."
    lines = [claude("user", f"{known} {recall_mark(known)}", uuid="x", isMeta=True), SESSION[2]]
    desk.transcript.write_bytes(joined([*lines, claude("assistant", known, uuid="a")]))
    turn = desk.stop("u1")
    (done,) = settle_turns(desk.app)
    assert (done.turn_id, done.result) == (turn, "no-new-information")


def test_what_cannot_be_read_is_tried_again_and_then_has_failed(desk: Desktop) -> None:
    turn = desk.stop("u1", transcript=str(desk.transcript) + ".gone")
    for _ in range(2):
        assert settle_turns(desk.app) == []
        assert settle_turns(desk.app) == []  # too early
        desk.clock.advance(PAUSE_MS)
    (done,) = settle_turns(desk.app)
    assert (done.outcome, done.result) == ("failed", "transcript_missing")
    row = show_turn(desk.app, turn).turn
    assert (row.attempts, row.outcome) == (3, "failed")


def test_a_transcript_that_comes_late_is_read(desk: Desktop) -> None:
    desk.transcript.write_bytes(joined(SESSION[:2]))
    desk.stop("u1")
    assert settle_turns(desk.app) == []
    desk.transcript.write_bytes(joined(SESSION))
    desk.clock.advance(PAUSE_MS)
    assert [done.result for done in settle_turns(desk.app)] == ["inserted"]


@pytest.mark.parametrize("there", [0, 2, 5], ids=["nothing", "another turn", "its tools"])
def test_a_transcript_that_comes_a_moment_late_is_read_by_the_next_step(desk: Desktop, there: int) -> None:
    desk.transcript.write_bytes(joined(SESSION[:there]))
    turn = desk.stop("u1")
    for _ in range(5):
        assert settle_turns(desk.app) == []
    assert show_turn(desk.app, turn).turn.attempts == 1
    assert has_late_turns(desk.app)
    desk.transcript.write_bytes(joined(SESSION))
    assert [done.result for done in settle_turns(desk.app)] == ["inserted"]
    assert not has_late_turns(desk.app)


def test_a_turn_that_ended_long_ago_is_not_waited_for(desk: Desktop) -> None:
    desk.transcript.unlink()
    desk.stop("u1")
    settle_turns(desk.app)
    assert has_late_turns(desk.app)
    desk.clock.advance(LATE_MS + 1)
    assert not has_late_turns(desk.app)


@pytest.mark.parametrize("kind", ["fifo", "folder"])
def test_nothing_but_a_file_is_read(desk: Desktop, tmp_path: Path, kind: str) -> None:
    place = tmp_path / kind
    os.mkfifo(place) if kind == "fifo" else place.mkdir()
    desk.stop("u1", transcript=str(place))
    assert settle_turns(desk.app) == []


def test_pointers_of_other_work_trees_are_not_followed(desk: Desktop, tmp_path: Path) -> None:
    desk.app.ledger.append("init", {}, now_ms=1)
    payload = {"turn_id": "t", "source": "claude", "host": "claude", "transcript": str(desk.transcript)}
    line = {"v": 1, "id": "x1", "type": "turn_eligible", "at": "2026-02-02T00:00:00Z", "worktree": "other-0"}
    (tmp_path / ".cairn/ledger/other-0.jsonl").write_text(json.dumps({**line, "payload": payload}) + "\n")
    assert settle_turns(desk.app) == []


# --- the watchdog ---------------------------------------------------------------------------------------------------


def noted(app: App, number: int) -> None:
    words = f"Fact number {number} about the importer and rows."
    write_turn(app, TurnRequest(f"n{number}", "claude", "claude", summary=words))


def test_a_lost_turn_is_named_once_a_day_until_it_is_found(desk: Desktop) -> None:
    assert watch(desk.app) is None
    noted(desk.app, 1)
    lost = desk.stop("u1")
    desk.clock.advance(HOUR)
    first = watch(desk.app)
    assert first is not None
    assert (first.look.verdict, [row.turn_id for row in first.look.missing]) == ("warn", [lost])
    assert [issue.key for issue in first.changes.raised] == ["unaccounted:claude"]
    (alert,) = desk.app.store.turns.alerts()
    assert (alert.open, alert.text) == (True, "1 of 2 turns of claude ended without a note or a reason")
    assert watch(desk.app) is None
    desk.clock.advance(4 * HOUR)
    second = watch(desk.app)
    assert second is not None
    assert second.changes == ((), ())
    desk.clock.advance(20 * HOUR)
    third = watch(desk.app)
    assert third is not None
    assert len(third.changes.raised) == 1
    settle_turns(desk.app)
    fourth = watch(desk.app, force=True)
    assert fourth is not None
    assert (fourth.look.verdict, [alert.key for alert in fourth.changes.resolved]) == ("fine", ["unaccounted:claude"])
    assert [alert.open for alert in desk.app.store.turns.alerts()] == [False]


def test_alerts_come_out_the_same_when_the_ledger_is_read_again(desk: Desktop) -> None:
    desk.stop("u1")
    desk.clock.advance(HOUR)
    watch(desk.app)
    before = desk.app.store.turns.alerts()
    desk.app.store.reset(state=True)
    look_at_turns(desk.app, since_ms=0)
    assert desk.app.store.turns.alerts() == before
    assert len(before) == 1


def test_the_operator_is_told(desk: Desktop, tmp_path: Path) -> None:
    heard = tmp_path / "heard.json"
    script = tmp_path / "tell.py"
    script.write_text(
        f"import sys, os\nopen({str(heard)!r}, 'w').write(sys.stdin.read() + os.environ['CAIRN_INTERNAL'])\n"
    )
    command = f"{sys.executable} '{script}'"
    app = build_app(tmp_path, env={}, clock=desk.clock, flags={"capture.alert_command": command})
    desk.stop("u1")
    desk.clock.advance(HOUR)
    done = watch(app)
    assert done is not None
    assert done.told == ""
    said, _, internal = heard.read_text().rpartition("\n")
    assert json.loads(said)["raised"][0]["kind"] == "unaccounted"
    assert internal == "1"
    app.close()


TELLING = [
    ("", "the command is empty"),
    ("'", "is no command"),
    ("/no/such/program", "could not be started: no such file or directory"),
    (f"{sys.executable} -c 'import sys; sys.exit(\"no such pager\")'", "ended with 1: no such pager"),
    (f"{sys.executable} -c 'import time; time.sleep(60)'", "did not end within 0.2 seconds"),
]


@pytest.mark.parametrize(("command", "said"), TELLING, ids=[said[:12] for _, said in TELLING])
def test_a_command_that_does_not_work_is_said(tmp_path: Path, command: str, said: str) -> None:
    assert said in tell_program(command, "{}", env={}, folder=tmp_path, seconds=0.2)


def test_what_cannot_be_read_is_critical(desk: Desktop, tmp_path: Path) -> None:
    noted(desk.app, 1)
    (file,) = (tmp_path / ".cairn/ledger").glob("*.jsonl")
    desk.app.__dict__["ledger"] = Unreadable()
    look = look_at_turns(desk.app, since_ms=0)
    assert (look.verdict, [issue.kind for issue in look.issues]) == ("critical", ["unreadable"])
    done = watch(desk.app)
    assert done is not None
    assert done.look.verdict == "critical"
    assert file.exists()


class Unreadable:
    def files(self, **_: Any) -> list[Any]:
        raise PermissionError(13, "Permission denied", "ledger")


def test_a_busy_database_says_nothing_about_turns(desk: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(*_: Any) -> int:
        raise StoreLocked

    monkeypatch.setattr(desk.app, "index_ledger", locked)
    with pytest.raises(StoreLocked):
        look_at_turns(desk.app, since_ms=0)


def test_lines_that_make_no_sense_count_where_they_may_be_about_the_window(desk: Desktop, tmp_path: Path) -> None:
    now = desk.clock.now_ms()
    desk.app.ledger.append("init", {}, now_ms=now - 30 * 24 * HOUR)
    (file,) = (tmp_path / ".cairn/ledger").glob("*.jsonl")
    with file.open("a") as stream:
        stream.write("old nonsense\n")
    noted(desk.app, 1)
    with file.open("a") as stream:
        stream.write("new nonsense\n")
    assert unreadable_lines(desk.app, since_ms=now - 24 * HOUR) == 1
    assert unreadable_lines(desk.app, since_ms=0) == 2


def test_nonsense_at_the_head_of_a_file_counts_and_old_files_are_not_read_on(desk: Desktop, tmp_path: Path) -> None:
    now = desk.clock.now_ms()
    noted(desk.app, 1)
    (file,) = (tmp_path / ".cairn/ledger").glob("*.jsonl")
    file.write_bytes(b"nonsense\n" + file.read_bytes())
    assert unreadable_lines(desk.app, since_ms=now - 24 * HOUR) == 1
    with file.open("a") as stream:
        stream.write("more nonsense\n")
    assert unreadable_lines(desk.app, since_ms=now + 24 * HOUR) == 1  # the window is empty: only what nobody can date


def test_the_status_page_says_how_turns_stand(desk: Desktop) -> None:
    app = desk.app
    assert app.store
    with app.store.scan() as session:
        session.set_meta({"scanned_at_ms": desk.clock.now_ms()})
    assert not [line for line in status(app).lines if "turns" in line.text]
    noted(app, 1)
    desk.stop("u1")
    desk.clock.advance(HOUR)
    found = status(app)
    assert found.problems == ()
    (waits,) = [line for line in found.of("waits") if "turns" in line.text]
    (health,) = [line for line in found.of("health") if "turns" in line.text]
    assert (waits.level, waits.next) == ("warn", "cairn turns verify")
    assert health.text == "turns of 7 days: 1 of 2 accounted for (1 noted, 0 skipped)"
    assert not [line for line in found.of("happened") if "turn" in line.text]
    settle_turns(app)
    assert [line.text for line in status(app).of("health") if "turns" in line.text] == [
        "turns of 7 days: all of 2 accounted for (2 noted, 0 skipped)"
    ]
    assert StatusContext(app).store is not None
