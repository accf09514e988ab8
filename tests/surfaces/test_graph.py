"""`cairn graph`."""

import json
import os
import pty
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
        (("--root", "zzz"), 5, "There is no node `zzz`"),
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
