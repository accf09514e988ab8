"""May a change land by itself? Only a class that the operator named, only text that nobody outside had a hand in."""

from collections.abc import Collection
from typing import NamedTuple

from cairn.core.model.change import ChangeRequest, Level, Taint
from cairn.core.ports.forge import Forge, Merged
from cairn.errors import Conflict, Refused


class Waits(NamedTuple):
    """It stays a request, and why."""

    reason: str


def why_it_waits(request: ChangeRequest, automerge: Collection[str]) -> str | None:
    """None when it may land by itself."""
    if not request.active:
        return f"it is {request.state}"
    if request.landing != "auto":
        return "its origin wants a person to merge it"
    if not request.kind or request.kind not in automerge:
        return f"`change.automerge` does not name {f'`{request.kind}`' if request.kind else 'its class'}"
    if request.taint >= Taint.MODEL:
        return f"its text comes from {_FROM[request.taint]}, which never lands by itself"
    if request.level >= Level.WARN:
        return f"a gate says `{request.level.word}`"
    return None


_FROM = {Taint.MODEL: "a model", Taint.OUTSIDE: "outside"}


def land(request: ChangeRequest, *, forge: Forge, automerge: Collection[str], by: str, now_ms: int) -> Merged | Waits:
    """Merge what may land by itself. A branch that somebody has checked out is not moved under their feet."""
    if reason := why_it_waits(request, automerge):
        return Waits(reason)
    try:
        return forge.merge(request.id, by=by, automatic=True, now_ms=now_ms)
    except (Conflict, Refused) as problem:
        return Waits(problem.message)
