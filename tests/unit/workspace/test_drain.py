"""The detached step: one at a time, part by part, and again when somebody asked meanwhile."""

import errno
import fcntl
import json
import os
from contextlib import closing
from unittest import mock

import pytest

from agent_calls import SESSION, mishaps, transcript, workspace
from cairn.adapters.clock.memory import SettableClock
from cairn.adapters.sessions.files import FileSessions
from cairn.app.build import build_app
from cairn.app.open_workspace import open_internally
from cairn.capture.settle_turns import PASSING
from cairn.errors import CannotWrite, ConfigError, Refused
from cairn.hook.aside import LOCK, SPOOL, WANTED
from cairn.workspace.drain import LATE_SECONDS, PARTS, DrainResult, drain_all
from cairn.workspace.single_process import alone
from program import cairn


@pytest.fixture
def root(tmp_path):
    return workspace(tmp_path / "work")


def part(calls, name="work", problem=None):
    def work(app):
        calls.append(app.env["CAIRN_INTERNAL"])
        if problem:
            raise problem
        return 1

    return name, work


def drain(root, **given):
    return drain_all(root, lambda: open_internally(root, env={}), **given)


def test_the_parts_come_in_order(root):
    assert [name for name, _ in PARTS] == [
        "turns",
        "sessions",
        "candidates",
        "misses",
        "vectors",
        "watchdog",
        "retention",
        "briefing",
    ]


def test_what_it_starts_is_marked_as_our_own(root):
    calls = []
    assert drain(root, parts=(part(calls),)) == DrainResult({"work": 1})
    assert calls == ["1"]


@pytest.mark.parametrize("problem", [Refused("no"), ValueError("odd"), KeyError("x"), BlockingIOError("full")])
def test_one_part_that_fails_takes_no_other_with_it(root, problem):
    calls = []
    done = drain(root, parts=(part(calls, "bad", problem), part(calls, "good")))
    assert done.done == {"good": 1}
    assert len(calls) == 2
    assert done.errors[0].startswith("bad: ")
    assert len(mishaps(root)) == 1


def test_what_is_asked_for_meanwhile_is_done_by_the_one_at_work(root):
    rounds = []

    def work(app):
        rounds.append(1)
        if len(rounds) == 1:
            (root / WANTED).touch()
        return 1

    assert drain(root, parts=(("work", work),)).done == {"work": 2}
    assert not (root / WANTED).exists()


def test_somebody_who_asks_without_end_is_left_to_the_next(root):
    def work(app):
        (root / WANTED).touch()
        return 1

    assert drain(root, parts=(("work", work),)).done["work"] < 100


def test_two_at_once_are_one(root):
    os.makedirs(root / SPOOL)
    with open(root / LOCK, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        busy = drain(root, parts=(part([]),))
    assert (busy.busy, busy.done) == (True, {})
    assert "Another process" in busy.sentence()


def test_a_lock_that_a_dead_process_left_is_no_lock(root):
    os.makedirs(root / SPOOL)
    (root / LOCK).touch()
    assert drain(root, parts=(part([]),)).done == {"work": 1}


def test_in_words():
    assert DrainResult({"turns": 2, "sessions": 0}).sentence() == "turns 2"
    assert DrainResult({}).sentence() == "nothing waited"


def test_nothing_to_say_is_nothing_said(root):
    cairn("scan", cwd=root)
    assert drain(root).errors == ()
    assert [one["text"] for one in json.loads((root / ".cairn/briefing.json").read_text())["briefings"]] == [""]


def test_a_host_that_writes_its_transcript_after_the_hook_is_waited_for(root):
    said = transcript(root, "claude")
    answer = {"type": "assistant", "uuid": "a-2", "message": {"role": "assistant", "content": "All mended."}}
    written, answer, waits = said.read_bytes(), json.dumps(answer).encode() + b"\n", []
    turn = {"turn_id": "t", "source": "claude", "agent": "claude", "session": SESSION, "host": "claude"}
    with closing(build_app(root, env={})) as app:
        at = {"message_id": "u-1", "transcript": str(said), "tools": ["Edit"], "tool_errors": 0}
        app.ledger.append("turn_eligible", {**turn, **at}, now_ms=app.clock.now_ms())
    said.unlink()

    def wait(seconds):
        waits.append(seconds)
        said.write_bytes(written if len(waits) < 2 else written + answer)

    assert drain(root, wait=wait).done["turns"] == 1
    assert waits == [LATE_SECONDS] * 2
    assert json.loads(cairn("turns", "list", "--json", cwd=root).out)["turns"][0]["note"]["summary"] == "All mended."


def test_what_stops_all_of_it_is_told_as_it_is(root):
    (root / ".cairn/settings.json").write_text("[]")
    with pytest.raises(ConfigError):
        drain(root, parts=())
    with pytest.raises(BlockingIOError), alone(root / LOCK):
        raise BlockingIOError("not the lock's")


def test_before_the_first_scan_there_is_no_briefing(root):
    assert drain(root).errors == ()
    assert not (root / ".cairn/briefing.json").exists()


def test_a_session_that_could_not_be_written_is_tried_again_for_a_day(root):
    said = transcript(root, "claude")
    told = {"host": "claude", "session": SESSION, "transcript": str(said), "size": 1, "reason": "session_end"}
    clock = SettableClock(1_770_000_000_000)
    with closing(build_app(root, env={}, clock=clock)) as app:
        app.ledger.append("session_spooled", told, now_ms=clock.now_ms())
        work = dict(PARTS)["sessions"]
        (root / ".cairn/sessions").write_text("in the way")
        for _ in range(2):
            with pytest.raises(PASSING):
                work(app)
        (root / ".cairn/sessions").unlink()
        assert [work(app), work(app)] == [1, 0]


def test_a_session_that_could_not_be_written_fails_its_part_and_no_other_session(root):
    now = SettableClock(1_770_000_000_000).now_ms()
    told = {"host": "claude", "transcript": str(transcript(root, "claude")), "size": 1, "reason": "session_end"}
    log_written = FileSessions.write

    def write(logs, name, content):
        if name.endswith("-broken.md"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        log_written(logs, name, content)

    with closing(build_app(root, env={}, clock=SettableClock(now))) as app:
        for session in ("whole", "broken"):
            app.ledger.append("session_spooled", {**told, "session": session}, now_ms=now)
        with mock.patch.object(FileSessions, "write", write), pytest.raises(CannotWrite, match="disk is full"):
            dict(PARTS)["sessions"](app)
        assert [log.name.endswith("-whole.md") for log in (root / ".cairn/sessions").glob("*.md")] == [True]


def test_a_session_that_never_can_be_written_is_let_go(root):
    told = {"host": "claude", "session": SESSION, "transcript": str(root / "gone"), "size": 1, "reason": "session_end"}
    clock = SettableClock(1_770_000_000_000)
    with closing(build_app(root, env={}, clock=clock)) as app:
        app.ledger.append("session_spooled", told, now_ms=clock.now_ms())
        app.ledger.append("session_spooled", {**told, "session": "b", "transcript": str(root)}, now_ms=clock.now_ms())
        work = dict(PARTS)["sessions"]
        work(app)
        (root / ".cairn/sessions").write_text("in the way")
        clock.advance(2 * 86_400_000)
        work(app)
        known = len(mishaps(root))
        assert [work(app), len(mishaps(root))] == [0, known]


@pytest.mark.parametrize(
    ("host", "minutes", "ended_after", "wanted"),
    [
        ("codex", 0, None, 0),  # it will say so
        ("claude", 0, None, 0),
        ("claude", 31, None, 1),  # it did not: a closed window
        ("codex", 31, None, 1),  # or a version that has no such hook
        ("claude", 31, 0, 0),  # it did, and that was captured
        ("codex", 5, 0, 0),
    ],
)
def test_a_session_that_was_left_without_an_end_is_captured_too(root, host, minutes, ended_after, wanted):
    said = transcript(root, host)
    clock = SettableClock(1_770_000_000_000)
    with closing(build_app(root, env={}, clock=clock)) as app:
        turn = {"turn_id": f"{host}:{SESSION}:u1", "source": host, "agent": host, "host": host, "session": SESSION}
        app.ledger.append("turn_eligible", {**turn, "transcript": str(said)}, now_ms=clock.now_ms())
        work = dict(PARTS)["sessions"]
        if ended_after is not None:
            told = {"host": host, "session": SESSION, "transcript": str(said), "size": 1, "reason": "session_end"}
            app.ledger.append("session_spooled", told, now_ms=clock.now_ms())
            assert work(app) == 1
        clock.advance(minutes * 60_000)
        assert [work(app), work(app)] == [wanted, 0]
        captured = [file.read_text() for file in (root / ".cairn/sessions").glob("*.md")]
        by = "session_end" if ended_after is not None else "stop"
        assert [f"captured_by: {by}" in text for text in captured] == [True] * (wanted or len(captured))
