"""Answers to `place`: edits replace whole sentences, at one place of the page."""

import json

import pytest

from asked_jobs import SAFE
from cairn.curate.questions.place.question import QUESTION
from cairn.jobs.action import action_of
from cairn.jobs.report import CheckedReport, check_report

TEXT = """# Proxy

The proxy cuts requests at 40 MB, for bodies only. Use hooks instead.

Keep it short. Say why. Keep it short.
"""
PAGE = {
    "id": "proxy",
    "kind": "map",
    "section": None,
    "title": "Proxy",
    "summary": "Limits.",
    "text": TEXT,
    "words": 30,
}
INPUT = {
    "candidate": {"kind": "map", "title": "Limit", "summary": "60 MB.", "body": "60 MB."},
    "evidence": [],
    "pages": [PAGE],
    "others": [],
    "decided": [],
}


def answered(old: str, new: str, **more: object) -> CheckedReport:
    said = {"fate": "modify", "page": "proxy", "reason": "r", "title": None, "summary": None, "would_be_in": []}
    said |= {"edits": [{"old": old, "new": new}], "confidence": 1, "safety": SAFE, **more}
    return check_report(json.dumps(said), action_of(QUESTION), INPUT)


@pytest.mark.parametrize(
    ("old", "problem"),
    [
        ("The proxy cuts requests at 40 MB.", "the sentence goes on"),
        ("The proxy cuts … instead.", "leaves words out"),
        ("keep it short", "occurs more than once"),
        ("The proxy cuts requests at 50 MB", "is not in the page; copy it exactly"),
    ],
)
def test_edits_that_would_spoil_the_page_are_refused(old: str, problem: str) -> None:
    found = answered(old, "The proxy cuts requests at 60 MB.")
    assert found.kept is None
    [said] = found.problems
    assert said.startswith("`old` of edit 1: “") and problem in said


def test_a_stop_that_was_left_out_stands_on_the_page_once() -> None:
    assert answered("Use hooks instead", "Use a plugin instead.").value["edits"] == [
        {"old": "Use hooks instead.", "new": "Use a plugin instead."}
    ]


def test_a_long_reason_is_shortened_at_a_word() -> None:
    found = answered("Say why.", "Say why and when.", reason="The page lacks\nthe time. " + "word " * 300)
    assert found.problems == () and len(found.value["reason"]) <= 300
    assert found.value["reason"].startswith("The page lacks the time. word") and found.value["reason"].endswith("word…")


def test_edits_count_together_or_not_at_all() -> None:
    edits = [{"old": "", "new": "x"}, {"old": "Say why.", "new": "Say why and when."}]
    found = answered("", "", edits=edits)
    assert found.kept is None and found.problems[0].startswith("`old` of item 1 of `edits`: ")
