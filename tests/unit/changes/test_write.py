"""The one writer: whole files, kept modes, no way out of the root."""

import errno
import os
import stat
import subprocess
import sys
from binascii import crc32
from collections.abc import Callable
from pathlib import Path

import pytest

from cairn.changes.write import leftovers, remove_file, remove_folder, save, write_file
from cairn.errors import CannotWrite


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def everything(folder: Path) -> set[str]:
    return {os.path.relpath(path, folder) for path in folder.rglob("*")}


def test_text_and_bytes(root: Path) -> None:
    assert write_file(root, "a.md", "schön\r\n")
    assert write_file(root, "b.bin", b"\0\xff")
    assert (root / "a.md").read_bytes() == "schön\r\n".encode()
    assert (root / "b.bin").read_bytes() == b"\0\xff"
    assert write_file(root, "empty", "")
    assert everything(root) == {"a.md", "b.bin", "empty"}


def test_nothing_is_touched_when_nothing_changes(root: Path) -> None:
    write_file(root, "a.md", "same")
    before = (root / "a.md").stat()
    assert not write_file(root, "a.md", "same")
    assert not write_file(root, "a.md", b"same", mode=stat.S_IMODE(before.st_mode))
    after = (root / "a.md").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_permissions_stay_unless_others_are_asked_for(root: Path) -> None:
    (root / "run.sh").write_text("old")
    (root / "run.sh").chmod(0o751)
    assert write_file(root, "run.sh", "new")
    assert mode_of(root / "run.sh") == 0o751
    assert write_file(root, "run.sh", "new", mode=0o600)
    assert mode_of(root / "run.sh") == 0o600
    assert write_file(root, "secret", "", mode=0o600)
    assert mode_of(root / "secret") == 0o600


def test_a_new_file_follows_the_umask(root: Path) -> None:
    old = os.umask(0o027)
    try:
        write_file(root, "a.md", "")
    finally:
        os.umask(old)
    assert mode_of(root / "a.md") == 0o640


def test_folders_on_the_way_are_made(root: Path) -> None:
    assert write_file(root, "x/y/z.md", "deep")
    assert (root / "x/y/z.md").read_text() == "deep"


OUTSIDE = ["", "/etc/passwd", "..", "../x", "a/../../x", "a//b", "./a", "a/.", "a/", "nul\0"]


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize(
    "act",
    [lambda root, path: write_file(root, path, "x"), remove_file, remove_folder],
    ids=["write", "remove", "remove-folder"],
)
def test_only_plain_paths_below_the_root(root: Path, path: str, act: Callable[[Path, str], bool]) -> None:
    with pytest.raises(CannotWrite, match="not a path inside"):
        act(root, path)
    assert everything(root.parent) == {"root"}


def _link_file(root: Path) -> str:
    (root.parent / "victim").write_text("victim")
    (root / "link").symlink_to(root.parent / "victim")
    return "link"


def _link_folder(root: Path) -> str:
    (root.parent / "away").mkdir()
    (root.parent / "away/victim").write_text("victim")
    (root / "link").symlink_to(root.parent / "away")
    return "link/victim"


def _dangling(root: Path) -> str:
    (root / "link").symlink_to("nowhere")
    return "link"


def _folder(root: Path) -> str:
    (root / "folder").mkdir()
    return "folder"


def _fifo(root: Path) -> str:
    os.mkfifo(root / "pipe")
    return "pipe"


def _file_as_folder(root: Path) -> str:
    (root / "file").write_text("")
    return "file/x"


def _long(root: Path) -> str:
    return "x" * 300


def _surrogate(root: Path) -> str:
    return "\ud800"


PLACES = [
    (_link_file, "symbolic link"),
    (_link_folder, "symbolic link"),
    (_dangling, "symbolic link"),
    (_folder, "folder stands"),
    (_fifo, "stands in its place"),
    (_file_as_folder, "not a folder"),
    (_long, "too long"),
    (_surrogate, "not valid Unicode"),
]


@pytest.mark.parametrize(("make", "words"), PLACES, ids=[case[0].__name__ for case in PLACES])
def test_places_that_are_refused(root: Path, make: Callable[[Path], str], words: str) -> None:
    path = make(root)
    before = everything(root.parent)
    for act in (lambda: write_file(root, path, "x"), lambda: remove_file(root, path)):
        with pytest.raises(CannotWrite, match=words):
            act()
    assert everything(root.parent) == before
    victims = [file.read_text() for file in root.parent.rglob("victim")]
    assert victims in ([], ["victim"])


ERRORS = [
    (errno.EACCES, "permissions"),
    (errno.EROFS, "read-only"),
    (errno.ENOSPC, "disk is full"),
    (errno.EDQUOT, "quota"),
    (errno.EIO, "input/output error"),
]


@pytest.mark.parametrize(("code", "words"), ERRORS)
@pytest.mark.parametrize("call", ["write", "fsync", "rename"])
def test_when_the_disk_says_no(root: Path, monkeypatch: pytest.MonkeyPatch, code: int, words: str, call: str) -> None:
    (root / "a.md").write_text("old")

    def refuse(*_: object, **__: object) -> int:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, call, refuse)
    with pytest.raises(CannotWrite, match=words) as caught:
        write_file(root, "a.md", "new")
    monkeypatch.undo()
    assert caught.value.message.startswith("a.md cannot be written: ")
    assert caught.value.message.count(".") == 2
    assert everything(root) == {"a.md"}
    assert (root / "a.md").read_text() == "old"


def test_an_interrupt_leaves_nothing_behind(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_file(root, "a.md", "new")
    assert everything(root) == set()


def test_a_write_in_small_steps_is_whole(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: real(fd, bytes(data[:3])))
    write_file(root, "a.md", "a long text")
    assert (root / "a.md").read_text() == "a long text"


def test_removing(root: Path) -> None:
    write_file(root, "a/b.md", "")
    assert remove_file(root, "a/b.md")
    assert not remove_file(root, "a/b.md")
    assert not remove_file(root, "nowhere/b.md")
    assert remove_folder(root, "a")
    assert not remove_folder(root, "a")
    assert everything(root) == set()


def test_a_folder_with_something_in_it_stays(root: Path) -> None:
    write_file(root, "a/b.md", "")
    with pytest.raises(CannotWrite, match="not empty"):
        remove_folder(root, "a")
    assert everything(root) == {"a", "a/b.md"}


def test_what_a_writer_that_died_left_is_swept_up(tmp_path: Path) -> None:
    """Files of writers that live, of other machines and of other people stay."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    host = f"{crc32(os.uname().nodename.encode()):08x}"
    dead = f".cairn-{host}-{gone.pid}-0011.tmp"
    kept = [
        f".cairn-{host}-{os.getpid()}-0011.tmp",
        f".cairn-00000000-{gone.pid}-0011.tmp",
        ".cairn-notes.tmp",
        "a.tmp",
    ]
    (tmp_path / "docs").mkdir()
    for name in (dead, *kept):
        (tmp_path / "docs" / name).write_text("half")
    assert leftovers(tmp_path, "docs") == [f"docs/{dead}"] and leftovers(tmp_path, "nowhere") == []
    assert write_file(tmp_path, "docs/page.md", "text\n")
    assert sorted(file.name for file in (tmp_path / "docs").iterdir()) == sorted([*kept, "page.md"])


def test_inside_and_outside_of_the_workspace(tmp_path: Path):
    root = tmp_path / "root"
    root.mkdir()
    for path in (root / "deep/base.json", tmp_path / "base.json"):
        save(root, path, "one")
        save(root, path, "two")
        assert path.read_text() == "two"


def test_a_missing_folder_outside_is_not_made(tmp_path: Path):
    root = tmp_path / "root"
    root.mkdir()
    with pytest.raises(CannotWrite, match="its folder does not exist"):
        save(root, tmp_path / "nowhere/base.json", "x")


def test_nothing_is_written_through_a_symlink(tmp_path: Path):
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "precious").write_text("keep")
    os.symlink(tmp_path / "precious", root / "link")
    with pytest.raises(CannotWrite):
        save(root, root / "link", "x")
    assert (tmp_path / "precious").read_text() == "keep"
