"""Several findings of one kind that history does not explain are a habit of the repository."""

import pytest

from cairn.core.model.issue import Issue, Place, Proof, Severity, proven
from cairn.graph.findings.visible import without_habits


def found(path: str, *, rule: str = "anchor-missing", date: str = "") -> Issue:
    proof = Proof("no heading", path, 0, "3f2a91c" if date else "", date)
    return proven(rule, Severity.WARN, path, "Broken link.", [Place(path, 1, "x")], [proof], "Fix it.")


FOUR = [f"docs/guide/{name}.md" for name in "abcd"]


@pytest.mark.parametrize(
    ("issues", "loud"),
    [
        ([found(path) for path in FOUR], 0),
        ([found(path) for path in FOUR[:3]], 3),
        ([found(path, date="2024-03-01") for path in FOUR], 4),
        ([*(found(path) for path in FOUR[:3]), found("docs/other/d.md")], 4),
        ([found(f"{name}.md") for name in "abcd"], 4),
        ([found(path, rule="command-missing") for path in FOUR], 4),
        ([*(found(path) for path in FOUR), found("docs/guide/e.md", date="2024-03-01")], 1),
    ],
    ids=["four", "three", "explained", "two folders", "root", "other rule", "an explained one stays"],
)
def test_several_unexplained_findings_of_a_folder_are_notes(issues: list[Issue], loud: int):
    assert sum(issue.severity is Severity.WARN for issue in without_habits(issues)) == loud


def test_the_note_states_the_reason():
    assert {issue.detail for issue in without_habits([found(path) for path in FOUR])} == {
        "several findings of this kind are in this folder, and no commit explains them"
    }
