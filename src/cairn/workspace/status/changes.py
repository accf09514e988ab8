"""Lines of the status page about changes: what waits, what could land, what is held back and why."""

from collections import Counter
from collections.abc import Iterator

from cairn.core.model.change import ChangeRequest, Level, State, Ticket
from cairn.core.model.event import Event
from cairn.workspace.status.page import Desk, StatusLine, counted, listed

_DAY_MS = 86_400_000
_HELD_DAYS = 7


def changes(desk: Desk) -> Iterator[StatusLine]:
    if desk.app.vcs.root() is None:
        return
    found = desk.app.forge.requests(states=(State.OPEN, State.READY))
    yield from _open([request for request in found if request.state is State.OPEN])
    yield from _ready([request for request in found if request.state is State.READY])
    yield from _tickets(desk.app.forge.tickets())
    yield from _held(desk)


def _open(requests: list[ChangeRequest]) -> Iterator[StatusLine]:
    if not requests:
        return
    levels = Counter(request.level.word for request in requests)
    blocked = [request for request in requests if request.level is Level.BLOCK]
    gates = Counter(r.gate for request in blocked for r in request.rulings if r.level is Level.BLOCK)
    text = f"{counted(len(requests), 'change request')} open, such as {requests[0].id} ({requests[0].title})"
    text += f"; {len(blocked)} blocked by {listed(gates)}" if blocked else ""
    data = {"count": len(requests), "levels": dict(levels), "ids": [request.id for request in requests]}
    yield StatusLine("waits", text, "warn" if blocked else "info", "cairn change list", data)


def _ready(requests: list[ChangeRequest]) -> Iterator[StatusLine]:
    if requests:
        first = requests[0].id
        text = f"{counted(len(requests), 'change request')} ready, but the branch is checked out, so you have to merge"
        data = {"count": len(requests), "ids": [request.id for request in requests]}
        yield StatusLine("waits", text, "info", f"cairn change merge {first}", data)


def _tickets(tickets: list[Ticket]) -> Iterator[StatusLine]:
    for ticket in tickets[:3]:
        yield StatusLine("waits", f"{ticket.id}: {ticket.title}", "warn", data={"id": ticket.id, "cause": ticket.cause})
    if len(tickets) > 3:
        yield StatusLine("waits", f"and {counted(len(tickets) - 3, 'more ticket')}", data={"count": len(tickets)})


def _held(desk: Desk) -> Iterator[StatusLine]:
    """Of each subject the last word counts: what was held and opened later is not held any more."""
    last: dict[tuple[str, str], Event] = {}
    since_ms = desk.now_ms - _HELD_DAYS * _DAY_MS
    for event in desk.events("change_held", "change_opened", since_ms=since_ms):
        key = (str(event.payload.get("origin")), str(event.payload.get("subject")))
        last[key] = max(last.get(key, event), event, key=lambda known: known.at)
    held = [event for event in last.values() if event.type == "change_held"]
    reasons = Counter(str(event.payload.get("reason")) for event in held)
    for reason, count in reasons.most_common(3):
        text = f"{counted(count, 'change')} held back: {reason}"
        subjects = [str(e.payload.get("subject")) for e in held if e.payload.get("reason") == reason]
        yield StatusLine("held", text, "warn", "cairn change list", {"count": count, "subjects": sorted(subjects)[:20]})
    for id in _damaged(desk):
        yield StatusLine("held", f"the change request {id} cannot be read; it is passed over", "warn", data={"id": id})


def _damaged(desk: Desk) -> list[str]:
    from cairn.adapters.forge.local.forge import LocalForge

    forge = desk.app.forge
    return forge.damaged() if isinstance(forge, LocalForge) else []
