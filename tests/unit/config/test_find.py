import pytest

from cairn.config.find import find_root
from cairn.errors import NotInitialised


def make(folder):
    (folder / ".cairn").mkdir(parents=True)
    (folder / ".cairn" / "settings.json").write_text("{}")
    return folder


def test_a_workspace_is_found_from_any_folder_below(tmp_path):
    root = make(tmp_path / "repo")
    deep = root / "a" / "b"
    deep.mkdir(parents=True)
    assert find_root(root) == find_root(deep) == root


def test_a_nested_workspace_belongs_to_itself(tmp_path):
    make(tmp_path / "repo")
    inner = make(tmp_path / "repo" / "packages" / "inner")
    assert find_root(inner) == inner


def test_a_folder_without_settings_is_no_workspace(tmp_path):
    root = make(tmp_path / "repo")
    (root / "sub" / ".cairn").mkdir(parents=True)
    assert find_root(root / "sub") == root


def test_no_workspace_says_what_to_do(tmp_path):
    with pytest.raises(NotInitialised, match="cairn init") as raised:
        find_root(tmp_path)
    assert raised.value.exit_code == 2
    assert str(tmp_path) in raised.value.message
