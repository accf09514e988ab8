"""Forgetting, killed at every moment: files are the old ones or the new ones, and running it again finishes it."""

import json
from pathlib import Path

import pytest

from deaths import Work, dies_everywhere, fails_everywhere
from host_lines import claude, joined
from program import cairn

pytestmark = pytest.mark.slow

SECRET = "Quokkaword"
TALK = joined([claude("user", f"Who is {SECRET}?"), claude("assistant", "The dough needs twelve hours. " * 30)])


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "template"
    root.mkdir()
    (root / "README.md").write_text("# Bread\n")
    (tmp_path / "talk.jsonl").write_bytes(TALK)
    assert cairn("init", "--no-color", cwd=root).code == 0
    for words in (f"{SECRET} likes rye, and the oven is broken.", "The importer loses rows in the night."):
        assert cairn("note", words, cwd=root).code == 0
    told = cairn("session", "capture", "--transcript", "../talk.jsonl", "--session", "s-1", cwd=root)
    assert told.code == 0, told.err
    (root / ".cairn/hook-errors.log").write_text(f"{SECRET}\n")
    return root


def gone(root: Path) -> None:
    files = [path for path in (root / ".cairn").rglob("*") if path.is_file()]
    assert not [path.name for path in files if SECRET.lower().encode() in path.read_bytes().lower()]
    assert not (root / ".cairn/spool/forgetting").exists()
    ours = [path.name for path in files if path.parent.name in ("ledger", "sessions")]
    assert not [name for name in ours if name.endswith(".new") or name.startswith(".new-")]
    lines = [json.loads(line) for path in files if path.suffix == ".jsonl" for line in path.read_text().splitlines()]
    kept = [line for line in lines if line["type"] == "turn_completed"]
    assert [line["payload"]["summary"] for line in kept] == ["The importer loses rows in the night."]
    assert "twelve hours" in cairn("session", "show", "s-1", cwd=root).out


WORK = Work(("forget", "--literal", SECRET, "--yes"), gone, codes=(0, 5))


def test_killed_at_any_moment(workspace: Path, tmp_path: Path) -> None:
    assert dies_everywhere(workspace, WORK, tmp_path, HOME=str(tmp_path)) > 40


def test_on_a_disk_that_fails(workspace: Path, tmp_path: Path) -> None:
    assert fails_everywhere(workspace, WORK, tmp_path, "ENOSPC", HOME=str(tmp_path)) > 10
