"""Force, enforce, verify: what holds everywhere, and by which code. Whatever lacks one of the three is a wish."""

import json
from collections.abc import Iterator
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cairn.capture.watchdog import WINDOW_MS, grace_ms_of, is_unaccounted
from cairn.core.ledger_events import events_of
from cairn.core.model.session import SKIP_REASONS
from cairn.core.ports.turns import NoteFilter, NoteRow, TurnFilter, TurnRow
from cairn.journal import EVENT_TYPES

if TYPE_CHECKING:
    from cairn.capture.ports import CapturePorts


class CaptureInvariant(NamedTuple):
    id: str
    says: str
    force: tuple[str, ...]
    """Names of code, `module:name`: the path that does it without anybody choosing to."""
    enforce: tuple[str, ...]
    """The code that rejects what doesn't comply."""
    verify: str
    """A function of the application that finds what slipped through: `(app) -> list of sentences`."""


def requirements() -> tuple[CaptureInvariant, ...]:
    text = (files("cairn.capture") / "requirements.json").read_text("utf-8")
    return tuple(_read(one) for one in json.loads(text)["requirements"])


def _read(given: dict[str, Any]) -> CaptureInvariant:
    found = CaptureInvariant(
        given["id"], given["says"], tuple(given["force"]), tuple(given["enforce"]), given["verify"]
    )
    if not (found.force and found.enforce and found.verify):
        raise ValueError(
            f"`{found.id}` needs a path that forces it, code that enforces it and a query that verifies it"
        )
    return found


_NEWEST: Final = 500
"""Notes and events that are looked at."""


def verify_all(ports: "CapturePorts") -> Iterator[tuple[CaptureInvariant, list[str]]]:
    """Each requirement, with what slipped through."""
    ports.index_ledger()
    for requirement in requirements():
        yield requirement, named(requirement.verify)(ports)


def named(name: str) -> Any:
    """What `module:name` stands for."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)


# --- turns ----------------------------------------------------------------------------------------------------------


def unaccounted_turns(ports: "CapturePorts") -> list[str]:
    return [f"{row.turn_id} has no outcome" for row in _missing(ports) if not row.internal]


def unaccounted_own_turns(ports: "CapturePorts") -> list[str]:
    return [f"{row.turn_id}, a call of Cairn's own, has no outcome" for row in _missing(ports) if row.internal]


def _missing(ports: "CapturePorts") -> list[TurnRow]:
    now_ms, grace_ms = ports.clock.now_ms(), grace_ms_of(ports)
    return [row for row in _turns(ports) if is_unaccounted(row, now_ms=now_ms, grace_ms=grace_ms)]


def wordless_turns(ports: "CapturePorts") -> list[str]:
    notes = [f"{note.turn_id} has a note without words" for note in _notes(ports) if not note.summary.strip()]
    skips = [f"{row.turn_id} was skipped without a reason" for row in _turns(ports) if _is_skip(row) and not row.reason]
    return notes + skips


def undeclared_reasons(ports: "CapturePorts") -> list[str]:
    known = {*SKIP_REASONS, *ports.settings.texts("capture.skip_reasons")}
    skips = [row for row in _turns(ports) if _is_skip(row) and row.reason and row.reason not in known]
    return [f"{row.turn_id} was skipped as `{row.reason}`, which nobody declared" for row in skips]


def _is_skip(row: TurnRow) -> bool:
    return row.outcome == "skipped"


def _turns(ports: "CapturePorts") -> list[TurnRow]:
    return ports.store.turns.turns(TurnFilter(since_ms=ports.clock.now_ms() - WINDOW_MS))


# --- notes ----------------------------------------------------------------------------------------------------------


def unscrubbed_notes(ports: "CapturePorts") -> list[str]:
    """Never says what it found."""
    from cairn.lib.scrub.find import find

    texts = ((note, f"{note.summary}\n{note.decision}\n{note.evidence}\n{note.tags}") for note in _notes(ports))
    return [f"{note.turn_id} has something in it that must not be kept" for note, text in texts if find(text)]


def recalled_notes(ports: "CapturePorts") -> list[str]:
    from cairn.core.fingerprint import marked

    return [f"{note.turn_id} repeats what Cairn had told" for note in _notes(ports) if marked(note.summary)]


def _notes(ports: "CapturePorts") -> list[NoteRow]:
    wanted = NoteFilter(now_ms=ports.clock.now_ms(), low=True, limit=_NEWEST)
    return [seen.note for seen in ports.store.turns.notes(wanted)]


# --- events ---------------------------------------------------------------------------------------------------------


def unlisted_events(ports: "CapturePorts") -> list[str]:
    """A type that is not known may be a newer Cairn's; fields of a known one are ours."""
    found = []
    for event in events_of(ports.ledger, ports.store, limit=_NEWEST):
        unlisted = set(json.loads(event.payload)) - EVENT_TYPES.get(event.type, frozenset())
        if event.type in EVENT_TYPES and unlisted:
            found.append(f"{event.id} of type `{event.type}` says {', '.join(sorted(unlisted))}")
    return found
