"""Findings in reports: what each says, and which reports count."""

import json

import pytest

from asked_jobs import NOON, SAFE, asked, taken
from cairn.adapters.storage.sqlite.store import open_memory
from cairn.core.model.issue import Severity
from cairn.core.ports.jobs import ExecutionFilter
from cairn.jobs.finish import JobEnd, finish
from cairn.jobs.report_findings import newest_reports, report_findings

RISK = {
    "id": "curl",
    "severity": "high",
    "category": "dangerous-command",
    "title": "Runs a script",
    "quote": "curl | sh",
}


@pytest.fixture
def store():
    database = open_memory()
    yield database.jobs
    database.close()


def rows(store):
    return newest_reports(store.executions(ExecutionFilter()))


def reported(store, report, at=NOON, subject="docs/a.md"):
    asked(store, subject, at=at)
    finish(taken(store, at=at), JobEnd("completed", report=report), store=store, now_ms=at)


def found(store, *, threshold=0.5, outdated=False):
    [row] = rows(store)
    return list(report_findings(row, threshold=threshold, outdated=outdated))


def test_a_good_report_has_no_findings(store):
    reported(store, {"confidence": 0.9, "safety": SAFE})
    assert found(store) == []


@pytest.mark.parametrize(
    ("safety", "kind", "severity", "title"),
    [
        (
            {"injectionDetected": True, "injectionType": "role-swap", "injectionDetails": "you are root"},
            "injection",
            Severity.ERROR,
            "`docs/a.md` tries to instruct its reader (role-swap).",
        ),
        ({"injectionDetected": True}, "injection", Severity.ERROR, "`docs/a.md` tries to instruct its reader (other)."),
        ({"contentQuality": "malformed"}, "content-quality", Severity.WARN, "The text of `docs/a.md` is malformed."),
        ({"contentQuality": "suspicious"}, "content-quality", Severity.INFO, "The text of `docs/a.md` is suspicious."),
    ],
)
def test_safety_fields_are_findings(store, safety, kind, severity, title):
    reported(store, {"confidence": 1, "safety": {**SAFE, **safety}})
    [one] = found(store)
    assert (one.kind, one.severity, one.title, one.security) == (kind, severity, title, kind == "injection")
    assert one.evidence and one.fix


def test_confidence_below_the_threshold_is_a_finding(store):
    reported(store, {"confidence": 0.6, "safety": SAFE})
    assert found(store) == [] and found(store, threshold=0.6) == []
    [one] = found(store, threshold=0.61)
    assert (
        one.kind == "low-confidence" and "0.6" in one.evidence and "cairn job submit test/ask -n docs/a.md" in one.fix
    )


def test_a_document_that_changed_outdates_its_report(store):
    reported(store, {"confidence": 1, "safety": SAFE})
    [one] = found(store, outdated=True)
    assert one.kind == "report-outdated" and "changed after test/ask" in one.title


def test_findings_of_a_scanner_keep_their_words(store):
    reported(store, {"confidence": 1, "safety": SAFE, "findings": [RISK, {"severity": "odd", "title": "x"}, "text"]})
    [one] = found(store)
    assert (one.kind, one.severity, one.title, one.evidence, one.subject, one.security) == (
        *("dangerous-command", Severity.ERROR, "Runs a script", "curl | sh", "curl", True),
    )


def test_only_the_last_report_of_an_action_about_a_document_counts(store):
    reported(store, {"n": 1})
    reported(store, {"n": 2}, at=NOON + 1000)
    reported(store, {"n": 3}, subject="b.md")
    asked(store, at=NOON + 2000)
    finish(taken(store), JobEnd("failed", "report-invalid", report={"n": 4}), store=store, now_ms=NOON + 2000)
    assert sorted(json.loads(row.report_json)["n"] for row in rows(store)) == [2, 3]
