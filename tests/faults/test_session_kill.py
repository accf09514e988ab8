"""Capturing, killed at every moment: afterwards the log is whole, there is one of it, and nothing lies about."""

from pathlib import Path

import pytest

from deaths import Work, dies_everywhere, fails_everywhere
from host_lines import claude, joined
from program import cairn

pytestmark = pytest.mark.slow

LONG = "The dough needs twelve hours at twenty degrees. " * 20
FIRST = joined([claude("user", "Bake."), claude("assistant", LONG)])
SECOND = joined([claude("user", "And cake?"), claude("assistant", "Cake, too.")])
TEXT = f"[USER]: Bake.\n\n[AGENT]: {LONG.strip()}\n\n[USER]: And cake?\n\n[AGENT]: Cake, too.\n"


def kept_whole(root: Path) -> None:
    (name,) = [path.name for path in (root / ".cairn" / "sessions").iterdir()]
    assert name.endswith("-s.md")
    assert cairn("session", "show", "s", cwd=root).out == TEXT
    assert {path.name for path in (root / ".cairn" / "locks").iterdir()} <= {".guard"}


@pytest.fixture
def work(tmp_path: Path) -> Work:
    """A log that is there already grows by a turn."""
    (tmp_path / "after.jsonl").write_bytes(FIRST + SECOND)
    return Work(
        ("session", "capture", "--transcript", "../after.jsonl", "--host", "claude", "--session", "s"), kept_whole
    )


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "template"
    root.mkdir()
    (root / "README.md").write_text("# Bread\n")
    (tmp_path / "before.jsonl").write_bytes(FIRST)
    assert cairn("init", "--no-color", cwd=root).code == 0
    told = cairn(
        "session", "capture", "--transcript", "../before.jsonl", "--host", "claude", "--session", "s", cwd=root
    )
    assert told.code == 0, told.err
    return root


def test_killed_at_any_moment(workspace: Path, work: Work, tmp_path: Path) -> None:
    assert dies_everywhere(workspace, work, tmp_path) > 5


def test_on_a_disk_that_fails(workspace: Path, work: Work, tmp_path: Path) -> None:
    assert fails_everywhere(workspace, work, tmp_path, "ENOSPC") > 3
