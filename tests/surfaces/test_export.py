"""`cairn export`."""

import pytest

import garden
from program import cairn, fits_schema


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    return garden.make(tmp_path_factory.mktemp("garden"))


@pytest.mark.parametrize(
    ("query", "paths", "links"),
    [
        ((), 5, 7),
        (("kind=agent,command",), 2, 2),
        (("path=docs/*",), 2, 3),
        (("has=issues", "kind=markdown"), 1, 0),
        (("tag=spring",), 1, 0),
        (("kind=nothing",), 0, 0),
    ],
)
def test_queries(workspace, query, paths, links):
    ran = cairn("export", *query, "--json", cwd=workspace)
    assert ran.code == 0
    found = ran.json()
    fits_schema(found, "export")
    kept = {node["path"] for node in found["nodes"]}
    assert len(kept) == paths
    assert len(found["links"]) == links
    assert all({link["source"], link["resolvedTarget"]} <= kept for link in found["links"])
    assert ("no document matches the query" in ran.err) == (not kept)


def test_a_report_to_read(workspace):
    ran = cairn("export", "path=docs/*", "--format", "md", cwd=workspace)
    assert ran.code == 0
    assert "## markdown/markdown (2)" in ran.out
    assert "| [docs/beds.md](docs/beds.md) | Beds |  | [The plan](docs/plan.md) |" in ran.out
    assert "- **error** docs/plan.md:7: Broken link: the file" in ran.out


def test_a_picture(workspace):
    ran = cairn("export", "kind=markdown", "--format", "mermaid", cwd=workspace)
    assert ran.out.splitlines()[1] == "flowchart LR"
    assert "gardener" not in ran.out


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        (("colour=red",), 2, "is not part of a query"),
        (("kind=a", "kind=b"), 2, "given twice"),
        (("has=fun",), 2, "knows `issues` only"),
        (("--format", "pdf"), 2, "pdf"),
        (("-o", "README.md"), 1, "--force"),
    ],
)
def test_what_is_refused(workspace, args, code, sentence):
    ran = cairn("export", *args, cwd=workspace)
    assert (ran.code, ran.out) == (code, "")
    assert sentence in ran.err


@pytest.mark.parametrize(("name", "start"), [("report.md", "# garden"), ("all.mmd", "%%"), ("all.json", "{")])
def test_into_a_file(workspace, tmp_path, name, start):
    ran = cairn("export", "-o", str(tmp_path / name), "--json", cwd=workspace)
    fits_schema(ran.json(), "export")
    assert (tmp_path / name).read_text().startswith(start)


def test_llms_txt(workspace):
    ran = cairn("export", "--llms-txt", "--base-url", "https://garden.example", cwd=workspace)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0].startswith("# ") and lines[2].startswith("> ")
    assert "- [gardener](https://garden.example/.claude/agents/gardener.md): Grows things." in lines
    assert "5 pages, " in ran.err and " tokens" in ran.err
    assert cairn("export", "--llms-txt", "--base-url", "https://garden.example", cwd=workspace).out == ran.out


def test_llms_full_txt_of_what_a_query_names(workspace, tmp_path):
    file = tmp_path / "llms-full.txt"
    ran = cairn("export", "path=docs/*", "--llms-txt", "--full", "-o", str(file), "--json", cwd=workspace)
    fits_schema(ran.json(), "export")
    assert ran.json()["format"] == "llms-txt"
    text = file.read_text()
    assert "# Beds\n\nSource: docs/beds.md\n\nBack to [the plan](plan.md)." in text
    assert "gardener" not in text


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--full",), "go with --llms-txt"),
        (("--base-url", "https://x.org"), "go with --llms-txt"),
        (("--llms-txt", "--format", "md"), "Choose one of"),
        (("--llms-txt", "--json"), "--json prints JSON"),
        (("--llms-txt", "--base-url", "garden"), "cannot stand before the paths"),
    ],
)
def test_what_does_not_go_with_llms_txt(workspace, args, sentence):
    ran = cairn("export", *args, cwd=workspace)
    assert ran.code == 2
    assert sentence in ran.err + ran.out
