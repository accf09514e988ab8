"""What an audit comes to."""

import pytest

from cairn.core.model.lens import Finding
from cairn.observe.audit_result import missed, summary, verdict
from cairn.observe.lens import LensRun

RAN, SKIPPED = LensRun("H", "ran"), LensRun("I", "skipped", reason="it needs a ledger")
FAILED, OFF = LensRun("I", "failed", reason="boom"), LensRun("I", "disabled", reason="off")


def finding(severity: str, status: str = "open") -> Finding:
    return Finding("0" * 16, "H", severity, "t", "d", status=status)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("findings", "runs", "threshold", "said"),
    [
        ([], [RAN], "P2", "pass"),
        ([finding("P3")], [RAN], "P2", "pass"),
        ([finding("P2")], [RAN], "P2", "blocked"),
        ([finding("P0")], [RAN], "P0", "blocked"),
        ([finding("P1")], [RAN], "P0", "pass"),
        ([finding("P0", "acknowledged")], [RAN], "P3", "pass"),
        ([], [RAN, SKIPPED], "P2", "degraded-pass"),
        ([], [RAN, FAILED], "P2", "degraded-pass"),
        ([finding("P1")], [RAN, FAILED], "P2", "blocked"),
        ([], [RAN, OFF], "P2", "pass"),
        ([], [OFF], "P2", "degraded-pass"),
        ([], [], "P2", "degraded-pass"),
    ],
)
def test_verdict(findings, runs, threshold, said) -> None:
    assert verdict([*findings, *missed(runs)], runs, threshold) == said


def test_lenses_that_could_not_look_are_findings_that_stand_in_nobodys_way() -> None:
    skipped, failed = missed([RAN, SKIPPED, OFF, FAILED])
    assert (skipped.id, skipped.severity, skipped.status) == ("lens_skipped:I", "P3", "skipped")
    assert (failed.id, failed.description) == ("lens_failed:I", "Boom.")


def test_summary() -> None:
    runs = [RAN, SKIPPED]
    said = summary([finding("P1"), finding("P1", "acknowledged"), *missed(runs)], runs, "P2")
    assert (said["total"], said["blocking"], said["acknowledged"]) == (2, 1, 1)
    assert said["by_severity"] == {"P0": 0, "P1": 2, "P2": 0, "P3": 0}
    assert said["by_severity_status"]["P1"] == {"open": 1, "acknowledged": 1, "skipped": 0}
    assert said["skipped_lenses"] == ["I"]
