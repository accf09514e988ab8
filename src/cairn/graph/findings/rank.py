"""Puts findings in the order in which somebody new should read them."""

import re
from collections.abc import Iterable, Sequence
from posixpath import basename

from cairn.core.model.issue import Issue, Severity
from cairn.core.repository.proof import places_of, proofs_of

TEN = 10
_SAME_RULE = 3
_WORTH = {
    "command-missing": 0.85,
    "import-missing": 0.85,
    "extra-missing": 0.8,
    "script-missing": 0.8,
    "reference-broken": 0.8,
    "forge-link-broken": 0.8,
    "path-removed": 0.75,
    "code-removed": 0.7,
    "tree-outdated": 0.65,
    "anchor-missing": 0.6,
    "block-unclosed": 0.65,
    "label-missing": 0.6,
    "link-malformed": 0.6,
    "target-missing": 0.6,
    "table-broken": 0.6,
    "version-mismatch": 0.6,
    "example-invalid": 0.55,
}
_DATED = 0.12
"""For a finding that history proves: somebody removed or moved the thing."""
_OTHERS = {Severity.ERROR: 0.6, Severity.WARN: 0.3, Severity.INFO: 0.05}
_PROMINENT = re.compile(
    r"(?:readme|index|contributing)\.(?:md|mdx|rst|txt)|readme|(?:skill|claude|agents)\.md", re.IGNORECASE
)


def worth(issue: Issue) -> float:
    """How much it hurts whoever believes the document, from 0 to 1."""
    if issue.severity is Severity.INFO:
        return _OTHERS[issue.severity]
    value = _WORTH.get(issue.analyzer, _OTHERS[issue.severity])
    if issue.analyzer == "reference-broken" and "image" in issue.message.split("`")[0]:
        value -= 0.3
    if any(proof.commit for proof in proofs_of(issue)):
        value += _DATED
    paths = {place.path for place in places_of(issue)}
    prominent = any("/" not in path or _PROMINENT.fullmatch(basename(path)) for path in paths)
    return round(min(1.0, value + (0.04 if prominent else 0.0) + min(0.01, len(paths) / 1000)), 3)


def ranked(issues: Iterable[Issue]) -> list[Issue]:
    return sorted(issues, key=_order)


def best(issues: Iterable[Issue], most: int = TEN) -> list[Issue]:
    """The most worthwhile ones; of one rule at most three as long as there are others."""
    taken: list[Issue] = []
    waiting: list[Issue] = []
    for issue in ranked(issues):
        crowded = sum(other.analyzer == issue.analyzer for other in taken) >= _SAME_RULE
        (waiting if crowded else taken).append(issue)
    return ranked(_first(taken, waiting, most))


def _first(taken: Sequence[Issue], waiting: Sequence[Issue], most: int) -> list[Issue]:
    return [*taken[:most], *waiting[: max(0, most - len(taken))]]


def _order(issue: Issue) -> tuple[float, str, int, str]:
    return (-worth(issue), issue.path, issue.line or 0, issue.message)
