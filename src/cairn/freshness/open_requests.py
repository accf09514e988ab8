"""Requests of earlier runs: which texts they cover, what to withdraw, and what was declined."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, NamedTuple

from cairn.changes.make_change import base_commit
from cairn.core.model.change import ChangeRequest, ChangeSet, RequestState
from cairn.core.model.knowledge import Entry, Source
from cairn.core.model.verdict import Verdict
from cairn.core.ports.runtime import utc_day
from cairn.errors import CairnError
from cairn.freshness.path_sources import look
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.proposal import ORIGIN
from cairn.freshness.run_plan import HeldBack, OpenedRequest
from cairn.freshness.sources import SourceMemory, place_of
from cairn.freshness.states import WorkTree
from cairn.freshness.verdict_json import verdict_of

_SECTION: Final = re.compile(r"(?m)^(?=# \S)")
_COUNTED: Final = re.compile(r"(?<![\w,])\d[\d,]*+ entr(?:y is|ies are|y|ies)\b")


def pages_of(request: ChangeRequest) -> tuple[str, ...]:
    """Pages that a request is about; one that only edits a lock file names them."""
    pages = request.evidence.get("pages")
    return (*request.paths, *(str(page) for page in (pages if isinstance(pages, list) else ())))


def hashes_of(request: ChangeRequest) -> Mapping[str, str]:
    """Hashes of the texts that a request covers, by source."""
    known = request.evidence.get("hashes")
    return known if isinstance(known, dict) else {}


def verdicts_in(request: ChangeRequest) -> list[Verdict]:
    """What a request rests on; what can't be read is left out."""
    found = []
    for value in _verdicts(request.evidence) if request.origin == ORIGIN else ():
        with suppress(CairnError):
            found.append(verdict_of(value))
    return found


def without_entries(change: ChangeSet, paths: Collection[str], names: Collection[str]) -> ChangeSet | None:
    """The change without these entries; None when nothing is left of it. Pages that share a lock file are withdrawn
    together."""
    edits = tuple(edit for edit in change.edits if edit.path not in paths)
    if not edits or change.evidence.get("pages"):
        return None
    verdicts = [one for one in _verdicts(change.evidence) if one.get("entry_name") not in names]
    kept = {checked.get("url") for one in verdicts for checked in one.get("sources_checked") or ()}
    hashes = {reference: hash for reference, hash in change.evidence["hashes"].items() if reference in kept}
    return replace(
        change,
        edits=edits,
        title=_COUNTED.sub(lambda found: _counted(found[0], len(edits)), change.title, count=1),
        body="".join(part for part in _SECTION.split(change.body) if part.partition("\n")[0][2:] not in names),
        evidence={**change.evidence, "verdict": verdicts, "hashes": hashes},
    )


def _verdicts(evidence: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    value = evidence.get("verdict")
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]


def _counted(written: str, number: int) -> str:
    verb = (" is" if number == 1 else " are") if written.endswith(("is", "are")) else ""
    return f"{number:,} {'entry' if number == 1 else 'entries'}{verb}"


CONFIRMATIONS: Final = "confirmations"
_DECLINED: Final = (RequestState.CLOSED, RequestState.REVERTED)
_DAY_MS: Final = 86_400_000
_EARLY_MS: Final = 4 * 3_600_000
"""Runs do not start to the minute; a day later means at tomorrow's run."""

Said = tuple[str, str, str, str]
"""A finding without its date: the entry, its claim, the source, and what that says."""


# --- declined -------------------------------------------------------------------------------------------------------


def declined(change: ChangeSet, requests: Iterable[ChangeRequest]) -> str | None:
    """Somebody closed, or took back, requests that said all of this: they know. A page that changed once more, but not
    in what it says about it, is no reason to ask again. None when nobody did, or for a confirmation."""
    if change.kind == CONFIRMATIONS:
        return None
    settled = [request for request in requests if request.state in _DECLINED and request.origin == change.origin]
    by = _same_texts(change, settled) or _same_findings(change, settled)
    return f"{by.id} about the same change was {by.state}; it is asked again when a source says more" if by else None


def _same_texts(change: ChangeSet, settled: Sequence[ChangeRequest]) -> ChangeRequest | None:
    paths = {edit.path for edit in change.edits}
    hashes = change.evidence["hashes"].items()
    return next(
        (one for one in settled if paths <= set(one.paths) and hashes <= _request_policy_hashes(one).items()), None
    )


def _request_policy_hashes(request: ChangeRequest) -> Mapping[str, str]:
    known = request.evidence.get("hashes")
    return known if isinstance(known, dict) else {}


def _same_findings(change: ChangeSet, settled: Sequence[ChangeRequest]) -> ChangeRequest | None:
    """The last of those requests that had every finding of this change, together."""
    known = {said: request for request in reversed(settled) for said in _said(request.evidence)}
    found = list(_said(change.evidence))
    return known[found[0]] if found and all(said in known for said in found) else None


def _said(evidence: Mapping[str, Any]) -> Iterator[Said]:
    verdicts = evidence.get("verdict")
    for verdict in verdicts if isinstance(verdicts, list) else [verdicts]:
        if isinstance(verdict, dict):
            for finding in verdict.get("findings") or ():
                excerpt = finding.get("source_excerpt") or finding.get("previous_excerpt")
                parts = (verdict.get("entry_name"), finding.get("claim_in_entry"), finding.get("evidence_url"), excerpt)
                entry, claim, source, said = (" ".join(str(part or "").split()) for part in parts)
                yield entry, claim, source, said


# --- confirmations --------------------------------------------------------------------------------------------------


def too_soon(requests: Iterable[ChangeRequest], *, most_days: int, now_ms: int) -> str | None:
    """Why confirmations wait: nothing that an entry says is in question, so they are no hurry. One request at a time,
    and a longer pause after each that was answered: 1, 2, 4 … days. None when they need not wait."""
    asked = [one for one in requests if _confirms(one)]
    if waiting := [request for request in asked if request.active]:
        return f"{waiting[0].id} with other confirmations is still open; merge or close it, and these come next"
    if not asked:
        return None
    days = min(1 << min(len(asked) - 1, 10), most_days)
    last_ms = max(request.opened_at_ms for request in asked)
    next_ms = last_ms + days * _DAY_MS
    if now_ms >= next_ms - _EARLY_MS or now_ms < last_ms:
        return None
    pause = f"{days} days" if days > 1 else "a day"
    asked_on, next_on = utc_day(last_ms), utc_day(next_ms)
    return f"confirmations were asked for on {asked_on} and pause for {pause}; the next go out on {next_on}"


def _confirms(request: ChangeRequest) -> bool:
    return request.kind == CONFIRMATIONS and request.origin == ORIGIN and request.reverts is None


ANSWERED: Final = "a reader answered since"
"""Why a request is worked out anew."""


class CoveredRequests(NamedTuple):
    requests: Mapping[str, ChangeRequest]
    """The newest open request about each page."""
    outdated: Mapping[str, str]
    """Pages whose request of an earlier run is about other texts than those of today, with the reason."""

    @property
    def renewed(self) -> "CoveredRequests":
        """Of the outdated ones, requests about one entry that drifted, and those about which a reader answered: another
        finding brings them up to date."""
        return self._replace(outdated={path: why for path, why in self.outdated.items() if self._is_renewed(path)})

    @property
    def ended(self) -> "CoveredRequests":
        """The other outdated ones."""
        return self._replace(outdated={path: why for path, why in self.outdated.items() if not self._is_renewed(path)})

    def without(self, paths: Iterable[str]) -> "CoveredRequests":
        left = set(paths)
        return self._replace(outdated={path: why for path, why in self.outdated.items() if path not in left})

    def _is_renewed(self, path: str) -> bool:
        request = self.requests[path]
        return request.kind != CONFIRMATIONS and (request.subject == path or self.outdated[path] == ANSWERED)

    def stays(self, path: str, opened: Mapping[str, str | None]) -> bool:
        """Whether an entry that drifted stays in its request: no other one was opened about it."""
        request = self.requests.get(path)
        return request is None or opened.get(path) in (None, request.id)

    def staying(self, drifted: Iterable[str], opened: Iterable[OpenedRequest]) -> list[str]:
        """Those of the entries that drifted which stay in their requests."""
        ids = {path: one.id for one in opened for path in one.paths}
        return [path for path in drifted if self.stays(path, ids)]

    def hindering(self, path: str) -> str | None:
        """The id of a request that an audit of the page has to wait for."""
        request = self.requests.get(path)
        return None if request is None or path in self.outdated else request.id


def covering(ports: FreshnessPorts, entries: Sequence[Entry]) -> CoveredRequests:
    """Nothing is fetched: pages are as the last look at them found them."""
    if ports.vcs.root() is None:
        return CoveredRequests({}, {})
    waiting = ports.forge.requests(states=(RequestState.OPEN, RequestState.READY))
    requests = {path: request for request in reversed(waiting) for path in pages_of(request)}
    ours = [entry for entry in entries if entry.path in requests and _is_ours(requests[entry.path])]
    if not ours:
        return CoveredRequests(requests, {})
    now = _hashes(ports, [source for entry in ours for source in entry.sources])
    edited = _edited(ports, ours, requests)
    outdated = {
        entry.path: reason
        for entry in ours
        if (reason := edited.get(entry.path) or _moved_on(entry, hashes_of(requests[entry.path]), now))
    }
    return CoveredRequests(requests, outdated)


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
    memory = SourceMemory(ports.store.web, ports.blobs)
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


class WithdrawnRequest(NamedTuple):
    request: str
    paths: tuple[str, ...]
    reason: str
    """Why, or why the request could not be brought up to date."""
    done: bool = True


def withdraw_outdated(
    ports: FreshnessPorts, covered: CoveredRequests, entries: Sequence[Entry]
) -> list[WithdrawnRequest]:
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
            found.append(WithdrawnRequest(id, tuple(paths), reason))
        except CairnError as error:
            found.append(WithdrawnRequest(id, tuple(paths), error.message, done=False))
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


def held_requests(withdrawn: Sequence[WithdrawnRequest]) -> list[HeldBack]:
    return [
        HeldBack(f"change request {one.request}", one.paths, f"it covers an earlier text of a source. {one.reason}")
        for one in withdrawn
        if not one.done
    ]
