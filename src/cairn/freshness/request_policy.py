"""What people are not asked for: what they declined before, and confirmations more often than anybody cares to read."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from cairn.core.model.change import ChangeRequest, ChangeSet, RequestState
from cairn.core.ports.runtime import utc_day
from cairn.freshness.proposal import ORIGIN

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
    return next((one for one in settled if paths <= set(one.paths) and hashes <= _hashes(one).items()), None)


def _hashes(request: ChangeRequest) -> Mapping[str, str]:
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
