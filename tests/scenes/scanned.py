"""Scans: the first one, and one after an edit."""

from pathlib import Path

from deaths import Scene, Work
from program import cairn
from repository import make, put

CODE = "def connect(host, timeout={}):\n    return host\n"
PAGE = """---
name: {name}
description: How long {name} waits.
topics: [http]
volatility: fast-moving
sources:
{sources}---
# {name}

## Summary

It waits 30 seconds between two retries.

## Deep Guidance

Read it again.
"""
FILES = {
    "src/net.py": CODE.format(30),
    ".cairn/settings.json": '{"corpora": {"k": {"root": "knowledge", "layout": "entries"}}}',
    ".gitignore": ".cairn/*\n!.cairn/settings.json\n",
}
ENTRY, NEW, OLD = "knowledge/http/waiting.md", "knowledge/http/new.md", "knowledge/http/old.md"
OF_CODE = PAGE.format(name="waiting", sources="  - path: src/net.py#connect\n")
SCANNED = frozenset({"scan_completed", "search_asked"})
"""Each run that got so far records what it found itself, and each look at the result is a search."""


def workspace(scratch: Path) -> Path:
    root = make(scratch / "template", {**FILES, ENTRY: OF_CODE})
    assert cairn("scan", cwd=root).code == 0
    return root


def paths_listed(root: Path) -> list[str]:
    return [one["path"] for one in cairn("list", "--json", cwd=root).json()["nodes"]]


def a_first_scan(scratch: Path) -> Scene:
    def finished(root: Path) -> None:
        assert paths_listed(root) == [ENTRY]
        assert cairn("search", "retries", "--json", cwd=root).json()["hits"]

    return Scene(
        make(scratch / "template", {**FILES, ENTRY: OF_CODE}), Work(("scan",), finished, loose=SCANNED), moments=20
    )


def a_second_scan(scratch: Path) -> Scene:
    """One page was edited, one came, one went."""

    def edit(root: Path) -> None:
        put(root, {ENTRY: OF_CODE + "\nTwice.\n", NEW: "# Pausing\n", OLD: None})

    def finished(root: Path) -> None:
        assert paths_listed(root) == [NEW, ENTRY]
        assert cairn("search", "Twice", "--json", cwd=root).json()["hits"]

    root = workspace(scratch)
    put(root, {OLD: "# Resting\n"})
    assert cairn("scan", cwd=root).code in (0, 1)
    return Scene(root, Work(("scan",), finished, codes=(0, 1), prepare=edit, loose=SCANNED), moments=40)
