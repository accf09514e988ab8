"""`cairn list`."""

import subprocess

import pytest

import garden
from program import cairn, clean_env, command_line, fits_schema


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    return garden.make(tmp_path_factory.mktemp("garden"))


AGENT, COMMAND = ".claude/agents/gardener.md", ".claude/commands/water.md"


@pytest.mark.parametrize(
    ("args", "paths"),
    [
        ((), [AGENT, COMMAND, "README.md", "docs/beds.md", "docs/plan.md"]),
        (("--kind", "agent"), [AGENT]),
        (("--kind", "claude/agent,command"), [AGENT, COMMAND]),
        (("--kind", "agent", "--kind", "command"), [AGENT, COMMAND]),
        (("--provider", "claude"), [AGENT, COMMAND]),
        (("--tag", "green,spring"), [AGENT, "docs/plan.md"]),
        (("--path", "docs/"), ["docs/beds.md", "docs/plan.md"]),
        (("--path", "*.md", "--kind", "markdown", "--limit", "1"), ["README.md"]),
        (("--kind", "page", "--limit", "1"), ["README.md"]),
        (("--kind", "markdown", "--offset", "1"), ["docs/beds.md", "docs/plan.md"]),
        (("--kind", "markdown", "--sort-by", "links-out", "--limit", "1"), ["docs/plan.md"]),
        (("--issue", "reference-broken"), [AGENT, "docs/plan.md"]),
        (("--issue", "core/reference-broken", "--kind", "agent"), [AGENT]),
        (("--issue", "--kind", "markdown"), ["docs/plan.md"]),
    ],
)
def test_what_is_listed(workspace, args, paths):
    ran = cairn("list", *args, cwd=workspace)
    assert ran.code == 0
    assert garden.first_column(ran) == paths
    as_json = cairn("list", *args, "--json", cwd=workspace)
    assert as_json.err == ""
    fits_schema(as_json.json(), "list")
    assert [node["path"] for node in as_json.json()["nodes"]] == paths


def test_a_row_says_what_it_is_and_what_is_wrong(workspace):
    ran = cairn("list", "--path", "docs/plan.md", cwd=workspace / "docs")
    header, row = ran.out.splitlines()
    assert header.split() == ["path", "kind", "title", "in", "out", "issues"]
    assert row.split() == ["docs/plan.md", "page", "The", "plan", "3", "3", "1"]
    assert cairn("list", "--json", cwd=workspace).json()["issuesCounts"]["docs/plan.md"] == 2


def test_how_many_there_are_besides(workspace):
    ran = cairn("list", "--limit", "2", cwd=workspace)
    assert "showing 2 of 5" in ran.err
    assert cairn("list", "--limit", "2", "--json", cwd=workspace).json()["total"] == 5
    assert cairn("list", "--limit", "0", "--json", cwd=workspace).json()["nodes"] == []


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--kind", "robot"), "there is no kind `robot`, there are agent (1), command (1), page (3)"),
        (("--issue", "name-collision"), "`name-collision` found nothing, there are issues of"),
        (("--tag", "red"), "no document fits"),
        (("--offset", "9"), "--offset skips all 5"),
    ],
)
def test_nothing_fits(workspace, args, sentence):
    ran = cairn("list", *args, cwd=workspace)
    assert (ran.code, ran.out) == (0, "")
    assert sentence in ran.err


def test_an_empty_graph(tmp_path):
    garden.make(tmp_path, {})
    ran = cairn("list", cwd=tmp_path)
    assert (ran.code, ran.out) == (0, "")
    assert "the graph is empty" in ran.err
    assert cairn("list", "--json", cwd=tmp_path).json() == {
        "nodes": [],
        "issuesCounts": {},
        "scopes": {},
        "total": 0,
        "more": 0,
    }


def test_documents_that_are_not_current_have_their_scope(tmp_path):
    root = garden.make(tmp_path, {"CHANGELOG.md": "# Changes\n", "docs/a.md": "# A\n", "vendor/x.md": "# X\n"})
    listed = cairn("list", "--json", cwd=root).json()
    fits_schema(listed, "list")
    assert listed["scopes"] == {"CHANGELOG.md": "past", "vendor/x.md": "vendored"}


def test_before_the_first_scan(tmp_path):
    garden.write(tmp_path, {".cairn/settings.json": "{}"})
    ran = cairn("list", cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "run `cairn scan` first" in ran.err
    assert not (tmp_path / ".cairn" / "cairn.db").exists()


@pytest.mark.parametrize("args", [("--sort-by", "mood"), ("--limit", "-1"), ("--limit", "many")])
def test_bad_usage(workspace, args):
    assert cairn("list", *args, cwd=workspace).code == 2


def test_a_pipe_that_closes_early(workspace):
    first = subprocess.run(
        f"{' '.join(command_line('list'))} | head -1", shell=True, cwd=workspace, env=clean_env(), capture_output=True
    )
    assert first.stdout.split()[0] == b"path"
    assert b"Traceback" not in first.stderr


def test_names_cannot_steer_the_terminal(tmp_path):
    garden.make(tmp_path, {"a.md": '---\ntitle: "\\e[2Jgone\\u202e"\n---\n'})
    ran = cairn("list", cwd=tmp_path)
    assert "\\x1b[2Jgone\\u202e" in ran.out
    assert "\x1b" not in ran.out


def test_addresses_that_entries_cite_are_shown_when_asked_for(tmp_path):
    page = tmp_path / "knowledge" / "a" / "b.md"
    page.parent.mkdir(parents=True)
    page.write_text("---\nname: b\ndescription: d\nsources:\n  - url: https://example.org/x\n---\n")
    assert cairn("init", "-q", cwd=tmp_path).code == 0
    assert [node["path"] for node in cairn("list", "--json", cwd=tmp_path).json()["nodes"]] == ["knowledge/a/b.md"]
    shown = cairn("list", "--kind", "source", "--json", cwd=tmp_path).json()["nodes"]
    assert [node["path"] for node in shown] == ["https://example.org/x"]
