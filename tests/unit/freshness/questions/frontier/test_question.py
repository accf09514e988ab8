"""Answers to `frontier`: an edition counts with the line that proves it."""

import json

import pytest

from asked_jobs import SAFE
from cairn.freshness.questions.frontier.question import QUESTION
from cairn.jobs.action import action_of
from cairn.jobs.report import check_report

INPUT = {
    "entry": {"path": "checks.md", "title": "Checks", "summary": "s", "edition": "Acme Standard 4.0"},
    "sources": [
        {"reference": "https://a.example/", "lines": ["Acme Standard", "Version 5.0 (stable) — released 30 May 2025"]},
        {"reference": "https://b.example/", "lines": ["This project is no longer maintained."]},
    ],
}
NEWER = {"answer": "newer", "edition": "5.0", "quote": "Version 5.0 (stable) - released 30 May 2025", "source": 1}
ENDED = {"answer": "ended", "quote": "This project is no longer maintained.", "source": 2}


def answered(**given):
    said = {"answer": "nothing-newer", "reason": "r", "edition": None, "quote": None, "source": None, **given}
    return check_report(json.dumps({**said, "confidence": 1, "safety": SAFE}), action_of(QUESTION), INPUT)


def test_the_material_has_the_edition_and_the_lines():
    shown = QUESTION.material(INPUT)
    assert shown.startswith("ENTRY checks.md: Checks\nedition: Acme Standard 4.0\n")
    assert "SOURCE 2 https://b.example/\nThis project is no longer maintained." in shown


@pytest.mark.parametrize(
    ("given", "edition"),
    [
        (NEWER, "5.0"),
        ({**NEWER, "source": 2}, "5.0"),
        (ENDED, None),
        ({}, None),
        ({"answer": "cannot-tell", "quote": "whatever"}, None),
    ],
)
def test_right_answers_count(given, edition):
    found = answered(**given)
    assert found.problems == () and found.value["edition"] == edition
    assert found.value["source"] in (None, 1 if edition else 2)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({**NEWER, "quote": "Version 7.0 was released"}, "is in no source"),
        ({**NEWER, "quote": None}, "is in no source"),
        ({**NEWER, "edition": "6.0"}, "does not name `6.0`"),
        ({**NEWER, "edition": None}, "does not name"),
        ({**ENDED, "quote": "It has ended."}, "is in no source"),
    ],
)
def test_wrong_answers_are_refused_with_the_reason(given, problem):
    found = answered(**given)
    assert problem in found.problems[0] and found.kept is None


def test_the_own_edition_is_none_that_is_newer():
    lines = ["Acme Standard 4.0 is the current version."]
    found = check_report(
        json.dumps(
            {"answer": "newer", "reason": "r", "edition": "4.0", "quote": lines[0], "source": 1}
            | {"confidence": 1, "safety": SAFE}
        ),
        action_of(QUESTION),
        {**INPUT, "sources": [{"reference": "a", "lines": lines}]},
    )
    assert "is the entry's own" in found.problems[0]
