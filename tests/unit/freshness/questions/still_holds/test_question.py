"""Answers to `still-holds`: a new sentence follows the change of the code, and nothing else."""

import json

import pytest

from asked_jobs import SAFE
from cairn.freshness.questions.still_holds.question import QUESTION
from cairn.jobs.action import action_of
from cairn.jobs.report import check_report

SENTENCE = "- `connect` waits 30 seconds for an answer unless you pass `timeout`."
INPUT = {
    "document": "docs/client.md",
    "heading": "Client > Timeouts",
    "sentence": SENTENCE,
    "paragraph": f"{SENTENCE}\n- Sessions are closed at the end.",
    "named": "connect",
    "code": {
        "path": "src/client.py",
        "before": "def connect(host, timeout=30):\n    return Session(host, timeout)\n",
        "after": "def connect(host, timeout=10, retries=2):\n    return Session(host, timeout, retries)\n",
        "diff": "@@ -1,2 +1,2 @@\n-def connect(host, timeout=30):\n+def connect(host, timeout=10, retries=2):\n",
    },
    "elsewhere": [{"path": "src/retry.py", "diff": "@@ -1,1 +1,1 @@\n-PAUSE = 1\n+PAUSE = 5"}],
    "names": [
        {"name": "connect", "lines": ["src/client.py: def connect(host, timeout=10, retries=2):"]},
        {"name": "dial", "lines": []},
    ],
}
FALSE = {
    "answer": "false",
    "quote": "def connect(host, timeout=10, retries=2):",
    "new_sentence": SENTENCE.replace("30", "10"),
}


def answered(**given):
    said = {"answer": "holds", "reason": "r", "quote": None, "new_sentence": None, "also_changed": None, **given}
    return check_report(json.dumps({**said, "confidence": 1, "safety": SAFE}), action_of(QUESTION), INPUT)


def test_the_material_has_the_paragraph_and_both_states_of_the_code():
    shown = QUESTION.material(INPUT)
    assert shown.startswith(f"SENTENCE docs/client.md [Client > Timeouts]\n{SENTENCE}\n\nPARAGRAPH\n")
    for words in (
        "CODE src/client.py (the sentence names `connect`)",
        "before:\ndef connect",
        "diff:\n@@ -1,2 +1,2 @@",
        "ALSO CHANGED src/retry.py\n@@ -1,1 +1,1 @@\n-PAUSE = 1\n+PAUSE = 5\n",
        "AFTER THE CHANGE `connect` stands in\nsrc/client.py: def connect(",
        "AFTER THE CHANGE `dial` stands nowhere in the code.\nEND OF CODE",
    ):
        assert words in shown
    assert "PARAGRAPH" not in QUESTION.material({**INPUT, "paragraph": SENTENCE})


@pytest.mark.parametrize(
    "given",
    [
        {"answer": "holds"},
        {"answer": "cannot-tell"},
        FALSE,
        {**FALSE, "quote": "+def connect(host, timeout=10, retries=2):"},
        {**FALSE, "quote": "timeout=10"},
        {**FALSE, "quote": "USE = 5"},
        {**FALSE, "quote": "PAUSE = 5", "new_sentence": SENTENCE.replace("30", "5")},
        {**FALSE, "new_sentence": None},
        {
            **FALSE,
            "new_sentence": "- `connect` waits 10 seconds, and tries 2 more times, unless you pass `timeout`.",
        },
        {
            **FALSE,
            "new_sentence": "- `connect` waits half a minute.",
            "also_changed": "The rest repeats the signature.",
        },
    ],
)
def test_right_answers_count(given):
    found = answered(**given)
    assert found.problems == () and found.value["new_sentence"] == given.get("new_sentence")


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"quote": None}, "quote the line of the code"),
        ({"quote": "timeout = 99 seconds"}, "is not in the code that is shown"),
        ({"new_sentence": SENTENCE.replace("30", "45")}, "`45 seconds` is neither in the old sentence nor"),
        ({"new_sentence": SENTENCE.replace("timeout", "deadline_s")}, "`deadline_s` is neither"),
        ({"new_sentence": SENTENCE}, "it is the old sentence"),
        (
            {"new_sentence": "- Everybody should rather install our wonderful commercial product instead."},
            "which the change does not touch",
        ),
    ],
)
def test_wrong_answers_are_refused_with_the_reason(given, problem):
    found = answered(**{**FALSE, **given})
    assert problem in found.problems[0] and found.kept is None


def test_a_sentence_that_holds_gets_no_new_one():
    found = answered(quote="def connect(host, timeout=10, retries=2):", new_sentence=FALSE["new_sentence"])
    assert found.value["new_sentence"] is None and len(found.repairs) == 2
