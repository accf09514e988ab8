"""Spellings of seed 000 that scripts and configuration files of its users have."""

import json
import time
from pathlib import Path

import pytest

from program import cairn, fits_schema
from repository import commit, make

PROJECT = "a" * 64
DOCS = {
    "docs/a.md": "# Sessions\n\nSupersedes: [logins](b.md)\n",
    "docs/b.md": "# Logins\n\nThe session timeout is 30 minutes.\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    repo = make(tmp_path / "repo", DOCS)
    assert cairn("init", cwd=repo).code == 0
    return repo


def test_fields_of_an_event_are_options(root: Path) -> None:
    told = cairn(
        *("observe", "event", "knowledge_gap_signal", "--topic=rate-limits", "--source=manual", "--json"),
        *(f"--project-id={PROJECT}", "--step-name=plan", "--agent-excerpt=nothing about it"),
        cwd=root,
    )
    assert told.code == 0, told.err
    payload = told.json()["payload"]
    assert payload["topic"] == "rate-limits" and payload["project_id"] == PROJECT
    assert payload["step_name"] == "plan" and payload["agent_excerpt"] == "nothing about it"
    lists = cairn(
        *("observe", "event", "decision_recorded", "--key", "db", "--summary", "SQLite"),
        *("--affects", "store", "--affects", "search", "--json"),
        cwd=root,
    )
    assert lists.json()["payload"]["affects"] == ["store", "search"]
    number = cairn("observe", "event", "pr_opened", "--pr-number", "12", "--json", cwd=root)
    assert number.json()["payload"]["pr_number"] == 12
    other = cairn("observe", "event", "pr_opened", "--pr-number", "12", "--topic", "x", cwd=root)
    assert other.code == 0 and "has no field `topic`" in other.err


@pytest.mark.parametrize("labels, code", [("", 1), ("other", 1), ("a, override:anti-over-rewrite,b", 0)])
def test_labels_as_one_list(tmp_path: Path, labels: str, code: int) -> None:
    body = "".join(f"Line {number}.\n" for number in range(20))
    page = "---\nname: pool\ndescription: d\nvolatility: stable\n---\n# Pool\n\n{}\n## Deep Guidance\n\nx\n"
    root = make(tmp_path / "repo", {"knowledge/core/pool.md": page.format(body), "knowledge/VERSION": "1.0.0\n"})
    (root / "knowledge/core/pool.md").write_text(page.format("Short.\n"))
    ran = cairn("freshness", "anti-over-rewrite", "knowledge/core/pool.md", "--pr-labels", labels, cwd=root)
    assert ran.code == code, ran.out + ran.err


def test_findings_are_at_the_top_with_their_lens_id(root: Path) -> None:
    ran = cairn("observe", "audit", "--json", cwd=root)
    fits_schema(ran.json(), "observe-audit")
    found = [one for one in ran.json()["findings"] if one["lens_id"] == "H-cross-doc"]
    assert found and found[0]["lens"] == "H-cross-doc"
    assert ran.json()["findings"] == ran.json()["engine_output"]["findings"]
    [report] = [file for file in ran.json()["files"] if file.endswith(".json")]
    written = json.loads((root / report).read_text())
    assert written["engine_output"]["findings"][0]["lens_id"] == "H-cross-doc"


CONFIG = """\
phase_audit:
  detached: true
fix:
  timeout_s: 7
  per_finding_max_attempts: 2
"""


def test_the_configuration_file_is_read_as_it_is(root: Path) -> None:
    commit(root, {".scaffold/observability.yaml": CONFIG})
    for key, value in {
        "observe.phase_audit.detached": True,
        "observe.fix_timeout_seconds": 7,
        "observe.fix_attempts": 2,
    }.items():
        got = cairn("config", "get", key, "--json", cwd=root)
        assert got.code == 0 and got.json()["value"] == value, (key, got.out, got.err)
        assert "observability.yaml" in got.out and got.err == ""


def test_so_many_attempts_are_made_as_the_file_says(root: Path) -> None:
    commit(root, {".scaffold/observability.yaml": CONFIG})
    cairn("scan", cwd=root)
    ran = cairn("observe", "audit", "--fix", "--fix-command", "false", "--fix-threshold", "P3", "--json", cwd=root)
    results = ran.json()["fix"]["results"]
    assert results and {len(one["attempts"]) for one in results} == {2}


def test_the_audit_of_a_phase_runs_beside(root: Path) -> None:
    commit(root, {".scaffold/observability.yaml": CONFIG})
    cairn("scan", cwd=root)
    done = cairn("observe", "phase", "complete", "tech-stack", "--json", cwd=root)
    fits_schema(done.json(), "observe-phase-complete")
    assert done.json()["audit"] is None and "runs beside" in done.json()["why"]
    for _ in range(300):
        if reports := list((root / "docs/audits").glob("audit-*.json")):
            break
        time.sleep(0.1)
    assert reports, "the audit writes its report although nobody waited"
    here = cairn("observe", "phase", "audit", "tech-stack", "--json", cwd=root)
    fits_schema(here.json(), "observe-phase-audit")
    assert here.json()["audit"] is not None


@pytest.mark.parametrize(
    "text, options, threshold",
    [
        ("fix_threshold: P0\n", (), "P0"),
        ("fix_threshold: P0\naudit_fix_threshold: P3\nchannels:\n  claude: {enabled: true}\n", (), "P3"),
        ("audit_fix_threshold: P1\n", ("--fix-threshold", "P0"), "P0"),
        ("audit_fix_threshold: urgent\n", (), "P2"),
        ("channels: {}\n", (), "P2"),
    ],
)
def test_thresholds_of_the_review_tool_are_followed(
    root: Path, text: str, options: tuple[str, ...], threshold: str
) -> None:
    commit(root, {".mmr.yaml": text})
    ran = cairn("observe", "audit", *options, "--json", cwd=root)
    assert ran.json()["engine_output"]["fix_threshold"] == threshold, ran.err


def test_a_setting_of_cairn_comes_before_the_review_tool(root: Path) -> None:
    commit(root, {".mmr.yaml": "audit_fix_threshold: P1\n"})
    assert cairn("config", "set", "observe.fix_threshold", "P3", cwd=root).code == 0
    assert cairn("observe", "audit", "--json", cwd=root).json()["engine_output"]["fix_threshold"] == "P3"


def test_gaps_alone_lists_them(root: Path) -> None:
    alone, listed = cairn("gaps", cwd=root), cairn("gaps", "list", cwd=root)
    assert alone.code == 0 and alone.out == listed.out and "no gaps" in alone.out
    fits_schema(cairn("gaps", "--json", cwd=root).json(), "gaps-list")


def test_gaps_alone_names_the_command_that_lists_the_rest(root: Path) -> None:
    cairn("gaps", "signal", "rate limits", cwd=root)
    told = cairn("gaps", cwd=root).err
    [named] = [line.partition("`cairn ")[2].rstrip("`") for line in told.splitlines() if " more below " in line]
    listed = cairn(*named.split(), cwd=root)
    assert listed.code == 0 and "rate-limits" in listed.out


@pytest.mark.parametrize(
    "at", ["2026-02-01T00:00:00", "2026-02-01T00:00:00+0530", "2026-02-01 00:00:00Z", "2026-02-01T00:00Z"]
)
def test_a_ledger_with_a_time_without_a_zone_is_refused(root: Path, at: str) -> None:
    line = {
        "event_id": "01J00000000000000000000000",
        "worktree_id": "0b9e58a3-58f0-4c6e-8f6f-0a4a6a1c2b3d",
        "actor_label": "app",
        "branch": "main",
        "task_id": None,
        "type": "progress_heartbeat",
        "ts": at,
        "payload": {"note": "tests are green"},
    }
    (root / ".cairn/activity.jsonl").write_text(
        json.dumps(line) + "\n" + json.dumps({**line, "ts": "2026-02-01T00:00:00+05:30"}) + "\n"
    )
    verified = cairn("observe", "ledger", "verify", cwd=root)
    assert verified.code == 1 and "is no time" in verified.out + verified.err and at in verified.out + verified.err


def test_an_ordinary_name_with_a_secret_word_in_it_stays(root: Path) -> None:
    note = "tokenization_method=bytepair9x2kq for /Users/John Doe/x"
    told = cairn("observe", "event", "progress_heartbeat", "--note", note, "--json", cwd=root)
    assert told.json()["payload"]["note"] == "tokenization_method=bytepair9x2kq for ~/x"
