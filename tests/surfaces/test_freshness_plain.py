"""Documentation that is not ours to edit, night after night: what its links say goes into `cairn.lock`, by requests."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from program import Ran, cairn, fits_schema
from repository import commit, git, make
from website import Website, serving

SITE = """<html><head><title>Guide</title></head><body><main><h1>Guide</h1>
<p>{}</p><p>The rest of this guide tells who answers when something goes wrong, and where.</p></main></body></html>"""
LIMITS = "Clients may call {} times a minute."
RETRIES = "Wait {} seconds between two retries."
PAGE = "# {title}\n\n{claim}\n\nAs [the guide]({url}) says. See [the rest](other.md).\n"


@pytest.fixture
def site() -> Iterator[Website]:
    with serving() as running:
        running["/limits"] = SITE.format(LIMITS.format(100))
        running["/retries"] = SITE.format(RETRIES.format(30))
        yield running


class Desk:
    def __init__(self, root: Path, site: Website) -> None:
        self.root = root
        self.env = {"CAIRN_FETCH_ALLOW": f"127.0.0.1:{site.port}"}

    def night(self, *options: str, code: int = 0, **env: str) -> Any:
        ran = self.run("freshness", "run", "--json", *options, **env)
        assert ran.code == code, (ran.out, ran.err)
        fits_schema(ran.json(), "freshness-run")
        return ran.json()

    def run(self, *args: str, **env: str) -> Ran:
        return cairn(*args, cwd=self.root, **{**self.env, **env})

    def merge(self, id: str) -> None:
        ran = self.run("change", "merge", id)
        assert ran.code == 0, ran.err

    @property
    def lock(self) -> str:
        file = self.root / "docs/cairn.lock"
        return file.read_text() if file.exists() else ""


@pytest.fixture
def desk(tmp_path: Path, site: Website) -> Desk:
    files = {
        "docs/limits.md": PAGE.format(title="Limits", claim=LIMITS.format(100), url=f"{site.url}/limits"),
        "docs/retries.md": PAGE.format(title="Retries", claim=RETRIES.format(30), url=f"{site.url}/retries"),
        "docs/other.md": "# Other\n\nNothing of the web.\n",
        ".cairn/settings.json": '{"corpora": {"d": {"root": "docs", "layout": "plain"}}}',
        ".gitignore": ".cairn/*\n!.cairn/settings.json\n",
    }
    return Desk(make(tmp_path / "repo", files), site)


def test_from_links_to_a_lock_file_to_a_request(desk: Desk, site: Website) -> None:
    pages = {name: (desk.root / name).read_text() for name in ("docs/limits.md", "docs/retries.md")}
    first = desk.night()
    assert first["lookedAt"]["entries"] == 2 and len(first["baseline"]) == 2 and not first["opened"]
    [confirmed] = desk.night()["opened"]
    assert confirmed["kind"] == "confirmations" and confirmed["paths"] == ["docs/cairn.lock", ".gitattributes"]
    assert desk.night()["lookedAt"]["audited"] == 0, "what waits is not asked for again"
    desk.merge(confirmed["id"])
    assert desk.lock.count("  source  ") == 2 and desk.lock.count("  reviewed  ") == 2
    assert "merge=union" in (desk.root / ".gitattributes").read_text()
    assert desk.night()["lookedAt"]["audited"] == 0

    site["/limits"] = SITE.format(LIMITS.format(60))
    changed = desk.night()
    assert [one["path"] for one in changed["drifted"]] == ["docs/limits.md"]
    [drift] = changed["opened"]
    assert drift["paths"] == ["docs/cairn.lock"] and drift["level"] in ("pass", "note")
    assert desk.night()["opened"] == []
    before = desk.lock
    desk.merge(drift["id"])
    differing = {line.split()[0] for line in set(desk.lock.splitlines()) ^ set(before.splitlines())}
    assert differing == {"limits.md"}, "the other page's lines stay"
    assert [one["path"] for one in desk.night()["drifted"]] == ["docs/limits.md"], "nobody has edited the sentence"
    assert desk.lock.count("  drifted=") == 1
    assert {name: (desk.root / name).read_text() for name in pages} == pages, "the pages themselves stay as they are"
    assert git(desk.root, "status", "--porcelain") == "" and desk.run("check").code == 0


def test_two_requests_about_one_lock_file_both_land(desk: Desk, site: Website) -> None:
    desk.night()
    desk.merge(desk.night()["opened"][0]["id"])
    site["/limits"] = SITE.format(LIMITS.format(60))
    site["/retries"] = SITE.format(RETRIES.format(45))
    opened = desk.night()["opened"]
    assert len(opened) == 2
    for one in opened:
        desk.merge(one["id"])
    assert desk.lock.count("  source  ") == desk.lock.count("  drifted=") == 2
    for name, old, new in (("limits", "100 times", "60 times"), ("retries", "30 seconds", "45 seconds")):
        page = desk.root / f"docs/{name}.md"
        commit(desk.root, {f"docs/{name}.md": page.read_text().replace(old, new)})
    night = desk.night(CAIRN_FRESHNESS__CONFIRMATIONS="each")
    assert night["confirmed"] == ["docs/limits.md", "docs/retries.md"]
    for one in night["opened"]:
        desk.merge(one["id"])
    assert desk.lock.count("  source  ") == 2 and "  drifted=" not in desk.lock


def test_a_dead_link_takes_no_page_with_it(desk: Desk, site: Website) -> None:
    page = desk.root / "docs/limits.md"
    page.write_text(page.read_text() + f"\nOr [elsewhere]({site.url}/gone).\n")
    git(desk.root, "commit", "-qam", "more")
    assert len(desk.night(code=1)["baseline"]) == 2
    assert len(desk.night(code=1)["confirmed"]) == 2


@pytest.mark.parametrize(("mode", "links", "looked"), [("auto", 201, 0), ("on", 201, 1), ("auto", 3, 1), ("off", 3, 0)])
def test_many_links_need_a_word(tmp_path: Path, site: Website, mode: str, links: int, looked: int) -> None:
    listed = "".join(f"- {site.url}/{number}\n" for number in range(links))
    files = {
        "docs/links.md": f"# Links\n\n{listed}",
        "knowledge/a.md": "---\nname: a\ndescription: b\n---\n# A\n",
        ".cairn/settings.json": '{"corpora": {"d": {"root": "docs", "layout": "plain"}, "k": {"root": "knowledge"}}}',
        ".gitignore": ".cairn/*\n!.cairn/settings.json\n",
    }
    for number in range(links):
        site[f"/{number}"] = SITE.format(LIMITS.format(number))
    desk = Desk(make(tmp_path / "many", files), site)
    night = desk.night(CAIRN_FRESHNESS__PLAIN=mode)
    assert night["lookedAt"]["sources"] == looked * min(links, 10), "a page with many links is a list"


def test_one_page_for_a_person(desk: Desk, site: Website) -> None:
    assert desk.run("scan").code == 0
    desk.run("freshness", "audit-run-entry", "docs/limits.md")
    site["/limits"] = SITE.format(LIMITS.format(60))
    verdict = desk.run("freshness", "audit-run-entry", "docs/limits.md", "--out", "v.json")
    assert verdict.code == 0 and "minor-drift" in verdict.out
    done = desk.run("freshness", "audit-apply", "docs/limits.md", "v.json", "--apply")
    assert done.code == 0 and "edited docs/cairn.lock" in done.err, done
    off = desk.run("freshness", "audit-run-entry", "docs/limits.md", CAIRN_FRESHNESS__PLAIN="off")
    assert off.code == 1 and "freshness.plain on" in off.err
