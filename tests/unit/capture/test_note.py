"""Notes through real parts: the ledger on disk, the store, other processes."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.app.build import App, build_app
from cairn.app.open_workspace import open_before_init
from cairn.capture.ledger_memory import SAID
from cairn.capture.list_turns import ListTurnsOptions, clear_target, list_turns, show_turn
from cairn.capture.note import write_turn
from cairn.capture.watchdog import named, requirements, verify_all
from cairn.core.model.session import ToolCall, TurnOutcome, TurnRequest
from cairn.core.ports.runtime import TelemetryRecord
from cairn.errors import CannotWrite, NotFound, UsageError
from cairn.workspace.init import InitOptions, initialise

DAY = 86_400_000
LONG = "The importer reads latin-1 as UTF-8 and loses rows without a word."


@pytest.fixture
def root(tmp_path: Path) -> Path:
    initialise(open_before_init(tmp_path, env={}), InitOptions(), ask=None)
    return tmp_path


@pytest.fixture
def app(root: Path) -> Iterator[App]:
    made = opened(root)
    yield made
    made.close()


def opened(root: Path, clock: SettableClock | None = None, **flags: Any) -> App:
    return build_app(root, env={}, clock=clock or SettableClock(1_770_000_000_000), flags=flags)


def turn(number: int = 1, summary: str | None = LONG, **given: Any) -> TurnRequest:
    fields = {"turn_id": f"t{number}", "source": "claude", "agent": "claude", "session": "s", "summary": summary}
    return TurnRequest(**{**fields, **given})


def said(app: App) -> list[str]:
    return [event.type for file in app.ledger.files() for _, event in app.ledger.read(file.name)]  # type: ignore[union-attr]


def test_the_same_turn_said_again_is_one_note(app: App) -> None:
    first = write_turn(app, turn())
    assert (first.outcome, first.result, first.note) == (TurnOutcome.COMPLETED, "inserted", "turn:t1")
    assert write_turn(app, turn()).result == "unchanged"
    assert write_turn(app, turn(summary=f"{LONG} Twice.")).result == "updated"
    assert write_turn(app, turn(summary=None, skip_reason="no-new-information")).result == "unchanged"
    assert [kind for kind in said(app) if kind.startswith("turn_")] == [
        "turn_eligible",
        "turn_completed",
        "turn_completed",
    ]
    shown = show_turn(app, "turn:t1")
    assert shown.note is not None
    assert (shown.note.revision, shown.seen_count) == (2, 1)


def test_duplicates_are_remembered_over_a_restart_and_however_many_come_between(root: Path) -> None:
    """A, B, A, B: one slot of memory would take each for news, and so would a process that begins anew."""
    words = [f"Fact {n} about the importer and its rows." for n in range(4)]
    for n, text in enumerate(words * 2):
        one = opened(root)
        done = write_turn(one, turn(n, text, tools=(ToolCall("Bash"),)))
        assert done.duplicate_of == (f"t{n - 4}" if n >= 4 else None)
        if n == 5:
            one.index_ledger()
        one.close()


def test_a_session_has_its_own_memory_but_a_note_that_says_the_same_counts_everywhere(root: Path) -> None:
    clock = SettableClock(1_770_000_000_000)
    app = opened(root, clock)
    write_turn(app, turn(1))
    assert write_turn(app, turn(2, session="other")).duplicate_of == "t1"
    clock.advance(40 * DAY)
    assert write_turn(app, turn(3, f"So {LONG.lower()}", source="codex")).duplicate_of == "t1"
    assert [listed.seen_count for listed in list_turns(app, ListTurnsOptions(outcome="completed")).turns] == [3]


def test_only_so_much_of_a_session_is_remembered(root: Path) -> None:
    """Of what is not in the store yet; there the limit is the query's."""
    app = opened(root)
    for n in range(SAID + 2):
        write_turn(app, turn(n, f"Number {n} of many things to say."))
    app.turn_memory.catch_up()
    marks = app.turn_memory._fresh[("claude", "s")]
    assert len(marks) == SAID
    assert {one.turn_id for one in marks.values()}.isdisjoint({"t0", "t1"})


def test_two_who_write_at_once_see_each_other(root: Path) -> None:
    one, other = opened(root), opened(root)
    write_turn(one, turn(1))
    assert write_turn(other, turn(2)).duplicate_of == "t1"
    assert write_turn(one, turn(2)).result == "duplicate-signal"
    for app in (one, other):
        app.close()


def test_a_long_end_of_the_ledger_is_indexed_first(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cairn.capture.ledger_memory._TAIL", 10)
    first = opened(root)
    write_turn(first, turn(1))
    first.close()
    second = opened(root)
    assert write_turn(second, turn(1)).result == "unchanged"
    assert second.store.turns.turn_rows(["t1"])
    second.close()


def test_an_archive_is_not_indexed_for_a_note(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cairn.capture.ledger_memory._ARCHIVE", 2_000, raising=False)
    monkeypatch.setattr("cairn.capture.ledger_memory._TAIL", 1_500)
    first = opened(root)
    for number in range(20):
        write_turn(first, turn(number, summary=f"The importer of file {number} needs UTF-8."))
    first.store.clear_index()
    first.close()
    second = opened(root)
    assert write_turn(second, turn(19, summary="The importer of file 19 needs UTF-8.")).result == "unchanged"
    assert write_turn(second, turn(99, summary="Exports need a header.")).result == "inserted"
    assert second.store.ledger_offsets() == {}
    second.close()


def test_nothing_private_reaches_the_disk(root: Path, app: App) -> None:
    mail = "jane.doe@acme-corp.com"
    write_turn(app, turn(summary=f"Ask {mail} about rows.", evidence=(f"mail:{mail}",), context={"project": mail}))
    app.index_ledger()
    app.close()
    assert not [file for file in (root / ".cairn").rglob("*") if file.is_file() and mail.encode() in file.read_bytes()]


def test_a_reset_reads_everything_again(app: App) -> None:
    write_turn(app, turn(1))
    write_turn(app, turn(2))
    write_turn(app, turn(3, None, skip_reason="no-new-information"))
    before = list_turns(app, ListTurnsOptions()).turns
    app.store.reset(state=False)
    assert list_turns(app, ListTurnsOptions()).turns == before
    app.store.reset(state=True)
    assert list_turns(app, ListTurnsOptions()).turns == before


class Locked:
    """A ledger that cannot be written, a few times."""

    def __init__(self, inner: Any, times: int) -> None:
        self._inner, self.left = inner, times

    def append_all(self, events: Any, *, now_ms: int) -> list[str]:
        if self.left:
            self.left -= 1
            raise CannotWrite("The ledger is locked.")
        return self._inner.append_all(events, now_ms=now_ms)  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class Heard:
    def __init__(self) -> None:
        self.records: list[TelemetryRecord] = []

    def write(self, records: Any, *, took_ms: float) -> None:
        self.records += records

    def close(self) -> None:
        self.records.append(TelemetryRecord("closed", "", "info", True, {}))

    @property
    def actions(self) -> list[str]:
        return [record.action.rpartition(".")[2] for record in self.records]


def test_a_lock_is_waited_for_and_only_the_last_attempt_has_failed(root: Path) -> None:
    app = opened(root)
    heard = app.__dict__["telemetry"] = Heard()
    app.__dict__["ledger"] = Locked(app.ledger, 2)
    assert write_turn(app, turn()).result == "inserted"
    assert heard.actions.count("retrying") == 2
    assert "failed" not in heard.actions
    assert heard.actions[-4:] == ["eligible", "dispatched", "started", "completed"]
    app.ledger.left = 3  # type: ignore[attr-defined]
    with pytest.raises(CannotWrite):
        write_turn(app, turn(2, "Another thing altogether, and quite long."))
    assert heard.actions.count("failed") == 1
    app.close()
    assert heard.actions[-1] == "closed"


# --- looking --------------------------------------------------------------------------------------------------------


def test_notes_that_score_little_are_shown_to_those_who_ask(root: Path) -> None:
    app = opened(root, **{"capture.score_threshold": 60})
    write_turn(app, turn(1), automatic=True)
    assert list_turns(app, ListTurnsOptions()).turns == []
    assert [one.turn.turn_id for one in list_turns(app, ListTurnsOptions(low=True)).turns] == ["t1"]
    app.clock.advance(14 * DAY)  # type: ignore[attr-defined]
    assert list_turns(app, ListTurnsOptions(low=True)).turns == []
    app.close()


def test_lists_by_words_type_and_outcome(app: App) -> None:
    write_turn(app, turn(1, type="lesson"))
    write_turn(app, turn(2, "Deploying needs the VPN, always.", agent="other"))
    write_turn(app, turn(3, None, skip_reason="no-new-information"))

    def ids(**wanted: Any) -> list[str]:
        return sorted(one.turn.turn_id for one in list_turns(app, ListTurnsOptions(**wanted)).turns)

    assert ids() == ["t1", "t2", "t3"]
    assert ids(words=("latin", "rows")) == ["t1"]
    assert ids(type="lesson") == ["t1"]
    assert ids(outcome="skipped") == ["t3"]
    assert ids(agent="other") == ["t2"]
    assert len(ids(limit=1)) == 1
    with pytest.raises(UsageError):
        ids(words=("x",), outcome="skipped")
    with pytest.raises(NotFound):
        show_turn(app, "nobody")


def test_failed_attempts_are_history_after_a_week_or_when_somebody_says_so(root: Path) -> None:
    clock = SettableClock(1_770_000_000_000)
    app = opened(root, clock)
    failed = {"type": "failed_target", "context": {"target": "staging"}}
    write_turn(app, turn(1, "Deploying to staging answers 403.", **failed))
    write_turn(app, turn(2, "Deploying to production hangs.", type="failed_target", context={"target": "production"}))
    clock.advance(1)
    with pytest.raises(NotFound) as told:
        clear_target(app, "stagin", by="me")
    assert "there are production, staging" in told.value.message
    assert clear_target(app, "staging", by="me") == 1
    assert [one.turn.turn_id for one in list_turns(app, ListTurnsOptions(type="failed_target")).turns] == ["t2"]
    clock.advance(7 * DAY)
    assert list_turns(app, ListTurnsOptions(type="failed_target")).turns == []
    app.close()


# --- what holds everywhere ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("requirement", requirements(), ids=lambda one: one.id)
def test_each_requirement_names_code_that_is_there(requirement: Any) -> None:
    assert requirement.says.endswith(".")
    for name in (*requirement.force, *requirement.enforce, requirement.verify):
        assert callable(named(name)), name


def test_every_query_runs_and_finds_nothing_where_nothing_is_wrong(app: App) -> None:
    write_turn(app, turn(1))
    write_turn(app, turn(2, None, skip_reason="no-new-information"))
    found = dict(verify_all(app))
    assert set(found) == set(requirements())
    assert not any(found.values())


SLIPPED: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "every-turn-accounted": [("turn_eligible", {})],
    "own-calls-accounted": [("turn_eligible", {"internal": True})],
    "words-or-a-reason": [("turn_completed", {"summary": " "})],
    "declared-reasons": [("turn_skipped", {"skip_reason": "lunch"})],
    "scrubbed-before-stored": [("turn_completed", {"summary": "Ask jane.doe@acme-corp.com."})],
    "nothing-recalled": [("turn_completed", {"summary": "Words. <!-- cairn:recall v2 012345678 -->"})],
    "listed-fields": [("turn_skipped", {"skip_reason": "duplicate-signal", "mood": "bad"})],
}


@pytest.mark.parametrize("name", [one.id for one in requirements()])
def test_every_query_finds_what_slipped_through(root: Path, name: str) -> None:
    """Written past all checks, as a broken producer would."""
    app = opened(root, SettableClock(1_770_000_000_000))
    app.ledger.append("init", {}, now_ms=1)
    (file,) = (root / ".cairn/ledger").glob("*.jsonl")
    with file.open("a") as stream:
        for n, (kind, payload) in enumerate(SLIPPED[name]):
            head = {"v": 1, "id": f"x{n}", "type": kind, "at": "2026-02-01T00:00:00.000Z", "worktree": "w"}
            stream.write(json.dumps({**head, "payload": {"turn_id": "t", "source": "s", **payload}}) + "\n")
    assert [requirement.id for requirement, problems in verify_all(app) if problems] == [name]
    app.close()
