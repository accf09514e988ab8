"""Owners on issues, through the program."""

import subprocess

import pytest

import garden
from program import cairn, fits_schema


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    root = garden.make(tmp_path_factory.mktemp("garden"))
    (root / "CODEOWNERS").write_text("* @org/everybody\n/docs/ @Digger grow@example.org\n!broken @x\n")
    return root


def test_at_the_heading_of_a_file(workspace):
    ran = cairn("check", cwd=workspace)
    assert "docs/plan.md  @Digger grow@example.org" in ran.out.splitlines()
    assert ran.err.count("CODEOWNERS:3") == 1


def test_in_json_and_sarif(workspace):
    found = cairn("check", "--json", cwd=workspace).json()
    fits_schema(found, "check")
    owners = {issue["nodeIds"][0]: issue["owners"] for issue in found["issues"]}
    assert owners["docs/plan.md"] == ["@Digger", "grow@example.org"]
    results = cairn("check", "--sarif", cwd=workspace).json()["runs"][0]["results"]
    assert {tuple(result["properties"]["owners"]) for result in results} == {tuple(named) for named in owners.values()}


def test_only_of_one_owner(workspace):
    everything = cairn("check", "--json", cwd=workspace).json()["issues"]
    mine = cairn("check", "--owner", "digger", "--json", cwd=workspace).json()["issues"]
    assert mine and mine == [issue for issue in everything if issue["nodeIds"][0].startswith("docs/")]
    listed = cairn("list", "--owner", "@digger", "--json", cwd=workspace).json()
    fits_schema(listed, "list")
    assert {node["path"].partition("/")[0] for node in listed["nodes"]} == {"docs"}
    paged = cairn("list", "--owner", "@digger", "--limit", "1", "--offset", "1", "--json", cwd=workspace).json()
    assert paged["nodes"] == listed["nodes"][1:2] and paged["total"] == listed["total"]


@pytest.mark.parametrize("command", ["check", "list"])
def test_an_unknown_owner(workspace, command):
    ran = cairn(command, "--owner", "@diger", cwd=workspace)
    assert (ran.code, ran.out) == (5, "")
    assert "did you mean `@Digger`?" in ran.err


def test_without_the_file_nothing_is_said_of_owners(tmp_path):
    root = garden.make(tmp_path)
    assert "owners" not in cairn("check", "--json", cwd=root).out
    assert cairn("list", "--owner", "@a", cwd=root).code == 5


def test_a_workspace_below_the_root_of_the_repository(tmp_path):
    root = garden.make(tmp_path / "packages" / "garden")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / ".github").mkdir()
    (tmp_path / ".github" / "CODEOWNERS").write_text("/packages/garden/docs @above\n/docs @wrong\n")
    assert "docs/plan.md  @above" in cairn("check", cwd=root).out
