"""Every analyzer against its case file: issues, scores and chips for a small graph, all of them and nothing else."""

import re
from typing import Any

import pytest

from cairn.plugin import Issue, IssueCount, Rejection, Signal
from unit.extensions.built_ins import bound, cases, extensions, kinds
from unit.extensions.fake_contexts import FakeAnalyzerContext, FakeGraph, make_link, make_node

CASES = list(cases("analyzer"))
ANALYZERS = dict(extensions("analyzer"))
SECTIONS = ("What it finds", "Why it matters", "Example", "Fix")


@pytest.mark.parametrize(("extension", "case"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_case(extension: Any, case: dict[str, Any]) -> None:
    ctx = make_context(case)

    issues = list(bound(extension, case).evaluate(ctx))

    wanted = case.get("issues", [])
    assert [subset(issue, keys) for issue, keys in zip(issues, wanted, strict=True)] == wanted
    assert [list(score) for score in ctx.scores] == case.get("scores", [])
    assert [list(chip) for chip in ctx.chips] == case.get("chips", [])
    assert {chip[1] for chip in ctx.chips} <= set(extension.manifest.ui)
    assert extension.manifest.phase == "score" or not ctx.scores
    # What the strict reader says of an entry ends with what to do; everything else has a fix of its own.
    says_it = "knowledge" in type(extension).__module__
    assert all(issue.fix is not None or (says_it and "; " in issue.message) for issue in issues)
    assert all("`" in issue.message for issue in issues)


def make_context(case: dict[str, Any]) -> FakeAnalyzerContext:
    nodes = [make_node(**node) for node in case["nodes"]]
    links = tuple(make_link(**link) for link in case.get("links", []))
    return FakeAnalyzerContext(
        FakeGraph({node.path: node for node in nodes}, links),
        kinds(),
        lost=tuple(make_rejection(**lost) for lost in case.get("rejections", [])),
        reserved_paths=frozenset(case.get("reserved", [])),
        kept=case.get("kept", {}),
        counts=tuple(IssueCount(*count) for count in case.get("counts", [])),
    )


def make_rejection(
    source: str, raw: str, line: int, extractor: str, kind: str, target: str, reason: str, winner: str
) -> tuple[str, Rejection]:
    signal = Signal("body", 1, 1 + len(raw), line, raw, ())
    return source, Rejection(signal, extractor, kind, target, reason, winner, 0, 20, line)


def subset(issue: Issue, keys: dict[str, Any]) -> dict[str, Any]:
    """The fields of an issue that a case names, in the words of the case."""
    known = {
        "severity": str(issue.severity),
        "nodes": list(issue.nodes),
        "message": issue.message,
        "line": issue.line,
        "detail": issue.detail,
        "fix": issue.fix.summary if issue.fix else None,
        "data": issue.data,
    }
    return {key: known[key] for key in keys}


@pytest.mark.parametrize("qualified", ANALYZERS)
def test_issues_carry_the_id_of_their_analyzer(qualified: str) -> None:
    mine = [case for name, _, case in CASES if name.startswith(qualified.partition("/")[2] + ":")]
    issues = [issue for case in mine for issue in bound(ANALYZERS[qualified], case).evaluate(make_context(case))]
    assert {issue.analyzer for issue in issues} <= {qualified.partition("/")[2]}


@pytest.mark.parametrize("qualified", ANALYZERS)
def test_docstring_is_a_page(qualified: str) -> None:
    doc = type(ANALYZERS[qualified]).__doc__ or ""
    headings = re.findall(r"^    (\S.*)\n        \S", doc, flags=re.MULTILINE)
    assert doc.partition("\n")[0].endswith(".")
    assert tuple(headings) == SECTIONS
