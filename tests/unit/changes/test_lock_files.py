"""What goes along with a lock file: a line for git, and all of it again when Cairn goes."""

import os
from pathlib import Path

import pytest

from cairn.app.build import App, build_app
from cairn.changes.lock_files import GIT_ATTRIBUTES, attributes_beside, left_behind, take_along, write_attributes
from repository import make

LINE = b"cairn.lock merge=union\n"
SETTINGS = '{"corpora": {"d": {"root": "docs", "layout": "plain"}, "k": {"layout": "entries"}}}'
FILES = {"docs/a.md": "# A\n", ".cairn/settings.json": SETTINGS}


def app(root: Path) -> App:
    return build_app(root, env={}, tracked=lambda _: ())


@pytest.mark.parametrize(
    "before",
    [b"", b"*.png binary", b"*.png binary\n", b"\xef\xbb\xbf*.png binary\r\n", b"# caf\xe9\n"],
    ids=["none", "open end", "some", "windows", "latin"],
)
def test_git_is_told_with_the_first_lock_and_untold_with_the_last(tmp_path: Path, before: bytes) -> None:
    root = make(tmp_path / "repo", FILES)
    attributes = root / GIT_ATTRIBUTES
    if before:
        attributes.write_bytes(before)
    content = attributes_beside(app(root), ["docs/cairn.lock"])
    assert write_attributes(app(root), content) == []
    (root / "docs/cairn.lock").write_text("# cairn.lock 1\n")
    assert attributes.read_bytes().removeprefix(b"\xef\xbb\xbf").startswith(LINE)
    assert attributes_beside(app(root), ["docs/cairn.lock"]) is None

    left = left_behind(app(root))
    assert left.removed == ("docs/cairn.lock", *(() if before else (GIT_ATTRIBUTES,)))
    assert left.edited == ((GIT_ATTRIBUTES,) if before else ())
    take_along(root, left)
    assert not (root / "docs/cairn.lock").exists()
    assert (attributes.read_bytes() if before else attributes.exists()) == (before or False)


@pytest.mark.parametrize("said", ["cairn.lock -merge", "docs/cairn.lock merge=ours", "**/cairn.lock  merge=union"])
def test_who_has_said_something_about_it_is_not_overruled(tmp_path: Path, said: str) -> None:
    root = make(tmp_path / "repo", {**FILES, GIT_ATTRIBUTES: f"* text=auto\n{said}\n"})
    assert attributes_beside(app(root), ["docs/cairn.lock"]) is None
    assert left_behind(app(root)).edited == ()


def test_a_line_that_was_taken_out_stays_out(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {**FILES, "docs/cairn.lock": ""})
    assert attributes_beside(app(root), ["docs/cairn.lock"]) is None


def test_nothing_is_written_without_git_or_without_a_lock(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    (plain / ".cairn").mkdir(parents=True)
    (plain / ".cairn/settings.json").write_text(SETTINGS)
    assert attributes_beside(app(plain), ["docs/cairn.lock"]) is None
    assert attributes_beside(app(make(tmp_path / "repo", FILES)), []) is None


def test_attributes_that_cannot_be_written_are_only_said(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", FILES)
    os.symlink("elsewhere", root / GIT_ATTRIBUTES)
    assert attributes_beside(app(root), ["docs/cairn.lock"]) is None
    [said] = write_attributes(app(root), LINE)
    assert "symbolic link" in said and "Add the line `cairn.lock merge=union`" in said
