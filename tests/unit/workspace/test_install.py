"""Making a workspace and taking it away."""

from pathlib import Path

import pytest

from cairn.core.machine_files import MACHINE_FILES
from cairn.errors import CannotWrite
from cairn.workspace.install import IGNORE, SETTINGS, belongings, carry_out, plan, remove


def actions(root: Path, settings: dict[str, object] | None = None) -> dict[str, str]:
    return {step.path: step.action for step, _ in plan(root, settings or {})}


def test_twice_is_once(tmp_path: Path):
    assert actions(tmp_path) == {SETTINGS: "create", IGNORE: "create"}
    carry_out(tmp_path, plan(tmp_path, {"active_provider": "claude"}))
    before = {name: (tmp_path / name).read_bytes() for name in (SETTINGS, IGNORE)}
    assert actions(tmp_path, {"active_provider": "other"}) == {SETTINGS: "keep", IGNORE: "keep"}
    carry_out(tmp_path, plan(tmp_path, {}))
    assert {name: (tmp_path / name).read_bytes() for name in before} == before


def test_everything_local_is_ignored_by_git(tmp_path: Path):
    carry_out(tmp_path, plan(tmp_path, {}))
    lines = (tmp_path / IGNORE).read_text().splitlines()
    assert [f"/{name}" in lines for name in MACHINE_FILES] == [True] * len(MACHINE_FILES)
    (tmp_path / IGNORE).write_bytes(b"\xff old\n")
    assert actions(tmp_path) == {SETTINGS: "keep", IGNORE: "update"}


def test_what_goes_with_it_and_nothing_else(tmp_path: Path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("x")
    root = tmp_path / "root"
    (root / ".cairn/ledger/deep").mkdir(parents=True)
    (root / ".cairn/ledger/deep/a.jsonl").write_text("x")
    (root / ".cairn/settings.json").write_text("{}")
    (root / ".cairn/link").symlink_to(outside)
    names = belongings(root)
    assert names[-1] == ".cairn/"
    assert ".cairn/link" in names
    assert not any("precious" in name for name in names)
    told: list[str] = []
    with pytest.raises(CannotWrite, match=r"`\.cairn/link` is not a regular file; remove it yourself"):
        remove(root, names, tell=told.append)
    assert (told, belongings(root)) == ([], names)  # all or nothing
    (root / ".cairn/link").unlink()
    names.remove(".cairn/link")
    remove(root, names, tell=told.append)
    assert told == names
    assert not (root / ".cairn").exists()
    assert (outside / "precious").read_text() == "x"


def test_a_workspace_that_is_a_symlink_is_left_alone(tmp_path: Path):
    (tmp_path / "real").mkdir()
    (tmp_path / ".cairn").symlink_to(tmp_path / "real")
    assert belongings(tmp_path) == []
    assert belongings(tmp_path / "nowhere") == []
