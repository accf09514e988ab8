"""Writing a file that a person named."""

import os
from pathlib import Path

import pytest

from cairn.changes.save_file import save
from cairn.errors import CannotWrite


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
