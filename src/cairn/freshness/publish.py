"""Asking people for what a run found: through the gates, below its ceiling, and not for what they declined."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cairn.changes.gate import Gates, LinkResult
from cairn.changes.gate_registry import gates_of
from cairn.changes.request_lifecycle import held_back, same_matter
from cairn.changes.requests import HOLDING, HeldChange, limits_of, publish_change
from cairn.core.model.change import ChangeRequest, ChangeSet, GateRuling, Level, Taint, worst
from cairn.core.model.knowledge import Source
from cairn.core.ports.runtime import Progress, utc_day
from cairn.errors import CairnError
from cairn.freshness.open_requests import CONFIRMATIONS, declined, too_soon
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.proposal import ORIGIN
from cairn.freshness.run_plan import HeldBack, OpenedRequest, RunRemark
from cairn.freshness.sources import SourceLook, SourceStanding
from cairn.freshness.unreliable_sources import OFFLINE


class PublishedRequests(NamedTuple):
    opened: list[OpenedRequest]
    held: list[HeldBack]
    failed: list[RunRemark]


def ask_for(
    ports: FreshnessPorts,
    changes: Sequence[ChangeSet],
    sightings: Mapping[Source, SourceLook],
    *,
    most: int,
    today: str,
    dry_run: bool,
    progress: Progress,
) -> PublishedRequests:
    """One after the other, each by itself. Requests that were opened earlier on this day count."""
    asked = PublishedRequests([], [], [])
    requests = ports.forge.requests() if changes else []
    gates = gates_of(ports, _links(sightings, ports.clock.now_ms()))
    before = sum(_of_this_day(request, today) for request in requests)
    for number, change in enumerate(changes, 1):
        progress.step("asking", number, len(changes))
        reason = _why_not(ports, change, requests, before + len(asked.opened), most)
        if reason:
            asked.held.append(_held(change, reason))
            continue
        try:
            result = _rehearsed(ports, change, gates, requests) if dry_run else _published(ports, change, gates)
        except CairnError as error:
            asked.failed.extend(RunRemark(edit.path, error.message, "forge") for edit in change.edits)
            continue
        asked.opened.append(result) if isinstance(result, OpenedRequest) else asked.held.append(result)
    return asked


def _of_this_day(request: ChangeRequest, today: str) -> bool:
    ours = request.origin == ORIGIN and not request.limited and request.reverts is None
    return ours and utc_day(request.opened_at_ms).isoformat() == today


def _why_not(
    ports: FreshnessPorts, change: ChangeSet, requests: Sequence[ChangeRequest], opened: int, most: int
) -> str | None:
    if any(request.active and same_matter(request, change) for request in requests):
        return None
    if reason := declined(change, requests) or _rests(ports, change, requests):
        return reason
    if opened >= most:
        return f"{opened} requests were opened today, and `freshness.max_per_run` is {most}; it waits for the next run"
    return None


def _rests(ports: FreshnessPorts, change: ChangeSet, requests: Sequence[ChangeRequest]) -> str | None:
    """Confirmations that a person has to read come ever more rarely; those that land by themselves disturb nobody."""
    alone = change.kind in ports.settings.texts("change.automerge") and change.taint < Taint.MODEL
    return None if alone or change.kind != CONFIRMATIONS else _pause(ports, requests)


def confirmations_wait(ports: FreshnessPorts) -> str | None:
    """Why a run need not work out any confirmation; None when it has to, to know."""
    return None if CONFIRMATIONS in ports.settings.texts("change.automerge") else _pause(ports, ports.forge.requests())


def _pause(ports: FreshnessPorts, requests: Sequence[ChangeRequest]) -> str | None:
    if ports.settings.text("freshness.confirmations") != "batched":
        return None
    days = ports.settings.integer("freshness.confirmation_days")
    return too_soon(requests, most_days=days, now_ms=ports.clock.now_ms())


def _published(ports: FreshnessPorts, change: ChangeSet, gates: Gates) -> OpenedRequest | HeldBack:
    result = publish_change(ports, change, gates=gates)
    if isinstance(result, HeldChange):
        return _held(change, result.reason)
    request = result.request
    opened = _opened(change, request.rulings)
    return opened._replace(id=request.id, url=request.url, waits=result.waits, landed=result.landed is not None)


def _rehearsed(
    ports: FreshnessPorts, change: ChangeSet, gates: Gates, requests: Sequence[ChangeRequest]
) -> OpenedRequest | HeldBack:
    """What would become of it, as things are now."""
    if reason := held_back(change, requests, limits_of(ports), now_ms=ports.clock.now_ms()):
        return _held(change, reason)
    rulings = gates.judge(change)
    secret = [ruling for ruling in rulings if ruling.gate in HOLDING and ruling.level is Level.BLOCK]
    return _held(change, secret[0].reason) if secret else _opened(change, rulings)


def _opened(change: ChangeSet, rulings: tuple[GateRuling, ...]) -> OpenedRequest:
    against = tuple(f"{r.level.word}: {r.gate}: {r.reason}" for r in rulings if r.level >= Level.WARN)
    paths = tuple(edit.path for edit in change.edits)
    return OpenedRequest(None, change.title, change.kind, paths, worst(rulings), against)


def _held(change: ChangeSet, reason: str) -> HeldBack:
    return HeldBack(change.title, tuple(edit.path for edit in change.edits), reason)


def _links(sightings: Mapping[Source, SourceLook], now_ms: int) -> dict[str, LinkResult]:
    """Whoever has just read a page knows that it is there."""
    found: dict[str, LinkResult] = {}
    for source, sighting in sightings.items():
        url = source.target.partition("#")[0]
        if sighting.cause == OFFLINE:
            continue
        gone = sighting.standing is SourceStanding.UNREACHABLE
        if url not in found or found[url].ok:
            found[url] = LinkResult(url, not gone, sighting.reason, now_ms)
    return found
