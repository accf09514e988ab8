"""What doctor says about an older base and about pages, planted and found."""

import os
from contextlib import closing
from pathlib import Path

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.app.build import build_app
from cairn.core.model.issue import HealthState
from cairn.graph.run_scan import run_scan
from cairn.workspace.doctor import examine
from older_base import BASE, NODES, make_base, node, path_of
from repository import git, put

LONE = path_of("map-lone")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make_base(tmp_path / "w")
    put(root, {".kbignore": "# nothing yet\n", f"{BASE}/.state/installed-version": "{}"})
    with (root / ".gitignore").open("a") as file:
        file.write(f"/{BASE}/.state/\n/{BASE}/_sessions/\n")
    return root


def told(root: Path, check: str) -> list[str]:
    """What it warns of."""
    env = {"PATH": os.environ["PATH"]}
    with closing(build_app(root, env=env, clock=SettableClock(), installed=False)) as app:
        run_scan(app, app.scan_request())
        found = [one for one in examine(app) if one.check == check]
    assert all(one.fix for one in found if one.state is not HealthState.OK)
    return [one.message for one in found if one.state is HealthState.WARN]


def test_a_base_that_is_in_order(root: Path):
    assert told(root, "base") == [] and told(root, "pages") == []


def test_what_git_would_take_along_is_named(root: Path):
    put(root, {f"{BASE}/_logs/a.jsonl": ""})
    assert told(root, "base") == [f"git does not ignore {BASE}/_logs/, which belongs to this machine"]


def test_what_was_committed_by_force_is_still_ignored_by_the_rules(root: Path):
    git(root, "add", "-f", f"{BASE}/.state/installed-version")
    assert told(root, "base") == []


@pytest.mark.parametrize(("text", "words"), [(None, "is not there"), (" \n", "is empty")])
def test_a_kbignore_that_says_nothing(root: Path, text: str | None, words: str):
    put(root, {".kbignore": text})
    [message] = told(root, "base")
    assert words in message


ORIGINS = {
    "a document": ("[README.md]", True),
    "a document that went": ("[docs/gone.md]", False),
    "a page of the web": ("['https://example.org/a']", True),
    "a log of a session": ("[20260504-1000-5f1c8d1e-6f3a-4b52-9c3e-0d8a6f2b7c11.md]", True),
    "a file of this machine": ("['{here}/w/README.md']", True),
    "a file that this machine has not": ("['{here}/w/gone.md']", False),
    "another node": ("[map-queue]", True),
}


@pytest.mark.parametrize("name", ORIGINS)
def test_where_pages_come_from(root: Path, name: str):
    origin, resolves = ORIGINS[name]
    written = node("map-lone").replace("derived_from: []", f"derived_from: {origin.format(here=root.parent)}")
    put(root, {"README.md": "Read.\n", LONE: written})
    assert (told(root, "pages") == []) is resolves


def test_pages_whose_frontmatter_can_not_be_used(root: Path):
    put(root, {LONE: NODES["map-queue"].replace("confidence: high\n", ""), path_of("map-bad"): "---\n[\n---\n"})
    [message] = told(root, "pages")
    assert message.startswith("the frontmatter of 2 pages can't be used")


def test_without_an_older_base_nobody_asks_for_a_kbignore(tmp_path: Path):
    put(tmp_path, {".cairn/settings.json": "{}"})
    assert told(tmp_path, "base") == []
