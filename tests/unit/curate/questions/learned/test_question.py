"""Answers to `learned`: good ones are not lost for trifles."""

import json

import pytest

from asked_jobs import SAFE
from cairn.curate.questions.learned.question import QUESTION
from cairn.jobs.action import action_of
from cairn.jobs.report import CheckedReport, check_report

SAID = "Always freeze the clock in tests, because the billing job rounds days."
MESSAGE = {"who": "person", "earlier": False, "outside": False, "text": SAID, "start": 0, "cut": None}
INPUT = {"pages": [], "found": [], "date": "2026-01-01", "messages": [MESSAGE]}
GOOD = {
    "kind": "practice",
    "title": "Freeze the clock in tests",
    "summary": "The billing job rounds days.",
    "body": "Freeze the clock in tests.\n\nWhy: the billing job rounds days.",
    "tags": ["tests"],
    "confidence": "high",
    "quotes": ["Always freeze the clock in tests"],
}


def answered(*candidates: dict[str, object]) -> CheckedReport:
    said = {"candidates": list(candidates), "confidence": 1, "safety": SAFE}
    return check_report(json.dumps(said), action_of(QUESTION), INPUT)


@pytest.mark.parametrize(
    ("given", "tags"),
    [
        ({"tags": ["Fake Clock", "Ops Team"]}, ["fake-clock", "ops-team"]),
        ({"tags": ["a", "b", "c", "d", "e", "f"]}, ["a", "b", "c", "d", "e"]),
        ({"quotes": "Always freeze the clock in tests"}, ["tests"]),
    ],
)
def test_trifles_are_repaired(given: dict[str, object], tags: list[str]) -> None:
    found = answered({**GOOD, **given})
    assert found.problems == () and found.repairs
    [item] = found.value["candidates"]
    assert item["tags"] == tags and item["quotes"][0]["text"] == "Always freeze the clock in tests"


def test_candidates_are_numbered_as_in_the_answer() -> None:
    found = answered({**GOOD, "kind": "law"}, GOOD, {**GOOD, "quotes": ["never freeze the clock anywhere"]})
    first, second = found.problems
    assert first.startswith("`kind` of item 1 of `candidates`: ")
    assert second.startswith("candidate 3 (Freeze the clock in tests): its quote")
