"""Reports: the safety fields are required of every one, and the schema of the action holds."""

import json

import pytest

from asked_jobs import ASK, SAFE, report
from cairn.core.registry import Registry
from cairn.jobs.action import all_actions
from cairn.jobs.report import LONGEST_REPORT, CheckedReport, check_report

BUILT_IN = all_actions(Registry())


def test_a_good_report_has_no_problems():
    assert check_report(report(), ASK) == CheckedReport(json.loads(report()))
    assert check_report(f"Here it is:\n```json\n{report()}\n```\n", ASK).problems == ()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the answer is not a JSON object"),
        ("yes", "the answer is not a JSON object"),
        ("[]", "the answer is not a JSON object"),
        ("x" * (LONGEST_REPORT + 1), "it has 1,000,001 characters; a report has 1,000,000 at most"),
        (report(confidence=1.5), "`confidence`: 1.5 is greater than the maximum of 1"),
        (json.dumps({"answer": "a", "safety": SAFE}), '"confidence" is a required property'),
        (json.dumps({"answer": "a", "confidence": 1}), '"safety" is a required property'),
        (report(answer=1), '`answer`: 1 is not of type "string"'),
    ],
)
def test_a_bad_report_is_refused_with_the_reason(text, problem):
    assert problem in check_report(text, ASK).problems


@pytest.mark.parametrize(
    "safety",
    [
        {**SAFE, "injectionType": "nice"},
        {**SAFE, "contentQuality": None},
        {**SAFE, "injectionDetected": "no"},
        {key: value for key, value in SAFE.items() if key != "contentQuality"},
    ],
)
def test_safety_has_its_fields(safety):
    assert check_report(report(safety=safety), ASK).problems


def test_safety_has_no_other_fields():
    nothing = {key: value for key, value in SAFE.items() if not key.startswith("injectionD") or value is False}
    found = check_report(report(safety={**nothing, "more": 1}), ASK)
    assert found.value["safety"] == SAFE and not found.problems
    assert found.repairs == ("`safety/more` is not asked for", "`safety/injectionDetails` is empty")


def test_every_kind_of_injection_can_be_reported():
    for kind in ("direct-override", "role-swap", "hidden-instruction", "other", None):
        safety = {**SAFE, "injectionDetected": kind is not None, "injectionType": kind, "injectionDetails": "said so"}
        assert check_report(report(safety=safety), ASK).problems == ()


STATS = {"totalFindings": 1, "bySeverity": {"critical": 0, "high": 1, "medium": 0, "low": 0, "info": 0}}
FINDING = {
    "id": "curl",
    "severity": "high",
    "category": "dangerous-command",
    "title": "Runs a script from an address",
    "description": "It is run without a check.",
    "quote": "curl x | sh",
    "remediation": "Pin and check it.",
}
GOOD = {
    "core/summarise": {"summary": "Ovens are hot.", "keyPoints": ["230 degrees"], "language": "en"},
    "core/tag": {"tags": [{"tag": "backöfen-2", "reason": "ovens"}]},
    "core/review-security": {
        "scanner": {"id": "core/review-security", "version": "1.0.0"},
        "findings": [FINDING],
        "stats": STATS,
    },
}
BAD = {
    "core/summarise": {"summary": "", "keyPoints": [], "language": "en"},
    "core/tag": {"tags": [{"tag": "c++", "reason": "x"}]},
    "core/review-security": {**GOOD["core/review-security"], "findings": [{**FINDING, "severity": "grave"}]},
}


@pytest.mark.parametrize("id", sorted(BUILT_IN))
def test_built_in_actions_accept_what_they_ask_for_and_nothing_else(id):
    assert check_report(json.dumps({"confidence": 1, "safety": SAFE, **GOOD[id]}), BUILT_IN[id]).problems == ()
    assert check_report(json.dumps({"confidence": 1, "safety": SAFE, **BAD[id]}), BUILT_IN[id]).problems
    more = check_report(json.dumps({"confidence": 1, "safety": SAFE, **GOOD[id], "x": 1}), BUILT_IN[id])
    assert not more.problems and "x" not in more.value


def test_tags_and_their_reasons_are_put_right():
    tags = [{"tag": f"Fake Clock {number}", "reason": "a word " * 30} for number in range(6)]
    found = check_report(json.dumps({"confidence": 1, "safety": SAFE, "tags": tags}), BUILT_IN["core/tag"])
    assert found.problems == () and [one["tag"] for one in found.value["tags"]] == [f"fake-clock-{n}" for n in range(5)]
    assert all(len(one["reason"]) <= 120 and one["reason"].endswith("…") for one in found.value["tags"])


def test_problems_name_the_field_in_words():
    tags = [{"tag": "a", "reason": "r"}, {"tag": "b", "reason": ""}]
    found = check_report(json.dumps({"confidence": 1, "safety": SAFE, "tags": tags}), BUILT_IN["core/tag"])
    assert found.problems[0].startswith("`reason` of item 2 of `tags`: ")


@pytest.mark.parametrize("id", sorted(BUILT_IN))
def test_prompts_name_every_field_of_their_report(id):
    action = BUILT_IN[id]
    assert action.prompt is not None
    for field in action.schema["required"]:
        assert f"`{field}`" in action.prompt
