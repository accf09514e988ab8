"""What happened to change requests, into the ledger: each thing once, and late rather than never.

The forge acts first, the ledger hears of it then. A process that dies in between leaves a request that the ledger does
not know; whoever comes by next writes down what is missing.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cairn.core.model.change import ChangeRequest, ChangeSet, RequestState
from cairn.core.model.event import Event
from cairn.errors import CairnError, EnvironmentProblem, StoreProblem

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from cairn.changes.ports import ChangesPorts
    from cairn.core.ports.runtime import Lease

REASON_LIMIT = 400
"""A line of the ledger has little room."""
PATHS_SHOWN = 20

_KINDS = ("change_opened", "change_merged", "change_closed", "change_reverted")
_Known = set[tuple[str, str]]
"""Type of an event, and the id of the request that it is about."""


def record(ports: "ChangesPorts", kind: str, payload: Mapping[str, Any]) -> None:
    """The forge has done its part by now; a ledger that cannot be written does not undo that."""
    try:
        ports.ledger.append(kind, payload, now_ms=ports.clock.now_ms())
    except CairnError as error:
        raise EnvironmentProblem(f"That is done, but it could not be recorded: {error.message}") from error


def record_once(ports: "ChangesPorts", kind: str, payload: Mapping[str, Any]) -> None:
    """Another process that saw the request before we got here may have recorded it for us."""
    if ports.forge.name != "local":
        record(ports, kind, payload)
        return
    with _alone(ports):
        if _key(kind, payload) not in _recorded(ports):
            record(ports, kind, payload)


def catch_up(ports: "ChangesPorts", requests: Iterable[ChangeRequest]) -> int:
    """Record what the ledger should know of these requests and does not; how much that was."""
    missing = list(unrecorded(ports, requests))
    _mend(ports, {str(payload.get("revert") or payload["id"]) for _, payload in missing})
    for kind, payload in missing:
        record_once(ports, kind, payload)
    return len(missing)


def _alone(ports: "ChangesPorts") -> "AbstractContextManager[Lease]":
    """From a look at the ledger to the line that is missing there."""

    return ports.repository_locks.hold("recording", ttl_ms=60_000, wait_ms=20_000)


def _mend(ports: "ChangesPorts", ids: set[str]) -> None:
    """Whoever died before the ledger heard of it may have left a branch behind, or not made one yet."""
    if ids:
        ports.forge.mend(ids)


def unrecorded(ports: "ChangesPorts", requests: Iterable[ChangeRequest]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Of requests in the repository itself: those of a forge elsewhere may be older than this ledger."""
    wanted = [event for request in requests for event in _events(request)]
    if ports.forge.name != "local" or not wanted:
        return
    known = _recorded(ports)
    yield from ((kind, payload) for kind, payload in wanted if _key(kind, payload) not in known)


def _events(request: ChangeRequest) -> Iterator[tuple[str, dict[str, Any]]]:
    if request.reverts is not None:
        yield "change_reverted", {"id": request.reverts, "by": "", "revert": request.id}
    else:
        yield opened(request, request, updated=False)
    if request.state in (RequestState.MERGED, RequestState.REVERTED):
        facts = {"commit": request.merged_commit or "", "rebased": False, "automatic": False, "by": ""}
        yield "change_merged", {"id": request.id, **about(request), **facts}
    if request.state is RequestState.CLOSED:
        yield "change_closed", {"id": request.id, **about(request), "by": ""}


def opened(change: ChangeSet | ChangeRequest, request: ChangeRequest, *, updated: bool) -> tuple[str, dict[str, Any]]:
    facts = {"level": request.level.word, "paths": list(request.paths[:PATHS_SHOWN]), "updated": updated}
    return "change_opened", {"id": request.id, **about(change), **facts}


def about(change: ChangeSet | ChangeRequest) -> dict[str, Any]:
    return {"origin": change.origin, "subject": change.subject[:REASON_LIMIT], "kind": change.kind}


def _key(kind: str, payload: Mapping[str, Any]) -> tuple[str, str]:
    return kind, str(payload.get("revert") or payload.get("id"))


def _recorded(ports: "ChangesPorts") -> _Known:
    """By the store's index, which is brought up to date; by the ledger itself where there is no database to ask."""
    from cairn.core.ledger_events import events_of

    if isinstance(ports.store_location, Path) and not ports.store_location.exists():
        return _in_the_ledger(ports)
    try:
        ports.index_ledger()
        return {_key(row.type, json.loads(row.payload)) for row in events_of(ports.ledger, ports.store, types=_KINDS)}
    except StoreProblem:
        return _in_the_ledger(ports)


def _in_the_ledger(ports: "ChangesPorts") -> _Known:
    found = (event for file in ports.ledger.files() for _, event in ports.ledger.read(file.name))
    return {_key(event.type, event.payload) for event in found if isinstance(event, Event) and event.type in _KINDS}
