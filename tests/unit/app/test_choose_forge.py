"""The operator chooses the forge; a file of the repository cannot."""

import json
from pathlib import Path

import pytest

from cairn.app.build import App, build_app
from cairn.changes.check_changes import judge_commit
from cairn.changes.make_change import base_commit
from cairn.config.load import load
from cairn.errors import Conflict, EnvironmentProblem
from cairn.freshness.allow import add
from cairn.knowledge.base import ALLOWLIST
from repository import commit, git, make

GITHUB = {"CAIRN_CHANGE__FORGE": "github", "GITHUB_TOKEN": "bot-token"}


def app_at(tmp_path: Path, env: dict[str, str], *, folder: str = "") -> App:
    root = make(tmp_path / "work", {f"{folder}.cairn/settings.json": "{}", "a.md": "a\n"})
    git(root, "remote", "add", "origin", "git@github.com:bakery/handbook.git")
    return build_app(root / folder, env=env)


def test_without_a_word_it_is_the_repository_itself(tmp_path: Path) -> None:
    assert app_at(tmp_path, {"GITHUB_TOKEN": "bot-token"}).forge.name == "local"


@pytest.mark.parametrize("folder", ["", "docs/"])
def test_the_operator_names_github(tmp_path: Path, folder: str) -> None:
    assert app_at(tmp_path, GITHUB, folder=folder).forge.name == "github"


def test_github_without_a_token_says_so(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="set GITHUB_TOKEN"):
        _ = app_at(tmp_path, {"CAIRN_CHANGE__FORGE": "github"}).forge


def test_a_committed_file_cannot_send_changes_anywhere(tmp_path: Path) -> None:
    committed = {"change": {"forge": "github"}}
    root = make(tmp_path / "work", {".cairn/settings.json": json.dumps(committed)})
    settings = load(root, env={}, flags={}, tracked=lambda paths: ())
    assert settings.text("change.forge") == "local"


class Elsewhere:
    name = "github"

    def base_branch(self) -> str:
        return "main"


def test_changes_for_a_forge_elsewhere_are_made_for_what_was_fetched_from_there(tmp_path: Path) -> None:
    app = app_at(tmp_path, GITHUB)
    app.__dict__["forge"] = Elsewhere()
    fetched = git(app.root, "rev-parse", "main")
    assert base_commit(app) == fetched, "nothing was fetched: the branch here is all there is"
    git(app.root, "update-ref", "refs/remotes/origin/main", fetched)
    ahead = commit(app.root, {"a.md": "not pushed\n"})
    assert base_commit(app) == fetched != ahead
    git(app.root, "update-ref", "-d", "refs/remotes/origin/main")
    git(app.root, "branch", "-q", "-m", "main", "other")
    with pytest.raises(EnvironmentProblem, match="git fetch origin main"):
        base_commit(app)


def test_what_is_compared_with_the_base_is_compared_with_what_was_fetched(tmp_path: Path) -> None:
    app = app_at(tmp_path, GITHUB)
    app.__dict__["forge"] = Elsewhere()
    fetched = git(app.root, "rev-parse", "main")
    git(app.root, "update-ref", "refs/remotes/origin/main", fetched)
    mine = commit(app.root, {ALLOWLIST: "hosts: [example.org]\n"})
    assert judge_commit(app, mine).base == fetched
    assert judge_commit(app, mine, onto="main").base == mine
    with pytest.raises(Conflict, match="not what the base branch has"):
        add(app, "example.com", category="web", probe=False, apply=False)


def test_changes_in_the_repository_itself_are_made_for_its_branch(tmp_path: Path) -> None:
    app = app_at(tmp_path, {})
    git(app.root, "update-ref", "refs/remotes/origin/main", "main")
    mine = commit(app.root, {"a.md": "mine\n"})
    assert base_commit(app) == mine
