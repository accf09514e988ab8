"""Logs on disk: whole or not at all, for their owner alone, and only those."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from cairn.adapters.sessions.files import FileSessions
from cairn.errors import CannotWrite

NAME = "20260504-1000-a.md"


@pytest.fixture
def logs(tmp_path: Path) -> FileSessions:
    return FileSessions(tmp_path, ".cairn/sessions")


def test_what_is_written_is_read(logs: FileSessions, tmp_path: Path) -> None:
    assert (logs.names(), logs.size(NAME), logs.read(NAME, 0, 9)) == ([], 0, b"")
    logs.write(NAME, [b"abc", b"def"])
    assert (logs.names(), logs.size(NAME), logs.read(NAME, 2, 4), logs.read(NAME, 5, 99)) == ([NAME], 6, b"cd", b"f")
    folder = tmp_path / ".cairn" / "sessions"
    assert (folder / NAME).stat().st_mode & 0o077 == folder.stat().st_mode & 0o077 == 0
    assert logs.remove(NAME)
    assert not logs.remove(NAME)


def test_a_write_that_fails_leaves_what_was_there(logs: FileSessions, tmp_path: Path) -> None:
    logs.write(NAME, [b"old"])

    def broken() -> Iterator[bytes]:
        yield b"new"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        logs.write(NAME, broken())
    assert logs.read(NAME, 0, 9) == b"old"
    assert os.listdir(tmp_path / ".cairn" / "sessions") == [NAME]


def test_a_write_removes_files_of_killed_writers_of_that_session(logs: FileSessions, tmp_path: Path) -> None:
    folder = tmp_path / ".cairn" / "sessions"
    folder.mkdir(parents=True)
    beside = f".new-{'0' * 16}-20260504-"
    for left in ("1000-a.md", "0959-a.md", "0959-b.md"):
        (folder / f"{beside}{left}").write_text("half of it")
    logs.write(NAME, [b"x"])
    assert sorted(os.listdir(folder)) == [f"{beside}0959-b.md", NAME]


@pytest.mark.parametrize("name", ["../x.md", "notes.md", "a/20260504-1000-a.md", ""])
def test_other_names_are_not_touched(logs: FileSessions, name: str) -> None:
    with pytest.raises(CannotWrite):
        logs.write(name, [b"x"])
    assert logs.read(name, 0, 9) == b""


def test_nothing_goes_through_a_symlink(logs: FileSessions, tmp_path: Path) -> None:
    logs.write(NAME, [b"x"])
    folder = tmp_path / ".cairn" / "sessions"
    (tmp_path / "outside").write_text("theirs")
    (folder / NAME).unlink()
    (folder / NAME).symlink_to(tmp_path / "outside")
    assert logs.read(NAME, 0, 9) == b""
    with pytest.raises(CannotWrite):
        logs.write(NAME, [b"ours"])
    assert (tmp_path / "outside").read_text() == "theirs"


def test_a_folder_that_is_a_symlink_is_none_of_ours(logs: FileSessions, tmp_path: Path) -> None:
    (tmp_path / ".cairn").mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / ".cairn" / "sessions").symlink_to(tmp_path / "outside")
    with pytest.raises(CannotWrite):
        logs.write(NAME, [b"x"])
    assert (logs.names(), os.listdir(tmp_path / "outside")) == ([], [])


def test_what_is_gathered_leaves_no_file(logs: FileSessions, tmp_path: Path) -> None:
    with logs.scratch() as file:
        file.write(b"x")
    assert os.listdir(tmp_path / ".cairn" / "sessions") == []
