"""What a person wants forgotten, by the words they chose for it."""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Literal

from cairn.capture.redaction import Needle, Selection, event_of, literal_needle, pattern_needle, turn_of
from cairn.capture.redaction import id_of as event_id
from cairn.core.session_log import id_of, safe_id, session_named
from cairn.errors import NotFound, UsageError
from cairn.hook.aside import SPOOL, read_small
from cairn.lib.scrub.find import find, redact_kept
from cairn.lib.scrub.rules import KEPT

if TYPE_CHECKING:
    from cairn.workspace.ports import WorkspacePorts

Reason = Literal["id", "literal", "pattern", "session", "before", "rescan"]
BEGUN: Final = f"{SPOOL}/forgetting"
"""There while somebody is at it. After a kill it says that this is not finished, whatever is found by then."""
MAPPED: Final = "map\n"
"""Its content where the workspace was scanned before: the map is dropped on the way, and must be made again."""
_TELLING: Final = 12
"""Characters of an id that stand nowhere by chance, so that it can be searched for in everything."""


@dataclass(frozen=True, slots=True)
class ForgetTarget:
    reason: Reason
    needle: Needle | None = None
    """None when it can only be told by a date, or by an id that is too short to be searched for."""
    ids: frozenset[str] = frozenset()
    """Of events and turns."""
    sessions: frozenset[str] = frozenset()
    """As hosts call them; their logs go as a whole."""
    blobs: frozenset[str] = frozenset()
    before: str = ""

    @property
    def of_text(self) -> bool:
        """Whether it may stand in pages too, and so in all that is made of them."""
        return self.reason in ("literal", "pattern")

    @property
    def of_words(self) -> bool:
        """Whether it is a text that may stand anywhere, so that objects of git are searched for it too."""
        return self.of_text

    def holds(self, data: bytes) -> bool:
        return self.needle is not None and self.needle.found(data)

    def shown(self, text: str) -> str:
        return text if self.needle is None else self.needle.shown(text)

    @property
    def overlap(self) -> int:
        return 0 if self.needle is None else self.needle.overlap

    @property
    def by_rules(self) -> bool:
        """Whether the rules of `cairn scrub` say what it is. Only what they scrub when it is stored is looked at."""
        return self.reason == "rescan"

    def selection(
        self, turns: frozenset[str] = frozenset(), asked: frozenset[str] = frozenset()
    ) -> "Selection | Rescan":
        if self.by_rules:
            return Rescan()
        return Selection(self.needle, turns | self.ids, self.ids, self.sessions, self.before, asked | self.ids)


def wanted_text(*, literal: str | None = None, pattern: str | None = None) -> ForgetTarget:
    if literal is not None:
        return ForgetTarget("literal", literal_needle([literal]))
    assert pattern is not None
    return ForgetTarget("pattern", pattern_needle(pattern))


def wanted_by_rules() -> ForgetTarget:

    return ForgetTarget("rescan", RuleNeedle())


def wanted_before(text: str, *, now_ms: int) -> ForgetTarget:
    """A day, or a moment; in UTC unless it says otherwise."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"`{text}` is no date; write it as 2026-01-31.") from None
    at = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    if at.timestamp() * 1000 > now_ms:
        raise UsageError(f"`{text}` lies in the future; what happens until then can't be forgotten yet.")
    return ForgetTarget("before", before=f"{at:%Y-%m-%dT%H:%M:%S}")


def wanted_session(ports: "WorkspacePorts", name: str) -> ForgetTarget:
    """By its id, or the beginning of it where there is a log."""
    raw = {session for session in _told(ports) if name in (session, safe_id(session))}
    try:
        raw.add(session_named(ports.session_logs(), name).log.session_id)
    except NotFound:
        if not raw and not was_stopped(ports):
            raise NotFound(f"Nothing is kept of a session `{name}`; `cairn session list` shows the logs.") from None
    found = frozenset(raw | {session for session in _told(ports) if safe_id(session) in raw}) or frozenset({name})
    return ForgetTarget("session", _searched(found), sessions=found)


def wanted_ids(ports: "WorkspacePorts", ids: Sequence[str]) -> ForgetTarget:
    """Events, turns, sessions or snapshots; each must be one of them."""
    known = _known(ports, frozenset(ids))
    missing = next((id for id in ids if id not in known), None)
    if missing is not None and not was_stopped(ports):
        raise NotFound(f"Nothing here is called `{missing}`; name the id of a turn, an event, a session or a snapshot.")
    sessions = frozenset(id for id in ids if known.get(id) == "session")
    blobs = frozenset(id for id in ids if known.get(id) == "blob")
    return ForgetTarget("id", _searched(ids), frozenset(ids) - sessions - blobs, sessions, blobs)


def was_stopped(ports: "WorkspacePorts") -> bool:
    return os.path.lexists(ports.root / BEGUN)


def was_mapped(ports: "WorkspacePorts") -> bool:
    """Whether there was a map when the purge began."""
    return read_small(str(ports.root / BEGUN), len(MAPPED)) == MAPPED.encode()


def _searched(ids: "Sequence[str] | frozenset[str]") -> Needle | None:
    telling = [id for id in ids if len(id) >= _TELLING]
    return Needle(literals=telling) if len(telling) == len(ids) else None


def _known(ports: "WorkspacePorts", ids: frozenset[str]) -> dict[str, str]:
    found = dict.fromkeys(ids & set(ports.blobs.keys()), "blob") if any(id.startswith("sha256:") for id in ids) else {}
    found |= {id: "session" for name in ports.session_logs().names() if (id := id_of(name)) in ids}
    for line in _ledger(ports):
        if not any(id.encode("utf-8", "surrogateescape") in line for id in ids):
            continue
        event = event_of(line)
        payload = event.get("payload")
        session = payload.get("session") if isinstance(payload, dict) else None
        kinds = ((session, "session"), (event_id(event), "event"), (turn_of(event), "turn"))
        found |= {name: kind for name, kind in kinds if isinstance(name, str) and name in ids}
    return found


def _told(ports: "WorkspacePorts") -> set[str]:
    """Every session that the ledger tells of."""
    found = set()
    for line in _ledger(ports):
        payload = event_of(line).get("payload") if b'"session"' in line else None
        session = payload.get("session") if isinstance(payload, dict) else None
        if isinstance(session, str) and session:
            found.add(session)
    return found


def _ledger(ports: "WorkspacePorts") -> Iterator[bytes]:
    return (line for _, path in ports.ledger_files.all() for line in ports.ledger_files.lines(path))


_OVERLAP = 64 * 1024


class RuleNeedle(Needle):
    """Finds what a rule of `cairn scrub` calls direct."""

    def __init__(self) -> None:
        super().__init__()
        self.overlap = _OVERLAP

    def found(self, data: bytes) -> bool:
        return is_direct(data.decode("utf-8", "replace"))

    def masked(self, data: bytes) -> bytes:
        return redact_kept(data.decode("utf-8", "surrogateescape")).text.encode("utf-8", "surrogateescape")


def is_direct(text: str) -> bool:
    return any(hit.category == "direct" for hit in find(text, KEPT))


class Rescan:
    """Lines of a ledger: texts in an event are masked, and the event stays. A line that is no event goes."""

    def takes(self, line: bytes) -> bool:
        event = event_of(line)
        if not event:
            return is_direct(line.decode("utf-8", "replace"))
        return any(is_direct(text) for text in _texts(event))

    def judge(self, line: bytes) -> bytes | None:
        if not self.takes(line):
            return line
        event = event_of(line)
        return _written(_masked(event)) if event else None


def masked_json(data: bytes) -> bytes | None:
    """A file of JSON with its texts masked; None when it is none."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return json.dumps(_masked(value), ensure_ascii=False, indent=2).encode("utf-8", "replace") + b"\n"


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, str):
                yield f"{key}={item}"  # `{"password": "…"}` says it by its name
            else:
                yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _masked(value: Any) -> Any:
    if isinstance(value, str):
        return redact_kept(value).text
    if isinstance(value, dict):
        return {key: _masked_item(key, item) for key, item in value.items()}
    return [_masked(item) for item in value] if isinstance(value, list) else value


def _masked_item(key: str, value: Any) -> Any:
    if not isinstance(value, str):
        return _masked(value)
    named = f"{key}="
    masked = redact_kept(named + value).text
    return masked[len(named) :] if masked.startswith(named) else redact_kept(value).text


def _written(event: Any) -> bytes:
    try:
        return json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    except UnicodeEncodeError:  # half a letter; escaped it is still JSON
        return json.dumps(event, separators=(",", ":")).encode() + b"\n"
