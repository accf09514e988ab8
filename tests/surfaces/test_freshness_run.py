"""The whole night through the real program: a site on loopback changes, and exactly what follows is asked for."""

import os
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from cairn.adapters.lock.files import FileLocks
from night_desk import LIMITS, RETRIES, SETTINGS, SITE, Desk, desk_at, guide, page
from program import cairn, clean_env, command_line
from repository import git, make
from website import Website


@pytest.fixture
def site() -> Iterator[Website]:
    with guide() as running:
        yield running


@pytest.fixture
def desk(tmp_path: Path, site: Website) -> Desk:
    return desk_at(tmp_path / "repo", site)


# --- night after night ------------------------------------------------------------------------------------------------


def test_a_reworded_passage_waits_to_be_read_until_somebody_has_read_it(desk: Desk, site: Website) -> None:
    desk.settled()
    before = (desk.root / "knowledge/http/colours.md").read_text()
    site["/colours"] = SITE.format("The button that stops everything is not red any more.")
    desk.night()  # seen once
    night = desk.night()
    assert not night["opened"] and not night["drifted"] and not night["baseline"]
    [waiting] = night["toRead"]
    assert waiting["path"] == "knowledge/http/colours.md"
    assert "before “The button that stops everything is red.”" in waiting["reason"]
    assert "now “The button that stops everything is not red any more.”" in waiting["reason"]
    assert (desk.root / "knowledge/http/colours.md").read_text() == before
    assert "knowledge/http/colours.md" in [one["path"] for one in desk.night()["toRead"]], "it stays due"
    status = cairn("status", cwd=desk.root).out
    assert "1 entry waits to be read, such as knowledge/http/colours.md" in status
    assert "cairn freshness audit-run-entry knowledge/http/colours.md" in status, "a name may be ambiguous"
    shown = desk.run("audit-run-entry", "colours")
    assert shown.out.startswith("knowledge/http/colours.md: to be read")
    assert "before: The button that stops everything is red." in shown.out
    verdict = desk.run("audit-run-entry", "colours", "--json", "--out", "verdict.json").json()
    assert verdict["source_unverifiable"] is True and verdict["findings"][0]["drift_kind"] == "to-be-read"
    unread = desk.run("audit-apply", "colours", "verdict.json", "--apply")
    assert "nobody has read them" in unread.err
    assert (desk.root / "knowledge/http/colours.md").read_text() == before
    read = desk.run("audit-apply", "colours", "verdict.json", "--read", "--apply")
    assert read.code == 0, read.err
    assert (desk.root / "knowledge/http/colours.md").read_text() != before
    assert "to be read, such as" not in cairn("status", cwd=desk.root).out


def test_from_the_first_look_to_requests_and_then_silence(desk: Desk, site: Website) -> None:
    first = desk.night()
    assert len(first["baseline"]) == 4 and not first["opened"] and first["lookedAt"]["sources"] == 3
    assert site.asked["GET /limits"] == 1, "two entries cite it, one fetch is enough"
    second = desk.night()
    [confirmations] = second["opened"]
    assert confirmations["kind"] == "confirmations" and len(confirmations["paths"]) == 4
    assert git(desk.root, "status", "--porcelain") == "", "the checkout is not touched"
    assert desk.night()["opened"] == [], "what waits is not asked for again"
    desk.merge_all()
    assert desk.night()["lookedAt"]["audited"] == 0

    site["/limits"] = SITE.format(LIMITS.format(60))
    site["/retries"] = SITE.format(RETRIES.format(45))
    changed = desk.night()
    by_paths = {tuple(one["paths"]): one for one in changed["opened"]}
    shared = ("knowledge/http/limits.md", "knowledge/http/quotas.md")
    assert set(by_paths) == {shared, ("knowledge/http/retries.md",)}
    assert by_paths[shared]["title"] == f"chore(knowledge): refresh 2 entries against {site.url}/limits"
    assert {one["level"] for one in changed["opened"]} <= {"pass", "note"}, changed["opened"]
    assert [one["path"] for one in changed["drifted"]] == [*shared, "knowledge/http/retries.md"]
    assert len(desk.requests()) == 2
    assert desk.night()["opened"] == [] and len(desk.requests()) == 2


def test_what_somebody_declined_is_not_asked_again_until_the_source_moves(desk: Desk, site: Website) -> None:
    desk.settled()
    site["/retries"] = SITE.format(RETRIES.format(45))
    [opened] = desk.night()["opened"]
    assert cairn("change", "close", opened["id"], cwd=desk.root, **desk.env).code == 0
    again = desk.night()
    assert again["opened"] == [] and opened["id"] in again["held"][0]["reason"]
    site["/retries"] = SITE.format(RETRIES.format(50))
    assert len(desk.night()["opened"]) == 1


def test_each_confirmation_by_itself(desk: Desk) -> None:
    desk.night()
    opened = desk.night(CAIRN_FRESHNESS__CONFIRMATIONS="each")["opened"]
    assert [len(one["paths"]) for one in opened] == [1, 1, 1, 1]


def test_the_ceiling_of_a_day(desk: Desk) -> None:
    desk.night()
    one = desk.night("--max", "1", CAIRN_FRESHNESS__CONFIRMATIONS="each")
    assert len(one["opened"]) == 1 and len(one["held"]) == 3
    assert "`freshness.max_per_run` is 1" in one["held"][0]["reason"]
    assert desk.night("--max", "1", CAIRN_FRESHNESS__CONFIRMATIONS="each")["opened"] == []


def test_a_run_that_asked_for_half_is_finished_by_the_next(desk: Desk) -> None:
    desk.night()
    half = desk.night("--max", "2", CAIRN_FRESHNESS__CONFIRMATIONS="each")["opened"]
    rest = desk.night(CAIRN_FRESHNESS__CONFIRMATIONS="each")
    assert rest["resumed"] == 2 and len(rest["opened"]) == 2
    asked = [path for one in (*half, *rest["opened"]) for path in one["paths"]]
    assert len(set(asked)) == len(asked) == 4 and len(desk.requests()) == 4


def test_people_read_what_happened_and_why(desk: Desk, site: Website) -> None:
    desk.settled()
    site["/retries"] = SITE.format(RETRIES.format(45))
    ran = desk.run("run")
    assert ran.code == 0 and "opened c-" in ran.out and "in doubt: knowledge/http/retries.md: minor-drift" in ran.out
    assert "1 in doubt, 1 request opened" in ran.err and f"127.0.0.1:{site.port}" in ran.err
    status = cairn("status", cwd=desk.root)
    assert "last nightly run just now: 1 entry audited (1 in doubt), 1 request opened" in status.out


REVIEWED = (datetime.now(UTC).date() - timedelta(days=1)).isoformat()


@pytest.fixture
def reviewed(tmp_path: Path, site: Website) -> Desk:
    """Somebody read the page yesterday, and nobody kept what its source said."""
    text = page("limits", LIMITS.format(100), f"{site.url}/limits").replace("fast-moving", "stable")
    text = text.replace("sources:", f"last-reviewed: {REVIEWED}\nsources:")
    files = {"knowledge/http/limits.md": text, ".cairn/settings.json": SETTINGS}
    return Desk(make(tmp_path / "repo", {**files, ".gitignore": ".cairn/*\n!.cairn/settings.json\n"}), site)


def test_a_source_that_changes_before_our_eyes_needs_no_hash(reviewed: Desk, site: Website) -> None:
    assert reviewed.night()["lookedAt"]["audited"] == 0
    site["/limits"] = SITE.format(LIMITS.format(80))
    night = reviewed.night()
    [drifted] = night["drifted"]
    assert f"but {site.url}/limits says “{LIMITS.format(80)}”" in drifted["reason"] and len(night["opened"]) == 1
    shown = cairn("change", "show", night["opened"][0]["id"], cwd=reviewed.root).out
    assert f"says “{LIMITS.format(80)}”; before, it said “{LIMITS.format(100)}”" in shown
    reviewed.merge_all()
    assert len(reviewed.night()["drifted"]) == 1, "nobody has edited the sentence yet"


def test_a_source_that_is_gone_is_named_though_nothing_is_due(reviewed: Desk, site: Website) -> None:
    reviewed.night()
    site.pages.pop("/limits")
    night = reviewed.night(code=1)
    [unread] = night["unread"]
    assert unread["reference"] == f"{site.url}/limits" and unread["cause"] == "status" and not night["failed"]
    assert unread["paths"] == ["knowledge/http/limits.md"]
    ran = reviewed.run("run")
    assert ran.code == 1 and f"not read (status): {site.url}/limits: " in ran.out and "1 not read" in ran.err
    assert f"1 source could not be read lately, such as {site.url}/limits" in cairn("status", cwd=reviewed.root).out
    quiet = reviewed.night()
    assert quiet["unread"] == [] and site.asked["GET /limits"] == 3, "twice in a row: it is left alone for a while"


# --- what goes wrong --------------------------------------------------------------------------------------------------


def test_an_entry_that_fails_is_named_and_takes_no_other_with_it(desk: Desk, site: Website) -> None:
    site.pages.pop("/colours")
    first = desk.night(code=1)
    [failed] = first["failed"]
    assert first["unread"] == [], "said once"
    assert failed["path"] == "knowledge/http/colours.md" and failed["cause"] == "status"
    assert "404" in failed["reason"] and len(first["baseline"]) == 3
    explained = desk.run("audit-prefilter", "--explain", "--json").json()
    assert ["failed once" in one["reason"] for one in explained if "colours" in one["path"]] == [True]
    second = desk.night(code=1)
    assert second["failed"] == [] and second["waiting"] == 1, "its audit is left alone until tomorrow"
    assert [one["cause"] for one in second["unread"]] == ["status"], "its source was asked for once more"
    assert desk.night()["unread"] == [], "and then that is left alone, too"


def test_a_page_that_somebody_works_on_is_left_to_them(desk: Desk) -> None:
    desk.night()
    file = desk.root / "knowledge/http/colours.md"
    file.write_text(file.read_text() + "\nMore.\n")
    night = desk.night()
    assert len(night["confirmed"]) == 3 and "commit and merge your edits" in night["held"][0]["reason"]


@pytest.mark.parametrize(
    ("options", "env", "says"),
    [
        (("--with", "deepseek"), {}, "DEEPSEEK_API_KEY"),
        (("--with", "deepseek", "--budget", "much"), {"DEEPSEEK_API_KEY": "d"}, "--budget is `much`"),
        (("--with", "deepseek", "--budget", ""), {"DEEPSEEK_API_KEY": "d"}, "--budget is ``"),
        (("--budget", "5k"), {}, "name the reader with --with"),
        (("--with", "auto"), {"PATH": "/nowhere"}, "There is no reader"),
        ((), {"CAIRN_CHANGE__BASE": "nowhere"}, "No change request can be opened"),
        (("--provider", "zai"), {}, "--provider is now --with: write `--with zai`"),
        (("--provider", "extractive"), {}, "`extractive` no longer names a reader"),
        (("--with", "extractive"), {}, "`extractive` no longer names a reader"),
        ((), {"CAIRN_FRESHNESS_PROVIDER": "zai"}, "CAIRN_FRESHNESS_PROVIDER is now CAIRN_JUDGE_WITH"),
        ((), {"CAIRN_FRESHNESS_PRICE": "1/2"}, "CAIRN_FRESHNESS_PRICE is now CAIRN_JUDGE_PRICE"),
    ],
)
def test_what_is_missing_is_said_before_the_first_fetch(
    desk: Desk, site: Website, options: tuple[str, ...], env: dict[str, str], says: str
) -> None:
    ran = desk.run("run", *options, **env)
    assert ran.code == 2 and says in ran.err and not site.asked


def test_the_old_setting_is_rejected_with_its_new_name(desk: Desk) -> None:
    settings = SETTINGS.replace('{"corpora"', '{"freshness": {"provider": "deepseek"}, "corpora"')
    (desk.root / ".cairn/settings.json").write_text(settings)
    ran = desk.run("run")
    assert ran.code == 2 and "'freshness.provider' is now 'judge.with': rename it" in ran.err


def test_without_a_corpus_or_a_repository(tmp_path: Path) -> None:
    (tmp_path / ".cairn").mkdir()
    (tmp_path / ".cairn/settings.json").write_text("{}")
    assert "There is no corpus" in cairn("freshness", "run", cwd=tmp_path).err
    (tmp_path / ".cairn/settings.json").write_text(SETTINGS)
    (tmp_path / "knowledge").mkdir()
    ran = cairn("freshness", "run", cwd=tmp_path)
    assert ran.code == 2 and "git repository" in ran.err


# --- nothing twice, nothing by accident -------------------------------------------------------------------------------


def everything(root: Path) -> dict[str, bytes]:
    return {str(file.relative_to(root)): file.read_bytes() for file in sorted(root.rglob("*")) if file.is_file()}


def test_a_dry_run_changes_no_byte(desk: Desk, site: Website) -> None:
    fresh = everything(desk.root)
    assert len(desk.night("--dry-run")["baseline"]) == 4 and everything(desk.root) == fresh
    desk.settled()
    site["/limits"] = SITE.format(LIMITS.format(60))
    before = everything(desk.root)
    [would] = desk.night("--dry-run")["opened"]
    assert would["id"] is None and len(would["paths"]) == 2 and would["level"] in ("pass", "note")
    assert everything(desk.root) == before
    assert len(desk.night()["opened"]) == 1


def test_a_dry_run_with_a_database_elsewhere(desk: Desk, site: Website, postgres_url: str) -> None:
    desk.env["CAIRN_STORE__URL"] = postgres_url
    desk.settled()
    site["/limits"] = SITE.format(LIMITS.format(60))

    def kept() -> tuple[str, dict[str, bytes]]:
        dumped = cairn("db", "dump", cwd=desk.root, **desk.env)
        assert dumped.code == 0, dumped.err
        return dumped.out, everything(desk.root)

    before = kept()
    [would] = desk.night("--dry-run")["opened"]
    assert len(would["paths"]) == 2 and kept() == before
    [opened] = desk.night()["opened"]
    assert opened["paths"] == would["paths"]


def killed_when(desk: Desk, ready: Any, *options: str, **env: str) -> None:
    """Start a run and stop it for good as soon as something is so."""
    environment = clean_env(**{**desk.env, **env})
    line = command_line("freshness", "run", *options)
    with subprocess.Popen(line, cwd=desk.root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        try:
            for _ in range(3000):
                if ready() or run.poll() is not None:
                    break
                time.sleep(0.01)
            assert run.poll() is None, "it ended before it could be stopped"
        finally:
            run.kill()


def test_a_run_that_was_killed_while_it_looked(desk: Desk, site: Website) -> None:
    desk.settled()
    site["/limits"] = SITE.format(LIMITS.format(60))
    site.delay = 0.3
    site.asked.clear()
    killed_when(desk, lambda: sum(site.asked.values()) > 1)
    site.delay = 0.0
    assert len(desk.night()["opened"]) == 1 and len(desk.requests()) == 1


def test_two_nights_at_once(desk: Desk, site: Website) -> None:
    """The test is the first one: it holds what a run holds, for as long as the second one takes."""
    locks = FileLocks(desk.root / ".git" / "cairn", lambda: time.time_ns() // 1_000_000)
    with locks.hold("night", ttl_ms=60_000):
        second = desk.run("run")
        assert second.code == 3 and f"process {os.getpid()} on " in second.err and second.out == ""
        assert second.err.startswith("cairn: A nightly run is under way: ")
        [held] = cairn("lock", "status", "--json", cwd=desk.root).json()["locks"]
        assert (held["name"], held["pid"], held["stale"]) == ("night", os.getpid(), None)
        assert not site.asked, "whoever comes second asks nobody"
        assert desk.night("--dry-run"), "whoever only looks is in nobody's way"
    assert len(desk.night()["baseline"]) == 4, "the first one let go"


def test_whoever_died_is_named(desk: Desk, site: Website) -> None:
    site.delay = 0.3
    killed_when(desk, lambda: sum(site.asked.values()) > 0)
    site.delay = 0.0
    ran = desk.run("run")
    assert ran.code == 0 and "ended in the middle; this one goes on from there" in ran.err
