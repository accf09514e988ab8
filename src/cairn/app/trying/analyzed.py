"""What the analyzers of the scan found, as far as it concerns anybody who has not set up anything."""

from collections import defaultdict
from collections.abc import Iterator

from cairn.app.trying.finding import Evidence, Finding
from cairn.app.trying.ground import Ground
from cairn.kernel.model.issue import Issue, Severity
from cairn.kernel.places import is_document

_TOLD_OTHERWISE = (
    "reference-redundant",
    "link-self-loop",
    "link-kind-conflict",
    "extractor-collision",
    "contribution-orphan",
    "unknown-slot",
    "line-too-long",
    "node-limit",
)
"""Rules that another finder looks closer at, or that matter only to those who work with the graph."""
_HARM = {Severity.ERROR: 0.7, Severity.WARN: 0.4}


def find(ground: Ground) -> Iterator[Finding]:
    causes: dict[tuple[str, str], list[Issue]] = defaultdict(list)
    unread = {issue.path for issue in ground.store.issues(analyzers=("frontmatter-parse-error",))}
    for issue in ground.store.issues():
        if issue.analyzer == "schema-violation" and issue.path in unread:
            continue  # fields are missing because nobody could read them
        if issue.severity != Severity.INFO and is_document(issue.path) and _wanted(issue):
            causes[issue.analyzer, _cause(issue)].append(issue)
    for (rule, _), issues in causes.items():
        first = issues[0]
        evidence = tuple(_evidence(ground, issue) for issue in issues[:3])
        fix = first.fix.summary if first.fix else f"`cairn check --analyzers {rule}` says more."
        because = first.detail or ground.whys.get(rule) or f"the check `{rule}` says so"
        harm = _HARM[first.severity]
        yield Finding(rule, first.message, evidence, because, fix, 0.85, harm, more=max(0, len(issues) - 3))


def _cause(issue: Issue) -> str:
    """Warnings of one rule are one habit of the house; errors are told one by one, unless they say the same."""
    return issue.message if issue.severity == Severity.ERROR else ""


def _wanted(issue: Issue) -> bool:
    """Skills and broken links have finders that look closer; what an agent reads as an order is told here."""
    if issue.analyzer == "schema-violation" and issue.path.endswith("SKILL.md"):
        return False
    if issue.analyzer != "reference-broken":
        return issue.analyzer not in _TOLD_OTHERWISE and not issue.analyzer.startswith(("file-", "symlink-"))
    return issue.severity == Severity.ERROR and (issue.data or {}).get("kind") in ("mentions", "invokes")


def _evidence(ground: Ground, issue: Issue) -> Evidence:
    page = ground.page(issue.path)
    return page.evidence(issue.line or 1) if page else Evidence(issue.path, issue.line or 1, "")
