"""Compares open requests of earlier runs with the sources of today: a request covers only the texts that it names."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from cairn.changes.make_change import base_commit
from cairn.core.model.change import ChangeRequest, RequestState
from cairn.core.model.knowledge import Entry, Source
from cairn.errors import CairnError
from cairn.freshness.path_sources import look
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.proposal import ORIGIN
from cairn.freshness.request_policy import CONFIRMATIONS
from cairn.freshness.sources import Memory, place_of
from cairn.freshness.states import WorkTree
from cairn.freshness.withdraw import hashes_of, pages_of, without_entries


class Covering(NamedTuple):
    requests: Mapping[str, ChangeRequest]
    """The newest open request about each page."""
    outdated: Mapping[str, str]
    """Pages whose request of an earlier run is about other texts than those of today, with the reason."""

    @property
    def renewed(self) -> "Covering":
        """Of the outdated ones, requests about one entry that drifted: another finding brings them up to date."""
        return self._replace(outdated={path: why for path, why in self.outdated.items() if self._is_renewed(path)})

    @property
    def ended(self) -> "Covering":
        """The other outdated ones."""
        return self._replace(outdated={path: why for path, why in self.outdated.items() if not self._is_renewed(path)})

    def without(self, paths: Iterable[str]) -> "Covering":
        left = set(paths)
        return self._replace(outdated={path: why for path, why in self.outdated.items() if path not in left})

    def _is_renewed(self, path: str) -> bool:
        request = self.requests[path]
        return request.kind != CONFIRMATIONS and request.subject == path

    def hindering(self, path: str) -> str | None:
        """The id of a request that an audit of the page has to wait for."""
        request = self.requests.get(path)
        return None if request is None or path in self.outdated else request.id


def covering(ports: FreshnessPorts, entries: Sequence[Entry]) -> Covering:
    """Nothing is fetched: pages are as the last look at them found them."""
    if ports.vcs.root() is None:
        return Covering({}, {})
    waiting = ports.forge.requests(states=(RequestState.OPEN, RequestState.READY))
    requests = {path: request for request in reversed(waiting) for path in pages_of(request)}
    ours = [entry for entry in entries if entry.path in requests and _is_ours(requests[entry.path])]
    if not ours:
        return Covering(requests, {})
    now = _hashes(ports, [source for entry in ours for source in entry.sources])
    edited = _edited(ports, ours, requests)
    outdated = {
        entry.path: reason
        for entry in ours
        if (reason := edited.get(entry.path) or _moved_on(entry, hashes_of(requests[entry.path]), now))
    }
    return Covering(requests, outdated)


def _is_ours(request: ChangeRequest) -> bool:
    return request.origin == ORIGIN and request.reverts is None


def _moved_on(entry: Entry, named: Mapping[str, str], now: Mapping[Source, tuple[str, ...]]) -> str:
    """The first source whose text is not the one that the request names. A source that nobody could read is taken to
    be what it was."""
    for source in entry.sources:
        known = now.get(source)
        if known and (named.get(source.reference) or named.get(source.target)) not in known:
            return f"{source.reference} changed since"
    return ""


def _hashes(ports: FreshnessPorts, sources: Sequence[Source]) -> dict[Source, tuple[str, ...]]:
    """Of the text, and where there is one of the bytes. Texts that were seen once are not settled yet."""
    memory = Memory(ports.store.web, ports.blobs)
    found: dict[Source, tuple[str, ...]] = {}
    for source in sources:
        if source.kind == "url":
            row = memory.row(place_of(source))
            found[source] = tuple(one for one in (row.hash, row.raw) if one)
    places = {source for source in sources if source.kind == "path"}
    looked = look(places, WorkTree(ports.files).read({source.target for source in places}), ports.probe)
    return found | {source: (now.place.digest,) for source, now in looked.items() if now.place is not None}


def _edited(ports: FreshnessPorts, entries: Sequence[Entry], requests: Mapping[str, ChangeRequest]) -> dict[str, str]:
    """Pages that somebody edited on the base branch after they were judged."""
    base = base_commit(ports)
    paths = [entry.path for entry in entries]
    then = ports.vcs.show([(requests[path].base, path) for path in paths])
    now = ports.vcs.show([(base, path) for path in paths])
    changed = (path for path, old, new in zip(paths, then, now, strict=True) if old != new)
    return dict.fromkeys(changed, "the page was edited since")


# --- withdrawing ----------------------------------------------------------------------------------------------------


class Withdrawn(NamedTuple):
    request: str
    paths: tuple[str, ...]
    reason: str
    """Why, or why the request could not be brought up to date."""
    done: bool = True


def withdraw(ports: FreshnessPorts, covered: Covering, entries: Sequence[Entry]) -> list[Withdrawn]:
    """Takes entries that moved on out of their requests. A request on whose branch somebody works stays as it is."""
    names = {entry.path: entry.name for entry in entries}
    by_request: dict[str, list[str]] = {}
    for path in covered.outdated:
        by_request.setdefault(covered.requests[path].id, []).append(path)
    found = []
    for id, paths in by_request.items():
        reason = covered.outdated[paths[0]]
        try:
            _withdraw(ports, id, paths, [names[path] for path in paths], reason)
            found.append(Withdrawn(id, tuple(paths), reason))
        except CairnError as error:
            found.append(Withdrawn(id, tuple(paths), error.message, done=False))
    return found


def _withdraw(ports: FreshnessPorts, id: str, paths: Sequence[str], names: Sequence[str], reason: str) -> None:
    from cairn.changes.gate_registry import gates_of
    from cairn.changes.record_requests import about, record_once

    now_ms = ports.clock.now_ms()
    change = ports.forge.change(id)
    rest = without_entries(change, paths, names)
    if rest is not None:
        ports.forge.publish(rest, gates_of(ports).judge(rest), now_ms=now_ms)
        return
    if change.edits:  # refuses where somebody works on the branch
        ports.forge.publish(change, ports.forge.request(id).rulings, now_ms=now_ms)
    closed = ports.forge.close(id, by="cairn", reason=f"withdrawn: {reason}", now_ms=now_ms)
    record_once(ports, "change_closed", {"id": closed.id, **about(closed), "by": "cairn"})
