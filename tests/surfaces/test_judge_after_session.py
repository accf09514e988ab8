"""`judge.when`: questions are read after a session where the operator agreed to it, and in no turn."""

import json
from pathlib import Path

import pytest

import garden
from agent_calls import hook, mishaps, payload
from cairn.hook import open_turns
from cairn.workspace.read_after_session import MOST
from host_lines import claude, joined
from program import cairn, fits_schema
from scripted_reader import counts, reader, status

SAID = "no, never touch the ledger from more than one worker, billing dies otherwise"
LONG = "The pool opens a connection for every row of the import, which takes long. " * 8


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return garden.make(tmp_path / "work", {"docs/a.md": "# Ovens\n\nHot.\n"})


def prefer(root: Path, file: str = "settings.local.json", **judge: object) -> None:
    path = root / ".cairn" / file
    known = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps({**known, "judge": judge}))


def session(root: Path, name: str, event: str = "session-end") -> None:
    """The host reports that it is over, or that it was compacted."""
    file = root.parent / f"{name}.jsonl"
    file.write_bytes(joined([claude("user", f"{SAID} ({name})"), claude("assistant", LONG)]))
    told = payload("claude", event, root, file, session_id=name)
    assert hook(event, told, cwd=root).code == 0


def drained(root: Path, **env: str) -> int:
    """Questions that the detached step had answered."""
    return cairn("hook", "drain", "--json", cwd=root, **env).json()["done"]["questions"]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


def asked(log: Path) -> list[str]:
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def test_a_session_that_ended_is_read_once(root, log):
    prefer(root, **{"when": "session-end", "with": reader("nothing", log)})
    session(root, "s-1")
    assert (drained(root), counts(root)) == (1, {"completed": 1})
    [prompt] = asked(log)
    assert SAID in prompt
    assert drained(root) == 0, "once after each session"
    session(root, "s-2")
    assert (drained(root), len(asked(log))) == (1, 2)


@pytest.mark.parametrize("when", ["ask", "never", None])
def test_nothing_is_read_unless_the_operator_agreed(root, log, when):
    prefer(root, **{"with": reader("nothing", log)}, **({"when": when} if when else {}))
    session(root, "s-1")
    assert drained(root) == 0 and not asked(log)
    [line] = [one for one in status(root)["waits"] if one.get("next") == "cairn judge"]
    assert line["text"] == "1 session is waiting to be read" and line["data"] == {"questions": {"core/learned": 1}}
    told = cairn("context", cwd=root).out
    assert ("1 session is waiting to be read: run `cairn judge`, or ask your agent to." in told) is (when != "never")
    dry = cairn("judge", "--dry-run", "--json", cwd=root).json()
    fits_schema(dry, "judge")
    assert (dry["count"], dry["unasked"]) == (0, 1)
    assert "1 session has no question yet: `cairn session propose` asks" in cairn("judge", "--dry-run", cwd=root).err
    assert cairn("judge", "--with", reader("nothing", log), cwd=root).code == 0 and len(asked(log)) == 1


def test_committed_settings_start_no_reader(root, log):
    prefer(root, "settings.json", **{"when": "session-end", "with": reader("nothing", log)})
    session(root, "s-1")
    assert drained(root) == 0 and not asked(log)
    said = cairn("judge", cwd=root, PATH="/usr/bin:/bin").err
    for name in ("judge.when", "judge.with"):
        assert f"'{name}' is ignored here; it may only stand in settings.local.json" in said


def test_no_question_is_sent_while_a_turn_is_under_way(root, log):
    prefer(root, **{"when": "session-end", "with": reader("nothing", log)})
    session(root, "s-1")
    turn = open_turns.begin(str(root), "claude", "s-2", "abc", {"process": None})
    assert drained(root) == 0 and not asked(log)
    open_turns.end(str(root), turn)
    assert drained(root) == 1


def test_a_session_that_was_compacted_goes_on(root, log):
    prefer(root, **{"when": "session-end", "with": reader("nothing", log)})
    session(root, "s-1", "pre-compact")
    assert drained(root) == 0 and not asked(log)
    session(root, "s-1")
    assert drained(root) == 1


def test_a_run_after_a_session_has_a_bound(root, log):
    prefer(root, **{"when": "session-end", "with": reader("nothing", log)})
    for number in range(MOST + 3):
        session(root, f"s-{number}")
    assert drained(root) == MOST == len(asked(log))
    assert counts(root) == {"completed": MOST, "queued": 3}
    assert drained(root) == 0, "the rest waits for the next session, or for `cairn judge`"


def test_a_reader_that_fails_is_named_once(root, log):
    prefer(root, **{"when": "session-end", "with": reader("login")})
    session(root, "s-1")
    for _ in range(2):
        cairn("hook", "drain", cwd=root)
    [said] = mishaps(root)
    assert "not logged in" in said and counts(root)["queued"] == 1, "nothing is lost"
