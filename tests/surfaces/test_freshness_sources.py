"""`cairn freshness sources` and `link-check`, through the program, with a site on loopback."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from garden import write
from program import Ran, cairn, fits_schema
from repository import git
from website import Website, serving

ENTRY = """---
name: {name}
description: About it.
volatility: stable
last-reviewed: 2026-01-01
sources:
{sources}---
## Deep Guidance

Text.
"""


def entry(name: str, *urls: str, path: str = "") -> str:
    lines = [f"  - url: {url}\n" for url in urls] + ([f"  - path: {path}\n"] if path else [])
    return ENTRY.format(name=name, sources="".join(lines))


@pytest.fixture
def site() -> Iterator[Website]:
    with serving() as site:
        site["/limits"] = "<p>Ten requests a second.</p>"
        site["/retry"] = "<p>Three times.</p>"
        yield site


@pytest.fixture
def workspace(tmp_path: Path, site: Website) -> Path:
    files = {
        ".cairn/settings.json": '{"corpora": {"knowledge": {"layout": "entries"}}}',
        "knowledge/api/limits.md": entry("limits", f"{site.url}/limits", f"{site.url}/gone", path="src/app.py"),
        "knowledge/api/retry.md": entry("retry", f"{site.url}/retry#times", f"{site.url}/gone#x"),
        "knowledge/sec/xss.md": entry("xss", "https://owasp.org/xss"),
        "src/app.py": "LIMIT = 10\n",
    }
    write(tmp_path, files)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "-A"], cwd=tmp_path, check=True)
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *identity, "commit", "-qm", "start"], cwd=tmp_path, check=True)
    return tmp_path


def freshness(workspace: Path, site: Website, *args: str) -> Ran:
    allow = f"{site.place[0]}:{site.place[1]}"
    return cairn("freshness", *args, cwd=workspace, CAIRN_FETCH_ALLOW=allow)


def test_all_sources_with_who_cites_them(workspace: Path, site: Website) -> None:
    body = freshness(workspace, site, "sources", "--json").json()
    fits_schema(body, "freshness-sources")
    by_reference = {one["reference"]: one for one in body["sources"]}
    assert sorted(by_reference) == sorted(
        [f"{site.url}/limits", f"{site.url}/gone", f"{site.url}/retry#times", f"{site.url}/gone#x", "src/app.py",
         "https://owasp.org/xss"]
    )  # fmt: skip
    assert by_reference["https://owasp.org/xss"]["category"] == "security"
    assert by_reference[f"{site.url}/limits"]["category"] == "not on the list"
    assert by_reference["src/app.py"]["kind"] == "path"
    assert body["allowed"] == [f"127.0.0.1:{site.port}"]
    assert body["categories"]["security"] == {"sources": 1, "entries": 1}
    assert not site.asked


def test_by_host(workspace: Path, site: Website) -> None:
    ran = freshness(workspace, site, "sources", "--by-host")
    assert [line.split()[0] for line in ran.out.splitlines()] == ["host", "127.0.0.1", "owasp.org"]
    assert "6 sources: 5 on the web, 1 in the repository" in ran.err
    assert "CAIRN_FETCH_ALLOW also allows" in ran.err
    body = freshness(workspace, site, "sources", "--by-host", "--json").json()
    fits_schema(body, "freshness-sources")
    assert "sources" not in body
    assert body["hosts"][0]["entries"] == 2


def test_links_are_asked_for_once_and_findings_name_every_place(workspace: Path, site: Website) -> None:
    body = freshness(workspace, site, "link-check", "knowledge/api", "--json").json()
    fits_schema(body, "freshness-link-check")
    assert body["checked"] == 3
    (finding,) = body["findings"]
    assert (finding["url"], finding["severity"], finding["status"]) == (f"{site.url}/gone", "P2", 404)
    assert [place["path"] for place in finding["cited"]] == ["knowledge/api/limits.md", "knowledge/api/retry.md"]
    assert [place["line"] for place in finding["cited"]] == [8, 8]
    assert site.asked == {"HEAD /limits": 1, "HEAD /retry": 1, "HEAD /gone": 1, "GET /gone": 1}


def test_for_people_and_for_githubs_log(workspace: Path, site: Website) -> None:
    ran = freshness(workspace, site, "link-check", "knowledge/api")
    assert ran.code == 1
    assert ran.out.splitlines() == [
        f"P2 {site.url}/gone: The server answers 404: there is no such page.",
        "   knowledge/api/limits.md:8",
        "   knowledge/api/retry.md:8",
    ]
    assert "2 of 3 pages are there" in ran.err
    ran = freshness(workspace, site, "link-check", "knowledge/api/limits.md", "--github")
    assert (ran.code, ran.out.count("::warning file=knowledge/api/limits.md,line=8")) == (1, 1)


def test_what_is_passed_over(workspace: Path, site: Website) -> None:
    cairn("config", "set", "freshness.link_check.skip", f"{site.url}/gone, org", cwd=workspace)
    body = freshness(workspace, site, "link-check", "--all", "--json").json()
    fits_schema(body, "freshness-link-check")
    assert (body["checked"], body["findings"]) == (2, [])
    assert body["skipped"] == sorted([f"{site.url}/gone", "https://owasp.org/xss"])


def test_without_a_path_what_the_branch_and_edits_changed(workspace: Path, site: Website) -> None:
    ran = freshness(workspace, site, "link-check")
    assert (ran.code, ran.out) == (0, "")
    assert "nothing to check" in ran.err
    page = workspace / "knowledge/api/retry.md"
    page.write_text(page.read_text() + "More.\n")
    assert freshness(workspace, site, "link-check", "--json").json()["checked"] == 2
    git(workspace, "checkout", "-q", "-b", "mine")
    git(workspace, "commit", "-q", "-am", "More about retries")
    assert freshness(workspace, site, "link-check", "--json").json()["checked"] == 2, "committed is not merged"


def test_pages_that_a_list_names(workspace: Path, site: Website) -> None:
    (workspace / "changed.json").write_text('["knowledge/api/retry.md"]')
    assert freshness(workspace, site, "link-check", "--files-from", "changed.json", "--json").json()["checked"] == 2
    (workspace / "changed.json").write_text("[]")
    ran = freshness(workspace, site, "link-check", "--files-from", "changed.json")
    assert (ran.code, "--files-from names no page" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["--all", "knowledge"], 2, "one of them"),
        (["--all", "--files-from", "x.json"], 2, "one of them"),
        (["--files-from", "nobody.json"], 5, "no file `nobody.json`"),
        (["nobody.md"], 5, "no page of knowledge at nobody.md"),
        (["../elsewhere"], 2, "outside of this workspace"),
        (["--all", "--json", "--github"], 2, "Choose one"),
    ],
)
def test_what_cannot_be_meant(workspace: Path, site: Website, args: list[str], code: int, said: str) -> None:
    ran = freshness(workspace, site, "link-check", *args)
    assert (ran.code, said in ran.err + ran.out) == (code, True), ran
    assert not site.asked


def test_loopback_is_refused_unless_the_operator_allows_it(workspace: Path, site: Website) -> None:
    ran = cairn("freshness", "link-check", "knowledge/api", "--json", cwd=workspace)
    assert {finding["cause"] for finding in ran.json()["findings"]} == {"refused"}
    assert not site.asked
    ran = cairn("freshness", "link-check", "--all", cwd=workspace, CAIRN_FETCH_ALLOW="127.0.0.1")
    assert (ran.code, "is not `host:port`" in ran.err) == (2, True)


def test_check_says_nothing_about_places_that_the_operator_allows(workspace: Path, site: Website) -> None:
    def refused(**env: str) -> list[str]:
        issues = cairn("check", "--json", cwd=workspace, **env).json()["issues"]
        return [one["message"] for one in issues if "cannot be a source" in one["message"]]

    assert cairn("scan", cwd=workspace).code == 1
    assert len(refused()) == 4
    allowed = {"CAIRN_FETCH_ALLOW": f"127.0.0.1:{site.port}"}
    assert refused(**allowed) == []
    scanned = cairn("scan", "--json", "--no-graph", cwd=workspace, **allowed)
    assert scanned.code == 0 and scanned.json()["stats"]["errorsCount"] == 0
    assert "entry-invalid" in cairn("status", cwd=workspace).out
    assert "entry-invalid" not in cairn("status", cwd=workspace, **allowed).out
    assert len(refused(CAIRN_FETCH_ALLOW=f"127.0.0.1:{site.port + 1}")) == 4
