"""Auditing through the real program: choose, audit, apply, with sites and models on loopback."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from model_server import ModelServer, model_server
from program import Ran, cairn, fits_schema
from reading_agent import WITH, answers, asked, env_of, judged
from repository import commit, git, make, put
from website import Website, serving

CODE = "def connect(host, timeout=30):\n    return host\n"
PAGE = """---
name: rate-limits
description: How often clients may call.
topics: [http]
volatility: fast-moving
sources:
  - url: {site}/guide
  - path: src/net.py#connect
    hash: sha256:2c09e9d37e9d1a68a36b385132fec69c7abe3a9f33629635df7280759615bfb0
---
# Rate limits

## Summary

Clients may call 100 times a minute.

## Deep Guidance

Wait 30 seconds between retries.
"""
GUIDE = """<html><head><title>Guide</title></head><body><main><h1>Guide</h1>
<p>Clients may call {} times a minute. Whoever calls more often is refused until the minute is over.</p>
<p>Wait 30 seconds between retries.</p></main></body></html>"""
TODAY = datetime.now(UTC).date().isoformat()
ENTRY = "knowledge/http/rate-limits.md"
NO_KEYS = {"ZAI_API_KEY": "", "DEEPSEEK_API_KEY": "", "ANTHROPIC_API_KEY": ""}


@pytest.fixture
def site() -> Iterator[Website]:
    with serving() as running:
        running["/guide"] = GUIDE.format(100)
        yield running


@pytest.fixture
def root(tmp_path: Path, site: Website) -> Path:
    files = {
        "src/net.py": CODE,
        ENTRY: PAGE.format(site=site.url),
        ".cairn/settings.json": '{"corpora": {"k": {"root": "knowledge", "layout": "entries"}}}',
        ".gitignore": ".cairn/*\n!.cairn/settings.json\n",
    }
    return make(tmp_path / "repo", files)


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


class Desk:
    """Runs commands in the workspace, with the site allowed."""

    def __init__(self, root: Path, site: Website) -> None:
        self.root = root
        self.site = site
        self.env = {**NO_KEYS, "CAIRN_FETCH_ALLOW": f"127.0.0.1:{site.port}"}

    def run(self, *args: str, **env: str) -> Ran:
        return cairn("freshness", *args, cwd=self.root, **{**self.env, **env})

    def audit(self, *options: str, **env: str) -> Ran:
        return self.run("audit-run-entry", "rate-limits", *options, **env)

    def apply(self, verdict: Any, *options: str) -> Ran:
        file = self.root.parent / "verdict.json"
        file.write_text(verdict if isinstance(verdict, str) else json.dumps(verdict))
        return self.run("audit-apply", "rate-limits", str(file), *options)

    def asks(self, model: ModelServer, *options: str, **env: str) -> Ran:
        openai = {"CAIRN_FRESHNESS_OPENAI_BASE_URL": model.url, "CAIRN_FRESHNESS_OPENAI_MODEL": "llama"}
        return self.audit("--provider", "openai-compatible", *options, **{**openai, **env})

    @property
    def page(self) -> str:
        return (self.root / ENTRY).read_text()

    def confirmed(self) -> None:
        """The entry as an audit left it, committed."""
        verdict = self.audit("--json").json()
        assert verdict["verdict"] == "current" and not verdict["source_unverifiable"], verdict
        assert self.apply(verdict, "--apply").code == 0
        commit(self.root)


@pytest.fixture
def desk(root: Path, site: Website) -> Desk:
    desk = Desk(root, site)
    desk.audit()  # the first look at a page only keeps what it says
    return desk


# --- the default auditor ----------------------------------------------------------------------------------------------


def test_from_the_first_look_to_a_change_request(desk: Desk, site: Website) -> None:
    desk.confirmed()
    assert f"last-reviewed: {TODAY}" in desk.page and desk.page.count("hash: sha256:") == 2
    site["/guide"] = GUIDE.format(60)
    ran = desk.audit("--json")
    fits_schema(ran.json(), "freshness-audit-run-entry")
    assert ran.json()["verdict"] == "minor-drift" and ran.json()["model"] == "extractive/2"
    assert ran.json()["notes"] == [f"127.0.0.1:{site.port} was fetched since CAIRN_FETCH_ALLOW lets it be"]
    [finding] = ran.json()["findings"]
    assert "60 times" in finding["source_excerpt"] and "100 times" in finding["previous_excerpt"]
    done = desk.apply(ran.json(), "--open-request", "--json")
    fits_schema(done.json(), "freshness-audit-apply")
    assert done.code == 0 and done.json()["request"]["branch"].startswith("knowledge-freshness/rate-limits-")
    assert git(desk.root, "status", "--porcelain") == ""
    explained = desk.run("audit-prefilter", "--explain", "--json").json()
    assert done.json()["request"]["id"] in explained[0]["reason"] and not explained[0]["taken"]


def test_the_first_look_says_nothing_and_changes_nothing(root: Path, site: Website) -> None:
    desk = Desk(root, site)
    ran = desk.audit("--json")
    assert ran.code == 0 and ran.json()["source_unverifiable"] is True
    done = desk.apply(ran.json(), "--apply")
    assert done.code == 0 and "stays as it is" in done.err and desk.page == PAGE.format(site=site.url)


def test_a_hash_of_an_older_program_is_replaced_in_time(root: Path, site: Website) -> None:
    desk = Desk(root, site)
    page = PAGE.format(site=site.url).replace("/guide\n", f"/guide\n    hash: sha256:{'0' * 64}\n")
    commit(root, {ENTRY: page})
    assert desk.audit("--json").json()["source_unverifiable"] is True
    site["/guide"] = GUIDE.format(60)
    verdict = desk.audit("--json").json()
    assert verdict["verdict"] == "minor-drift" and desk.apply(verdict, "--apply").code == 0
    assert "0" * 64 not in desk.page and "canon: 1" in desk.page


def test_people_read_the_finding(desk: Desk, site: Website) -> None:
    desk.confirmed()
    site["/guide"] = GUIDE.format(60)
    ran = desk.audit("--out", "verdict.json")
    assert ran.code == 0 and ran.out.startswith(f"{ENTRY}: minor-drift (extractive/2)")
    assert "before: Clients may call 100" in ran.out and "now:    Clients may call 60" in ran.out
    assert json.loads((desk.root / "verdict.json").read_text())["verdict"] == "minor-drift"


def test_what_is_gone_is_proven_by_its_absence(desk: Desk, site: Website) -> None:
    more = "".join(f"<p>Section {n} tells how server number {n} picks the next call, and why.</p>" for n in range(12))
    site["/guide"] = GUIDE.format(100).replace("</main>", f"{more}</main>")
    desk.audit()
    verdict = desk.audit("--json").json()
    assert desk.apply(verdict, "--apply").code == 0
    commit(desk.root)
    site["/guide"] = (
        GUIDE.format(100).replace("<p>Wait 30 seconds between retries.</p>", "").replace("</main>", f"{more}</main>")
    )
    verdict = desk.audit("--json").json()
    [finding] = verdict["findings"]
    assert finding["source_excerpt"] == "" and finding["previous_excerpt"] == "Wait 30 seconds between retries."
    assert "now:    (removed)" in desk.audit().out
    gates = desk.apply(verdict, "--open-request", "--json").json()["gates"]
    assert {gate["gate"]: gate["level"] for gate in gates}["evidence"] == "pass"


def test_keys_that_lie_around_change_nothing(desk: Desk, model: ModelServer) -> None:
    ran = desk.audit("--json", DEEPSEEK_API_KEY="d", ANTHROPIC_API_KEY="a", ZAI_API_KEY="z")
    assert ran.code == 0 and ran.json()["model"] == "extractive/2" and ran.json()["spent"] is None


def test_a_change_in_the_repository_is_seen_without_the_web(desk: Desk) -> None:
    desk.confirmed()
    commit(desk.root, {"src/net.py": CODE.replace("30", "60")})
    chosen = desk.run("audit-prefilter", "--explain", "--json").json()
    fits_schema(chosen, "freshness-audit-prefilter")
    assert chosen[0]["class"] == "changed" and "src/net.py#connect" in chosen[0]["reason"]


# --- a reader ---------------------------------------------------------------------------------------------------------

OLD, NEW = "Clients may call 100 times a minute.", "Clients may call 60 times a minute."


def test_a_reader_writes_the_sentence_anew(desk: Desk, site: Website, model: ModelServer) -> None:
    desk.confirmed()
    site["/guide"] = GUIDE.format(60)
    answers(model, still_true=judged("drifted", (OLD, NEW, NEW)))
    ran = desk.audit(*WITH, "--json", **env_of(model), CAIRN_JUDGE_PRICE="1/10")
    fits_schema(ran.json(), "freshness-audit-run-entry")
    verdict = ran.json()
    assert verdict["verdict"] == "major-drift" and verdict["model"] == "cli/m-1" and verdict["audit_date"] == TODAY
    assert verdict["spent"] == {"calls": 1, "tokens_in": 1000, "tokens_out": 50, "dollars": pytest.approx(0.0015)}
    assert verdict["proposed_changes"] == [
        {
            "location": OLD,
            "kind": "replace",
            "rationale": f"{site.url}/guide says “{NEW}”",
            "new_text": NEW,
        }
    ]
    shown = desk.apply(verdict, "--dry-run")
    assert f"-{OLD}" in shown.out and f"+{NEW}" in shown.out
    done = desk.apply(verdict, "--open-request", "--json").json()
    assert {gate["gate"]: gate["level"] for gate in done["gates"]}["evidence"] == "pass"
    again = desk.audit("--json").json()
    assert again["verdict"] == "major-drift" and again["spent"] is None, "the answer that exists is used"


def test_the_first_audit_shows_whole_sources(root: Path, site: Website, model: ModelServer) -> None:
    desk = Desk(root, site)
    answers(model, still_true=judged("current"))
    ran = desk.audit(*WITH, "--json", **env_of(model))
    assert ran.json()["verdict"] == "current" and not ran.json()["source_unverifiable"]
    [prompt] = asked(model, "still_true")
    assert "(shown whole)" in prompt and "refused until the minute is over" in prompt


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("I would rather talk about the weather.", "no reader could answer"),
        (judged("drifted", (OLD, NEW, "Clients may call 61 times")), "is in no source"),
        (judged("drifted", ("Somebody else's sentence.", NEW, NEW)), "is not in the entry"),
        (judged("drifted", (OLD, "Clients may call 62 times a minute.", NEW)), "state only what is shown"),
    ],
)
def test_answers_that_are_no_use(desk: Desk, site: Website, model: ModelServer, answer: Any, says: str) -> None:
    desk.confirmed()
    site["/guide"] = GUIDE.format(60)
    answers(model, still_true=answer)
    ran = desk.audit(*WITH, **env_of(model))
    assert ran.code == 1 and says.lower() in ran.err.lower(), ran.err
    assert len(asked(model, "still_true")) == 2, "once more, with the problems"
    assert git(desk.root, "status", "--porcelain") == ""


def test_a_budget_is_a_ceiling(desk: Desk, site: Website, model: ModelServer) -> None:
    desk.confirmed()
    site["/guide"] = GUIDE.format(60)
    ran = desk.audit(*WITH, "--budget", "100", **env_of(model))
    assert ran.code == 1 and "The budget of 100 tokens a day does not suffice" in ran.err and not model.asked
    assert desk.audit(*WITH, "--budget", "a lot", **env_of(model)).code == 2
    assert "CAIRN_JUDGE_PRICE" in desk.audit(*WITH, "--budget", "$5", **env_of(model)).err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--with", "claude"), "claude"),
        (("--with", "gpt"), "gpt"),
        (("--provider", "auto"), "write `--with auto`"),
        (("--budget", "5k"), "name the reader with --with"),
        (("--out", "nowhere/at/all.json"), "where no file can be"),
    ],
)
def test_what_is_missing_is_said_first(desk: Desk, site: Website, options: tuple[str, ...], says: str) -> None:
    before = sum(site.asked.values())
    ran = desk.audit(*options, PATH="/nowhere")
    assert ran.code == 2 and says in ran.err and sum(site.asked.values()) == before, ran.err


# --- sources that cannot be read --------------------------------------------------------------------------------------


def test_a_page_that_says_nothing_is_skipped(desk: Desk, site: Website) -> None:
    site["/guide"] = "<html><head><title>Sign in</title></head><body></body></html>"
    ran = desk.audit("--json")
    fits_schema(ran.json(), "freshness-audit-run-entry")
    assert ran.code == 0 and ran.json()["skipped"] is True and ran.json()["reason"] == "source-unusable"
    assert desk.apply(ran.json()).code == 1


def test_a_page_that_is_gone_fails_the_audit(desk: Desk, site: Website) -> None:
    del site.pages["/guide"]
    ran = desk.audit()
    assert ran.code == 1 and "/guide could not be read" in ran.err


# --- apply ------------------------------------------------------------------------------------------------------------


def said(site: Website, **changes: Any) -> dict[str, Any]:
    def checked(url: str) -> dict[str, str]:
        return {"url": url, "retrieved_at": "PENDING", "content_hash": "PENDING", "summary": "read"}

    return {
        "entry_name": "rate-limits",
        "audit_date": "PENDING",
        "model": "claude-3.5-sonnet",
        "verdict": "major-drift",
        "sources_checked": [checked(f"{site.url}/guide"), checked("src/net.py#connect")],
        "findings": [
            {
                "claim_in_entry": "100 times a minute",
                "evidence_url": f"{site.url}/guide",
                "evidence_date": "2026-01-01",
                "source_excerpt": "Whoever calls more often is refused",
                "severity": "P1",
                "drift_kind": "factual-error",
            }
        ],
        "proposed_changes": [
            {
                "location": "## Deep Guidance",
                "kind": "replace",
                "rationale": "it says so",
                "new_text": "## Deep Guidance\n\nWait 30 seconds, or be refused.",
            }
        ],
        "proposed_version_pin": None,
        "preserve_warnings": [],
        **changes,
    }


@pytest.mark.parametrize(
    ("changes", "code", "says"),
    [
        ({"entry_name": "other"}, 1, "about `other`, but knowledge/http/rate-limits.md is `rate-limits`"),
        ({"verdict": "current"}, 1, "`current` and yet proposes edits"),
        ({"sources_checked": []}, 1, "says nothing about the source"),
        ({"verdict": "fine"}, 1, "`verdict`"),
        ({"audit_date": "PENDING"}, 1, "no day"),
        ({"entry_sha256": "sha256:0"}, 3, "was edited since it was audited"),
    ],
)
def test_verdicts_that_do_not_fit(desk: Desk, site: Website, changes: dict[str, Any], code: int, says: str) -> None:
    value = said(site, **{"audit_date": TODAY, **changes})
    for option in ("--dry-run", "--apply", "--open-request"):
        ran = desk.apply(value, option)
        assert (ran.code, says in ran.err) == (code, True), ran.err
    assert git(desk.root, "status", "--porcelain") == "" and git(desk.root, "branch", "--list", "knowledge*") == ""


@pytest.mark.parametrize(("text", "says"), [("", "not JSON"), ("{", "not JSON"), ("[1]", "cannot be used")])
def test_files_that_are_no_verdict(desk: Desk, text: str, says: str) -> None:
    ran = desk.apply(text)
    assert ran.code == 1 and says in ran.err


def test_a_file_that_is_not_there(desk: Desk) -> None:
    ran = desk.run("audit-apply", "rate-limits", "gone.json")
    assert ran.code == 5 and "audit-run-entry" in ran.err


def test_an_entry_that_was_edited_meanwhile(desk: Desk) -> None:
    verdict = desk.audit("--json").json()
    put(desk.root, {ENTRY: desk.page + "\nMore.\n"})
    for option in ("--dry-run", "--apply", "--open-request"):
        assert desk.apply(verdict, option).code == 3
    assert desk.page.endswith("More.\n")


def test_an_edit_that_nobody_committed(desk: Desk) -> None:
    put(desk.root, {ENTRY: desk.page + "\nMore.\n"})
    verdict = desk.audit("--json").json()
    ran = desk.apply(verdict, "--open-request")
    assert ran.code == 3 and "is not what the base branch has" in ran.err
    assert desk.apply(verdict, "--dry-run").code == 0


def test_a_source_that_moved_on_is_not_passed_off_as_audited(desk: Desk, site: Website) -> None:
    verdict = desk.audit("--json").json()
    judged = verdict["sources_checked"][0]["content_hash"]
    site["/guide"] = GUIDE.format(60)
    ran = desk.apply(verdict, "--json")
    assert ran.code == 0 and ran.json()["hashes"][f"{site.url}/guide"] == judged
    assert "changed again since the audit" in ran.json()["notes"][0]
    verdict["sources_checked"][0]["content_hash"] = "sha256:" + "0" * 64
    ran = desk.apply(verdict)
    assert ran.code == 3 and "changed since it was audited" in ran.err


def test_one_way_at_a_time(desk: Desk) -> None:
    assert desk.run("audit-apply", "rate-limits", "x.json", "--apply", "--open-request").code == 2


# --- choosing ---------------------------------------------------------------------------------------------------------


def test_candidates_for_scripts_and_for_people(desk: Desk) -> None:
    ran = desk.run("audit-prefilter", "--json")
    fits_schema(ran.json(), "freshness-audit-prefilter")
    assert ran.json() == [{"name": "rate-limits", "path": ENTRY}]
    assert "Nobody has reviewed it yet." in desk.run("audit-prefilter").out
    assert desk.run("audit-prefilter", "--max", "0").code == 2
    desk.confirmed()
    assert desk.run("audit-prefilter", "--json").json() == []
    assert "not due before" in desk.run("audit-prefilter", "--explain").out
