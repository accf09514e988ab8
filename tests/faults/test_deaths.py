"""The program killed before and after every call through its ports: a rerun finishes the work, and does it once."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.app.build import build_app
from cairn.app.freshness.night import only_one, prepare, run_night
from cairn.app.workspace.scanning import run_scan
from cairn.freshness.night import Summary
from deaths import Work, dies_everywhere, fails_everywhere, is_sound
from program import cairn
from repository import git, make
from website import Website, serving

pytestmark = pytest.mark.slow

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
SITE = """<html><head><title>Guide</title></head><body><main><h1>Guide</h1><p>Wait {} seconds between two retries.</p>
<p>The rest of this guide tells who answers when something goes wrong, and where.</p></main></body></html>"""
FILES = {
    "src/net.py": CODE.format(30),
    ".cairn/settings.json": '{"corpora": {"k": {"root": "knowledge", "layout": "entries"}}}',
    ".gitignore": ".cairn/*\n!.cairn/settings.json\n",
}
ENTRY = "knowledge/http/waiting.md"
OF_CODE = PAGE.format(name="waiting", sources="  - path: src/net.py#connect\n")


def events(root: Path) -> Counter[tuple[str, str]]:
    """Type and request of everything in the ledger."""
    lines = [line for file in sorted(root.glob(".cairn/ledger/*.jsonl")) for line in file.read_text().splitlines()]
    found = (json.loads(line) for line in lines)
    return Counter((one["type"], str(one["payload"].get("id", ""))) for one in found)


def requests(root: Path) -> list[Any]:
    found: list[Any] = cairn("change", "list", "--all", "--json", cwd=root).json()["requests"]
    return found


def heard_once(root: Path, kind: str, id: str) -> None:
    assert events(root)[(kind, id)] == 1, events(root)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = make(tmp_path / "template", {**FILES, ENTRY: OF_CODE})
    assert cairn("scan", cwd=root).code == 0
    return root


@pytest.fixture
def verdict(workspace: Path) -> str:
    """Beside the workspace, so that every copy finds it."""
    file = workspace.parent / "verdict.json"
    ran = cairn("freshness", "audit-run-entry", "waiting", "--out", str(file), cwd=workspace)
    assert ran.code == 0, ran.err
    return str(file)


# --- one command each -------------------------------------------------------------------------------------------------


def test_a_first_scan(tmp_path: Path) -> None:
    def finished(root: Path) -> None:
        listed = cairn("list", "--json", cwd=root).json()
        assert [one["path"] for one in listed["nodes"]] == [ENTRY]
        assert cairn("search", "retries", "--json", cwd=root).json()["hits"]

    template = make(tmp_path / "template", {**FILES, ENTRY: OF_CODE})
    assert dies_everywhere(template, Work(("scan",), finished), tmp_path) > 20


def test_a_verdict_that_becomes_a_request(workspace: Path, verdict: str, tmp_path: Path) -> None:
    def finished(root: Path) -> None:
        [request] = requests(root)
        assert request["state"] == "open" and git(root, "rev-parse", request["branch"])
        heard_once(root, "change_opened", request["id"])
        assert git(root, "status", "--porcelain") == ""

    work = Work(("freshness", "audit-apply", "waiting", verdict, "--open-request"), finished)
    assert dies_everywhere(workspace, work, tmp_path) > 20


@pytest.mark.parametrize("failure", ["ENOSPC", "EIO"])
def test_a_disk_that_fails_while_a_request_is_made(workspace: Path, verdict: str, tmp_path: Path, failure: str) -> None:
    def finished(root: Path) -> None:
        [request] = requests(root)
        assert events(root)[("change_opened", request["id"])] in (1, 2), "the second brings what gates say up to date"

    work = Work(("freshness", "audit-apply", "waiting", verdict, "--open-request"), finished)
    assert fails_everywhere(workspace, work, tmp_path, failure) > 10


@pytest.mark.parametrize("failure", ["ENOSPC", "EIO"])
def test_a_disk_that_fails_while_a_page_is_written(workspace: Path, verdict: str, tmp_path: Path, failure: str) -> None:
    def finished(root: Path) -> None:
        assert git(root, "status", "--porcelain") == f"M {ENTRY}"

    work = Work(("freshness", "audit-apply", "waiting", verdict, "--apply"), finished, codes=(0, 3))
    assert fails_everywhere(workspace, work, tmp_path, failure) > 5


def test_a_verdict_into_the_working_tree(workspace: Path, verdict: str, tmp_path: Path) -> None:
    def finished(root: Path) -> None:
        assert git(root, "status", "--porcelain") == f"M {ENTRY}"
        assert "last-reviewed: 20" in (root / ENTRY).read_text()

    work = Work(("freshness", "audit-apply", "waiting", verdict, "--apply"), finished, codes=(0, 3))
    assert dies_everywhere(workspace, work, tmp_path) > 20


@pytest.fixture
def asked(workspace: Path, verdict: str) -> str:
    ran = cairn("freshness", "audit-apply", "waiting", verdict, "--open-request", "--json", cwd=workspace)
    assert ran.code == 0, ran.err
    id: str = ran.json()["request"]["id"]
    return id


def test_a_merge_into_the_checkout(workspace: Path, asked: str, tmp_path: Path) -> None:
    def finished(root: Path) -> None:
        merged = [request for request in requests(root) if request["id"] == asked]
        assert merged[0]["state"] == "merged" and git(root, "status", "--porcelain") == ""
        assert "last-reviewed: 20" in (root / ENTRY).read_text()
        assert git(root, "log", "--format=%s", "main", "--", ENTRY).count("\n") == 1, "once, not twice"
        heard_once(root, "change_merged", asked)

    assert dies_everywhere(workspace, Work(("change", "merge", asked), finished, codes=(0, 1)), tmp_path) > 40


def test_closing(workspace: Path, asked: str, tmp_path: Path) -> None:
    def finished(root: Path) -> None:
        [request] = requests(root)
        assert request["state"] == "closed"
        heard_once(root, "change_closed", asked)

    assert dies_everywhere(workspace, Work(("change", "close", asked), finished, codes=(0, 1)), tmp_path) > 10


# --- a whole night ----------------------------------------------------------------------------------------------------


@pytest.fixture
def site() -> Iterator[Website]:
    with serving() as running:
        running["/guide"] = SITE.format(30)
        running["/other"] = SITE.format(30)
        yield running


def test_a_night(tmp_path: Path, site: Website) -> None:
    env = {"CAIRN_FETCH_ALLOW": f"127.0.0.1:{site.port}"}
    pages = {
        f"knowledge/http/{name}.md": PAGE.format(name=name, sources=f"  - url: {site.url}/{page}\n")
        for name, page in (("waiting", "guide"), ("pausing", "guide"), ("resting", "other"))
    }
    root = make(tmp_path / "template", {**FILES, **pages})
    assert cairn("freshness", "run", cwd=root, **env).code == 0  # the first look
    site["/guide"] = SITE.format(45)

    def finished(root: Path) -> None:
        found = requests(root)
        paths = Counter(path for request in found for path in request["paths"])
        assert paths == Counter(dict.fromkeys(pages, 1)), "each page is asked for once"
        assert {request["kind"] for request in found} == {"drift", "confirmations"}
        for request in found:
            heard_once(root, "change_opened", request["id"])
        assert events(root)[("freshness_run", "")] in (2, 3), "killed while it tidied up, it was a run all the same"

    assert dies_everywhere(root, Work(("freshness", "run"), finished), tmp_path, **env) > 100


# --- a clock that jumps -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("days", [-400, -1, 1, 400])
def test_a_clock_that_jumps_between_two_nights(tmp_path: Path, site: Website, days: int) -> None:
    """Nothing is asked for twice, and nothing is lost, whatever day it seems to be."""
    env = {"CAIRN_FETCH_ALLOW": f"127.0.0.1:{site.port}"}
    pages = {ENTRY: PAGE.format(name="waiting", sources=f"  - url: {site.url}/guide\n")}
    root = make(tmp_path / "work", {**FILES, **pages})
    clock = SettableClock(1_790_000_000_000)

    def night() -> Summary:
        with closing(build_app(root, env=env, clock=clock)) as app:
            prepared = prepare(app)
            with only_one(app) as hold:
                run_scan(app, app.scan_request(), remember=False)
                return run_night(app, prepared, dry_run=False, hold=hold)

    assert len(night().baseline) == 1
    site["/guide"] = SITE.format(45)
    assert len(night().opened) == 1
    clock.advance(days * 86_400_000)
    for _ in range(2):
        again = night()
        assert (again.opened, again.failed) == ((), ()) and again.duration_ms >= 0
    [request] = requests(root)
    heard_once(root, "change_opened", request["id"])
    is_sound(root)
