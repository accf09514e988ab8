"""Recording what somebody tells: checked, without secrets, with what the workspace knows by itself."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from cairn.core.ledger_lines import admit
from cairn.errors import Refused, UsageError

if TYPE_CHECKING:
    from cairn.core.ports.application import CorePorts


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
    from cairn.adapters.vcs.here import branch

    known: dict[str, Any] = {"task_id": None, "branch": branch(os.fspath(ports.root))}
    if kind == "knowledge_gap_signal":
        known |= {"source": "manual"}
        known |= {"project_id": "lessons" if given.get("source") == "lessons" else project_of(ports)}
    if kind == "finding_acknowledged":
        known |= {"project_id": project_of(ports)}
    return known


def project_of(ports: "CorePorts") -> str:
    """Which project this workspace belongs to; the same in every clone of it."""
    from cairn.adapters.vcs.here import remote
    from cairn.core.project import project_id

    root = os.path.realpath(ports.root)
    return project_id(remote(root), root)


def redact_text(text: str) -> str:
    from cairn.lib.scrub.kept import redact_kept

    return redact_kept(text).text
