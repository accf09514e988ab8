"""Change requests and tickets, kept as refs: they survive whatever happens to the database.

`refs/cairn/changes/<id>` points at a tree of three: `request.json`, and the trees `base` and `head`, which keep git
from throwing away what a closed request proposed. (Not at a commit: nobody wants these in `git log --all`.) A ref moves
in one step, from what we read to what we write, so that of two writers one hears that it was too late.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from cairn.adapters.forge.local.git_repository import GitRepository
from cairn.changes.request_lifecycle import request_from, request_value, ticket_from, ticket_value, with_reverts
from cairn.core.model.change import ChangeRequest, RequestState, Ticket
from cairn.errors import Conflict

CHANGES = "refs/cairn/changes/"
TICKETS = "refs/cairn/tickets/"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class StartedMerge:
    """A merge that has begun: where the base branch was, and where it is going."""

    start: str
    goal: str
    by: str


@dataclass(frozen=True, slots=True)
class Record:
    request: ChangeRequest
    base_tree: str
    head_tree: str
    was: str | None = None
    """The head before this one: a branch that still points there was about to be moved when something stopped us."""
    landing: StartedMerge | None = None
    stored: str | None = None
    """Object that the ref points at, None before the first save."""

    def with_request(self, request: ChangeRequest) -> "Record":
        return replace(self, request=request)


class Records:
    def __init__(self, git: GitRepository) -> None:
        self._git = git

    def all(self) -> dict[str, Record]:
        """By id. One that cannot be read is passed over; `damaged` names it."""
        return {id: record for id, record in self._read() if record is not None}

    def damaged(self) -> list[str]:
        return [id for id, record in self._read() if record is None]

    def in_trees(self, trees: Mapping[str, str]) -> dict[str, Record | None]:
        """Of trees like ours that no ref points at, by any name; None for one that cannot be read."""
        found = self._git.contents([f"{tree}:request.json" for tree in trees.values()]) if trees else []
        return {name: _decoded(data, trees[name]) for name, data in zip(trees, found, strict=True)}

    def save(self, record: Record) -> Record:
        """`Conflict` when somebody else was faster."""
        stored = self._tree(record)
        if stored == record.stored:
            return record
        if not self._git.move(CHANGES + record.request.id, stored, record.stored):
            raise Conflict(f"{record.request.id} was changed by somebody else just now; look at it and try again.")
        return replace(record, stored=stored)

    def _read(self) -> Iterator[tuple[str, Record | None]]:
        refs = self._git.refs(CHANGES)
        if not refs:
            return
        names = [f"{stored}:request.json" for stored in refs.values()]
        found = dict(zip(refs, self._git.contents(names), strict=True))
        records = {ref.removeprefix(CHANGES): _decoded(data, refs[ref]) for ref, data in found.items()}
        known = {record.request.id: record for record in records.values() if record is not None}
        reverted = {request.id: request for request in with_reverts(r.request for r in known.values())}
        for id, record in records.items():
            yield id, None if record is None else record.with_request(reverted[record.request.id])

    def _tree(self, record: Record) -> str:
        blob = self._git.blob(_encoded(record))
        lines = (
            f"040000 tree {record.base_tree}\tbase",
            f"040000 tree {record.head_tree}\thead",
            f"100644 blob {blob}\trequest.json",
        )
        return self._git.need("mktree", given="".join(f"{line}\n" for line in lines).encode())

    # --- tickets -------------------------------------------------------------------------------------------------

    def tickets(self) -> dict[str, tuple[Ticket, str]]:
        """By id, each with the object that its ref points at."""
        refs = self._git.refs(TICKETS)
        found = zip(refs.items(), self._git.contents(list(refs.values())), strict=True) if refs else ()
        known = ((_ticket(data), stored) for (_, stored), data in found)
        return {ticket.id: (ticket, stored) for ticket, stored in known if ticket is not None}

    def save_ticket(self, ticket: Ticket, stored: str | None) -> None:
        blob = self._git.blob(_text(ticket_value(ticket)))
        if not self._git.move(TICKETS + ticket.id, blob, stored):
            raise Conflict(f"The ticket {ticket.id} was changed by somebody else just now; try again.")


def _encoded(record: Record) -> bytes:
    landing = record.landing
    value = {
        "format": FORMAT,
        **request_value(record.request),
        "state": str(_kept_state(record.request.state)),
        "baseTree": record.base_tree,
        "headTree": record.head_tree,
        "was": record.was,
        "underWay": None if landing is None else {"start": landing.start, "goal": landing.goal, "by": landing.by},
    }
    return _text(value)


def _kept_state(state: RequestState) -> RequestState:
    """That something was reverted is worked out when read."""
    return RequestState.MERGED if state is RequestState.REVERTED else state


def _text(value: dict[str, Any]) -> bytes:
    return (json.dumps(value, indent=1, sort_keys=True) + "\n").encode()


def _decoded(data: bytes | None, stored: str) -> Record | None:
    try:
        value = json.loads(data or b"")
        if value["format"] > FORMAT:
            return None
        landing = value["underWay"]
        return Record(
            request_from(value),
            str(value["baseTree"]),
            str(value["headTree"]),
            value["was"],
            None if landing is None else StartedMerge(landing["start"], landing["goal"], landing["by"]),
            stored,
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _ticket(data: bytes | None) -> Ticket | None:
    try:
        return ticket_from(json.loads(data or b""))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
