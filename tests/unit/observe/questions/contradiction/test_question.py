"""Answers to `contradiction`: passages disagree with words of both."""

import json

import pytest

from asked_jobs import SAFE
from cairn.jobs.action import action_of
from cairn.jobs.report import check_report
from cairn.observe.questions.contradiction.question import QUESTION

INPUT = {
    "a": {"path": "docs/deploy.md", "headings": ["Deploy", "Staging"], "date": "2025-03-01", "sources": ["src/job.py"]}
    | {"text": "Staging is deployed from `develop` every night."},
    "b": {"path": "NOTES.md", "headings": [], "date": None, "sources": []}
    | {"text": "夜間ジョブは main を staging に配備する。 A nightly job deploys the branch **main** to staging."},
}
SAID = {
    "same_subject": True,
    "disagree": True,
    "quote_a": "Staging is deployed from develop",
    "quote_b": "deploys the branch main to staging.",
    "right": "unknown",
    "why": "Another branch.",
    "who_decides": "the job",
}


def answered(**given):
    return check_report(json.dumps({**SAID, **given, "confidence": 1, "safety": SAFE}), action_of(QUESTION), INPUT)


def test_the_material_has_headings_dates_and_sources():
    shown = QUESTION.material(INPUT)
    assert shown.startswith("A docs/deploy.md [Deploy > Staging] (2025-03-01)\nStaging is")
    assert "sources of the document: src/job.py\nEND OF A\n" in shown and "B NOTES.md [at the top]\n" in shown


@pytest.mark.parametrize("given", [{}, {"quote_b": "「夜間ジョブは main を staging に配備する」"}, {"right": "b"}])
def test_right_answers_count(given):
    found = answered(**given)
    assert found.problems == () and found.value["disagree"]


def test_agreement_needs_no_quotes():
    found = answered(disagree=False, same_subject=True, quote_a="whatever", right="a")
    assert found.problems == ()
    assert (found.value["quote_a"], found.value["right"], found.value["who_decides"]) == (None, "unknown", None)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"quote_a": "Staging is deployed from main"}, "is not in passage A"),
        ({"quote_b": None}, "is not in passage B"),
        ({"quote_a": SAID["quote_b"], "quote_b": SAID["quote_a"]}, "is not in passage A"),
        ({"same_subject": False}, "passages about different things do not disagree"),
    ],
)
def test_wrong_answers_are_refused_with_the_reason(given, problem):
    found = answered(**given)
    assert any(problem in one for one in found.problems) and found.kept is None
