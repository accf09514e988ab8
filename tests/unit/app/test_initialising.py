"""Making a workspace."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cairn.app.initialising import Made, Wishes, initialise


def init(root: Path, ask: Any = None, **wishes: bool) -> Made:
    return initialise(root, Wishes(**wishes), env={}, ask=ask)


def settings(root: Path) -> Any:
    return json.loads((root / ".cairn/settings.json").read_text())


def test_a_plain_folder(tmp_path: Path):
    made = init(tmp_path)
    assert [step.action for step in made.steps] == ["create", "create"]
    assert settings(tmp_path) == {"active_provider": None, "active_provider_markers": []}
    assert any("no git repository" in note for note in made.notes)


def test_strict_is_written_and_a_dry_run_writes_nothing(tmp_path: Path):
    assert [step.action for step in init(tmp_path, dry_run=True).steps] == ["create", "create"]
    assert not (tmp_path / ".cairn").exists()
    init(tmp_path, strict=True)
    assert settings(tmp_path)["scan"] == {"strict": True}


@pytest.mark.parametrize(("ask", "active"), [(None, "claude"), (lambda ids: "openai", "openai")])
def test_of_several_hosts_the_first_or_the_one_picked(tmp_path: Path, ask: Any, active: str):
    (tmp_path / ".claude").mkdir()
    (tmp_path / "AGENTS.md").write_text("# Agents\n")
    made = init(tmp_path, ask)
    assert (made.choice.active, made.choice.found) == (active, ("claude", "openai"))
    assert settings(tmp_path)["active_provider"] == active


def test_force_chooses_anew_and_keeps_the_rest(tmp_path: Path):
    init(tmp_path, strict=True)
    (tmp_path / ".claude").mkdir()
    init(tmp_path)
    assert settings(tmp_path)["active_provider"] is None
    init(tmp_path, force=True)
    assert settings(tmp_path)["active_provider"] == "claude"
    assert settings(tmp_path)["scan"] == {"strict": True}


def test_a_workspace_inside_another_and_below_the_repositorys_root(tmp_path: Path):
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    init(tmp_path)
    inner = tmp_path / "packages/one"
    inner.mkdir(parents=True)
    notes = " | ".join(init(inner).notes)
    assert f"the repository's root is {tmp_path.resolve()}" in notes
    assert f"there is another workspace above, in {tmp_path}" in notes


def test_the_json_says_the_same(tmp_path: Path):
    body = init(tmp_path).json()
    assert (body["activeProvider"], body["foundProviders"]) == (None, [])
    assert [file["path"] for file in body["files"]] == [".cairn/settings.json", ".cairn/.gitignore"]
