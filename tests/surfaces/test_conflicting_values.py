"""`X, not Y`, and another value where a page states one, is a conflict for a person; no page is edited for it."""

from pathlib import Path

import pytest
from tests.program import cairn
from tests.repository import git, make

PAGE = """---
name: pool-size
description: The pool has 200 connections.
---

# Pool size

The connection pool has 200 connections. Use 30 s as the timeout of the client. We build with `make`.
Sessions live 30 minutes. Use pnpm to install packages. Keep 5 backups.
"""

CONFLICTS = {
    "X, not Y": "The connection pool has 500 connections, not 200.",
    "X, not Y, in other words": "Use 500 connections in the pool, not 200",
    "X instead of Y": "pool: 500 instead of 200",
    "another number": "The connection pool has 500 connections.",
    "another value of a unit": "Use 60 s as the timeout of the client.",
    "a short sentence": "Sessions live 2 hours.",
    "a sentence with its reason": "Sessions live 45 minutes, because the gateway drops them after that.",
    "a number of things": "Keep 3 backups.",
    "a negation": "Never use pnpm to install packages.",
    "another name": "We build with `just`, not `make`.",
}


@pytest.mark.parametrize("text", CONFLICTS.values(), ids=list(CONFLICTS))
def test_another_value_is_a_conflict_and_changes_no_page(tmp_path: Path, text: str) -> None:
    root = make(tmp_path, {"knowledge/practice/pool-size.md": PAGE})
    assert cairn("init", cwd=root).code == 0
    assert cairn("note", "--keep", text, cwd=root).code == 0
    assert cairn("curate", "--apply", cwd=root).out.split("\n")[1].startswith("contradict")
    assert git(root, "status", "--porcelain", "knowledge") == ""
    assert text.rstrip(".") in cairn("conflict", "list", cwd=root).out
