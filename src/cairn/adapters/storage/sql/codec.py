"""Nodes, links and issues between their values and the rows that are stored."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from cairn.core.model.graph import ExternalRef, Link, Node, Occurrence, Tag, Triple
from cairn.core.model.issue import Fix, Issue, Severity
from cairn.graph.resolve import ROOTED

_dump = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode
_dump_sorted = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode
_scan = json.JSONDecoder().raw_decode


def _load(text: str) -> Any:
    """JSON that we wrote ourselves: no blanks around it to look for."""
    return _scan(text)[0]


def link(row: Sequence[Any]) -> Link:
    """From a row of the query `links`."""
    source, target, kind, confidence, name, line, offset, state, resolved, detail = row
    sources, original, normalized, raw, occurrences, data = _load(detail)
    return Link(
        source=source,
        target=target,
        kind=kind,
        confidence=confidence,
        sources=tuple(sources),
        original=original,
        normalized=normalized or target,
        by_name=name is not None and name[:1] != ROOTED,
        line=line,
        offset=offset,
        raw=raw or original,
        occurrences=tuple(Occurrence(*o) for o in occurrences) or (Occurrence(sources[0], original, line, offset),),
        resolved=resolved,
        state=state,
        data=data,
    )


def node(row: Sequence[Any], tags: Sequence[Tag]) -> Node:
    (
        path,
        kind,
        provider,
        title,
        description,
        frontmatter,
        body_hash,
        frontmatter_hash,
        bytes_frontmatter,
        bytes_body,
        modified_at_ms,
        virtual,
        derived_from,
        external_refs,
        links_out,
        links_in,
        tokens_frontmatter,
        tokens_body,
    ) = row
    counted = tokens_body is not None
    return Node(
        path=path,
        kind=kind,
        provider=provider,
        title=title,
        description=description,
        frontmatter=_load(frontmatter),
        body_hash=bytes(body_hash).hex(),
        frontmatter_hash=bytes(frontmatter_hash).hex(),
        bytes=Triple(bytes_frontmatter, bytes_body, bytes_frontmatter + bytes_body),
        modified_at_ms=modified_at_ms,
        tokens=Triple(tokens_frontmatter, tokens_body, tokens_frontmatter + tokens_body) if counted else None,
        links_out=links_out,
        links_in=links_in,
        external_refs=tuple(ExternalRef(*ref) for ref in _load(external_refs)) if external_refs else (),
        tags=tuple(tags),
        virtual=bool(virtual),
        derived_from=tuple(_load(derived_from)) if derived_from else (),
    )


IssueRow = tuple[str, str, str, str, str | None, int | None, str, str | None, str | None, str | None]


def issue_row(extension: str, issue: Issue) -> IssueRow:
    fix = None if issue.fix is None else _dump([issue.fix.summary, issue.fix.autofixable])
    others = _dump(issue.nodes[1:]) if len(issue.nodes) > 1 else None
    data = None if issue.data is None else _dump_sorted(issue.data)
    return (
        extension,
        issue.analyzer,
        str(issue.severity),
        issue.path,
        others,
        issue.line,
        issue.message,
        issue.detail,
        fix,
        data,
    )


def issue(row: Sequence[Any]) -> Issue:
    """From a row without the extension."""
    analyzer, severity, path, others, line, message, detail, fix, data = row
    return Issue(
        analyzer=analyzer,
        severity=Severity(severity),
        nodes=(path, *_maybe(others, _load, ())),
        message=message,
        line=line,
        detail=detail,
        fix=_maybe(fix, lambda text: Fix(*_load(text)), None),
        data=_maybe(data, _load, None),
    )


def _maybe(text: str | None, load: Callable[[str], Any], otherwise: Any) -> Any:
    return otherwise if text is None else load(text)


def named_paths(row: Sequence[Any]) -> list[str]:
    """Every path that a stored issue names."""
    others = row[4]
    return [row[3], *(_load(others) if others else ())]
