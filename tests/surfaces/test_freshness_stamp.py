"""`cairn freshness stamp` and drift of sources in `cairn check`, through the real program."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from program import Ran, cairn, fits_schema
from repository import commit, make, put

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
    assert "knowledge/api/client.md" not in cairn("list", "--issue", "source-missing", cwd=root).out


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
    assert ran.code == 2 and "merge conflict" in ran.err


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
        (("nobody",), 5, "There is no node `nobody`"),
        (("client", "--source", "src/other.py"), 5, "has no source `src/other.py`"),
        (("docs/one.md", "--source", "src/other.py"), 1, "src/other.py is not there"),
    ],
)
def test_bad_usage(root: Path, options: tuple[str, ...], code: int, sentence: str) -> None:
    ran = stamp(root, *options, "-q")
    assert (ran.code, sentence in ran.err) == (code, True), ran.err
