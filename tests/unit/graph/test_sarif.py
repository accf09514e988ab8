"""Issues for other people's tools."""

import json

import pytest

from cairn.graph.sarif import github, sarif
from cairn.plugin import Fix, Issue, Severity

ISSUES = [
    Issue("broken", Severity.ERROR, ("docs/a b.md",), "`x` is gone", 3, fix=Fix("Write it.")),
    Issue("loop", Severity.WARN, ("ü.md", "b.md"), "links to itself"),
    Issue("broken", Severity.INFO, ("c.md",), "100% sure:\r\n::error::not a command", 1),
]


def test_sarif_names_rules_places_and_levels():
    log = json.loads(json.dumps(sarif(ISSUES, {"broken": "A link leads nowhere."}, "1.2")))
    run = log["runs"][0]
    assert (log["version"], run["tool"]["driver"]["version"]) == ("2.1.0", "1.2")
    assert [(r["id"], r["shortDescription"]["text"]) for r in run["tool"]["driver"]["rules"]] == [
        ("broken", "A link leads nowhere."),
        ("loop", "loop"),
    ]
    seen = [
        (
            r["ruleId"],
            r["ruleIndex"],
            r["level"],
            r["message"]["text"],
            r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            r["locations"][0]["physicalLocation"]["region"]["startLine"],
        )
        for r in run["results"]
    ]
    assert seen[:2] == [
        ("broken", 0, "error", "`x` is gone Write it.", "docs/a%20b.md", 3),
        ("loop", 1, "warning", "links to itself", "%C3%BC.md", 1),
    ]
    assert seen[2][2] == "note"
    assert len({r["partialFingerprints"]["cairn/v1"] for r in run["results"]}) == 3


def test_a_log_without_issues_is_a_log():
    assert sarif([], {}, "1")["runs"][0]["results"] == []


@pytest.mark.parametrize(
    ("issue", "line"),
    [
        (ISSUES[0], "::error file=docs/a b.md,line=3,title=broken::`x` is gone Write it."),
        (ISSUES[1], "::warning file=ü.md,line=1,title=loop::links to itself"),
        (ISSUES[2], "::notice file=c.md,line=1,title=broken::100%25 sure:%0D%0A::error::not a command"),
        (
            Issue("x", Severity.ERROR, ("a,b:c%.md",), "m"),
            "::error file=a%2Cb%3Ac%25.md,line=1,title=x::m",
        ),
    ],
)
def test_github_annotations_cannot_be_broken_out_of(issue: Issue, line: str):
    assert github([issue]) == [line]
