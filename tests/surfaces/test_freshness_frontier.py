"""Newer editions through the real program: seen in kept pages, chosen for an audit, asked for, and then silence."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from program import Ran, cairn, fits_schema
from repository import make
from website import Website, serving

PAGE = """---
name: {name}
description: How streams are read.
topics: [streams]
volatility: stable
last-reviewed: 2026-01-01
{pin}sources:
  - url: {url}
---
# {name}

## Summary

A stream is read once.

## Deep Guidance

Read it again.
"""
SITE = """<html><head><title>Streams</title></head><body>{}<main><h1>Streams</h1>
<p>A stream is read once. The rest of this guide tells who answers when something goes wrong, and where.</p>
</main></body></html>"""
MENU = '<nav><a href="/3.11/streams">3.11</a> <a href="/{0}/streams">{0}</a></nav>'


@pytest.fixture
def site() -> Iterator[Website]:
    with serving() as running:
        running["/3.11/streams"] = SITE.format("")
        yield running


class Desk:
    def __init__(self, root: Path, site: Website) -> None:
        self.root = root
        self.env = {"CAIRN_FETCH_ALLOW": f"127.0.0.1:{site.port}"}

    def run(self, *args: str) -> Ran:
        return cairn(*args, cwd=self.root, **self.env)

    def json(self, *args: str, schema: str) -> Any:
        ran = self.run(*args, "--json")
        assert ran.code == 0, (ran.out, ran.err)
        fits_schema(ran.json(), schema)
        return ran.json()

    def night(self) -> Any:
        return self.json("freshness", "run", schema="freshness-run")

    def merge_all(self) -> None:
        for request in self.json("change", "list", schema="change-list")["requests"]:
            assert self.run("change", "merge", request["id"]).code == 0


def desk_of(root: Path, site: Website, **pins: str) -> Desk:
    files = {
        f"knowledge/io/{name}.md": PAGE.format(name=name, pin=pin, url=f"{site.url}/3.11/streams")
        for name, pin in pins.items()
    }
    files[".cairn/settings.json"] = '{"corpora": {"k": {"root": "knowledge", "layout": "entries"}}}'
    files[".gitignore"] = ".cairn/*\n!.cairn/settings.json\n"
    return Desk(make(root / "repo", files), site)


def test_a_menu_that_comes_while_the_text_stays(tmp_path: Path, site: Website) -> None:
    desk = desk_of(tmp_path, site, pinned="version-pin: Lantern 3.11\n", bare="")
    desk.night()
    desk.night()
    desk.merge_all()
    assert desk.night()["lookedAt"]["audited"] == 0
    site["/3.11/streams"] = SITE.format(MENU.format("3.14"))
    night = desk.night()
    reasons = {one["path"]: one["reason"] for one in night["drifted"]}
    assert "superseded" in reasons["knowledge/io/pinned.md"] and "3.14" in reasons["knowledge/io/pinned.md"]
    assert {one["level"] for one in night["opened"]} <= {"pass", "note"}, night["opened"]
    [request] = desk.json("change", "list", schema="change-list")["requests"]
    verdicts = request["evidence"]["verdict"]
    finding = (verdicts if isinstance(verdicts, list) else [verdicts])[0]["findings"][0]
    assert finding["drift_kind"] == "edition-upgrade" and finding["source_excerpt"] == f"3.14 {site.url}/3.14/streams"
    assert "+version-pin: Lantern 3.14" in desk.run("change", "diff", request["id"]).out


def test_the_reason_is_explained_and_reported(tmp_path: Path, site: Website) -> None:
    site["/3.11/streams"] = SITE.format('<p class="banner">The latest stable version of Lantern is 3.14.</p>')
    desk = desk_of(tmp_path, site, pinned="version-pin: Lantern 3.11\n", stays="version-pin: Lantern 3.11 only\n")
    desk.night()
    explained = desk.json("freshness", "audit-prefilter", "--explain", schema="freshness-audit-prefilter")
    by_name = {one["name"]: one for one in explained}
    assert "“The latest stable version of Lantern is 3.14.”" in by_name["pinned"]["reason"]
    assert "3.14" not in by_name["stays"]["reason"]
    shown = desk.run("freshness", "audit-prefilter", "--explain").out
    assert "3.14 is out" in shown
