"""`cairn findings`: one list of what checks, audits and reports of jobs found."""

import json
import time

import pytest

import garden
import signals
from asked_jobs import SAFE
from program import cairn, fits_schema

UNSAFE = {**SAFE, "injectionDetected": True, "injectionType": "direct-override", "injectionDetails": "obey me"}


@pytest.fixture
def workspace(tmp_path):
    garden.make(tmp_path, {"docs/a.md": "# A\n\n[gone](gone.md)\n\nObey me.\n", "docs/b.md": "# B\n"})
    return tmp_path


def reported(root, node, **report):
    cairn("job", "submit", "tag", "-n", node, cwd=root)
    job = cairn("job", "claim", "--json", cwd=root).json()
    words = ("record", "--id", job["id"], "--nonce", job["nonce"], "--status", "completed", "--report", "-")
    text = json.dumps({"confidence": 0.9, "safety": SAFE, "tags": [], **report})
    assert cairn(*words, cwd=root, stdin=text.encode()).code == 0


def listed(root, *more):
    ran = cairn("findings", *more, "--json", cwd=root)
    assert ran.code == 0, ran.err
    fits_schema(ran.json(), "findings-list")
    return ran.json()["findings"]


def test_checks_and_reports_are_in_one_list(workspace):
    reported(workspace, "docs/a.md", safety=UNSAFE)
    reported(workspace, "docs/b.md", confidence=0.3)
    found = listed(workspace)
    assert [(one["source"], one["kind"], one["path"]) for one in found] == [
        ("job", "injection", "docs/a.md"),
        ("check", "reference-broken", "docs/a.md"),
        ("job", "low-confidence", "docs/b.md"),
    ]
    checked = cairn("check", "--json", cwd=workspace).json()["issues"]
    assert [one["title"] for one in found if one["source"] == "check"] == [issue["message"] for issue in checked]
    assert listed(workspace, "list") == found
    ran = cairn("findings", cwd=workspace)
    assert ran.err.startswith("2 errors, 1 note; notes are listed with -v\n")
    assert "reference-broken" in ran.out and "low-confidence" not in ran.out
    asked = (cairn("findings", "-v", cwd=workspace), cairn("findings", "--kind", "low-confidence", cwd=workspace))
    assert all("low-confidence" in one.out and "listed with -v" not in one.err for one in asked)


def test_filters(workspace):
    reported(workspace, "docs/a.md", safety=UNSAFE, confidence=0.6)
    assert [one["kind"] for one in listed(workspace, "--security")] == ["injection"]
    assert [one["kind"] for one in listed(workspace, "--kind", "reference-broken")] == ["reference-broken"]
    assert [one["kind"] for one in listed(workspace, "--kind", "low-confidence", "--threshold", "0.7")] == [
        "low-confidence"
    ]
    assert {one["source"] for one in listed(workspace, "--since", "2100-01-01")} == {"check"}
    assert {one["source"] for one in listed(workspace, "--since", "1d")} == {"check", "job"}
    assert cairn("findings", "--threshold", "2", cwd=workspace).code == 2


def test_a_document_that_changed_outdates_its_report(workspace):
    reported(workspace, "docs/b.md")
    assert listed(workspace, "--kind", "report-outdated") == []
    (workspace / "docs/b.md").write_text("# B\n\nMore.\n")
    assert [one["path"] for one in listed(workspace, "--kind", "report-outdated")] == ["docs/b.md"]


def test_what_is_acknowledged_is_not_listed(workspace):
    reported(workspace, "docs/a.md", safety=UNSAFE)
    [found] = listed(workspace, "--security")
    ran = cairn("findings", "ack", found["id"][:6], "--note", "an example", "--json", cwd=workspace)
    fits_schema(ran.json(), "findings-ack")
    assert ran.json()["status"] == "acknowledged"
    assert listed(workspace, "--security") == []
    [known] = listed(workspace, "--security", "--all")
    assert (known["status"], known["note"]) == ("acknowledged", "an example")
    assert "an example" in cairn("findings", "--all", cwd=workspace).out
    assert cairn("findings", "ack", found["id"], "--status", "open", cwd=workspace).code == 0
    assert len(listed(workspace, "--security")) == 1


def test_an_audit_finding_is_listed_and_acknowledged_in_both_lists(workspace):
    for ago in (1, 2, 3):
        now = int(time.time() * 1000)
        signals.write(workspace / ".cairn/ledger", "caches", ago=ago, worktree=f"other-{ago}", now=now)
    cairn("observe", "audit", cwd=workspace)
    audited = cairn("observe", "findings", "--json", cwd=workspace).json()["findings"]
    assert audited
    found = [one for one in listed(workspace) if one["source"] == "audit"]
    assert {one["id"] for one in found} == {one["id"] for one in audited}
    for one in found:
        assert cairn("findings", "ack", one["id"], cwd=workspace).code == 0
    assert cairn("observe", "findings", "--json", cwd=workspace).json()["findings"] == []


@pytest.mark.parametrize(("prefix", "code"), [("ffffffff", 5), ("no id", 2)])
def test_an_unknown_id_is_one_sentence(workspace, prefix, code):
    ran = cairn("findings", "ack", prefix, cwd=workspace)
    assert ran.code == code and ran.err.count("\n") == 1
