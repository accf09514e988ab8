"""Signals, rejections, links and issues between their values and the compact text that is stored."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from cairn.kernel.model.issue import Fix, Issue, Severity
from cairn.kernel.model.link import Link, Occurrence
from cairn.kernel.model.node import ExternalRef, Node, Tag, Triple
from cairn.kernel.model.signal import Candidate, Rejection, Signal

_dump = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode

# A signal is stored as [start, end, line, raw, candidate, …] with more only where it says more. In a candidate,
# 0 stands for "the same as": original = raw, normalized = target. That halves the size of the table.


def dump_signals(signals: Iterable[Signal]) -> str:
    return _dump([_pack_signal(signal) for signal in signals])


def _pack_signal(signal: Signal) -> list[Any]:
    scope, start, end, line, raw, candidates, field_path, context = signal
    packed = [start, end, line, raw, *(_pack_candidate(c, raw) for c in candidates)]
    if scope != "body" or field_path or context:
        packed.append({"scope": scope, "field": field_path, "context": context})
    return packed


def _pack_candidate(candidate: Candidate, raw: str) -> list[Any]:
    extractor, kind, target, confidence, original, normalized, by_name, data, rationale = candidate
    packed: list[Any] = [
        extractor,
        kind,
        target,
        confidence,
        0 if original == raw else original,
        0 if normalized == target else normalized,
        1 if by_name else 0,
    ]
    if data or rationale:
        packed += [data, rationale]
    return packed


def load_signals(text: str) -> list[Signal]:
    return [_unpack_signal(packed) for packed in json.loads(text)]


def _unpack_signal(packed: list[Any]) -> Signal:
    start, end, line, raw = packed[:4]
    more = packed.pop() if type(packed[-1]) is dict else None
    candidates = tuple([_unpack_candidate(c, raw) for c in packed[4:]])
    if more is None:
        return Signal("body", start, end, line, raw, candidates)
    return Signal(more["scope"], start, end, line, raw, candidates, more["field"], more["context"])


def _unpack_candidate(packed: list[Any], raw: str) -> Candidate:
    extractor, kind, target, confidence, original, normalized, by_name, *more = packed
    data, rationale = more or (None, "")
    return Candidate(
        extractor,
        kind,
        target,
        confidence,
        raw if original == 0 else original,
        target if normalized == 0 else normalized,
        by_name == 1,
        data,
        rationale,
    )


def dump_rejections(rejections: Iterable[Rejection]) -> str:
    return _dump([[_pack_signal(r.signal), *r[1:]] for r in rejections])


def load_rejections(text: str) -> list[Rejection]:
    return [Rejection(_unpack_signal(packed), *rest) for packed, *rest in json.loads(text)]


LINK_COLUMNS = (
    'l.source_id, s.path, l.target, l.kind, l.confidence, l.name, l.line, l."offset", l.state, r.path, l.detail'
)


def link(row: Sequence[Any]) -> Link:
    """From the columns of `LINK_COLUMNS` without the first."""
    source, target, kind, confidence, name, line, offset, state, resolved, detail = row
    sources, original, normalized, raw, occurrences, data = json.loads(detail)
    return Link(
        source=source,
        target=target,
        kind=kind,
        confidence=confidence,
        sources=tuple(sources),
        original=original,
        normalized=normalized or target,
        by_name=name is not None,
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
        frontmatter=json.loads(frontmatter),
        body_hash=bytes(body_hash).hex(),
        frontmatter_hash=bytes(frontmatter_hash).hex(),
        bytes=Triple(bytes_frontmatter, bytes_body, bytes_frontmatter + bytes_body),
        modified_at_ms=modified_at_ms,
        tokens=Triple(tokens_frontmatter, tokens_body, tokens_frontmatter + tokens_body) if counted else None,
        links_out=links_out,
        links_in=links_in,
        external_refs=tuple(ExternalRef(*ref) for ref in json.loads(external_refs)) if external_refs else (),
        tags=tuple(tags),
        virtual=bool(virtual),
        derived_from=tuple(json.loads(derived_from)) if derived_from else (),
    )


IssueRow = tuple[str, str, str, str, str | None, int | None, str, str | None, str | None, str | None]


def issue_row(extension: str, issue: Issue) -> IssueRow:
    fix = None if issue.fix is None else _dump([issue.fix.summary, issue.fix.autofixable])
    others = _dump(issue.nodes[1:]) if len(issue.nodes) > 1 else None
    data = None if issue.data is None else json.dumps(issue.data, sort_keys=True, ensure_ascii=False)
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
        nodes=(path, *_maybe(others, json.loads, ())),
        message=message,
        line=line,
        detail=detail,
        fix=_maybe(fix, lambda text: Fix(*json.loads(text)), None),
        data=_maybe(data, json.loads, None),
    )


def _maybe(text: str | None, load: Callable[[str], Any], otherwise: Any) -> Any:
    return otherwise if text is None else load(text)


def named_paths(row: Sequence[Any]) -> list[str]:
    """Every path that a stored issue names."""
    others = row[4]
    return [row[3], *(json.loads(others) if others else ())]
