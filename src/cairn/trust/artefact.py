"""An artefact between two events: its cohort, its versions, and the state that each transition leaves."""

import json
from collections.abc import Collection
from hashlib import sha256
from typing import Final, NamedTuple

from cairn.core.model.knowledge import EntryStatus
from cairn.core.ports.trust import ArtefactRow
from cairn.trust.decide import Decision
from cairn.trust.table import Transition

_LINES: Final = {
    EntryStatus.DRAFT: "0.0",
    EntryStatus.ALPHA: "0.1",
    EntryStatus.BETA: "0.2",
    EntryStatus.STABLE: "1.0",
}
"""`major.minor` of each status. The others keep the version that the artefact had."""
_ORDERED: Final = (EntryStatus.DEPRECATED, EntryStatus.QUARANTINED)
"""What a person may order by the same edit that changes the text."""
GOOD: Final = (EntryStatus.BETA, EntryStatus.STABLE)
_LADDER: Final = (EntryStatus.DRAFT, EntryStatus.ALPHA, EntryStatus.BETA, EntryStatus.STABLE)


class PageState(NamedTuple):
    """A page as the base branch has it."""

    content: str
    status: EntryStatus | None
    version: str
    revision: str
    submitter: int = 0
    maintenance: bool = False
    """Whether the edit was declared to change no meaning, and is small enough for that."""


def anchor_at(kind: str, artefact: str, rev: int) -> str:
    return f"{kind}:{artefact}@r{rev}"


def cohort_number(anchor: str, founding: str) -> int:
    """Of 62 bits, so that any database can hold it. Two clones that number revisions differently don't mix them up,
    because what the page said is part of it."""
    return int.from_bytes(sha256(f"{anchor}#{founding}".encode("utf-8", "replace")).digest()[:8], "big") >> 2


# --- versions ---------------------------------------------------------------------------------------------------------


def next_version(artefact: ArtefactRow, to: EntryStatus, *, restores: bool = False) -> tuple[str, str]:
    """The version in that status, and the patches used so far. Patch 0 after another status, else one more; a restored
    revision takes the first patch that nobody used, because `1.0.0` was another text."""
    line, used = _LINES.get(to), dict(json.loads(artefact.patches or "{}"))
    if line is None:
        return artefact.version, artefact.patches
    flips = EntryStatus(artefact.status) is not to
    patch = 0 if flips and not restores else used.get(line, -1) + 1
    used[line] = max(patch, used.get(line, 0))
    return f"{line}.{patch}", json.dumps(used, sort_keys=True)


# --- transitions ------------------------------------------------------------------------------------------------------


def enrolled(
    artefact: str, kind: str, page: PageState, now_ms: int, *, status: EntryStatus, by: str, rev: int = 1
) -> ArtefactRow:
    """`rev` is more than 1 for a page that comes back: its old ballots are not counted again."""
    anchor = anchor_at(kind, artefact, rev)
    start = ArtefactRow(
        artefact=artefact,
        kind=kind,
        status=str(status),
        version=page.version,
        rev=rev,
        anchor=anchor,
        cohort=cohort_number(anchor, page.content),
        founding=page.content,
        content=page.content,
        revision=page.revision,
        snapshot="",
        seen_status=str(page.status or ""),
        since_ms=now_ms,
        submitter=page.submitter,
        hold=0,
        good_rev=0,
        good_status="",
        good_content="",
        good_revision="",
        good_snapshot="",
        patches="",
        landed=1,
        transition=str(Transition.ENROLL),
        by=by,
        at_ms=now_ms,
        id=b"",
    )
    if page.version:
        return start._replace(patches=_patches_with(page.version))
    version, patches = next_version(start, status)
    return start._replace(version=version, patches=patches)


def _patches_with(version: str) -> str:
    line, _, patch = version.rpartition(".")
    return json.dumps({line: int(patch)}) if line and patch.isdecimal() and len(patch) < 10 else ""


def moved(artefact: ArtefactRow, decision: Decision, now_ms: int, *, by: str = "tick") -> ArtefactRow:
    """After a decision. A restored revision is a new one: its cohort starts anew."""
    base = artefact._replace(transition=str(decision.transition), by=by, at_ms=now_ms)
    if decision.transition is Transition.HOLD:
        return base._replace(hold=1)
    version, patches = next_version(artefact, decision.to, restores=decision.restores)
    base = base._replace(status=str(decision.to), version=version, patches=patches)
    return _restored(base, now_ms) if decision.restores else base


def _restored(artefact: ArtefactRow, now_ms: int) -> ArtefactRow:
    fresh = artefact._replace(
        revision=artefact.good_revision, snapshot=artefact.good_snapshot, landed=0, hold=0, submitter=0
    )
    return _next_cohort(fresh, artefact.good_content, now_ms)


def _next_cohort(artefact: ArtefactRow, content: str, now_ms: int) -> ArtefactRow:
    rev = artefact.rev + 1
    anchor = anchor_at(artefact.kind, artefact.artefact, rev)
    fresh = artefact._replace(rev=rev, anchor=anchor, cohort=cohort_number(anchor, content), since_ms=now_ms)
    return fresh._replace(founding=content, content=content)


def left(artefact: ArtefactRow, now_ms: int) -> ArtefactRow:
    """The page is no longer on the base branch. Its ballots stay with the name that their anchor has."""
    gone = artefact._replace(transition=str(Transition.LEAVE), by="file", at_ms=now_ms, content="", founding="")
    return gone._replace(anchor="", cohort=cohort_number(f"left:{artefact.artefact}", ""))


def at_path(artefact: ArtefactRow, path: str, now_ms: int) -> ArtefactRow:
    """The same under another path; the cohort goes along."""
    return artefact._replace(artefact=path, transition=str(Transition.MOVE), by="file", at_ms=now_ms)


def seen(artefact: ArtefactRow, page: PageState, rejected: Collection[str], now_ms: int) -> ArtefactRow | None:
    """After a look at the base branch; None when that has nothing new to say. `rejected`: contents of this artefact
    that are not served."""
    if page.content == artefact.content:
        return _same_content(artefact, page, now_ms)
    if page.content in rejected and not artefact.landed:
        return None  # a rollback that the branch does not have yet
    return _other_content(artefact, page, now_ms, was_hidden=artefact.content in rejected)


def _same_content(artefact: ArtefactRow, page: PageState, now_ms: int) -> ArtefactRow | None:
    said = str(page.status or "")
    base = artefact._replace(at_ms=now_ms, by="tick", seen_status=said, revision=page.revision)
    if said == artefact.status and (not artefact.landed or said != artefact.seen_status):
        return base._replace(transition=str(Transition.LAND), landed=1)
    lowered = page.status is not None and lowers(page.status, EntryStatus(artefact.status))
    if not artefact.landed or said == artefact.seen_status:
        return None
    if lowered and page.status is not None:
        return _adopted(base, artefact, page.status, now_ms)
    return base._replace(transition=str(Transition.RAISE), by="file")


def _adopted(base: ArtefactRow, artefact: ArtefactRow, to: EntryStatus, now_ms: int) -> ArtefactRow:
    """Ballots that led to the status that was taken away don't lead to it again."""
    version, patches = next_version(artefact, to)
    lower = base._replace(transition=str(Transition.ADOPT), by="file", status=str(to), version=version, patches=patches)
    return _next_cohort(lower, artefact.content, now_ms) if to in _LADDER else lower


def lowers(to: EntryStatus, status: EntryStatus) -> bool:
    """Whether a person may order this by an edit of the file: everything that takes trust away."""
    if to in (EntryStatus.DEPRECATED, EntryStatus.QUARANTINED):
        return to is not status and status is not EntryStatus.QUARANTINED
    return to in _LADDER and status in _LADDER and _LADDER.index(to) < _LADDER.index(status)


def _other_content(artefact: ArtefactRow, page: PageState, now_ms: int, *, was_hidden: bool) -> ArtefactRow:
    status = EntryStatus(artefact.status)
    base = artefact._replace(at_ms=now_ms, by="file", seen_status=str(page.status or ""), revision=page.revision)
    if page.maintenance and status in _LADDER:
        version, patches = next_version(artefact, status)
        return base._replace(
            transition=str(Transition.MAINTAIN), content=page.content, version=version, patches=patches
        )
    to, transition = _status_of_amended(artefact, page, was_hidden=was_hidden)
    version, patches = next_version(artefact, to)
    fresh = _with_good(base, artefact)._replace(
        transition=str(transition),
        status=str(to),
        version=version,
        patches=patches,
        snapshot="",
        submitter=page.submitter,
        hold=0,
        landed=1,
    )
    return _next_cohort(fresh, page.content, now_ms)


def _with_good(base: ArtefactRow, before: ArtefactRow) -> ArtefactRow:
    """The revision that was, if it had earned anything, is the one to fall back to."""
    if EntryStatus(before.status) not in GOOD or before.hold:
        return base
    return base._replace(
        good_rev=before.rev,
        good_status=before.status,
        good_content=before.content,
        good_revision=before.revision,
        good_snapshot=before.snapshot,
    )


def _status_of_amended(artefact: ArtefactRow, page: PageState, *, was_hidden: bool) -> tuple[EntryStatus, Transition]:
    """Quarantine stays until a person lifts it; a deprecation stays where the amended file still orders it, but for
    routes, which an amendment repairs; a skeleton stays one as long as it says so."""
    status = EntryStatus(artefact.status)
    if status is EntryStatus.QUARANTINED:
        return status, Transition.REVISE
    if page.status in _ORDERED and str(page.status) != artefact.seen_status:
        return page.status, Transition.ADOPT
    if status is EntryStatus.DEPRECATED:
        stays = page.status is EntryStatus.DEPRECATED and artefact.kind != "route"
        return (status, Transition.REVISE) if stays else (EntryStatus.ALPHA, Transition.REVIVE)
    skeleton = status is EntryStatus.DRAFT and page.status is EntryStatus.DRAFT and not was_hidden
    return (EntryStatus.DRAFT if skeleton else EntryStatus.ALPHA), Transition.REVISE


def reinstated(artefact: ArtefactRow, now_ms: int, *, page: PageState | None = None) -> ArtefactRow:
    """A person lets it in again. What was on hold goes on; anything else begins anew at alpha, with the text that the
    base branch has."""
    base = artefact._replace(transition=str(Transition.REINSTATE), by="person", at_ms=now_ms, hold=0)
    if artefact.hold:
        return base
    version, patches = next_version(artefact, EntryStatus.ALPHA)
    fresh = base._replace(status=str(EntryStatus.ALPHA), version=version, patches=patches, landed=1, snapshot="")
    if page is not None:
        fresh = fresh._replace(revision=page.revision, seen_status=str(page.status or ""))
    return _next_cohort(fresh, page.content if page is not None else artefact.content, now_ms)
