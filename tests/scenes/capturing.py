"""Notes, sessions and what hooks leave behind: recorded, and forgotten again."""

import json
from collections import Counter
from pathlib import Path

from agent_calls import ASKED, WORKED, hook, payload, transcript
from deaths import Scene, Work
from end_state import events
from host_lines import claude, joined
from program import cairn
from repository import make

# --- a note -----------------------------------------------------------------------------------------------------------

WORDS = "The importer loses rows at night."


def a_note(scratch: Path) -> Scene:
    root = make(scratch / "template", {"README.md": "# Bread\n", ".gitignore": ".cairn/*\n"})
    assert cairn("init", "--no-color", cwd=root).code == 0
    assert cairn("note", "Something else was said before.", cwd=root).code == 0
    command = ("note", WORDS, "--turn-id", "t-1")
    folded = frozenset({"turn_eligible", "turn_completed"})
    return Scene(root, Work(command, _noted_once, acknowledged=_printed_only_when_stored, folded=folded), moments=20)


def _summaries(root: Path) -> list[str]:
    return [one["payload"]["summary"] for one in events(root) if one["type"] == "turn_completed"]


def _noted_once(root: Path) -> None:
    listed = cairn("turns", "list", "--json", cwd=root).json()["turns"]
    assert [one["note"]["summary"] for one in listed].count(WORDS) == 1 and len(listed) == 2, listed


def _printed_only_when_stored(root: Path, said: str) -> None:
    assert not said.strip() or WORDS in _summaries(root), f"printed {said!r}"


# --- a session --------------------------------------------------------------------------------------------------------

LONG = "The dough needs twelve hours at twenty degrees. " * 20
FIRST = joined([claude("user", "Bake."), claude("assistant", LONG)])
SECOND = joined([claude("user", "And cake?"), claude("assistant", "Cake, too.")])
TEXT = f"[USER]: Bake.\n\n[AGENT]: {LONG.strip()}\n\n[USER]: And cake?\n\n[AGENT]: Cake, too.\n"
CAPTURED = frozenset({"session_captured"})
"""The log is what counts; a run that dies after it tells nobody."""


def a_session(scratch: Path) -> Scene:
    """A log that is there already grows by a turn."""
    root = scratch / "template"
    root.mkdir()
    (root / "README.md").write_text("# Bread\n")
    before, after = scratch / "before.jsonl", scratch / "after.jsonl"
    before.write_bytes(FIRST)
    after.write_bytes(FIRST + SECOND)
    command = ("session", "capture", "--host", "claude", "--session", "s", "--transcript")
    assert cairn("init", "--no-color", cwd=root).code == 0
    told = cairn(*command, str(before), cwd=root)
    assert told.code == 0, told.err
    return Scene(root, Work((*command, str(after)), _kept_whole, loose=CAPTURED), moments=5)


def _kept_whole(root: Path) -> None:
    (name,) = [path.name for path in (root / ".cairn/sessions").iterdir()]
    assert name.endswith("-s.md")
    assert cairn("session", "show", "s", cwd=root).out == TEXT
    assert {path.name for path in (root / ".cairn/locks").iterdir()} <= {".guard"}


# --- what hooks leave -------------------------------------------------------------------------------------------------


def a_drain(scratch: Path) -> Scene:
    """A turn and the end of its session wait as pointers."""
    root = make(scratch / "template", {"README.md": "# Bread\n", ".gitignore": ".cairn/*\n"})
    assert cairn("init", "--no-color", cwd=root).code == 0
    said = {**claude("assistant", "The parser takes tabs now."), "uuid": "a-9"}
    talk = transcript(scratch, "claude", ASKED["claude"], WORKED["claude"], said)

    def call_hooks(root: Path) -> None:
        """In every copy: pointers of another folder are not ours."""
        for event in ("stop", "session-end"):
            assert hook(event, payload("claude", event, root, talk), cwd=root).code == 0

    return Scene(root, Work(("hook", "drain"), _drained, prepare=call_hooks, loose=CAPTURED), moments=40)


def _drained(root: Path) -> None:
    kinds = Counter(one["type"] for one in events(root))
    assert kinds["turn_completed"] == 1, kinds
    (log,) = (root / ".cairn/sessions").glob("*.md")
    assert log.read_text().count("The parser takes tabs now.") == 1
    assert len(json.loads((root / ".cairn/spool/sessions.json").read_text())) == 1, "nothing waits"


# --- forgetting -------------------------------------------------------------------------------------------------------

SECRET = "Quokkaword"
TALK = joined([claude("user", f"Who is {SECRET}?"), claude("assistant", "The dough needs twelve hours. " * 30)])
KEPT = "The importer loses rows in the night."


def a_forget(scratch: Path) -> Scene:
    root = scratch / "template"
    root.mkdir()
    (root / "README.md").write_text("# Bread\n")
    talk = scratch / "talk.jsonl"
    talk.write_bytes(TALK)
    assert cairn("init", "--no-color", cwd=root).code == 0
    for words in (f"{SECRET} likes rye, and the oven is broken.", KEPT):
        assert cairn("note", words, cwd=root).code == 0
    told = cairn("session", "capture", "--transcript", str(talk), "--session", "s-1", cwd=root)
    assert told.code == 0, told.err
    (root / ".cairn/hook-errors.log").write_text(f"{SECRET}\n")
    command = ("forget", "--literal", SECRET, "--yes")
    return Scene(root, Work(command, _forgotten, codes=(0, 5), loose=frozenset({"forgotten"})), moments=40)


def _forgotten(root: Path) -> None:
    files = [path for path in (root / ".cairn").rglob("*") if path.is_file()]
    assert not [path.name for path in files if SECRET.lower().encode() in path.read_bytes().lower()]
    assert not (root / ".cairn/spool/forgetting").exists()
    ours = [path.name for path in files if path.parent.name in ("ledger", "sessions")]
    assert not [name for name in ours if name.endswith(".new") or name.startswith(".new-")]
    assert _summaries(root) == [KEPT]
    assert "twelve hours" in cairn("session", "show", "s-1", cwd=root).out
