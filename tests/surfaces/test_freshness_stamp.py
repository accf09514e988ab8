"""`cairn freshness stamp` and drift of sources in `cairn check`, through the real program."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from program import Ran, cairn, fits_schema
from repository import commit, git, make, put

CODE = "def connect(host, timeout=30):\n    return host\n"
PAGE = """---
name: client
description: How the client connects.
topics: []
sources:
  - path: src/net.py#connect
  - url: https://example.org/spec
---

## Summary

It connects.

## Deep Guidance

More.
"""
FILES = {
    "src/net.py": CODE,
    "knowledge/api/client.md": PAGE,
    "docs/one.md": "# One\n\nText.\n",
    "docs/two.md": "# Two\n\nText.\n",
    ".cairn/.gitignore": "*\n",
    ".cairn/settings.json": '{"corpora": {"k": {"root": "knowledge", "layout": "entries"}, '
    '"d": {"root": "docs", "layout": "plain"}}}',
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make(tmp_path / "repo", FILES)


def stamp(root: Path, *options: str) -> Ran:
    return cairn("freshness", "stamp", *options, cwd=root)


def rules(root: Path) -> list[str]:
    found = cairn("check", "--json", cwd=root).json()["issues"]
    return [issue["analyzerId"] for issue in found if issue["analyzerId"].startswith(("source-", "lock-"))]


def test_look_stamp_change_look_again(root: Path) -> None:
    assert rules(root) == ["source-unhashed"]
    ran = stamp(root, "client")
    assert ran.code == 0
    assert "+    hash: sha256:" in ran.out and "left alone" in ran.err
    today = datetime.now(UTC).date().isoformat()
    assert f"last-reviewed: {today}" in (root / "knowledge/api/client.md").read_text()
    assert rules(root) == []
    commit(root, {"src/net.py": CODE.replace("30", "60")})
    assert rules(root) == ["source-changed"]
    assert cairn("check", cwd=root).code == 0
    assert "`connect(host, timeout=30)` is now `connect(host, timeout=60)`" in cairn("check", cwd=root).out
    assert stamp(root, "--all-changed").code == 0
    assert rules(root) == []


def test_a_source_that_is_gone_fails_a_check(root: Path) -> None:
    put(root, {"src/net.py": "x = 1\n"})
    assert rules(root) == ["source-missing"]
    assert cairn("check", cwd=root).code == 1
    ran = stamp(root, "client")
    assert ran.code == 1 and "cannot be stamped: `connect` is not in src/net.py" in ran.err


def test_drift_goes_into_a_baseline_and_is_not_stored(root: Path) -> None:
    stamp(root, "client")
    put(root, {"src/net.py": "x = 1\n"})
    assert cairn("check", "--baseline", "b.json", cwd=root).code == 0
    assert "source-missing knowledge/api/client.md src/net.py#connect" in (root / "b.json").read_text()
    assert cairn("check", "--baseline", "b.json", cwd=root).code == 0
    assert "knowledge/api/client.md" in cairn("list", "--issue", "source-missing", cwd=root).out
    assert cairn("list", "--issue", "source-missing", "--json", cwd=root).json()["nodes"] == []


def test_only_look(root: Path) -> None:
    before = (root / "knowledge/api/client.md").read_text()
    ran = stamp(root, "knowledge/api/client.md", "--dry-run", "--json")
    fits_schema(ran.json(), "freshness-stamp")
    assert ran.json()["dryRun"] and ran.json()["stamped"][0]["changed"]
    assert (root / "knowledge/api/client.md").read_text() == before


def test_pages_that_are_not_ours_are_stamped_beside_them(root: Path) -> None:
    ran = stamp(root, "docs/one.md", "docs/two.md", "--source", "src/net.py#connect", "--json")
    fits_schema(ran.json(), "freshness-stamp")
    assert {one["file"] for one in ran.json()["stamped"]} == {"docs/cairn.lock"}
    assert (root / "docs/one.md").read_text() == FILES["docs/one.md"]
    put(root, {"src/net.py": CODE.replace("30", "60")})
    assert rules(root).count("source-changed") == 2
    assert stamp(root, "docs/two.md").code == 0
    assert rules(root).count("source-changed") == 1


def test_a_lock_file_with_a_merge_conflict(root: Path) -> None:
    stamp(root, "docs/one.md")
    lock = root / "docs/cairn.lock"
    lock.write_text(lock.read_text() + "<<<<<<< ours\n")
    assert "lock-invalid" in rules(root)
    ran = stamp(root, "docs/one.md")
    assert ran.code == 2 and "docs/cairn.lock, line 4: this file has a merge conflict" in ran.err


def test_two_people_stamp_one_page_and_git_merges_it(root: Path) -> None:
    ran = stamp(root, "docs/one.md", "--json")
    assert ran.json()["beside"] == [".gitattributes"]
    assert stamp(root, "docs/one.md", "--json").json()["beside"] == []
    commit(root)
    lock = root / "docs/cairn.lock"
    today = lock.read_text()[-11:-1]
    git(root, "checkout", "-qb", "theirs")
    commit(root, {"docs/cairn.lock": lock.read_text().replace(today, "2026-01-01")})
    git(root, "checkout", "-q", "main")
    commit(root, {"docs/cairn.lock": lock.read_text().replace(today, "2026-02-02")})
    git(root, "merge", "-q", "theirs", "-m", "both")
    assert "2026-01-01" in lock.read_text() and "2026-02-02" in lock.read_text()
    assert rules(root) == ["source-unhashed"]
    assert stamp(root, "docs/one.md").code == 0
    assert "2026-01-01" not in lock.read_text()


def test_what_cairn_itself_wrote_is_no_change_that_nobody_scanned(root: Path) -> None:
    assert stamp(root, "client").code == 0
    assert "nothing changed since" in cairn("status", cwd=root).out


def test_uninstall_takes_lock_files_along(root: Path) -> None:
    commit(root, {".gitattributes": "*.png binary"})
    assert stamp(root, "docs/one.md", "--source", "src/net.py").code == 0
    listed = cairn("uninstall", "--dry-run", cwd=root).out.splitlines()
    assert listed[:2] == ["docs/cairn.lock", ".gitattributes (one line)"]
    ran = cairn("uninstall", "--yes", "--json", cwd=root)
    fits_schema(ran.json(), "uninstall")
    assert ran.json()["paths"][0] == "docs/cairn.lock" and ran.json()["edited"] == [".gitattributes"]
    assert git(root, "status", "--porcelain", "--", ".", ":!.cairn") == ""


def test_who_leaves_is_not_held_back_by_broken_settings(root: Path) -> None:
    assert stamp(root, "docs/one.md").code == 0
    (root / ".cairn/settings.json").write_text("{")
    ran = cairn("uninstall", "--yes", cwd=root)
    assert ran.code == 0 and "lock files of plain corpora stay" in ran.err
    assert not (root / ".cairn").exists() and (root / "docs/cairn.lock").exists()


ODD = {
    "knowledge/README.md": ("# About\n", 5, "knowledge/README.md is no page of a corpus"),
    "notes.md": ("# Notes\n", 5, "notes.md is no page of a corpus"),
    "knowledge/a/bare.md": ("# Bare\n", 1, "knowledge/a/bare.md has no frontmatter to put a stamp into"),
    "knowledge/a/broken.md": ("---\nname: [\n---\n", 1, "knowledge/a/broken.md: The frontmatter cannot be edited"),
    "knowledge/a/open.md": ("---\nname: open\n", 1, "knowledge/a/open.md: The frontmatter cannot be edited"),
    "hub/paths/index.json": ('[{"id": "a", "sources": []}]', 1, "hub/paths/index.json lists routes"),
}


@pytest.mark.parametrize("path", ODD)
def test_what_has_no_place_for_a_stamp_is_left_as_it_is(root: Path, path: str) -> None:
    text, code, sentence = ODD[path]
    put(root, {path: text})
    assert cairn("config", "set", "corpora.hub.layout", "artefacts", cwd=root).code == 0
    ran = stamp(root, path)
    assert (ran.code, sentence in ran.err) == (code, True), ran.err
    assert (root / path).read_text() == text


def test_a_layout_has_its_own_word_for_the_day(root: Path) -> None:
    page = "---\nschema_version: 1\nid: map-a\ntitle: A\nkind: map\nconfidence: low\nsummary: A.\n---\nA.\n"
    put(root, {"kb/nodes/map/map-a.md": page})
    assert cairn("config", "set", "corpora.kb.layout", "nodes", cwd=root).code == 0
    assert stamp(root, "map-a").code == 0
    assert "\nlast_reviewed: " in (root / "kb/nodes/map/map-a.md").read_text()
    assert cairn("freshness", "validate", "kb", cwd=root).code == 0


def test_it_is_recorded(root: Path) -> None:
    stamp(root, "client")
    (ledger,) = (root / ".cairn/ledger").glob("*.jsonl")
    assert '"entry_stamped"' in ledger.read_text() and '"corpus":"k"' in ledger.read_text()


@pytest.mark.parametrize(
    ("options", "code", "sentence"),
    [
        ((), 2, "Name the pages"),
        (("client", "--all-changed"), 2, "Name the pages"),
        (("--all-changed", "--source", "x"), 2, "--source goes with the name of a page"),
        (("nobody",), 5, "There is no document `nobody`"),
        (("client", "--source", "src/other.py"), 5, "has no source `src/other.py`"),
        (("docs/one.md", "--source", "src/other.py"), 1, "there is no file src/other.py"),
    ],
)
def test_bad_usage(root: Path, options: tuple[str, ...], code: int, sentence: str) -> None:
    ran = stamp(root, *options, "-q")
    assert (ran.code, sentence in ran.err) == (code, True), ran.err
