"""Chooses the findings that a person sees, puts them in order, and reports which documents were left out."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from posixpath import basename

from cairn.core.model.issue import Issue, Severity, places_of, proofs_of
from cairn.core.ports.store import Store
from cairn.core.registry import Registry
from cairn.core.scope import Scope
from cairn.errors import NotFound
from cairn.graph.moved_files import HISTORY_RULES, history_issues
from cairn.graph.subgraph import find_node
from cairn.lib.text.names import hint

KERNEL_RULES: Mapping[str, str] = {
    "frontmatter-invalid": "The frontmatter does not fit the schema of its kind.",
    "frontmatter-malformed": "There is frontmatter that tools will not see.",
    "frontmatter-parse-error": "The frontmatter is not valid YAML or TOML.",
    "file-binary": "A file that should be text has NUL bytes.",
    "file-changing": "A file did not come to rest while it was read.",
    "file-encoding": "A file is not UTF-8.",
    "file-oversized": "A file is larger than scan.max_file_size_bytes.",
    "file-special": "Something that looks like a document is no regular file.",
    "file-unreadable": "A file or folder cannot be read.",
    "index-stale": "A document that lists the nodes of a base was made of other nodes.",
    "line-too-long": "A line is so long that no tool shows it well.",
    "references-limit": "A file has more references than anybody reads.",
    "lock-invalid": "A cairn.lock cannot be read, so what is known about its pages is not used.",
    "name-case-twin": "Two names differ only in case, which some file systems can't tell apart.",
    "name-deceptive": "A file's name has characters that do not show, or that turn the text around.",
    "name-undecodable": "A file's name is not valid Unicode.",
    "node-limit": "scan.max_nodes left files out.",
    "sentence-in-doubt": "A change of the code made something false that a sentence says.",
    "source-changed": "A source in the repository is not what it was when the page was last found right.",
    "source-missing": "A source in the repository is gone, or what it names in its file is.",
    "source-unread": "A source in the repository could not be read as what it is, so nobody knows whether it changed.",
    "source-unhashed": "Nobody has recorded yet what a source in the repository looked like.",
    "symlink-skipped": "A symbolic link is not followed.",
    "auto-rename-medium": "A file was taken to be another one that moved.",
    "auto-rename-ambiguous": "A file may be one of several that moved.",
    "orphan": "A file is gone and nothing like it came.",
}


def all_issues(store: Store) -> list[Issue]:
    """Worst first, then by path and line."""
    order = list(Severity)
    issues = [*store.issues(), *history_issues(store)]
    return sorted(issues, key=lambda i: (order.index(i.severity), i.path, i.line or 0, i.analyzer, i.message))


def only(store: Store, issues: Iterable[Issue], *, node: str | None, analyzers: Sequence[str]) -> list[Issue]:
    path = None if node is None else find_node(store, node).path
    return [i for i in issues if (path is None or path in i.nodes) and (not analyzers or i.analyzer in analyzers)]


def known_rules(registry: Registry, issues: Iterable[Issue], names: Sequence[str]) -> None:
    """Refuse names of analyzers that nobody has."""
    known = {*rule_texts(registry), *HISTORY_RULES, *(issue.analyzer for issue in issues)}
    for name in names:
        if name not in known:
            raise NotFound(f"There is no analyzer `{name}`; {hint(name, known, '`cairn plugins list` shows them.')}")


def rule_texts(registry: Registry) -> dict[str, str]:
    """What each rule is about."""
    return {**KERNEL_RULES, **{a.id: a.manifest.description for a in registry.analyzers}}


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


_REASONS = {
    "file-binary": "not text",
    "file-oversized": "larger than the limit",
    "file-unreadable": "unreadable",
    "file-changing": "changing while read",
}


def left_out(store: Store) -> tuple[str, ...]:
    """`skipped 3 files: 2 not text, 1 larger than 1 MB` and `not read: 31 .adoc files`; empty when all were read."""
    lines = (_skipped(store.issues(analyzers=tuple(_REASONS))), not_read(store.meta().get("unread") or {}))
    return tuple(line for line in lines if line)


def _skipped(issues: Iterable[Issue]) -> str:
    reasons = Counter(_reason(issue) for issue in issues if issue.analyzer in _REASONS)
    total = reasons.total()
    parts = ", ".join(f"{number:,} {reason}" for reason, number in reasons.most_common())
    return f"skipped {total:,} {'file' if total == 1 else 'files'}: {parts}" if total else ""


def _reason(issue: Issue) -> str:
    limit = (issue.data or {}).get("limit")
    if issue.analyzer == "file-oversized" and isinstance(limit, int):
        return f"larger than {_size(limit)}"
    return _REASONS[issue.analyzer]


def _size(limit: int) -> str:
    return f"{limit / 1_048_576:.3g} MB" if limit >= 100_000 else f"{limit:,} bytes"


def not_read(suffixes: Mapping[str, int]) -> str:
    counts = sorted(suffixes.items(), key=lambda item: (-item[1], item[0]))
    parts = [f"{number:,} {suffix} {'file' if number == 1 else 'files'}" for suffix, number in counts]
    return f"not read: {', '.join(parts)}" if parts else ""


_SCOPES = {
    Scope.PAST: ("document about the past", "documents about the past"),
    Scope.FIXTURE: ("fixture or template", "fixtures and templates"),
    Scope.GENERATED: ("generated document", "generated documents"),
    Scope.VENDORED: ("vendored document", "vendored documents"),
    Scope.TRANSLATION: ("translation", "translations"),
}


def left_out_by_scope(documents: Mapping[Scope, int], findings: Mapping[Scope, int]) -> str:
    """`22 generated documents, 7 fixtures and templates (3 findings)`; empty when nothing is left out."""
    parts = []
    for scope, (one, many) in _SCOPES.items():
        number, found = documents.get(scope, 0), findings.get(scope, 0)
        reported = f" ({found:,} finding{'' if found == 1 else 's'})" if found else ""
        if number or found:
            parts.append(f"{number:,} {one if number == 1 else many}{reported}")
    return ", ".join(parts)
