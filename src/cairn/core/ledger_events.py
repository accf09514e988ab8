"""Events of the ledger: records what people report, reads events back, and checks lines of other ledgers."""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cairn.core.model.event import (
    BadLine,
    Event,
    field_schemas,
    moment_ms,
    needed_fields,
    parse_event,
    payload_problems,
)
from cairn.core.ports.ledger import EventRow, Ledger, LedgerEventRow
from cairn.core.ports.store import Store
from cairn.errors import Refused, UsageError
from cairn.journal import EVENT_TYPES, PRIVATE, TOLD, limit_of
from cairn.lib.scrub.names import SECRETIVE
from cairn.lib.text.names import hint

if TYPE_CHECKING:
    from cairn.core.ports.application import CorePorts

FILLED_IN = ("task_id", "branch", "source", "project_id")
"""Fields that the workspace knows by itself, where a type has them."""

Redact = Callable[[str], str]

# --- telling --------------------------------------------------------------------------------------------------------


class AdmittedPayload(NamedTuple):
    payload: dict[str, Any]
    dropped: tuple[str, ...]
    """Fields that were given and that this type does not have."""
    redacted: tuple[str, ...]
    """Fields in which something private was replaced."""


def must_be_told(kind: str) -> None:
    if kind in TOLD:
        return
    if kind in EVENT_TYPES:
        raise UsageError(f"`{kind}` is recorded by Cairn itself; you can tell {', '.join(TOLD)}.", type=kind)
    meant = hint(kind, TOLD, f"the types are {', '.join(TOLD)}.")
    raise UsageError(f"There is no event type `{kind}`; {meant}", type=kind)


def from_texts(kind: str, given: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """A payload of `key=value` as somebody typed them: numbers, lists and so on by what the field is."""
    schemas, payload = field_schemas(kind), dict[str, Any]()
    for name, text in given:
        types = _types(schemas.get(name, {}))
        if "array" in types:
            payload.setdefault(name, []).append(text)
        elif name in payload:
            raise UsageError(f"`{name}` was given twice, and it is no list; name it once.", field=name)
        else:
            payload[name] = _value(text, types)
    return payload


def _types(schema: Mapping[str, Any]) -> tuple[str, ...]:
    said = schema.get("type", "string")
    return (said,) if isinstance(said, str) else tuple(said)


def _value(text: str, types: Sequence[str]) -> Any:
    if "boolean" in types and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if "integer" in types and text.lstrip("-").isdecimal():
        return int(text)
    return None if "null" in types and text == "null" else text


def admit(kind: str, given: Mapping[str, Any], redact: Redact) -> AdmittedPayload:
    """What will be recorded of what was given, or a sentence that names the fields and what they must be."""
    known = EVENT_TYPES[kind]
    kept = {name: value for name, value in given.items() if name in known}
    dropped = tuple(name for name in given if name not in known)
    if problems := payload_problems(kind, kept):
        told = "; ".join(f"`{one.field}` {one.text}" if one.field else one.text for one in problems)
        missing = [one.field for one in problems if one.text == "is missing"]
        near = [_nearest(name, missing or known) for name in dropped]
        raise UsageError(f"{kind}: {told}.{''.join(near)}", type=kind, fields=[one.field for one in problems])
    clean = redacted(kind, kept, redact)
    return AdmittedPayload(clean, dropped, tuple(name for name in kept if clean[name] != kept[name]))


def _nearest(name: str, known: Iterable[str]) -> str:
    meant = hint(name, known, "")
    return f" There is no field `{name}`; {meant}" if meant else ""


def describe(kind: str) -> list[tuple[str, bool, str]]:
    """The fields of a type: name, whether somebody must give it, and what it is."""
    needed = [name for name in needed_fields(kind) if name not in FILLED_IN]
    return [(name, name in needed, _what(schema)) for name, schema in field_schemas(kind).items()]


def _what(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(schema["enum"])
    words = [_WORDS[each] for each in _types(schema) if each != "null"]
    longest = f", at most {schema['maxLength']} characters" if "maxLength" in schema else ""
    return f"{' or '.join(words) or 'null'}{longest}" if "pattern" not in schema else schema["description"]


_WORDS = {"string": "text", "integer": "whole number", "boolean": "true or false", "array": "list; repeat it"}


# --- nothing private ------------------------------------------------------------------------------------------------

_SENSITIVE = re.compile(rf"{SECRETIVE}|passw(?:or)?d|api_?key|authorization")


def redacted(kind: str, payload: Mapping[str, Any], redact: Redact) -> dict[str, Any]:
    """Free text without secrets and personal data. Fields that only hold names and digests are left as they are: a
    digest looks like a key."""
    schemas = field_schemas(kind)
    return {name: _redacted_field(schemas[name], value, redact) for name, value in payload.items()}


def _redacted_field(schema: Mapping[str, Any], value: Any, redact: Redact) -> Any:
    if "pattern" in schema or "enum" in schema:
        return value
    clean = _redacted(value, redact)
    return clean[: schema["maxLength"]] if isinstance(clean, str) and "maxLength" in schema else clean


def _redacted(value: Any, redact: Redact) -> Any:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, list):
        return [_redacted(item, redact) for item in value]
    if isinstance(value, dict):
        return {key: "[REDACTED]" if _is_sensitive(key) else _redacted(item, redact) for key, item in value.items()}
    return value


def _is_sensitive(key: str) -> bool:
    return _SENSITIVE.search(key.lower().replace("-", "_")) is not None


# --- merging --------------------------------------------------------------------------------------------------------


class MergedLedger(NamedTuple):
    lines: list[bytes]
    """In the order of time, then of ids."""
    duplicates: int
    malformed: int
    newer: int
    """Lines of a later version, which are left alone."""


NEWER = "it was written by a newer Cairn"
STAYS = "it tells what somebody asked or read, which stays where it was written"


def merge(lines: Iterable[bytes]) -> MergedLedger:
    """One ledger of many: each event once, whichever ledger comes first. What is private stays where it is."""
    found: dict[str, tuple[int, bytes]] = {}
    duplicates = malformed = newer = 0
    for line in filter(bytes.strip, lines):
        event = parse_event(line)
        at_ms = None if isinstance(event, BadLine) else moment_ms(event.at)
        if isinstance(event, BadLine) or at_ms is None:
            newer += isinstance(event, BadLine) and event.reason == NEWER
            malformed += not (isinstance(event, BadLine) and event.reason == NEWER)
            continue
        if event.type in PRIVATE:
            continue
        one, known = (at_ms, canonical(event)), found.get(event.id)
        duplicates += known is not None
        # Two that claim one id and differ: the lesser one, so that the order of the ledgers does not matter.
        found[event.id] = one if known is None else min(known, one)
    order = sorted(found.items(), key=lambda item: (item[1][0], item[0]))
    return MergedLedger([line for _, (_, line) in order], duplicates, malformed, newer)


def canonical(event: Event) -> bytes:
    """An event as a line of today, whoever wrote it."""
    head = {"v": 1, "id": event.id, "type": event.type, "at": event.at, "worktree": event.worktree}
    text = json.dumps({**head, "payload": event.payload}, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace") + b"\n"


# --- judging lines --------------------------------------------------------------------------------------------------


class LedgerFault(NamedTuple):
    line: int
    """From 1."""
    text: str
    grave: bool
    """False: worth knowing, and nobody needs to do anything."""


def faults(lines: Iterable[bytes], known: set[str], *, ordered: bool) -> Iterator[LedgerFault]:
    """What is wrong with the lines of one file. Ids are added to those that are known."""
    last = ""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        event = parse_event(line)
        if isinstance(event, BadLine):
            yield LedgerFault(number, event.reason, event.reason != NEWER)
            continue
        yield from (LedgerFault(number, text, True) for text in _line_faults(event, len(line)))
        if event.id in known:
            yield LedgerFault(number, f"the id {event.id} was there before", True)
        elif ordered and event.id < last:
            yield LedgerFault(number, f"its id {event.id} is less than the one before it", True)
        known.add(event.id)
        last = max(last, event.id)


def _line_faults(event: Event, size: int) -> Iterator[str]:
    if moment_ms(event.at) is None:
        yield f"`{event.at[:40]}` is no time"
    if size > limit_of(event.type):
        yield f"it is {size:,} bytes long and may be {limit_of(event.type):,}"
    if event.type not in EVENT_TYPES:
        yield f"`{event.type[:60]}` is no type of event that this Cairn knows"
        return
    problems = payload_problems(event.type, event.payload)
    yield from (f"{event.type}: {f'`{one.field}` ' if one.field else ''}{one.text}" for one in problems)


class AcceptedLine(NamedTuple):
    line: bytes | None
    """None: not taken."""
    why: str = ""


def accept(line: bytes, redact: Redact) -> AcceptedLine:
    """A line of somebody else's ledger, as it may be kept here. Fields that are not on the list are left out; a line of
    a newer Cairn is kept as it is, for the day when this one is newer too."""
    event = parse_event(line)
    if isinstance(event, BadLine):
        return AcceptedLine(line, event.reason) if event.reason == NEWER else AcceptedLine(None, event.reason)
    if event.type in PRIVATE:
        return AcceptedLine(None, STAYS)
    if event.type in EVENT_TYPES:
        kept = {name: value for name, value in event.payload.items() if name in EVENT_TYPES[event.type]}
        event = Event(event.id, event.type, event.at, event.worktree, kept)
    if not _is_name(event.id) or not _is_name(event.worktree):
        return AcceptedLine(None, "its id or its work tree is no name")
    if wrong := next(_line_faults(event, len(line)), None):
        return AcceptedLine(None, wrong)
    clean = redacted(event.type, event.payload, redact)
    return AcceptedLine(canonical(Event(event.id, event.type, event.at, event.worktree, clean)))


def _is_name(text: str) -> bool:
    return len(text) <= 80 and text.isascii() and text.replace("-", "").isalnum()


class RecordedEvent(NamedTuple):
    id: str
    type: str
    payload: Mapping[str, Any]
    dropped: tuple[str, ...]
    redacted: tuple[str, ...]


def tell(ports: "CorePorts", kind: str, given: Mapping[str, Any]) -> RecordedEvent:
    """Record an event of a type that people tell. The branch and, where a type has it, the project are filled in."""
    admitted = admit(kind, {**_known_here(ports, kind, given), **given}, redact_text)
    try:
        event_id = ports.ledger.append(kind, admitted.payload, now_ms=ports.clock.now_ms())
    except Refused as refused:
        raise UsageError(refused.message, type=kind) from refused
    return RecordedEvent(event_id, kind, admitted.payload, admitted.dropped, admitted.redacted)


def _known_here(ports: "CorePorts", kind: str, given: Mapping[str, Any]) -> dict[str, Any]:
    from cairn.worktree import branch

    known: dict[str, Any] = {"task_id": None, "branch": branch(os.fspath(ports.root))}
    if kind == "knowledge_gap_signal":
        known |= {"source": "manual"}
        known |= {"project_id": "lessons" if given.get("source") == "lessons" else project_of(ports)}
    if kind == "finding_acknowledged":
        known |= {"project_id": project_of(ports)}
    return known


def project_of(ports: "CorePorts") -> str:
    """Which project this workspace belongs to; the same in every clone of it."""
    from cairn.lib.urls.remote import project_id
    from cairn.worktree import remote

    root = os.path.realpath(ports.root)
    return project_id(remote(root), root)


def redact_text(text: str) -> str:
    from cairn.lib.scrub.find import redact_kept

    return redact_kept(text).text


def events_of(
    ledger: Ledger, store: Store, *, types: tuple[str, ...] = (), since_ms: int | None = None, limit: int | None = None
) -> Iterator[LedgerEventRow]:
    """Newest first, of the index as it is. One whose line was purged in the meantime is left out."""
    return with_payloads(ledger, list(store.events(types=types, since_ms=since_ms, limit=limit)))


def with_payloads(ledger: Ledger, rows: Sequence[EventRow]) -> Iterator[LedgerEventRow]:
    names = {file.key: file.name for file in ledger.files(collected=True)} if rows else {}
    places = [(names.get(row.file, ""), row.offset) for row in rows]
    for row, line in zip(rows, ledger.lines_at(places), strict=True):
        if (said := _said(row, line)) is not None:
            yield LedgerEventRow(*row, said)


def _said(row: EventRow, line: bytes) -> str | None:
    event = parse_event(line) if line else None
    return json.dumps(event.payload) if isinstance(event, Event) and event.id == row.id else None
