"""`cairn.turn`: eligible when it begins, one outcome when it ends."""

import asyncio
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

import cairn
from cairn.app.build import App, build_app
from cairn.app.open_workspace import open_before_init
from cairn.capture.list_turns import ListedTurn, ListTurnsOptions, list_turns
from cairn.capture.python_turn import turn_in
from cairn.core.model_budget import RunnerFailed
from cairn.workspace.init import InitOptions, initialise


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    initialise(open_before_init(tmp_path, env={}), InitOptions(), ask=None)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CAIRN_OFF", raising=False)
    made = build_app(tmp_path, env={})
    yield made
    made.close()


def found(app: App) -> dict[str, ListedTurn]:
    return {listed.turn.stage: listed for listed in list_turns(app, ListTurnsOptions(low=True)).turns}


def outcome(app: App, stage: str) -> tuple[str, str]:
    turn = found(app)[stage].turn
    assert turn.eligible_at_ms is not None
    return turn.outcome, turn.reason


def test_importing_cairn_imports_nothing() -> None:
    code = "import sys, cairn; print([name for name in sys.modules if name.startswith('cairn.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    with pytest.raises(AttributeError, match="no attribute 'turns'"):
        _ = cairn.turns  # type: ignore[attr-defined]


def test_a_note_a_skip_and_work_without_words(app: App) -> None:
    with cairn.turn(stage="plan", session="L1", agent="loop") as turn:
        turn.note("One parser is enough; two drift apart.", decision="One parser.", type="lesson", tags=["Parsers"])
        assert turn.id is not None
        assert turn.id.startswith("python:L1:")
    with cairn.turn("test") as turn:
        turn.skip()
    with cairn.turn("implement") as turn:
        turn.tool("Bash", "pytest", ok=False)
    with cairn.turn("review"):
        pass
    assert outcome(app, "plan") == ("completed", "")
    note = found(app)["plan"].note
    assert note is not None
    assert (note.decision, note.type, note.tags, note.agent) == ("One parser.", "lesson", '["parsers"]', "loop")
    assert outcome(app, "test") == ("skipped", "no-new-information")
    assert outcome(app, "implement") == ("completed", "")
    assert outcome(app, "review") == ("skipped", "no-new-information")


@pytest.mark.parametrize("problem", [ValueError("x"), KeyboardInterrupt(), asyncio.CancelledError(), SystemExit(3)])
def test_what_goes_wrong_is_the_outcome_and_goes_on(app: App, problem: BaseException) -> None:
    with pytest.raises(type(problem)), cairn.turn("implement") as turn:
        turn.note("Said before it went wrong.")
        raise problem
    assert outcome(app, "implement") == ("failed", type(problem).__name__)


def test_stages_in_each_other_share_what_they_don_t_say(app: App) -> None:
    with cairn.turn("loop", session="L1", source="agent-loop", agent="a", project="p"):
        with cairn.turn("judge"):
            pass
        with cairn.turn("retro", agent="b", session="L2"):
            pass
    turns = {stage: listed.turn for stage, listed in found(app).items()}
    assert set(turns) == {"loop", "judge", "retro"}
    judge, retro = turns["judge"], turns["retro"]
    assert (judge.source, judge.agent, judge.session, judge.project) == ("agent-loop", "a", "L1", "p")
    assert (retro.source, retro.agent, retro.session) == ("agent-loop", "b", "L2")
    with cairn.turn("after"):
        pass
    assert found(app)["after"].turn.session == ""


def test_functions_are_turns_each_time_they_are_called(app: App) -> None:
    @cairn.turn
    def plan(number: int) -> int:
        """Plans."""
        return number + 1

    @cairn.turn(stage="write")
    async def write(text: str) -> str:
        await asyncio.sleep(0)
        if not text:
            raise ValueError
        return text

    async def both() -> list[str]:
        return list(await asyncio.gather(write("a"), write("b")))

    assert [plan(1), plan(2)] == [2, 3]
    assert (plan.__name__, plan.__doc__) == ("plan", "Plans.")
    assert asyncio.run(both()) == ["a", "b"]
    with pytest.raises(ValueError):
        asyncio.run(write(""))
    stages = [(listed.turn.stage, listed.turn.outcome) for listed in list_turns(app, ListTurnsOptions()).turns]
    assert sorted(stages) == [
        ("plan", "skipped"),
        ("plan", "skipped"),
        ("write", "failed"),
        ("write", "skipped"),
        ("write", "skipped"),
    ]


def test_async_with(app: App) -> None:
    async def work() -> None:
        async with cairn.turn("test") as turn:
            turn.skip("duplicate-signal")

    asyncio.run(work())
    assert outcome(app, "test") == ("skipped", "duplicate-signal")


def test_a_generator_has_no_end_to_wait_for() -> None:
    def steps() -> Iterator[int]:
        yield 1

    with pytest.raises(TypeError, match="inside of it"):
        cairn.turn("x")(steps)


def test_a_turn_begins_once(app: App) -> None:
    turn = cairn.turn("x")
    with turn, pytest.raises(RuntimeError, match="has begun already"):
        turn.__enter__()


def test_the_same_id_is_one_turn(app: App) -> None:
    for words in ("The first of two tellings.", "The second of two tellings."):
        with cairn.turn("x", turn_id="fixed") as turn:
            turn.note(words)
    with pytest.raises(ValueError), cairn.turn("x", turn_id="fixed"):
        raise ValueError
    (listed,) = list_turns(app, ListTurnsOptions()).turns
    assert listed.note is not None
    assert (listed.turn.outcome, listed.note.revision) == ("completed", 2)


def test_a_reason_that_nobody_declared_is_a_warning_and_a_failure(app: App) -> None:
    with pytest.warns(RuntimeWarning, match="invalid_skip_reason"), cairn.turn("x") as turn:
        turn.skip("lunch")
    assert outcome(app, "x") == ("failed", "invalid_skip_reason")


def test_without_a_workspace_work_goes_on_with_one_warning(tmp_path: Path) -> None:
    code = "import cairn\nfor n in range(3):\n  with cairn.turn('x') as t:\n    t.note('words')\n    print(t.id)\n"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "None\n" * 3
    assert done.stderr.count("RuntimeWarning: cairn.turn: there is no Cairn workspace here") == 1


def test_switched_off_it_is_silent(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAIRN_OFF", "1")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with cairn.turn("x") as turn:
            assert turn.id is None
    assert list_turns(app, ListTurnsOptions()).turns == []


def test_a_ledger_that_cannot_be_written_stops_no_work(app: App, tmp_path: Path) -> None:
    (tmp_path / ".cairn/ledger").write_text("in the way")
    with pytest.warns(RuntimeWarning, match="nothing was recorded"), cairn.turn("x"):
        worked = True
    assert worked


# --- Cairn's own calls ----------------------------------------------------------------------------------------------


def test_a_turn_of_our_own_is_marked_as_internal(app: App) -> None:
    with turn_in(app, stage="judge", agent="ollama/small"):
        pass
    with pytest.raises(RunnerFailed), turn_in(app, stage="review", agent="ollama/small"):
        raise RunnerFailed("no", retryable=True)
    turns = {stage: listed.turn for stage, listed in found(app).items()}
    assert {(row.source, row.agent, row.internal) for row in turns.values()} == {("cairn", "ollama/small", 1)}
    assert (turns["judge"].outcome, turns["review"].reason) == ("skipped", "RunnerFailed")
