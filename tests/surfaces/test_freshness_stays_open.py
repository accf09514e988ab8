"""What is wrong stays visible: while requests wait, after they are merged, and without a network."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from os import rename
from pathlib import Path

import pytest

from night_desk import LIMITS, RETRIES, SETTINGS, SITE, Desk, desk_at, guide, page
from program import cairn
from repository import commit, git, make
from website import Website

RETRIES_PAGE = "knowledge/http/retries.md"


@pytest.fixture
def site() -> Iterator[Website]:
    with guide() as running:
        yield running


@pytest.fixture
def desk(tmp_path: Path, site: Website) -> Desk:
    return desk_at(tmp_path / "repo", site)


# --- open requests ----------------------------------------------------------------------------------------------------


def test_an_open_confirmation_covers_only_the_texts_that_it_names(desk: Desk, site: Website) -> None:
    desk.night()
    [asked] = desk.night()["opened"]
    assert len(asked["paths"]) == 4
    site["/retries"] = SITE.format(RETRIES.format(45))
    night = desk.night()
    assert [one["path"] for one in night["drifted"]] == [RETRIES_PAGE]
    [withdrawn] = night["withdrawn"]
    assert withdrawn["id"] == asked["id"] and f"{site.url}/retries changed since" in withdrawn["reason"]
    left = next(one for one in desk.requests() if one["id"] == asked["id"])
    assert RETRIES_PAGE not in left["paths"] and len(left["paths"]) == 3
    assert left["title"] == "chore(knowledge): compare 3 entries with their sources, some for the first time"
    [drift] = [one for one in desk.requests() if one["kind"] == "drift"]
    assert drift["paths"] == [RETRIES_PAGE]
    assert "retries" not in cairn("change", "show", asked["id"], cwd=desk.root).out
    desk.merge_all()
    assert "Wait 30 seconds" in (desk.root / RETRIES_PAGE).read_text()
    assert [one["path"] for one in desk.night()["drifted"]] == [RETRIES_PAGE]


def test_status_and_sources_name_a_change_while_a_confirmation_is_open(desk: Desk, site: Website) -> None:
    desk.night()
    desk.night()
    site["/retries"] = SITE.format(RETRIES.format(45))
    desk.night()
    status = cairn("status", cwd=desk.root).out
    assert f"1 entry states what its source no longer says, such as {RETRIES_PAGE}" in status
    assert "“Wait 30 seconds between two retries.”" in status
    sources = desk.run("sources").out
    [line] = [line for line in sources.splitlines() if "/retries" in line]
    assert f"changed since {RETRIES_PAGE} was last found right" in line and not line.endswith("fine")
    listed = {one["reference"]: one["behind"] for one in desk.run("sources", "--json").json()["sources"]}
    assert listed[f"{site.url}/retries"] == [RETRIES_PAGE]


def test_a_confirmation_of_a_single_entry_is_closed_when_its_source_changes(desk: Desk, site: Website) -> None:
    desk.night()
    each = {"CAIRN_FRESHNESS__CONFIRMATIONS": "each"}
    opened = desk.night(**each)["opened"]
    [asked] = [one["id"] for one in opened if one["paths"] == [RETRIES_PAGE]]
    site["/retries"] = SITE.format("Wait 30 seconds between two retries, unless the server asks for less.")
    night = desk.night(**each)
    assert [one["path"] for one in night["toRead"]] == [RETRIES_PAGE]
    assert asked not in [one["id"] for one in desk.requests()]


def test_a_page_that_was_edited_leaves_its_confirmation(desk: Desk) -> None:
    desk.night()
    [asked] = desk.night()["opened"]
    text = (desk.root / RETRIES_PAGE).read_text()
    commit(desk.root, {RETRIES_PAGE: text.replace("Read it again.", "Read it twice.")})
    desk.night()
    left = next(one for one in desk.requests() if one["id"] == asked["id"])
    assert RETRIES_PAGE not in left["paths"] and len(left["paths"]) == 3


def test_a_request_that_somebody_works_on_stays_and_the_change_is_named(desk: Desk, site: Website) -> None:
    desk.settled()
    site["/retries"] = SITE.format(RETRIES.format(45))
    [opened] = desk.night()["opened"]
    branch = next(one["branch"] for one in desk.requests() if one["id"] == opened["id"])
    git(desk.root, "switch", "-q", branch)
    text = (desk.root / RETRIES_PAGE).read_text()
    commit(desk.root, {RETRIES_PAGE: text.replace("30", "45")})
    git(desk.root, "switch", "-q", "main")
    site["/retries"] = SITE.format(RETRIES.format(50))
    night = desk.night()
    assert any("somebody has committed to its branch" in one["reason"] for one in night["held"])
    assert [one["path"] for one in night["drifted"]] == [RETRIES_PAGE]
    assert opened["id"] in [one["id"] for one in desk.requests()], "what somebody wrote there stays"


def test_a_request_about_drift_follows_its_source(desk: Desk, site: Website) -> None:
    desk.settled()
    site["/retries"] = SITE.format(RETRIES.format(45))
    [opened] = desk.night()["opened"]
    site["/retries"] = SITE.format(RETRIES.format(50))
    desk.night()
    assert [one["id"] for one in desk.requests()] == [opened["id"]], "it is brought up to date"
    assert "Wait 50 seconds" in cairn("change", "show", opened["id"], cwd=desk.root).out
    site["/retries"] = SITE.format(RETRIES.format(30))
    night = desk.night()
    assert desk.requests() == [] and night["withdrawn"][0]["id"] == opened["id"], "the page is right again"


# --- merged requests --------------------------------------------------------------------------------------------------


def test_a_merged_request_without_an_edit_leaves_the_finding_open(desk: Desk, site: Website) -> None:
    desk.settled()
    before = (desk.root / RETRIES_PAGE).read_text()
    site["/retries"] = SITE.format(RETRIES.format(45))
    [opened] = desk.night()["opened"]
    shown = cairn("change", "show", opened["id"], cwd=desk.root).out
    assert "## Edit before merging" in shown and "- “Wait 30 seconds between two retries.”" in shown
    desk.merge_all()
    after = (desk.root / RETRIES_PAGE).read_text()
    changed = set(after.splitlines()) ^ set(before.splitlines())
    assert [line.split(":")[0].strip() for line in changed] == ["drifted"], "the hash and the review stay"
    for _ in range(2):
        assert [one["path"] for one in desk.night()["drifted"]] == [RETRIES_PAGE]
    assert f"no longer says, such as {RETRIES_PAGE}" in cairn("status", cwd=desk.root).out


def test_an_edit_of_the_sentence_lets_the_hash_advance(desk: Desk, site: Website) -> None:
    desk.settled()
    before = (desk.root / RETRIES_PAGE).read_text()
    site["/retries"] = SITE.format(RETRIES.format(45))
    desk.night()
    desk.merge_all()
    text = (desk.root / RETRIES_PAGE).read_text()
    commit(desk.root, {RETRIES_PAGE: text.replace("Wait 30 seconds", "Wait 45 seconds")})
    night = desk.night(CAIRN_FRESHNESS__CONFIRMATIONS="each")
    assert night["confirmed"] == [RETRIES_PAGE] and not night["drifted"] and not night["toRead"]
    assert "no longer says" not in cairn("status", cwd=desk.root).out
    desk.merge_all()
    after = (desk.root / RETRIES_PAGE).read_text()
    assert "drifted" not in after
    assert next(line for line in after.splitlines() if " hash:" in line) not in before
    assert desk.night()["lookedAt"]["audited"] == 0


def test_an_edit_to_a_value_that_the_source_does_not_have_is_to_be_read(desk: Desk, site: Website) -> None:
    desk.settled()
    site["/retries"] = SITE.format(RETRIES.format(45))
    desk.night()
    desk.merge_all()
    text = (desk.root / RETRIES_PAGE).read_text()
    commit(desk.root, {RETRIES_PAGE: text.replace("Wait 30 seconds", "Wait 60 seconds")})
    night = desk.night(CAIRN_FRESHNESS__CONFIRMATIONS="each")
    assert not night["confirmed"] and [one["path"] for one in night["toRead"]] == [RETRIES_PAGE]


def test_a_run_names_doubts_whose_request_is_open(desk: Desk, site: Website) -> None:
    desk.settled()
    site["/retries"] = SITE.format(RETRIES.format(45))
    desk.night()
    again = desk.run("run")
    assert f"still in doubt: {RETRIES_PAGE}: `Wait 30 seconds between two retries.`, but" in again.out + again.err
    assert "1 in doubt" in again.out + again.err
    night = desk.night()
    assert [one["path"] for one in night["stillInDoubt"]] == [RETRIES_PAGE] and not night["drifted"]


def test_a_person_may_stamp_a_page_that_is_right(desk: Desk, site: Website) -> None:
    desk.settled()
    site["/retries"] = SITE.format(RETRIES.format(45))
    desk.night()
    desk.merge_all()
    before = (desk.root / RETRIES_PAGE).read_text()
    desk.run("audit-run-entry", "retries", "--json", "--out", "verdict.json")
    plain = desk.run("audit-apply", "retries", "verdict.json", "--apply")
    assert plain.code == 0 and (desk.root / RETRIES_PAGE).read_text() == before, "a drift is no stamp"
    stamped = desk.run("audit-apply", "retries", "verdict.json", "--read", "--apply")
    assert stamped.code == 0, stamped.err
    after = (desk.root / RETRIES_PAGE).read_text()
    assert "drifted" not in after and after != before
    commit(desk.root)
    assert desk.night()["lookedAt"]["audited"] == 0
    assert "no longer says" not in cairn("status", cwd=desk.root).out


# --- no network -------------------------------------------------------------------------------------------------------

DEAD = ("http://127.0.0.1:{}/a", "http://127.0.0.2:{}/b", "http://127.0.0.3:{}/c")


@pytest.fixture
def nowhere(tmp_path: Path, free_port: int) -> Desk:
    """Three entries on three hosts, none of which answers."""
    urls = [url.format(free_port) for url in DEAD]
    files = {
        f"knowledge/http/{name}.md": page(name, LIMITS.format(100), url)
        for name, url in zip(("one", "two", "three"), urls, strict=True)
    }
    ignored = ".cairn/*\n!.cairn/settings.json\n"
    root = make(tmp_path / "repo", {**files, ".cairn/settings.json": SETTINGS, ".gitignore": ignored})
    site = Website()
    site.port = free_port
    desk = Desk(root, site)
    desk.env["CAIRN_FETCH_ALLOW"] = ",".join(f"127.0.0.{n}:{free_port}" for n in (1, 2, 3))
    return desk


@pytest.fixture
def free_port() -> Iterator[int]:
    """A port that is taken and does not listen, so that every connection is refused."""
    import socket

    with socket.socket() as taken:
        taken.bind(("", 0))
        yield taken.getsockname()[1]


def test_a_run_without_a_network_is_one_sentence_and_backs_off_nothing(nowhere: Desk) -> None:
    ran = nowhere.run("run")
    assert ran.code == 1
    [line] = ran.out.splitlines()
    assert line.startswith("no network: no host answered, so none of 3 sources was looked at")
    assert "recorded the current text" not in ran.err
    night = nowhere.night(code=1)
    assert night["failed"] == night["unread"] == night["held"] == []
    assert len(night["offline"]) == 3 and night["waiting"] == 3 and night["lookedAt"]["audited"] == 0
    explained = nowhere.run("audit-prefilter", "--explain", "--json").json()
    assert all(one["taken"] for one in explained), "no entry has to wait because of it"
    assert not any(one["failure"] for one in nowhere.run("sources", "--json").json()["sources"])
    assert nowhere.run("sources").out.count("not looked at") == 3
    status = cairn("status", cwd=nowhere.root).out
    assert "the last run had no network: 3 sources not looked at, 3 entries are waiting" in status


def test_a_link_check_without_a_network_records_nothing(nowhere: Desk) -> None:
    for _ in range(2):
        ran = nowhere.run("link-check", "--all")
        assert ran.code == 1 and ran.out == "" and "no network: no host answered" in ran.err
    checked = nowhere.run("link-check", "--all", "--json").json()
    assert checked["offline"] is True and checked["findings"] == []


def test_a_host_that_fails_is_one_line_with_its_count(tmp_path: Path, site: Website, free_port: int) -> None:
    files = {
        f"knowledge/http/{name}.md": page(name, LIMITS.format(100), f"http://127.0.0.1:{free_port}/{name}")
        for name in ("one", "two", "three")
    }
    files["knowledge/http/limits.md"] = page("limits", LIMITS.format(100), f"{site.url}/limits")
    ignored = ".cairn/*\n!.cairn/settings.json\n"
    desk = Desk(make(tmp_path / "repo", {**files, ".cairn/settings.json": SETTINGS, ".gitignore": ignored}), site)
    desk.env["CAIRN_FETCH_ALLOW"] += f",127.0.0.1:{free_port}"
    ran = desk.run("run")
    failed = [line for line in ran.out.splitlines() if line.startswith("failed")]
    assert len(failed) == 1 and "127.0.0.1, 3 sources of 3 entries" in failed[0], ran.out


# --- what a run is about ----------------------------------------------------------------------------------------------


def test_a_run_about_named_entries_looks_at_nothing_else(desk: Desk, site: Website) -> None:
    desk.settled()
    site.asked.clear()
    night = desk.night("retries")
    assert night["lookedAt"] == {"entries": 1, "sources": 1, "audited": 1} and night["confirmed"] == [RETRIES_PAGE]
    assert {page.split()[1] for page in site.asked} == {"/retries"}
    assert desk.night("knowledge/http/limits.md", "retries")["lookedAt"]["entries"] == 2
    unknown = desk.run("run", "retry")
    assert unknown.code == 5 and "retry" in unknown.err


def test_a_run_about_a_category(desk: Desk, site: Website) -> None:
    commit(desk.root, {"knowledge/ops/sirens.md": page("sirens", RETRIES.format(30), f"{site.url}/retries")})
    night = desk.night("--category", "ops")
    assert night["lookedAt"]["entries"] == 1 and [one["path"] for one in night["baseline"]] == [
        "knowledge/ops/sirens.md"
    ]
    assert set(site.asked) == {"GET /retries"}
    unknown = desk.run("run", "--category", "op")
    assert unknown.code == 5 and "there are: http, ops" in unknown.err


def test_entries_that_something_is_in_the_way_of_are_held_back(desk: Desk, site: Website) -> None:
    desk.night()
    [asked] = desk.night()["opened"]
    del site.pages["/retries"]
    desk.night(code=1)
    text = desk.run("run").out
    assert (
        "held back: 4 audits [knowledge/http/colours.md, knowledge/http/limits.md, knowledge/http/quotas.md and 1"
        in text
    )
    assert f"The change request {asked['id']} is still open." in text


# --- numbers ----------------------------------------------------------------------------------------------------------


def test_the_numbers_of_status_add_up(desk: Desk, site: Website) -> None:
    bare = page("bare", "Nobody knows where this comes from.").replace("sources:\n", "")
    commit(desk.root, {"knowledge/http/bare.md": bare})
    del site.pages["/colours"]
    night = desk.night(code=1)
    outcomes = ("confirmed", "drifted", "pending", "toRead", "baseline", "failed")
    assert night["lookedAt"]["audited"] == sum(len(night[one]) for one in outcomes) == 4
    status = cairn("status", "--json", cwd=desk.root).json()
    [corpus] = [line["data"] for line in status["sections"]["health"] if line["text"].startswith("corpus k ")]
    assert corpus["due"] == night["lookedAt"]["audited"] + night["waiting"] == 4
    assert corpus["due"] + corpus["inTime"] + corpus["unsourced"] + corpus["derived"] == 5
    text = cairn("status", cwd=desk.root).out
    assert "corpus k (entries): 5 pages; 4 due for review, 1 without a source" in text
    assert "4 entries audited (3 seen for the first time, 1 failed), 0 requests opened" in text
    later = desk.night(code=1)
    assert (later["lookedAt"]["audited"], later["waiting"]) == (3, 1), "the pause after a failure counts as waiting"


def test_status_notices_a_new_allowlist(desk: Desk) -> None:
    cairn("scan", cwd=desk.root)
    assert "allowlist" not in cairn("status", cwd=desk.root).out
    listed = desk.root / "docs/knowledge-freshness/authoritative-sources.yaml"
    listed.parent.mkdir(parents=True)
    listed.write_text("hosts:\n  - owasp.org\n")
    assert "allowlist: 1 place; 3 of 3 sources not on it" in cairn("status", cwd=desk.root).out
    listed.write_text("hosts:\n  - owasp.org\n  - 127.0.0.1\n")
    assert "allowlist: 2 places; 0 of 3 sources not on it" in cairn("status", cwd=desk.root).out


# --- what differs -----------------------------------------------------------------------------------------------------


def test_a_run_shows_the_difference_however_long_the_passage_is(desk: Desk, site: Website) -> None:
    long = "Wait 30 seconds between two retries, " + "and then a little longer, " * 30 + "but {}."
    site["/retries"] = SITE.format(long.format("give up after the third"))
    desk.night()
    desk.night()
    desk.merge_all()
    site["/retries"] = SITE.format(long.format("never give up"))
    [waiting] = desk.night()["toRead"]
    assert "but give up after the third.”" in waiting["reason"] and "but never give up.”" in waiting["reason"]


def test_a_notice_on_the_page_contradicts_a_pin(tmp_path: Path, site: Website) -> None:
    yesterday = (datetime.now(UTC).date() - timedelta(days=1)).isoformat()
    text = page("retries", RETRIES.format(30), f"{site.url}/retries").replace("fast-moving", "stable")
    text = text.replace("sources:", f"last-reviewed: {yesterday}\nversion-pin: Guide 2\nsources:")
    files = {RETRIES_PAGE: text, ".cairn/settings.json": SETTINGS, ".gitignore": ".cairn/*\n!.cairn/settings.json\n"}
    desk = Desk(make(tmp_path / "repo", files), site)
    assert desk.night()["lookedAt"]["audited"] == 0
    banner = "<div class='banner'>Version 2 of this guide is no longer maintained.</div><main>"
    site["/retries"] = SITE.format(RETRIES.format(30)).replace("<main>", banner)
    night = desk.night()
    assert [one["path"] for one in night["toRead"]] == [RETRIES_PAGE] and not night["confirmed"]
    assert "no longer maintained" in night["toRead"][0]["reason"]
    [found] = desk.run("frontier", "--json").json()["entries"]
    assert found["sign"] == "notice" and found["newer"] is None and found["path"] == RETRIES_PAGE


# --- what nobody compared ---------------------------------------------------------------------------------------------


def test_a_first_confirmation_warns_whoever_merges_it(desk: Desk) -> None:
    desk.night()
    [asked] = desk.night(CAIRN_CHANGE__AUTOMERGE='["confirmations"]')["opened"]
    assert not asked["landed"], "nobody has read the entries beside their sources"
    shown = cairn("change", "show", asked["id"], cwd=desk.root).out
    assert shown.count("nobody has compared this entry with it yet") == 4
    desk.merge_all()
    assert "still right" not in shown and desk.night()["confirmed"] == []


def test_a_change_whose_earlier_text_is_not_stored_waits_until_somebody_reads_it(desk: Desk, site: Website) -> None:
    desk.settled()
    for kept in ("snapshots", "cairn.db"):
        rename(desk.root / ".cairn" / kept, desk.root.with_name(kept))
    site["/retries"] = SITE.format(RETRIES.format(45))
    for _ in range(2):
        night = desk.night()
        [one] = night["toRead"]
        assert one["path"] == RETRIES_PAGE and "its earlier text is not stored" in one["reason"]
        assert RETRIES_PAGE not in night["confirmed"] and not night["baseline"]
    assert f"1 entry waits to be read, such as {RETRIES_PAGE}" in cairn("status", cwd=desk.root).out
    verdict = desk.root.with_name("verdict.json")
    desk.run("audit-run-entry", RETRIES_PAGE, "--out", str(verdict))
    assert "apply it with --read" in desk.run("audit-apply", RETRIES_PAGE, str(verdict)).err
    assert desk.run("audit-apply", RETRIES_PAGE, str(verdict), "--read", "--apply").code == 0
    commit(desk.root)
    assert not desk.night()["toRead"]
