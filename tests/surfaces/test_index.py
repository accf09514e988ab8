"""`cairn index rebuild`, as people, hooks and programs use it."""

import subprocess
import sys
from pathlib import Path

import pytest

from older_base import GRAPH, INDEX, NODES, make_base, node, path_of
from program import cairn, clean_env, fits_schema
from repository import IDENTITY, commit, git, put

QUEUE = path_of("map-queue")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_base(tmp_path / "w")


def test_for_people_and_programs(root: Path):
    would = cairn("index", "rebuild", "--dry-run", cwd=root)
    assert would.code == 0 and "kb: would be made of 2 nodes" in would.err and not (root / INDEX).exists()
    made = cairn("index", "rebuild", cwd=root)
    assert made.code == 0 and made.out == f"{INDEX}\n{GRAPH}\n" and "kb: made of 2 nodes" in made.err
    again = cairn("index", "rebuild", "--json", cwd=root).json()
    fits_schema(again, "index-rebuild")
    assert again["bases"][0]["wasFresh"] and not any(one["changed"] for one in again["bases"][0]["documents"])
    assert cairn("index", "rebuild", "--stage", cwd=root).out == ""


def test_a_broken_node_is_named_and_the_others_are_listed(root: Path):
    put(root, {path_of(f"map-bad-{number:03}"): "---\nid: [\n---\n" for number in range(200)})
    ran = cairn("index", "rebuild", cwd=root)
    assert ran.code == 1 and len(ran.out.splitlines()) == 202 and "200 files are not listed" in ran.err
    assert ran.out.startswith(f"{path_of('map-bad-000')}:2: ") and ran.out.endswith(f"{INDEX}\n{GRAPH}\n")
    assert "kb: made of 2 nodes" in ran.err
    listed = (root / INDEX).read_text()
    assert "map-queue" in listed and "map-bad" not in listed
    as_json = cairn("index", "rebuild", "--json", cwd=root)
    fits_schema(as_json.json(), "index-rebuild")
    assert as_json.code == 1 and len(as_json.json()["bad"]) == 200 and as_json.json()["bases"][0]["nodes"] == 2


def test_what_lies_in_no_folder_of_a_kind_is_named(root: Path):
    lost = path_of("map-queue").replace("/map/", "/maps/")
    put(root, {lost: node("map-queue")})
    ran = cairn("index", "rebuild", cwd=root)
    assert ran.code == 0 and f"not listed: {lost}: it lies in no folder of a kind" in ran.err
    for again in (("--json",), ("--json", "--stage")):
        as_json = cairn("index", "rebuild", *again, cwd=root).json()
        fits_schema(as_json, "index-rebuild")
        assert as_json["bases"][0]["unlisted"] == [lost]


def test_without_a_base_there_is_one_sentence(tmp_path: Path):
    put(tmp_path, {".cairn/settings.json": "{}"})
    ran = cairn("index", "rebuild", "--stage", cwd=tmp_path)
    assert ran.code == 0 and ran.out == "" and "no corpus has the layout `nodes`" in ran.err


@pytest.mark.parametrize("how", [("-a",), ()])
def test_in_a_hook_before_a_commit(root: Path, how: tuple[str, ...]):
    """The documents are part of that very commit, also of one that has an index of its own."""
    cairn("index", "rebuild", cwd=root)
    commit(root)
    hook = root / ".git/hooks/pre-commit"
    hook.write_text(f"#!/bin/sh\nexec {sys.executable} -m cairn index rebuild --stage\n")
    hook.chmod(0o755)
    put(root, {QUEUE: NODES["map-queue"] + "More.\n"})
    if not how:
        git(root, "add", QUEUE)
    subprocess.run(
        ["git", *IDENTITY, "commit", "-q", "-m", "more", *how],
        cwd=root,
        env=clean_env(),
        check=True,
        capture_output=True,
    )
    assert set(git(root, "show", "--name-only", "--format=", "HEAD").split()) == {QUEUE, INDEX, GRAPH}
    assert git(root, "status", "--porcelain") == ""


ADDED = [
    (("--kind", "practice", "--title", "Small commits"), 0, "practice-small-commits-2"),
    (("--kind", "map", "--title", "知識"), 0, "map-"),
    (("--kind", "map", "--title", "Mail", "--relates-to", "map-queue", "--tags", "a,b", "--yes"), 0, "map-mail"),
    (("--title", "Mail"), 2, "practice, map; say which with --kind"),
    (("--kind", "map", "--title", "Mail", "--relates-to", "nobody"), 5, "no page `nobody`"),
    (("--kind", "map", "--title", "t" * 81), 2, "at most 80"),
    (("--kind", "map", "--title", "Mail", "--category", "x"), 2, "have no category"),
]


@pytest.mark.parametrize(("arguments", "code", "words"), ADDED, ids=[" ".join(case[0])[:40] for case in ADDED])
def test_a_node_by_hand(root: Path, arguments: tuple[str, ...], code: int, words: str):
    ran = cairn("node", "add", *arguments, "--summary", "S.", cwd=root)
    assert ran.code == code and words in ran.out + ran.err
    if code == 0:
        assert "confidence: high" in (root / ran.out.strip()).read_text() and "cairn index rebuild" in ran.err
        assert cairn("index", "rebuild", cwd=root).code == 0


def test_the_fifth_of_one_title_is_refused(root: Path):
    put(root, {path_of(f"map-queue-{number}"): node(f"map-queue-{number}") for number in (2, 3)})
    add = ("node", "add", "--kind", "map", "--title", "Queue", "--summary", "S.")
    assert cairn(*add, cwd=root).out.endswith("map-queue-4.md\n")
    ran = cairn(*add, cwd=root)
    assert ran.code == 3 and "give a title that tells them apart" in ran.err
