"""A verdict into the page that it is about: hashes taken anew, the page as it would be, a request or an edit here."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from cairn.changes.make_change import base_commit
from cairn.core.model.change import ChangeRequest, ChangeSet, FileEdit, GateRuling
from cairn.core.model.verdict import Verdict, VerdictOutcome
from cairn.errors import Conflict, NotFound, Refused, UsageError
from cairn.freshness.audit import (
    EntryPage,
    SourceReader,
    SourceVersions,
    UnreadableSource,
    gather,
    page_called,
    page_of,
    ports_of,
)
from cairn.freshness.plain_pages import ReviewRecordPlace
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.proposal import proposal
from cairn.freshness.verdict_edits import KEPT, apply_verdict, covers
from cairn.freshness.verdict_json import InvalidVerdict, verdict_of
from cairn.knowledge.corpora import sections_of
from cairn.knowledge.values import take_sources
from cairn.lib.html.read import CANON, canonical_hash
from cairn.lib.markdown.frontmatter import parse

LARGEST_VERDICT = 4_000_000


class VerdictFile(NamedTuple):
    verdict: Verdict
    entry_digest: str | None
    """Of the page that was judged, where whoever wrote the file says so."""


class VerdictEffect(NamedTuple):
    """What a verdict makes of a page."""

    page: EntryPage
    verdict: Verdict
    after: str
    trusted: Mapping[str, str]
    notes: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        return self.after != self.before

    @property
    def file(self) -> str:
        """The one that changes: the page, or where what is known about it stands."""
        return self.page.kept.file if self.page.kept else self.page.entry.path

    @property
    def before(self) -> str:
        return self.page.kept.text if self.page.kept else self.page.text


def read_verdict(file: Path) -> VerdictFile:
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        raise NotFound(
            f"There is no file {file}; `cairn freshness audit-run-entry ENTRY --out {file}` makes one."
        ) from None
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from None
    if len(data) > LARGEST_VERDICT:
        raise Refused(f"{file} is too large for a verdict; give the file that `audit-run-entry` wrote.")
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise InvalidVerdict(["it is not JSON"], str(file)) from None
    if isinstance(value, dict) and value.get("skipped") is True:
        raise Refused(f"{file} says that the audit was skipped, so there is nothing to apply.")
    digest = value.get("entry_sha256") if isinstance(value, dict) else None
    return VerdictFile(verdict_of(value, what=str(file)), digest if isinstance(digest, str) else None)


def read_by_a_person(given: VerdictFile) -> VerdictFile:
    """The verdict of somebody who read the passages that changed, or whole sources, and found the entry right. It
    covers the texts that the verdict names and no others."""
    verdict = given.verdict
    if not verdict.source_unverifiable and (verdict.outcome is VerdictOutcome.CURRENT or not verdict.findings):
        raise UsageError("This verdict has nothing to be read; apply it without --read.")
    if verdict.proposed_changes:
        raise UsageError(
            "This verdict proposes edits; apply it without --read, or make your own edits and audit again."
        )
    shown = tuple(one for one in verdict.findings if one.source_excerpt or one.previous_excerpt)
    current = verdict._replace(outcome=VerdictOutcome.CURRENT, source_unverifiable=False, findings=shown)
    return given._replace(verdict=current)


def outcome_of(page: EntryPage, given: VerdictFile, ports: SourceReader) -> VerdictEffect:
    """The page as the verdict leaves it; nothing is written. Sources are looked at again, for hashes to trust."""
    verdict = given.verdict
    if verdict.source_unverifiable:
        same = page.kept.text if page.kept else page.text
        return VerdictEffect(page, verdict, same, {}, (_UNREAD if verdict.to_be_read else _UNVERIFIED,))
    if verdict.entry_name != page.entry.name:
        raise Refused(
            f"The verdict is about `{verdict.entry_name[:80]}`, but {page.entry.path} is `{page.entry.name}`; "
            "give the verdict of this entry."
        )
    if given.entry_digest not in (None, page.digest):
        raise Conflict(f"{page.entry.path} was edited since it was audited; run the audit again.")
    seen, notes = _looked_at(page, verdict, ports)
    return VerdictEffect(page, verdict, _applied(page, verdict, seen), {r: one.hash for r, one in seen.items()}, notes)


_UNVERIFIED = (
    "nobody has compared this entry with its sources, so nothing changes; if you read them and it is right, "
    "apply it with --read"
)
_UNREAD = (
    "passages changed and nobody has read them, so nothing changes; if the entry is still right, apply it with --read"
)


def _applied(page: EntryPage, verdict: Verdict, seen: Mapping[str, SourceVersions]) -> str:
    if page.kept is not None:
        return _written_down(page, page.kept, verdict, seen)
    kept = dict.fromkeys((*KEPT, *sections_of(page.corpus)))
    return apply_verdict(
        page.text,
        page.entry,
        verdict,
        trusted={reference: one.hash for reference, one in seen.items()},
        raw={reference: one.raw for reference, one in seen.items() if one.raw},
        canon=CANON,
        bearing=_bearing(seen),
        layout=page.corpus.layout,
        kept=tuple(kept),
    )


def _written_down(
    page: EntryPage, kept: ReviewRecordPlace, verdict: Verdict, seen: Mapping[str, SourceVersions]
) -> str:
    from cairn.freshness.plain_pages import stamped_by_verdict

    if verdict.proposed_changes:
        raise Refused(f"{page.entry.path} is not ours to edit, but the verdict proposes edits; make them by hand.")
    return stamped_by_verdict(
        kept.text,
        page.entry,
        verdict,
        file=kept.file,
        inside=kept.inside,
        trusted={reference: one.hash for reference, one in seen.items()},
        raw={reference: one.raw for reference, one in seen.items() if one.raw},
        canon=CANON,
        bearing=_bearing(seen),
    )


def _bearing(seen: Mapping[str, SourceVersions]) -> dict[str, str]:
    """Hashes of the earlier texts of pages of the web that bore the page out, where they are known."""
    urls = {reference: one for reference, one in seen.items() if one.source.kind == "url"}
    return {reference: canonical_hash(one.old) for reference, one in urls.items() if one.old is not None}


def change_for(ports: FreshnessPorts, outcome: VerdictEffect, *, base: str) -> ChangeSet:
    """What a verdict makes of a page, for the change path."""
    entry, after, trusted = outcome.page.entry, outcome.after.encode("utf-8"), outcome.trusted
    if outcome.page.kept is None:
        return proposal(entry, outcome.verdict, after, base=base, trusted=trusted, drifted=_is_marked(outcome.after))
    from cairn.changes.lock_files import GIT_ATTRIBUTES, attributes_beside

    attributes = attributes_beside(ports, [outcome.file])
    beside = () if attributes is None else (FileEdit(GIT_ATTRIBUTES, attributes),)
    facts = {"pages": [entry.path]}
    drifted = outcome.verdict.outcome is not VerdictOutcome.CURRENT
    return proposal(
        entry,
        outcome.verdict,
        after,
        base=base,
        trusted=trusted,
        evidence=facts,
        file=outcome.file,
        beside=beside,
        drifted=drifted,
    )


def _is_marked(text: str) -> bool:
    """Whether a sentence of the page has yet to be edited."""
    return any(source.drifted for source in take_sources(parse(text).frontmatter.get("sources")))


def _looked_at(
    page: EntryPage, verdict: Verdict, ports: SourceReader
) -> tuple[dict[str, SourceVersions], tuple[str, ...]]:
    """Each source with the hash that may be written: that of the text that was judged. A page that has moved on since
    keeps it only where we have that text ourselves; the next audit then sees the difference."""
    found: dict[str, SourceVersions] = {}
    notes = []
    looked_at = {checked.url for checked in verdict.sources_checked}
    checked = [source for source in page.entry.sources if covers(source, looked_at)]  # what is missing is told later
    for one in gather(checked, ports, page=page.entry.path):
        if isinstance(one, UnreadableSource):
            raise Refused(f"The source {one.source.reference} could not be read again: {one.reason}")
        judged = _judged_hash(one, verdict)
        if judged in (one.hash, None):
            found[one.source.reference] = one
        elif one.source.kind == "url" and ports.remembered(one.source._replace(hash=judged, canon=CANON)) is not None:
            found[one.source.reference] = one._replace(hash=judged or one.hash, raw=None)
            notes.append(f"{one.source.reference} changed again since the audit; the next one will look at that")
        else:
            raise Conflict(f"The source {one.source.reference} changed since it was audited; run the audit again.")
    return found, tuple(notes)


def _judged_hash(seen: SourceVersions, verdict: Verdict) -> str | None:
    """None where the verdict was not made by us and knows no hash of ours."""
    hashes = {checked.url: checked.content_hash for checked in verdict.sources_checked}
    judged = hashes.get(seen.source.reference)
    return judged if judged and judged.startswith("sha256:") and len(judged) == 71 else None


# --- where it goes --------------------------------------------------------------------------------------------------


def page_at_base(ports: FreshnessPorts, path: str) -> tuple[EntryPage, str]:
    """The page as the base branch has it, with the commit. Edits that only lie in the working tree are in the way."""
    base = base_commit(ports)
    [data] = ports.vcs.show([(base, path)])
    if data is None:
        raise Refused(f"{path} is not on the base branch yet; commit it first.")
    if ports.files.read(path)[0] != data:
        raise Conflict(f"{path} is not what the base branch has; commit and merge your edits, or undo them.")
    page = page_of(ports, path, data)
    if page.kept is not None and is_uncommitted(ports, base, page.kept):
        raise Conflict(f"{page.kept.file} is not what the base branch has; commit and merge it, or undo your edits.")
    return page, base


def is_uncommitted(ports: FreshnessPorts, base: str, kept: ReviewRecordPlace) -> bool:
    """Whether the lock file here is another one than that of the base branch."""
    [data] = ports.vcs.show([(base, kept.file)])
    return (data or b"").decode("utf-8", "replace") != kept.text


# --- for a person or a script ---------------------------------------------------------------------------------------

How = Literal["show", "here", "request"]


class AppliedVerdict(NamedTuple):
    outcome: VerdictEffect
    how: How
    said: str
    """What happened, in one sentence."""
    rulings: tuple[GateRuling, ...] = ()
    written: bool = False
    """Whether a file of the working tree was edited."""
    request: ChangeRequest | None = None
    held: bool = False
    """Whether the request was not opened, for a reason that `said` gives."""

    @property
    def diff(self) -> list[str]:
        from difflib import unified_diff

        path = self.outcome.file
        before, after = self.outcome.before.splitlines(), self.outcome.after.splitlines()
        return list(unified_diff(before, after, f"a/{path}", f"b/{path}", lineterm=""))

    def json(self) -> dict[str, Any]:
        request = self.request
        return {
            "path": self.outcome.page.entry.path,
            "verdict": str(self.outcome.verdict.outcome),
            "changed": self.outcome.changed,
            "diff": self.diff,
            "hashes": dict(self.outcome.trusted),
            "notes": list(self.outcome.notes),
            "written": self.written,
            "request": None if request is None else {"id": request.id, "branch": request.branch, "url": request.url},
            "held": self.held,
            "gates": [{"gate": r.gate, "level": r.level.word, "reason": r.reason} for r in self.rulings],
            "said": self.said,
        }


def apply_once(ports: FreshnessPorts, name: str, given: VerdictFile, *, here: Path, how: How) -> AppliedVerdict:
    """Show what a verdict would change, edit the working tree, or open a request."""
    page, base = page_called(ports, name, here=here), ""
    if how != "show":
        page, base = page_at_base(ports, page.entry.path)
    outcome = outcome_of(page, given, ports_of(ports))
    if not outcome.changed:
        return AppliedVerdict(outcome, how, f"{page.entry.path} stays as it is")
    if how == "show":
        return AppliedVerdict(outcome, how, "nothing was written; give --open-request or --apply")
    change = change_for(ports, outcome, base=base)
    return _edited(ports, outcome, change) if how == "here" else _requested(ports, outcome, change)


def _edited(ports: FreshnessPorts, outcome: VerdictEffect, change: ChangeSet) -> AppliedVerdict:
    from cairn.changes.gate_registry import gates_of
    from cairn.changes.requests import apply_here

    applied = apply_here(change, root=ports.root, gates=gates_of(ports))
    return AppliedVerdict(
        outcome, "here", f"edited {', '.join(applied.written)}", applied.rulings, bool(applied.written)
    )


def _requested(ports: FreshnessPorts, outcome: VerdictEffect, change: ChangeSet) -> AppliedVerdict:
    """Somebody asked for this one, so it counts among the proposals of the hour."""
    from cairn.changes.requests import HeldChange, publish_change

    result = publish_change(ports, replace(change, limited=True))
    if isinstance(result, HeldChange):
        return AppliedVerdict(outcome, "request", f"no request was opened: {result.reason}", result.rulings, held=True)
    request = result.request
    return AppliedVerdict(
        outcome, "request", f"change request {request.id}: {request.title}", request.rulings, request=request
    )
