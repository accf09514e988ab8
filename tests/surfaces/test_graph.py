"""`cairn graph`."""

import json
import os
import pty
import re
import subprocess
from pathlib import Path

import pytest

import garden
from program import cairn, clean_env, command_line, fits_schema


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    return garden.make(tmp_path_factory.mktemp("garden"))


@pytest.mark.parametrize(
    ("args", "start"),
    [
        ((), "garden"),
        (("--format", "ascii"), "garden"),
        (("--format", "json"), "{"),
        (("--format", "mermaid"), "%% garden"),
        (("--format", "dot"), 'digraph "garden'),
        (("--format", "core/dot"), 'digraph "garden'),
        (("--format", "html"), "<!doctype html>"),
    ],
)
def test_formats_and_the_same_bytes_every_time(workspace, args, start):
    ran = cairn("graph", *args, cwd=workspace)
    assert ran.code == 0
    assert ran.out.startswith(start)
    assert ran.out == cairn("graph", *args, cwd=workspace / "docs").out


def test_json(workspace):
    ran = cairn("graph", "--json", cwd=workspace)
    assert (ran.code, ran.err) == (0, "")
    fits_schema(ran.json(), "graph")
    assert len(ran.json()["nodes"]) == 5
    assert ran.json() == json.loads(cairn("graph", "--format", "json", cwd=workspace).out)


@pytest.mark.parametrize(
    ("depth", "paths"),
    [
        (("--depth", "0"), ["README.md"]),
        (("--depth", "1"), ["README.md", "docs/plan.md"]),
        ((), [".claude/agents/gardener.md", "README.md", "docs/beds.md", "docs/plan.md"]),
    ],
)
def test_around_a_node(workspace, depth, paths):
    shown = cairn("graph", "--root", "README.md", *depth, "--json", cwd=workspace).json()
    assert [node["path"] for node in shown["nodes"]] == paths
    assert shown["root"] == "README.md"


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        (("--format", "pdf"), 2, "there are ascii, dot, html, json, mermaid"),
        (("--depth", "2"), 2, "--depth needs --root"),
        (("--root", "zzz"), 5, "There is no document `zzz`"),
        (("--open", "--format", "dot"), 2, "--open shows html, not dot"),
        (("-o", "../nowhere/map.html"), 2, "its folder does not exist"),
        (("-o", "README.md"), 1, "add --force to replace it"),
    ],
)
def test_what_is_refused(workspace, args, code, sentence):
    before = (workspace / "README.md").read_bytes()
    ran = cairn("graph", *args, cwd=workspace)
    assert (ran.code, ran.out) == (code, "")
    assert sentence in ran.err
    assert (workspace / "README.md").read_bytes() == before


def test_json_and_another_format_contradict(workspace):
    ran = cairn("graph", "--json", "--format", "dot", cwd=workspace)
    assert ran.code == 2
    fits_schema(ran.json(), "error")


@pytest.mark.parametrize(
    ("name", "start"), [("map.html", "<!doctype"), ("map.json", "{"), ("map.gv", "digraph"), ("map", "garden")]
)
def test_into_a_file_by_its_ending(workspace, tmp_path, name, start):
    for folder in (workspace / "docs", tmp_path):
        ran = cairn("graph", "-o", str(folder / name), cwd=workspace)
        assert (ran.code, ran.out) == (0, "")
        assert (folder / name).read_text().startswith(start)
        assert cairn("graph", "-o", str(folder / name), cwd=workspace).code == 1
        (folder / name).write_text("old")
        again = cairn("graph", "-o", str(folder / name), "--force", "--json", cwd=workspace)
        fits_schema(again.json(), "graph")
        assert again.json()["bytes"] == len((folder / name).read_bytes()) > 3


def test_a_file_is_named_from_where_one_stands(workspace):
    assert cairn("graph", "-o", "here.dot", cwd=workspace / "docs").code == 0
    assert (workspace / "docs" / "here.dot").is_file()


def test_dev_null_and_dash(workspace):
    assert cairn("graph", "-o", "/dev/null", cwd=workspace).code == 0
    assert cairn("graph", "-o", "-", cwd=workspace).out == cairn("graph", cwd=workspace).out


def test_nothing_is_opened_without_a_terminal(workspace):
    ran = cairn("graph", "--open", cwd=workspace, BROWSER="false")
    assert ran.code == 0
    assert ran.out.startswith("<!doctype html>")
    assert "needs a terminal" in ran.err


def test_opening_on_a_terminal(workspace, tmp_path):
    seen = tmp_path / "seen"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {seen}\n')
    browser.chmod(0o755)
    ours, theirs = pty.openpty()
    env = clean_env(BROWSER=f"{browser} %s", TMPDIR=str(tmp_path), TERM="xterm")
    ran = subprocess.run(
        command_line("graph", "--open"), cwd=workspace, env=env, stdin=theirs, stdout=theirs, stderr=-1
    )
    os.close(theirs)
    os.close(ours)
    assert ran.returncode == 0, ran.stderr
    address = seen.read_text().strip()
    assert address.startswith(f"file://{tmp_path}")
    assert Path(address.removeprefix("file://")).read_text().startswith("<!doctype html>")


def test_an_empty_graph(tmp_path):
    garden.make(tmp_path, {})
    for format in ("ascii", "json", "mermaid", "dot", "html"):
        assert cairn("graph", "--format", format, cwd=tmp_path).code == 0


# --- the map ----------------------------------------------------------------------------------------------------------


def the_map(folder):
    """The page, and the data in it."""
    page = cairn("graph", "--format", "html", cwd=folder).out
    return page, json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])


def header(page):
    return re.search(r"<header>(.*?)</header>", page, re.S)[1]


def test_the_map_says_what_the_repository_is_about(tmp_path):
    readme = "# Garden\n\n[![badge](b.svg)](x)\n\nWe grow beans. They climb.\n"
    garden.make(tmp_path, {"README.md": readme, "docs/a.md": "# A\n\nAbout the beds behind the house.\n"})
    page, data = the_map(tmp_path)
    assert '<p id="summary">We grow beans. They climb.</p>' in header(page)
    about = {node["path"]: node.get("text") for node in data["nodes"]}
    assert about["docs/a.md"] == "About the beds behind the house.", (
        "with room to show it, a page brings its first words"
    )


def test_the_map_has_one_colour_for_each_kind_and_counts_that_add_up(tmp_path):
    agent = "---\nname: helper\ndescription: Helps.\n---\n# Helper\n"
    entry = "---\nname: beds\ndescription: Beds.\nsources:\n  - url: https://beds.example/docs\n---\n# Beds\n"
    garden.make(tmp_path, {".claude/agents/helper.md": agent, "knowledge/core/beds.md": entry, "README.md": "# R\n"})
    _, data = the_map(tmp_path)
    kinds = [kind["label"] for kind in data["kinds"]]
    assert len(set(kinds)) == len(kinds) and len({kind["color"] for kind in data["kinds"]}) == len(kinds)
    urls = [node["path"] for node in data["nodes"] if node.get("url")]
    said = cairn("scan", cwd=tmp_path).out
    assert f"{len(data['nodes']) - len(urls)} documents, " in said
    assert urls == ["https://beds.example/docs"] and ", 1 URL cited\n" in said
    as_text = cairn("graph", cwd=tmp_path).out.splitlines()[1]
    assert as_text.startswith(said.strip().splitlines()[0].partition("; ")[2]), "the same counts in every command"


NASTY = "</script><script>alert(1)</script>"


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("docs/guide.md", NASTY),
        ("docs/文档/安装.md", "安装指南"),
        ("docs/long.md", "word " * 4_000),
        ("docs/<script>alert(1)<script>.md", "Odd name"),
        ("docs/rtl.md", "\u202etxt.exe مرحبا"),
    ],
    ids=["markup", "cjk", "very long", "markup in a name", "right to left"],
)
def test_the_map_keeps_names_and_titles_as_text(tmp_path, path, title):
    page_of_it = f"---\ntitle: {json.dumps(title)}\n---\n"
    garden.make(tmp_path, {path: page_of_it, "README.md": f"# {title}\n\n{title} is all there is to say here.\n"})
    page, data = the_map(tmp_path)
    plain, _ = the_map(garden.make(tmp_path / "other"))
    assert page.count("<script") == plain.count("<script") == 2
    node = next(node for node in data["nodes"] if node["path"] == path)
    assert node["title"].split()[0] == title.split()[0]
    assert len(header(page)) < 4_000


def test_the_map_of_an_empty_folder_says_what_to_do(tmp_path):
    garden.make(tmp_path, {})
    page, data = the_map(tmp_path)
    assert data["nodes"] == [] and "Add a Markdown file, run <code>cairn scan</code>" in page


def test_the_map_without_git(tmp_path):
    (tmp_path / "a.md").write_text("# A\n")
    assert cairn("init", cwd=tmp_path).code == 0
    assert len(the_map(tmp_path)[1]["nodes"]) == 1


def test_the_map_of_five_thousand_documents(tmp_path):
    files = {
        f"docs/part-{n % 40}/section-{n % 7}/page-{n}.md": f"# Page {n}\n\n[next](page-{n}.md)\n" for n in range(5_000)
    }
    garden.make(tmp_path, files)
    page, data = the_map(tmp_path)
    assert len(data["nodes"]) == 5_000
    assert len(page.encode()) < 3_000_000
    assert "text" not in data["nodes"][0], "no first words where nobody could read them"
