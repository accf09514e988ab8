"""Answers to `review`: an objection counts with words of the page and of the source."""

import json

import pytest

from asked_jobs import SAFE
from cairn.freshness.questions.review.question import QUESTION
from cairn.jobs.action import action_of
from cairn.jobs.report import check_report

INPUT = {
    "title": "Refresh limits",
    "pages": [
        {
            "path": "limits.md",
            "edition": "2",
            "edition_before": "1",
            "text": "# Limits\n\nEvery client may make **60** calls a minute.\n",
            "new": ["Every client may make 60 calls a minute."],
            "gone": ["Clients may make 100 calls a minute."],
        }
    ],
    "evidence": ["https://a.example/ says 60"],
    "sources": [
        {"reference": "https://a.example/", "text": "Without a token, 60 calls a minute. Else 600.", "cut": True}
    ],
}
OBJECTION = {
    "page": "limits.md",
    "claim": "Every client may make 60 calls a minute.",
    "quote": "Without a token, 60 calls a minute.",
    "source": 1,
    "why": "It leaves out the condition.",
}


def answered(*objections, holds=False):
    said = {"holds": holds, "reason": "r", "objections": objections, "confidence": 1, "safety": SAFE}
    return check_report(json.dumps(said), action_of(QUESTION), INPUT)


def test_the_material_has_what_is_new_and_what_would_go():
    shown = QUESTION.material(INPUT)
    for line in ("PAGE limits.md", "edition: 2, before: 1", "- Clients may make 100 calls a minute.", "EVIDENCE"):
        assert line in shown.split("\n")
    assert "SOURCE 1 https://a.example/ (in part)" in shown


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"page": "./limits"},
        {"source": 7},
        {"claim": "every client may make 60 calls a minute"},
        {"claim": "Clients may make 100 calls a minute."},
        {"quote": "“without a token … 60 calls a minute”"},
    ],
)
def test_right_objections_count(given):
    found = answered({**OBJECTION, **given})
    assert found.problems == ()
    [item] = found.value["objections"]
    assert (item["page"], item["source"], found.value["holds"]) == ("limits.md", 1, False)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"claim": "Every client may make 90 calls."}, "is not on the page"),
        ({"quote": "With a token there are 5 calls."}, "is in no source"),
    ],
)
def test_wrong_objections_are_set_aside(given, problem):
    found = answered({**OBJECTION, **given})
    assert problem in found.problems[0] and found.kept is None
    both = answered(OBJECTION, {**OBJECTION, **given})
    assert [one["claim"] for one in both.kept["objections"]] == [OBJECTION["claim"]]


def test_opinion_and_objections_agree():
    assert answered(holds=True).problems == ()
    assert "there is no objection" in answered().problems[0]
    found = answered(OBJECTION, holds=True)
    assert found.value["holds"] is False and found.repairs
