"""Reports which documents a scan did not read or a check leaves out, and why."""

from collections import Counter
from collections.abc import Iterable, Mapping

from cairn.core.model.issue import Issue
from cairn.core.ports.store import Store
from cairn.core.scope import Scope

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
