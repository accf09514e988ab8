"""Signals, rejections, links and issues between their values and the compact text that is stored."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from cairn.kernel.model.issue import Fix, Issue, Severity
from cairn.kernel.model.link import Link, Occurrence
from cairn.kernel.model.node import ExternalRef, Node, Tag, Triple
from cairn.kernel.model.signal import Candidate, Rejection, Signal

_dump = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode
_dump_sorted = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode
_scan = json.JSONDecoder().raw_decode
_new = tuple.__new__  # a named tuple made without its own __new__, which is most of the cost of making one


def _load(text: str) -> Any:
    """JSON that we wrote ourselves: no blanks around it to look for."""
    return _scan(text)[0]


class Emitters:
    """Extractors with the kinds of link they emit, as numbers: a signal names its emitter by one."""

    def __init__(self, known: Iterable[tuple[int, str, str]] = ()) -> None:
        self._numbers = {(extractor, kind): id for id, extractor, kind in known}
        self._names = {id: pair for pair, id in self._numbers.items()}
        self._fresh: list[tuple[int, str, str]] = []

    def number(self, extractor: str, kind: str) -> int:
        found = self._numbers.get((extractor, kind))
        if found is None:
            found = max(self._names, default=0) + 1
            self._numbers[extractor, kind] = found
            self._names[found] = (extractor, kind)
            self._fresh.append((found, extractor, kind))
        return found

    def name(self, number: int) -> tuple[str, str]:
        return self._names[number]

    def take_fresh(self) -> list[tuple[int, str, str]]:
        """Those that were numbered since the last call."""
        fresh, self._fresh = self._fresh, []
        return fresh


# Nearly every signal is of the body with one candidate; it is stored as ten values in a row, where 0 stands for "the
# same as": target = raw, original = raw, normalized = target. The others are stored as objects that say it all.


def dump_signals(signals: Iterable[Signal], emitters: Emitters) -> str:
    return _dump([_pack_signal(signal, emitters) for signal in signals])


def _pack_signal(signal: Signal, emitters: Emitters) -> list[Any] | dict[str, Any]:
    scope, start, end, line, raw, candidates, field_path, context = signal
    if len(candidates) != 1 or scope != "body" or field_path or context:
        return _whole(signal)
    extractor, kind, target, confidence, original, normalized, by_name, data, rationale = candidates[0]
    if data is not None or rationale:
        return _whole(signal)
    return [
        start,
        end,
        line,
        raw,
        emitters.number(extractor, kind),
        0 if target == raw else target,
        confidence,
        0 if original == raw else original,
        0 if normalized == target else normalized,
        1 if by_name else 0,
    ]


def _whole(signal: Signal) -> dict[str, Any]:
    return {**signal._asdict(), "candidates": [list(candidate) for candidate in signal.candidates]}


def load_signals(text: str, emitters: Emitters) -> list[Signal]:
    return [_unpack_signal(packed, emitters) for packed in _load(text)]


def _unpack_signal(packed: Any, emitters: Emitters) -> Signal:
    if type(packed) is dict:
        candidates = tuple(Candidate(*candidate) for candidate in packed["candidates"])
        return Signal(**{**packed, "candidates": candidates})
    start, end, line, raw, emitter, target, confidence, original, normalized, by_name = packed
    extractor, kind = emitters.name(emitter)
    target = raw if target == 0 else target
    candidate = (
        extractor,
        kind,
        target,
        confidence,
        raw if original == 0 else original,
        target if normalized == 0 else normalized,
        by_name == 1,
        None,
        "",
    )
    return _new(Signal, ("body", start, end, line, raw, (_new(Candidate, candidate),), "", ""))


def dump_rejections(rejections: Iterable[Rejection]) -> str:
    return _dump([[_whole(r.signal), *r[1:]] for r in rejections])


def load_rejections(text: str) -> list[Rejection]:
    nobody = Emitters()
    return [Rejection(_unpack_signal(packed, nobody), *rest) for packed, *rest in _load(text)]


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
