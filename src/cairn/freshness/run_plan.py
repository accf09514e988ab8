"""What a run over all entries asks people for: which findings share a change request, and what is said at the end."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Final, NamedTuple

from cairn.core.model.change import ChangeSet, Level
from cairn.core.model.knowledge import Entry
from cairn.core.model.verdict import TO_BE_READ, Verdict, VerdictFinding, VerdictOutcome
from cairn.core.ports.sources import SourceRow
from cairn.freshness.extractive.audit import MODEL
from cairn.freshness.extractive.change import differing
from cairn.freshness.plain_pages import one_edit_a_file
from cairn.freshness.proposal import LABEL
from cairn.freshness.sources import Place, place_of
from cairn.jobs.run import JobRunSummary
from cairn.lib.urls.url import host_of

Moved = tuple[str, str]
"""A source by its reference, and the hash of what it says now."""

_URGENCY: Final = (
    VerdictOutcome.MAJOR_DRIFT,
    VerdictOutcome.SUPERSEDED,
    VerdictOutcome.MINOR_DRIFT,
    VerdictOutcome.CURRENT,
)
_NOT_IN_BRANCH: Final = re.compile(r"[^A-Za-z0-9]+")
_NAMED: Final = 3
_SHOWN: Final = 20
"""Lines of a kind; the first night of a corpus says the same about every entry."""


class JudgedEntry(NamedTuple):
    """An entry whose page a verdict changes."""

    entry: Entry
    verdict: Verdict
    change: ChangeSet
    """For this entry alone."""
    moved: frozenset[Moved] = frozenset()
    """Its sources that are not what they were."""

    @property
    def confirmed(self) -> bool:
        return self.verdict.outcome is VerdictOutcome.CURRENT

    @property
    def uncompared(self) -> bool:
        """Confirmed only because its sources stayed as Cairn first saw them."""
        return self.confirmed and self.verdict.model == MODEL and bool(self.verdict.preserve_warnings)

    @property
    def causes(self) -> frozenset[Moved]:
        """The changes of sources that the findings rest on."""
        named = {finding.evidence_url.partition("#")[0] for finding in self.verdict.findings}
        return frozenset(moved for moved in self.moved if moved[0].partition("#")[0] in named)


# --- requests -------------------------------------------------------------------------------------------------------


def requests_for(judged: Sequence[JudgedEntry], *, day: str, batched: bool) -> list[ChangeSet]:
    """The most urgent first, confirmations last. The same findings make the same requests, however often one asks."""
    drifted = [one for one in judged if not one.confirmed]
    confirmed = sorted((one for one in judged if one.confirmed), key=_path)
    groups = sorted(grouped(drifted), key=lambda group: (_urgency(group), _path(group[0])))
    changes = [_about_source(group) for group in groups]
    if batched and len(confirmed) > 1:
        return [*changes, _confirmations(confirmed, day)]
    return [*changes, *(_may_land([one], one.change) for one in confirmed)]


def grouped(drifted: Iterable[JudgedEntry]) -> list[list[JudgedEntry]]:
    """Entries that drift for the same change of the same source belong together, also by way of a third one."""
    groups: list[list[JudgedEntry]] = []
    for one in sorted(drifted, key=_path):
        related = [group for group in groups if any(one.causes & other.causes for other in group)]
        groups = [group for group in groups if not any(group is found for found in related)]
        groups.append(sorted([*(other for group in related for other in group), one], key=_path))
    return groups


def _path(one: JudgedEntry) -> str:
    return one.entry.path


def _urgency(group: Sequence[JudgedEntry]) -> int:
    return min(_URGENCY.index(one.verdict.outcome) for one in group)


def _about_source(group: Sequence[JudgedEntry]) -> ChangeSet:
    if len(group) == 1:
        return group[0].change
    shared = frozenset[Moved].union(*(one.causes for one in group))
    # the source that most of them cite names the request
    reference, hash = min(shared, key=lambda moved: (-sum(moved in one.causes for one in group), moved))
    return _together(
        group,
        subject=f"{reference} is now {hash.removeprefix('sha256:')[:12]}, in {_mark(group)}",
        title=f"chore(knowledge): refresh {len(group)} entries against {reference}",
        branch=f"{LABEL}/{_slug(reference)}-{group[0].verdict.audit_date}",
    )


def _confirmations(confirmed: Sequence[JudgedEntry], day: str) -> ChangeSet:
    what = f"{len(confirmed)} entries are still right on {day}"
    if any(one.uncompared for one in confirmed):
        what = f"compare {len(confirmed)} entries with their sources, some for the first time"
    together = _together(
        confirmed,
        subject=f"confirmations of {day}, {_mark(confirmed)}",
        title=f"chore(knowledge): {what}",
        branch=f"{LABEL}/confirmations-{day}",
    )
    return _may_land(confirmed, together)


def _may_land(confirmed: Sequence[JudgedEntry], change: ChangeSet) -> ChangeSet:
    """Only dates and hashes: where the operator lets confirmations land by themselves, these do, unless nobody has
    compared an entry with its sources."""
    return change if any(one.uncompared for one in confirmed) else replace(change, landing="auto")


def _together(group: Sequence[JudgedEntry], *, subject: str, title: str, branch: str) -> ChangeSet:
    changes = [one.change for one in group]
    hashes: dict[str, Any] = {}
    for change in changes:
        hashes |= change.evidence["hashes"]
    return replace(
        changes[0],
        subject=subject,
        title=title,
        branch=branch,
        edits=one_edit_a_file(edit for change in changes for edit in change.edits),
        body="\n\n".join(f"# {one.entry.name}\n\n{one.change.body}" for one in group),
        labels=tuple(dict.fromkeys(label for change in changes for label in change.labels)),
        evidence={
            "verdict": [change.evidence["verdict"] for change in changes],
            "hashes": hashes,
            "pages": [page for change in changes for page in change.evidence.get("pages", ())],
        },
        taint=max(change.taint for change in changes),
    )


def _mark(group: Sequence[JudgedEntry]) -> str:
    """Tells one set of entries from another: a request that waits must not lose pages to a later one."""
    return sha256("\n".join(_path(one) for one in group).encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _slug(reference: str) -> str:
    return _NOT_IN_BRANCH.sub("-", reference.partition("://")[2] or reference).strip("-")[:60] or "source"


# --- at the end -----------------------------------------------------------------------------------------------------


_OF_A_HOST: Final = frozenset({"dns", "connect", "timeout", "tls"})
"""Failures that say more about the host than about the page."""
NO_NETWORK: Final = (
    "no host answered, so none of {:,} sources was looked at and nothing was recorded against them; "
    "run it again when this machine is online"
)


class RunRemark(NamedTuple):
    """An entry, and why it is where it is."""

    path: str
    reason: str
    cause: str = ""
    """Of a failure, in a word: `timeout`, `status`, `runner` …"""
    source: str = ""
    """The source that failed, if one did."""


class OpenedRequest(NamedTuple):
    id: str | None
    """None in a dry run."""
    title: str
    kind: str
    paths: tuple[str, ...]
    level: Level
    reasons: tuple[str, ...] = ()
    """What gates have to say against it."""
    url: str | None = None
    waits: str | None = None
    landed: bool = False


class HeldBack(NamedTuple):
    title: str
    paths: tuple[str, ...]
    reason: str


class UnreadSource(NamedTuple):
    """A source that gave nothing tonight, and whose entries were not due or held up by it."""

    reference: str
    cause: str
    reason: str
    paths: tuple[str, ...]
    """Of the entries that cite it."""


def unread_of(
    entries: Iterable[Entry], rows: Iterable[SourceRow], *, since_ms: int, told: Collection[str]
) -> tuple[UnreadSource, ...]:
    """Asked for since then, in vain. `told` are entries of which the run says so anyway."""
    failed = {(row.url, row.anchor): row for row in rows if row.failures and (row.failed_at_ms or 0) >= since_ms}
    citing: dict[Place, list[str]] = {}
    for entry in entries:
        for place in {place_of(source) for source in entry.sources if source.kind == "url"}:
            citing.setdefault(place, []).append(entry.path)
    return tuple(
        UnreadSource("".join(place), row.cause or "", row.reason or "", tuple(sorted(citing[place])))
        for place, row in sorted(failed.items())
        if place in citing and not set(citing[place]) & set(told)
    )


@dataclass(frozen=True, slots=True)
class FreshnessRunSummary:
    dry_run: bool
    entries: int
    """That there are."""
    sources: int
    """That were looked at, each once."""
    chosen: int
    confirmed: tuple[str, ...] = ()
    drifted: tuple[RunRemark, ...] = ()
    still: tuple[RunRemark, ...] = ()
    """In doubt since an earlier run, and not audited by this one: a request about them is open, for example."""
    pending: tuple[RunRemark, ...] = ()
    to_read: tuple[RunRemark, ...] = ()
    """Entries whose passages changed and wait for a reader; nothing was asked or applied."""
    baseline: tuple[RunRemark, ...] = ()
    unverifiable: tuple[RunRemark, ...] = ()
    """A reader could not tell from the sources."""
    opened: tuple[OpenedRequest, ...] = ()
    held: tuple[HeldBack, ...] = ()
    failed: tuple[RunRemark, ...] = ()
    unread: tuple[UnreadSource, ...] = ()
    waiting: int = 0
    """Due, but not audited: without a place in this run, held back, or out of reach."""
    offline: tuple[str, ...] = ()
    """Sources that were out of reach because there is no network."""
    withdrawn: tuple[RunRemark, ...] = ()
    """Requests that no longer cover some of their entries; `path` is the id."""
    again: int = 0
    """Verdicts that an earlier run had left."""
    allowed: tuple[str, ...] = ()
    spent: JobRunSummary | None = None
    """None when no reader was asked to answer now."""
    duration_ms: int = 0
    stages: Mapping[str, int] = field(default_factory=dict)
    """Milliseconds that each part of the run took."""

    @property
    def tokens(self) -> int:
        return 0 if self.spent is None else self.spent.tokens_in + self.spent.tokens_out

    def event(self) -> dict[str, Any]:
        """For the ledger: numbers and ids only."""
        return {
            "entries": self.chosen,
            "sources": self.sources,
            "confirmed": len(self.confirmed),
            "drifted": len(self.drifted),
            "pending": len(self.pending),
            "to_read": len(self.to_read),
            "baseline": len(self.baseline),
            "unverifiable": len(self.unverifiable),
            "opened": [one.id for one in self.opened if one.id][:50],
            "held": len({path for one in self.held for path in one.paths}),
            "failed": len(self.failed),
            "waiting": self.waiting,
            "offline": len(self.offline),
            "tokens": self.tokens,
            "duration_ms": self.duration_ms,
        }

    def json(self, dollars: float | None = None) -> dict[str, Any]:
        return {
            "dryRun": self.dry_run,
            "lookedAt": {"entries": self.entries, "sources": self.sources, "audited": self.chosen},
            "confirmed": list(self.confirmed),
            "drifted": [_remark(one) for one in self.drifted],
            "stillInDoubt": [_remark(one) for one in self.still],
            "pending": [_remark(one) for one in self.pending],
            "toRead": [_remark(one) for one in self.to_read],
            "baseline": [_remark(one) for one in self.baseline],
            "unverifiable": [_remark(one) for one in self.unverifiable],
            "opened": [_opened(one) for one in self.opened],
            "held": [{"title": one.title, "paths": list(one.paths), "reason": one.reason} for one in self.held],
            "failed": [{**_remark(one), "cause": one.cause} for one in self.failed],
            "unread": [{**one._asdict(), "paths": list(one.paths)} for one in self.unread],
            "waiting": self.waiting,
            "offline": list(self.offline),
            "withdrawn": [{"id": one.path, "reason": one.reason} for one in self.withdrawn],
            "resumed": self.again,
            "allowed": list(self.allowed),
            "spent": {"tokens": self.tokens, "dollars": dollars},
            "durationMs": self.duration_ms,
            "stages": dict(self.stages),
        }

    def lines(self) -> Iterator[str]:
        """For people: what was done, then everything that somebody should know, with its reason."""
        would = "would open" if self.dry_run else "opened"
        for one in self.opened:
            yield f"{would} {f'{one.id} ' if one.id else ''}({one.level.word}): {one.title} [{_few(one.paths)}]"
            yield from (f"   {reason}" for reason in one.reasons)
        kinds = (
            ("in doubt", self.drifted),
            ("still in doubt", self.still),
            ("to be read", self.to_read),
            ("seen once", self.pending),
            ("first look", self.baseline),
            ("not verifiable", self.unverifiable),
        )
        for title, remarks in kinds:
            yield from (f"{title}: {one.path}: {one.reason}" for one in remarks[:_SHOWN])
            if len(remarks) > _SHOWN:
                yield f"{title}: {len(remarks) - _SHOWN:,} more; --json names them all"
        yield from (f"withdrawn from {one.path}: {one.reason}" for one in self.withdrawn)
        yield from _at_most("held back", [f"{one.title} [{_few(one.paths)}]: {one.reason}" for one in self.held])
        yield from self._failures()
        if self.offline:
            yield f"no network: {NO_NETWORK.format(len(self.offline))}"

    def _failures(self) -> Iterator[str]:
        """A host that fails is one line, with its entries."""
        failed = [
            _Failing(one.cause, one.source, (one.path,), one.reason, f"{one.path}: {one.reason}") for one in self.failed
        ]
        unread = [
            _Failing(
                one.cause, one.reference, one.paths, one.reason, f"{one.reference}: {one.reason} [{_few(one.paths)}]"
            )
            for one in self.unread
        ]
        for title, failures in (("failed", failed), ("not read", unread)):
            lines = [f"{title} {line}" for line in _by_host(failures)]
            yield from lines[:_SHOWN]
            if len(lines) > _SHOWN:
                yield f"{title}: {len(lines) - _SHOWN:,} more; --json names them all"

    def totals(self) -> str:
        done = "to open" if self.dry_run else "opened"
        doubts = len(self.drifted) + len(self.still)
        parts = [
            f"{self.sources:,} source{'s' if self.sources != 1 else ''} looked at",
            f"{self.chosen:,} of {self.entries:,} entries audited",
            f"{len(self.confirmed):,} confirmed",
            *([] if self.offline and not doubts else [f"{doubts:,} in doubt"]),
            f"{len(self.opened):,} request{'s' if len(self.opened) != 1 else ''} {done}",
        ]
        more = (
            (len(self.baseline), "seen for the first time"),
            (len(self.pending), "to be seen again"),
            (len(self.to_read), "to be read"),
            (len(self.unverifiable), "not verifiable"),
            (len({path for one in self.held for path in one.paths}), "held back"),
            (len(self.failed), "failed"),
            (len(self.unread), "not read"),
            (len(self.offline), "out of reach without a network"),
            (self.waiting, "wait for the next run"),
            (self.again, "judged by an earlier run"),
        )
        return ", ".join([*parts, *(f"{number:,} {words}" for number, words in more if number)])


def _at_most(title: str, lines: Sequence[str]) -> Iterator[str]:
    yield from (f"{title}: {line}" for line in lines[:_SHOWN])
    if len(lines) > _SHOWN:
        yield f"{title}: {len(lines) - _SHOWN:,} more; --json names them all"


class _Failing(NamedTuple):
    cause: str
    source: str
    paths: tuple[str, ...]
    reason: str
    said: str
    """The line about this one alone."""

    @property
    def answer(self) -> str:
        """What tells two failures of one host apart: nothing where the host is to blame, else its words."""
        return "" if self.cause in _OF_A_HOST else self.reason.replace(self.source, "")


def _by_host(failures: Iterable[_Failing]) -> Iterator[str]:
    """A line about each failure, or one about all that have the same host, cause and answer."""
    groups: dict[tuple[str, str, str], list[_Failing]] = {}
    for number, one in enumerate(failures):
        host = host_of(one.source) if one.source else ""
        groups.setdefault((one.cause, host or str(number), one.answer), []).append(one)
    for (cause, host, _), found in groups.items():
        paths = sorted({path for one in found for path in one.paths})
        if len(found) == 1:
            yield f"({cause}): {found[0].said}"
        else:
            sources, entries = len({one.source for one in found}), len(paths)
            counted = (
                f"{sources:,} source{'s' if sources > 1 else ''} of {entries:,} entr{'ies' if entries > 1 else 'y'}"
            )
            yield f"({cause}): {host}, {counted} [{_few(paths)}]; such as {found[0].said}"


def _few(paths: Sequence[str]) -> str:
    named = ", ".join(paths[:_NAMED])
    return f"{named} and {len(paths) - _NAMED} more" if len(paths) > _NAMED else named


def _remark(one: RunRemark) -> dict[str, Any]:
    return {"path": one.path, "reason": one.reason}


def _opened(one: OpenedRequest) -> dict[str, Any]:
    return {
        "id": one.id,
        "title": one.title,
        "kind": one.kind,
        "paths": list(one.paths),
        "level": one.level.word,
        "reasons": list(one.reasons),
        "url": one.url,
        "landed": one.landed,
        "waits": one.waits,
    }


def both_passages(verdict: Verdict) -> str:
    """The first passage that changed, before and after."""
    found = [one for one in verdict.findings if one.drift_kind == TO_BE_READ]
    old, new = (" ".join(text.split()) for text in (found[0].previous_excerpt, found[0].source_excerpt))
    before, now = map(_quoted, differing(old, new, 200))
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    if not before and not now:
        return next(one for one in verdict.preserve_warnings if one.startswith(found[0].evidence_url)) + more
    if before and now:
        return f"{found[0].evidence_url} changed: before {before}, now {now}{more}"
    return f"{found[0].evidence_url} {f'now has {now}' if now else f'no longer has {before}'}{more}"


def _quoted(text: str) -> str:
    return f"“{text}”" if text else ""


def reason_of(verdict: Verdict) -> str:
    if not verdict.findings:
        return f"{verdict.outcome}"
    return f"{verdict.outcome}, {what_differs(verdict.findings)}"


def what_differs(findings: Sequence[VerdictFinding]) -> str:
    """The first sentence that no longer holds, and what its source says."""
    first = findings[0]
    more = f", and {len(findings) - 1} more" if len(findings) > 1 else ""
    claim, said = (" ".join(text.split())[:200] for text in (first.claim_in_entry, first.source_excerpt))
    if said:
        return f"`{claim}`, but {first.evidence_url} says “{said}”{more}"
    return f"`{claim}` by {first.evidence_url}{more}"
