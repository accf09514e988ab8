"""What an audit costs: its work grows with the pages, not with their pairs."""

import sys
from pathlib import Path
from types import FrameType
from typing import Any

from cairn.app.build import build_app
from cairn.observe.audit import AuditRequest, look_around

PAGE = """---
name: pool-{n}
description: How pool {n} is set up.
topics: [pools]
---
# Pool {n}

## Summary

Pool {n} holds {m} connections. The timeout of a pool is {m} seconds, and `POOL_{n}` names it.

## Deep Guidance

See [the next pool](pool-{m}.md).
"""


def calls(root: Path, pages: int) -> int:
    """How many functions an audit of so many pages calls."""
    folder = root / str(pages) / "knowledge/core"
    folder.mkdir(parents=True)
    for number in range(pages):
        (folder / f"pool-{number}.md").write_text(PAGE.format(n=number, m=number + 1))
    (folder.parent / "VERSION").write_text("1.0.0\n")
    app = build_app(root / str(pages), env={}, installed=False, tracked=lambda _: [])
    counted = 0

    def count(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal counted
        counted += event == "call"

    sys.setprofile(count)
    try:
        look_around(app, AuditRequest(profile="full"))
    finally:
        sys.setprofile(None)
    return counted


def test_the_work_of_an_audit_is_linear_in_the_pages(tmp_path: Path) -> None:
    calls(tmp_path, 1)  # imports
    few, many = calls(tmp_path, 40), calls(tmp_path, 160)
    assert many < 5 * few
