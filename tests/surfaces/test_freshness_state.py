"""`cairn freshness state`: what a person sees of state that travels."""

from pathlib import Path

import pytest

from program import cairn, fits_schema
from repository import git
from travellers import URL, Clone, clone, server


@pytest.fixture
def two(tmp_path: Path) -> tuple[Clone, Clone]:
    bare = server(tmp_path)
    return clone(bare, "one"), clone(bare, "two")


def test_show_push_and_pull(two: tuple[Clone, Clone]) -> None:
    one, other = two
    one.saw("a hundred a minute")
    before = cairn("freshness", "state", "show", "--json", cwd=one.root).json()
    fits_schema(before, "freshness-state-show")
    assert before["commit"] is None and before["notYet"]["sources"] == 1 and before["mode"] == "off"
    assert "refs/cairn/state is not there yet" in cairn("freshness", "state", "show", cwd=one.root).out
    pushed = cairn("freshness", "state", "push", "--json", cwd=one.root).json()
    fits_schema(pushed, "freshness-state-push")
    assert "knows all of this" in cairn("freshness", "state", "push", cwd=one.root).out
    pulled = cairn("freshness", "state", "pull", "--json", cwd=other.root).json()
    fits_schema(pulled, "freshness-state-pull")
    assert pulled["commit"] == pushed["commit"] and pulled["restored"]["snapshots"] == 1
    assert other.knows()["texts"] == {URL: "a hundred a minute"}
    assert "known already" in cairn("freshness", "state", "pull", cwd=other.root).out
    assert f"is at {pushed['commit'][:9]}" in cairn("freshness", "state", "show", cwd=other.root).out


def test_when_there_is_nothing_or_nobody(two: tuple[Clone, Clone]) -> None:
    one, _ = two
    assert "origin has no state yet" in cairn("freshness", "state", "pull", cwd=one.root).out
    git(one.root, "remote", "remove", "origin")
    for command in ("pull", "push"):
        ran = cairn("freshness", "state", command, cwd=one.root)
        assert ran.code == 2 and "no remote `origin`" in ran.err
    assert "cannot travel" in cairn("freshness", "state", "show", cwd=one.root).err


def test_only_the_operator_lets_a_run_push(two: tuple[Clone, Clone]) -> None:
    one, _ = two
    committed = one.root / ".cairn/settings.json"
    committed.write_text(committed.read_text().replace("{", '{"freshness": {"state": "push"}, ', 1))
    ran = cairn("freshness", "state", "show", "--json", cwd=one.root)
    assert ran.json()["mode"] == "off" and "'freshness.state' is ignored here" in ran.err
    (one.root / ".cairn/settings.local.json").write_text('{"freshness": {"state": "push"}}')
    assert cairn("freshness", "state", "show", "--json", cwd=one.root).json()["mode"] == "push"


def test_leaving_takes_the_ref_along(two: tuple[Clone, Clone]) -> None:
    one, _ = two
    one.saw("text")
    cairn("freshness", "state", "push", cwd=one.root)
    listed = cairn("uninstall", "--dry-run", "--json", cwd=one.root).json()
    assert listed["refs"] == ["refs/cairn/state"]
    assert cairn("uninstall", "--yes", cwd=one.root).code == 0
    assert git(one.root, "for-each-ref", "refs/cairn") == "" and git(one.root, "ls-remote", "origin", "refs/cairn/*")
