"""Turns findings into notes where many of one kind have no commit that explains them: a habit of the repository.

A file, heading or name that somebody removed is missed for certain. One that never existed may be right as it is, by
rules of a program that Cairn does not know. One such finding in a folder is a slip; several of one kind are a rule.
"""

from collections import Counter
from collections.abc import Sequence

from cairn.core.model.issue import Issue, Severity
from cairn.core.repository.proof import proofs_of

_SEVERAL = 4
_LEVELS = 2
_GUESSED = frozenset(
    {
        "anchor-missing",
        "block-unclosed",
        "example-invalid",
        "forge-link-broken",
        "frontmatter-malformed",
        "frontmatter-parse-error",
        "import-missing",
        "label-missing",
        "link-malformed",
        "reference-broken",
        "table-broken",
        "target-missing",
    }
)
_WHY = "several findings of this kind are in this folder, and no commit explains them"


def without_habits(issues: Sequence[Issue]) -> list[Issue]:
    """The same issues; those of a folder with several of one kind that history does not explain are notes."""
    counts = Counter(_habit(issue) for issue in issues)
    return [
        issue._replace(severity=Severity.INFO, detail=_WHY) if habit and counts[habit] >= _SEVERAL else issue
        for issue in issues
        for habit in (_habit(issue),)
    ]


def _habit(issue: Issue) -> tuple[str, str] | None:
    """The rule and the folder; None if it can't be a habit: it is explained, or on a page of the root."""
    folder = "/".join(issue.path.split("/")[:-1][:_LEVELS])
    explained = any(proof.date for proof in proofs_of(issue))
    loud = issue.severity is not Severity.INFO
    return (issue.analyzer, folder) if loud and folder and not explained and issue.analyzer in _GUESSED else None
