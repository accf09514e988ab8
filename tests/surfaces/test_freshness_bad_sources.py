"""Sources that are not what they should be, through the real program: a sentence each, an exit code, and no trace."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from github_stand_in import Asked, Hub, serve
from program import cairn
from repository import git, make
from website import Request, View, Website, redirect, serving

PAGE = """---
name: limits
description: How often clients may call.
topics: [http]
volatility: fast-moving
sources:
  - url: {url}
---
# Limits

## Summary

Clients may call 100 times a minute.

## Deep Guidance

Read it again.
"""
TEXT = "<html><head><title>Guide</title></head><body><main><h1>Guide</h1><p>{}</p></main></body></html>"
LONG = "Clients may call 100 times a minute, and whoever calls more often is refused until the minute is over."
ENTRY = "knowledge/http/limits.md"
CERTIFICATE = Path(__file__).parent.parent / "unit/adapters/fetch/docs-example-org.pem"
HTML = {"Content-Type": "text/html; charset=utf-8"}


def answer(body: bytes, **headers: str) -> View:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda _: (200, {**HTML, **named}, body)


def endless(request: Request) -> None:
    """Ten megabytes, said to be of unknown length."""
    request.send_raw(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n")
    for _ in range(10):
        request.send_raw(b"x" * 1_000_000)


LOGIN = """<html><head><title>Sign in</title></head><body><p>Please sign in with your account to read this page.</p>
<form action="/login" method="post"><label>User <input name="user"></label><label>Password
<input type="password" name="p"></label><button>Sign in</button></form></body></html>"""
STUB = '<html><head><meta http-equiv="refresh" content="0; url={}"></head><body></body></html>'

BAD: dict[str, tuple[View, str, str]] = {
    "redirects to itself": (redirect("/page"), "redirect", "It redirects to itself"),
    "redirects to a private address": (redirect("http://192.168.0.10/page"), "refused", "192.168.0.10"),
    "redirects to the cloud's own": (redirect("http://169.254.169.254/latest/"), "refused", "169.254.169.254"),
    "redirects into a file": (redirect("file:///etc/passwd"), "redirect", "`file:` is not fetched"),
    "redirects to a stub that leads nowhere": (redirect("/stub"), "status", "404"),
    "a stub that leads to a private address": (answer(STUB.format("http://10.0.0.1/").encode()), "refused", "10.0.0.1"),
    "ten megabytes": (endless, "too-large", "More than 5 MiB"),
    "says that it is ten megabytes": (answer(b"x" * 10_000_000), "too-large", "10,000,000 bytes"),
    "a bomb": (answer(gzip.compress(b"x" * 50_000_000, 9), Content_Encoding="gzip"), "too-large", "Unpacked"),
    "half a gzip": (
        answer(gzip.compress(LONG.encode())[:20], Content_Encoding="gzip"),
        "decoding",
        "breaks off in the middle",
    ),
    "nothing": (answer(b""), "unusable", "The page is empty"),
    "a page without words": (answer(TEXT.format("").encode()), "unusable", "The page is empty"),
    "a login": (answer(LOGIN.encode()), "unusable", "wants somebody to sign in"),
    "no page at all": (answer(b"\x00\x01\x02" * 50, Content_Type="image/png"), "unusable", "no text"),
}


@pytest.fixture
def site() -> Iterator[Website]:
    with serving() as running:
        yield running


def workspace(tmp_path: Path, url: str) -> Path:
    files = {
        ENTRY: PAGE.format(url=url),
        ".cairn/settings.json": '{"corpora": {"k": {"root": "knowledge", "layout": "entries"}}}',
        ".gitignore": ".cairn/*\n!.cairn/settings.json\n",
    }
    return make(tmp_path / "repo", files)


def leaves_no_trace(root: Path, url: str) -> None:
    assert git(root, "status", "--porcelain") == "" and git(root, "branch", "--list") == "* main"
    assert (root / ENTRY).read_text() == PAGE.format(url=url)
    assert cairn("change", "list", "--all", "--json", cwd=root).json()["requests"] == []
    assert list((root / ".cairn").glob("snapshots/*/*")) == [], "nothing of it is kept"


@pytest.mark.parametrize("name", BAD)
def test_a_night_with_a_bad_source(tmp_path: Path, site: Website, name: str) -> None:
    view, cause, says = BAD[name]
    site["/page"] = view
    site["/stub"] = STUB.format("/gone")
    url = f"{site.url}/page"
    root = workspace(tmp_path, url)
    env = {"CAIRN_FETCH_ALLOW": f"127.0.0.1:{site.port}"}
    ran = cairn("freshness", "run", "--json", cwd=root, **env)
    assert ran.code == 1, (ran.out, ran.err)
    [failed] = ran.json()["failed"]
    assert failed["path"] == ENTRY and failed["cause"] == cause
    assert url in failed["reason"] and says in failed["reason"]
    assert "Traceback" not in ran.err
    leaves_no_trace(root, url)


def test_a_certificate_that_nobody_vouches_for(tmp_path: Path) -> None:
    with serving(certificate=CERTIFICATE) as site:
        url = f"https://127.0.0.1:{site.port}/page"
        root = workspace(tmp_path, url)
        ran = cairn("freshness", "run", "--json", cwd=root, CAIRN_FETCH_ALLOW=f"127.0.0.1:{site.port}")
    [failed] = ran.json()["failed"]
    assert ran.code == 1 and failed["cause"] == "tls" and "could not prove who it is" in failed["reason"]
    leaves_no_trace(root, url)


READABLE: dict[str, View] = {
    "another charset than it says": answer(TEXT.format(f"Größe über alles. {LONG}").encode("latin-1")),
    "a charset that there is not": answer(TEXT.format(LONG).encode(), Content_Type="text/html; charset=klingon"),
    "packed, as it says": answer(gzip.compress(TEXT.format(LONG).encode()), Content_Encoding="gzip"),
    "a stub": answer(STUB.format("/real").encode()),
}


@pytest.mark.parametrize("name", READABLE)
def test_odd_pages_that_can_be_read(tmp_path: Path, site: Website, name: str) -> None:
    site["/page"] = READABLE[name]
    site["/real"] = TEXT.format(LONG)
    root = workspace(tmp_path, f"{site.url}/page")
    env = {"CAIRN_FETCH_ALLOW": f"127.0.0.1:{site.port}"}
    assert len(cairn("freshness", "run", "--json", cwd=root, **env).json()["baseline"]) == 1
    second = cairn("freshness", "run", "--json", cwd=root, **env)
    assert second.code == 0 and second.json()["confirmed"] == [ENTRY]


# --- where requests go ------------------------------------------------------------------------------------------------


@pytest.fixture
def due(tmp_path: Path, site: Website) -> Path:
    """A workspace whose next night has something to ask for."""
    site["/page"] = TEXT.format(LONG)
    root = workspace(tmp_path, f"{site.url}/page")
    assert cairn("freshness", "run", cwd=root, CAIRN_FETCH_ALLOW=f"127.0.0.1:{site.port}").code == 0
    return root


def test_a_branch_of_that_name_is_somebody_elses(due: Path, site: Website) -> None:
    env = {"CAIRN_FETCH_ALLOW": f"127.0.0.1:{site.port}"}
    site["/page"] = TEXT.format(LONG.replace("100", "60"))
    assert len(cairn("freshness", "run", "--json", cwd=due, **env).json()["opened"]) == 1
    [request] = cairn("change", "list", "--json", cwd=due).json()["requests"]
    assert cairn("change", "close", request["id"], cwd=due).code == 0
    git(due, "branch", "-f", request["branch"], "main")
    site["/page"] = TEXT.format(LONG.replace("100", "50"))
    again = cairn("freshness", "run", "--json", cwd=due, **env)
    assert again.code == 0 and len(again.json()["opened"]) == 1, again.out
    [other] = cairn("change", "list", "--json", cwd=due).json()["requests"]
    assert other["branch"] == f"{request['branch']}-2"
    assert git(due, "rev-parse", request["branch"]) == git(due, "rev-parse", "main"), "theirs is where they put it"


def test_a_dirty_tree_is_left_as_it_is(due: Path, site: Website) -> None:
    (due / "notes.txt").write_text("mine\n")
    git(due, "add", "notes.txt")
    (due / ENTRY).write_text((due / ENTRY).read_text() + "\nMine.\n")
    before = git(due, "status", "--porcelain")
    ran = cairn("freshness", "run", "--json", cwd=due, CAIRN_FETCH_ALLOW=f"127.0.0.1:{site.port}")
    assert ran.code == 0 and ran.json()["opened"] == []
    assert "commit and merge your edits" in ran.json()["held"][0]["reason"]
    assert git(due, "status", "--porcelain") == before and (due / ENTRY).read_text().endswith("Mine.\n")


@pytest.mark.parametrize("when", ["at once", "in the middle"])
def test_a_token_that_expired(due: Path, site: Website, tmp_path: Path, when: str) -> None:
    git(due, "clone", "-q", str(due), str(tmp_path / "hub"))
    with serve(Hub(tmp_path / "hub")) as hub:

        def expired(asked: Asked) -> tuple[int, Any, dict[str, str]] | None:
            gone = when == "at once" or asked.method != "GET"
            return (401, {"message": "Bad credentials"}, {}) if gone else None

        hub.fault = expired
        env = {**hub.environment(), "CAIRN_CHANGE__FORGE": "github", "CAIRN_FETCH_ALLOW": f"127.0.0.1:{site.port}"}
        before = sum(site.asked.values())
        ran = cairn("freshness", "run", "--json", cwd=due, **env)
        assert "Traceback" not in ran.err and "bot-token" not in ran.out + ran.err
        if when == "at once":
            assert ran.code == 2 and "GITHUB_TOKEN" in ran.out and sum(site.asked.values()) == before
        else:
            [failed] = ran.json()["failed"]
            assert ran.code == 1 and failed["cause"] == "forge" and "GITHUB_TOKEN" in failed["reason"]
        hub.fault = None
        assert hub.pulls == {}
        again = cairn("freshness", "run", "--json", cwd=due, **env)
        assert again.code == 0 and len(again.json()["opened"]) == 1 and len(hub.pulls) == 1, again.out
