"""Newer editions through the real program: seen in kept pages, chosen for an audit, asked for, and then silence."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from model_server import ModelServer, model_server
from program import Ran, cairn, fits_schema
from reading_agent import WITH, answers, asked, env_of
from repository import commit, make
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
LAST_WEEK = (datetime.now(UTC) - timedelta(days=7)).date().isoformat()
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

    def run(self, *args: str, **env: str) -> Ran:
        return cairn(*args, cwd=self.root, **{**self.env, **env})

    def json(self, *args: str, schema: str, code: int = 0, **env: str) -> Any:
        ran = self.run(*args, "--json", **env)
        assert ran.code == code, (ran.out, ran.err)
        fits_schema(ran.json(), schema)
        return ran.json()

    def night(self, *options: str, code: int = 0, **env: str) -> Any:
        return self.json("freshness", "run", *options, schema="freshness-run", code=code, **env)

    def later(self) -> None:
        """As if somebody had reviewed everything some days ago."""
        for file in (self.root / "knowledge").rglob("*.md"):
            file.write_text(re.sub("last-reviewed: .*", f"last-reviewed: {LAST_WEEK}", file.read_text()))
        commit(self.root)

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


def test_a_menu_that_comes_while_the_text_stays_is_to_be_read(tmp_path: Path, site: Website) -> None:
    desk = desk_of(tmp_path, site, pinned="version-pin: Lantern 3.11\n", bare="")
    desk.night()
    site["/3.11/streams"] = SITE.format(MENU.format("3.14"))
    night = desk.night()
    said = {one["path"]: one["reason"] for one in night["toRead"]}
    assert said["knowledge/io/pinned.md"].endswith(f"now has “3.14 {site.url}/3.14/streams”")
    assert (night["confirmed"], night["drifted"], night["opened"]) == ([], [], [])
    waiting = desk.run("status").out
    assert "2 entries wait to be read" in waiting, waiting


def test_a_person_who_read_a_sign_settles_it(tmp_path: Path, site: Website) -> None:
    desk = desk_of(tmp_path, site, pinned="version-pin: Lantern 3.11\n")
    desk.night()
    site["/3.11/streams"] = SITE.format(MENU.format("3.14"))
    desk.night()
    audited = desk.run("freshness", "audit-run-entry", "pinned", "--out", "v.json")
    assert "P3 to-be-read: version-pin: Lantern 3.11" in audited.out
    applied = desk.run("freshness", "audit-apply", "pinned", "v.json", "--read", "--apply")
    assert applied.code == 0, applied.err
    assert "version-pin: Lantern 3.11" in (desk.root / "knowledge/io/pinned.md").read_text()
    assert desk.json("freshness", "frontier", schema="freshness-frontier")["entries"] == []


# --- a reader ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


def newer_shown(root: Path, site: Website) -> Desk:
    """Everything was confirmed; then the menu of the page shows another edition."""
    desk = desk_of(root, site, pinned="version-pin: Lantern 3.11\n")
    desk.night()
    desk.night()
    desk.merge_all()
    desk.later()
    site["/3.11/streams"] = SITE.format(MENU.format("3.14"))
    return desk


def said(answer: str, edition: str | None = None, quote: str | None = None) -> dict[str, Any]:
    return {
        "answer": answer,
        "reason": "So it says.",
        "edition": edition,
        "quote": quote,
        "source": 1 if quote else None,
    }


def test_a_confirmed_edition_supersedes_the_entry(tmp_path: Path, site: Website, model: ModelServer) -> None:
    desk = newer_shown(tmp_path, site)
    quote = f"3.14 {site.url}/3.14/streams"
    answers(model, frontier=said("newer", "3.14", quote))
    night = desk.night(*WITH, **env_of(model))
    assert "superseded, `version-pin: Lantern 3.11`" in night["drifted"][0]["reason"] and len(night["opened"]) == 1
    [prompt] = asked(model)
    assert "edition: Lantern 3.11" in prompt and quote in prompt and "Streams" in prompt
    shown = desk.run("change", "diff", night["opened"][0]["id"]).out
    assert "+    drifted: " in shown and "+last-reviewed" not in shown and "+version-pin" not in shown


def test_nothing_newer_settles_the_sign(tmp_path: Path, site: Website, model: ModelServer) -> None:
    desk = newer_shown(tmp_path, site)
    answers(model, frontier=said("nothing-newer"))
    night = desk.night(*WITH, **env_of(model))
    assert night["confirmed"] == ["knowledge/io/pinned.md"] and not night["toRead"] and not night["drifted"]


@pytest.mark.parametrize(
    "answer", [said("newer", "4.0", "Lantern 4.0 is out"), said("newer", "3.11", "3.11"), "There is a newer one."]
)
def test_an_edition_that_is_not_proven_is_no_finding(
    tmp_path: Path, site: Website, model: ModelServer, answer: Any
) -> None:
    desk = newer_shown(tmp_path, site)
    answers(model, frontier=answer)
    night = desk.night(*WITH, code=1, **env_of(model))
    assert not night["drifted"] and not night["opened"] and night["failed"][0]["cause"] == "reader"


def test_without_a_reader_the_sign_waits(tmp_path: Path, site: Website, model: ModelServer) -> None:
    desk = newer_shown(tmp_path, site)
    ran = desk.run("freshness", "run")
    assert "1 entry with a sign of a newer edition is waiting to be read" in ran.err
    answers(model, frontier=said("ended", None, f"3.14 {site.url}/3.14/streams"))
    told = cairn("judge", *WITH, "--json", cwd=desk.root, **{**desk.env, **env_of(model)}).json()["followed"]
    assert len(told) == 1 and told[0].startswith("change request ")


def test_the_reason_is_explained_and_reported(tmp_path: Path, site: Website) -> None:
    site["/3.11/streams"] = SITE.format('<p class="banner">Latest stable version: Lantern 3.14</p>')
    desk = desk_of(tmp_path, site, pinned="version-pin: Lantern 3.11\n", stays="version-pin: Lantern 3.11 only\n")
    desk.night()
    explained = desk.json("freshness", "audit-prefilter", "--explain", schema="freshness-audit-prefilter")
    by_name = {one["name"]: one for one in explained}
    assert "“Latest stable version: Lantern 3.14”" in by_name["pinned"]["reason"]
    assert "3.14" not in by_name["stays"]["reason"]
    shown = desk.run("freshness", "audit-prefilter", "--explain").out
    assert "shows 3.14" in shown


def test_the_report_names_editions_and_hosts_that_nobody_cites(tmp_path: Path, site: Website) -> None:
    linking = 'See <a href="https://spec.lantern.test/io">the specification</a>. <a href="https://x.com/a">Follow</a>'
    site["/3.11/streams"] = SITE.format("<p>Latest release: Lantern 3.14</p>").replace(
        "A stream", f"{linking} A stream"
    )
    with serving() as other:
        other["/notes"] = SITE.format("").replace("A stream", f"{linking} A stream")
        desk = desk_of(tmp_path, site, pinned="version-pin: Lantern 3.11\n")
        file = desk.root / "knowledge/io/second.md"
        file.write_text(PAGE.format(name="second", pin="", url=f"http://localhost.test:{other.port}/notes"))
        empty = desk.json("freshness", "frontier", schema="freshness-frontier")
        assert empty == {"entries": [], "hosts": [], "pages": 0}
        assert desk.run("freshness", "run").code == 1, "nobody reached the other"
        report = desk.json("freshness", "frontier", schema="freshness-frontier")
    [found] = report["entries"]
    assert (found["version"], found["newer"], found["sign"]) == ("3.11", "3.14", "statement")
    assert found["versionPin"] == "Lantern 3.14"
    assert report["hosts"] == [], "one site alone is no witness, and nobody reached the other"
    assert "/3.11/streams shows 3.14" in desk.run("freshness", "frontier").out


def test_coverage_of_categories_gaps_and_a_taxonomy(tmp_path: Path, site: Website) -> None:
    desk = desk_of(tmp_path, site, pinned="version-pin: Lantern 3.11\n", bare="")
    found = desk.json("freshness", "coverage", schema="freshness-coverage")
    [row] = found["categories"]
    assert (row["category"], row["entries"], row["sources"]) == ("io", 2, 1)
    (desk.root / "t.yaml").write_text("name: Needs\nitems:\n  - {title: Streams}\n  - {title: Sockets}\n")
    items = desk.json("freshness", "coverage", "--taxonomy", "t.yaml", schema="freshness-coverage")["taxonomy"]["items"]
    assert [item["covered"] for item in items] == [True, False]
    assert "nobody covers: Sockets" in desk.run("freshness", "coverage", "--taxonomy", "t.yaml").out
    assert desk.run("freshness", "coverage", "--matrix", "m.csv").code == 0
    assert (desk.root / "m.csv").read_text().splitlines()[1].startswith("io,2,2,0,0")
    assert desk.run("freshness", "coverage", "--matrix", "m.csv").code == 1, "a file that is there stays"
    assert desk.run("freshness", "coverage", "--taxonomy", "none.yaml").code == 5


def test_allow_add_by_request_and_here(tmp_path: Path, site: Website) -> None:
    desk = desk_of(tmp_path, site, bare="")
    assert desk.json("freshness", "allow", "list", schema="freshness-allow-list")["source"] is None
    add = ("freshness", "allow", "add")
    added = desk.json(*add, "lantern.test", "--category", "tooling", "--no-probe", schema="freshness-allow-add")
    assert added["request"] and not added["written"]
    assert desk.run("change", "merge", added["request"]["id"]).code == 0
    here = desk.json(*add, "me/it", "--category", "notes", "--no-probe", "--apply", schema="freshness-allow-add")
    assert here["written"] and here["newCategory"]
    listed = desk.json("freshness", "allow", "list", schema="freshness-allow-list")
    assert listed["hosts"] == [{"host": "lantern.test", "category": "tooling"}]
    assert listed["repositories"] == [{"repository": "me/it", "category": "notes"}]
    for place, code in (("docs.lantern.test", 3), ("lantern.test", 3), ("https://a.test", 2)):
        ran = desk.run(*add, place, "--category", "tooling", "--no-probe", "--apply")
        assert ran.code == code, ran.err
    unseen = desk.run(*add, "nowhere.invalid", "--category", "tooling", "--apply")
    assert unseen.code == 1 and "--no-probe" in unseen.err
    inside = desk.run(*add, "10.0.0.1", "--category", "tooling", "--apply")
    assert inside.code == 1 and "name a public host" in inside.err and "--no-probe" not in inside.err


def test_the_packed_list_counts_where_somebody_wants_it(tmp_path: Path, site: Website) -> None:
    desk = desk_of(tmp_path, site, bare="")
    page = desk.root / "knowledge/io/bare.md"
    page.write_text(page.read_text().replace(f"{site.url}/3.11/streams", "https://nobody-knows.test/a"))
    assert "not on the allowlist" not in desk.run("freshness", "validate").out.lower()
    assert desk.run("config", "set", "freshness.allowlist", "packed").code == 0
    warned = desk.run("freshness", "validate").out
    assert "nobody-knows.test" in warned
    listed = desk.json("freshness", "allow", "list", schema="freshness-allow-list")
    assert listed["source"] == "packed" and len(listed["hosts"]) == 47 and len(listed["repositories"]) == 3
    desk.run("freshness", "allow", "add", "nobody-knows.test", "--category", "notes", "--no-probe", "--apply")
    assert "nobody-knows.test" not in desk.run("freshness", "validate").out
    own = desk.json("freshness", "allow", "list", schema="freshness-allow-list")
    assert len(own["hosts"]) == 48, "the packed ones stay when the first own one comes"
