"""Making a workspace."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cairn.app.open_workspace import open_before_init, outer_workspace
from cairn.core.paths import MACHINE_FILES
from cairn.errors import CannotWrite
from cairn.workspace.init import (
    IGNORE,
    SETTINGS,
    InitOptions,
    InitResult,
    belongings,
    carry_out,
    initialise,
    plan,
    remove,
)


def init(root: Path, ask: Any = None, **wishes: bool) -> InitResult:
    return initialise(open_before_init(root, env={}), InitOptions(**wishes), ask=ask, outer=outer_workspace(root))


def settings(root: Path) -> Any:
    return json.loads((root / ".cairn/settings.json").read_text())


def test_a_plain_folder(tmp_path: Path):
    made = init(tmp_path)
    assert [step.action for step in made.steps] == ["create", "create"]
    assert settings(tmp_path) == {
        "active_provider": None,
        "active_provider_markers": [],
        "corpora": {},
    }
    assert any("not in a git repository" in note for note in made.notes)


def test_strict_is_written_and_a_dry_run_writes_nothing(tmp_path: Path):
    assert [step.action for step in init(tmp_path, dry_run=True).steps] == ["create", "create"]
    assert not (tmp_path / ".cairn").exists()
    init(tmp_path, strict=True)
    assert settings(tmp_path)["scan"] == {"strict": True}


@pytest.mark.parametrize(
    ("ask", "active", "stored"), [(None, "claude", None), (lambda ids: "openai", "openai", "openai")]
)
def test_of_several_hosts_the_first_or_the_one_picked(tmp_path: Path, ask: Any, active: str, stored: str | None):
    (tmp_path / ".claude").mkdir()
    (tmp_path / "AGENTS.md").write_text("# Agents\n")
    made = init(tmp_path, ask)
    assert (made.choice.active, made.choice.found) == (active, ("claude", "openai"))
    assert settings(tmp_path).get("active_provider") == stored


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
    assert body["corpora"] == []


# --- corpora --------------------------------------------------------------------------------------------------------

DOCS = {f"docs/{name}.md": "# A page\n" for name in "abc"}
ENTRY = {"content/knowledge/security/a.md": "---\nname: a\ndescription: about a\n---\n"}


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


@pytest.mark.parametrize(
    ("files", "corpora"),
    [
        ({}, {}),
        (DOCS, {"docs": {"root": "docs", "layout": "plain"}}),
        (ENTRY, {"knowledge": {"root": "content/knowledge", "layout": "entries"}}),
        (
            {"skills/a/canonical.md": "---\nid: a\nstatus: stable\n---\n"},
            {"repository": {"root": ".", "layout": "artefacts"}},
        ),
    ],
)
def test_what_is_found_is_written_down_and_stays(tmp_path: Path, files: dict[str, str], corpora: Any):
    write(tmp_path, files)
    made = init(tmp_path)
    assert settings(tmp_path)["corpora"] == corpora
    assert [corpus.name for corpus in made.corpora] == list(corpora)
    text = (tmp_path / ".cairn/settings.json").read_text()
    again = init(tmp_path)
    assert (again.corpora, [step.action for step in again.steps]) == (made.corpora, ["keep", "keep"])
    assert (tmp_path / ".cairn/settings.json").read_text() == text


def test_a_workspace_from_before_learns_its_corpora(tmp_path: Path):
    write(tmp_path, {**DOCS, ".cairn/settings.json": '{\n    "active_provider": null\n}\n'})
    assert [step.action for step in init(tmp_path, dry_run=True).steps] == ["update", "create"]
    assert "corpora" not in settings(tmp_path)
    made = init(tmp_path)
    assert [step.action for step in made.steps] == ["update", "create"]
    assert list(settings(tmp_path)["corpora"]) == ["docs"]
    assert [step.action for step in init(tmp_path).steps] == ["keep", "keep"]


def test_corpora_of_the_settings_are_not_looked_for(tmp_path: Path):
    mine = '{"active_provider_markers": [], "corpora": {"mine": {"layout": "plain"}}}\n'
    write(tmp_path, {**DOCS, ".cairn/settings.json": mine})
    assert [tuple(corpus)[:3] for corpus in init(tmp_path).corpora] == [("mine", "mine", "plain")]
    assert (tmp_path / ".cairn/settings.json").read_text() == mine


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
