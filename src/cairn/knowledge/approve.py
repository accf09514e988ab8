"""Decides which pages may reach an agent that did not ask; approves pages and takes approvals back."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from cairn.core.isolate import item
from cairn.core.model.knowledge import KINDS, EntryStatus
from cairn.core.ports.runtime import ReadFailed
from cairn.errors import CairnError, NotFound
from cairn.knowledge.approval import LOG_START, Approvals, ApprovedBy, content_hash, words_for
from cairn.knowledge.ports import KnowledgePorts
from cairn.knowledge.serving_status import is_searched, status_of
from cairn.lib.injection.marks import InjectionMark, doubt, marks
from cairn.lib.markdown.frontmatter import decode, parse

_SIGNED_AT_ONCE = 200


class Approval(NamedTuple):
    approved: bool
    why: str
    """A few words, to be read behind the page's name."""
    named: bool = False
    """Approved by name: then also with injection marks."""
    waiting: bool = False
    """Nothing is missing but an approval."""


WAITING = Approval(False, "not approved", waiting=True)
_FLAGGED = Approval(False, "parts of it address machines", waiting=True)
_REFUSED = {
    EntryStatus.DRAFT: "nobody has filled it in yet",
    EntryStatus.QUARANTINED: "in quarantine",
    EntryStatus.DEPRECATED: "no longer recommended",
}


def approvals(ports: KnowledgePorts, paths: Sequence[str]) -> dict[str, Approval]:
    """For each path, whether its page as it is now was approved."""
    record = record_of(ports)
    read = {path: _read(ports, path) for path in dict.fromkeys(paths)}
    found = dict.fromkeys(read, Approval(False, "it cannot be read"))
    for path, data in read.items():
        with item(path):
            found[path] = _approval(record, data)
    signed = _signed(ports, [path for path, approval in found.items() if approval == WAITING])
    for path, content in signed.items():
        data = read[path]
        if data is not None and content_hash(data) == content_hash(content):
            found[path] = _judged(data, ApprovedBy.SIGNATURE)
    return found


def _read(ports: KnowledgePorts, path: str) -> bytes | None:
    try:
        return ports.files.read(path)[0]
    except ReadFailed:
        return None


def _approval(record: Approvals, data: bytes | None) -> Approval:
    return Approval(False, "it cannot be read") if data is None else _judged(data, record.by(content_hash(data)))


def _judged(data: bytes, by: ApprovedBy | None) -> Approval:
    text = decode(data).text
    page = parse(text)
    if page.problems:
        return Approval(False, "its frontmatter cannot be read")
    status = status_of(page.frontmatter)
    if status in _REFUSED:
        return Approval(False, _REFUSED[status])
    if by is ApprovedBy.NAMED:
        return Approval(True, words_for(by), named=True)
    if marks(text):
        return _FLAGGED
    return WAITING if by is None else Approval(True, words_for(by))


def _signed(ports: KnowledgePorts, paths: Sequence[str]) -> Mapping[str, bytes]:
    """Nothing is asked where the operator named no key."""
    approvers = ports.settings.texts("approvers")
    if not approvers or not paths:
        return {}
    return ports.own_commits.signed(list(paths)[:_SIGNED_AT_ONCE], approvers)


# --- the record -------------------------------------------------------------------------------------------------------


def record_of(ports: KnowledgePorts) -> Approvals:
    """This user's approvals, with the plain commits that were made here since the last look. The first look at a
    repository approves nothing: what its log tells of may have come with it."""
    record = ports.approvals
    _observe_commits(ports, record)
    return record


def _observe_commits(ports: KnowledgePorts, record: Approvals) -> None:
    """Costs one look at the size of a log where nothing happened."""
    logs = ports.own_commits.logs()
    known = all(record.seen(log) for log in logs) or _was_seen(ports, record, logs[0])
    for log in logs:
        with suppress(OSError, CairnError):  # then nobody is known to have committed anything
            start = record.seen(log)
            if start is None:
                # A log that a folder brought along says nothing about this user. That of a work tree which was added
                # to a repository that is known does.
                start = LOG_START if known else ports.own_commits.end_of(log)
                record.remember(log, start)
            if written := ports.own_commits.written_since(log, start):
                contents, end = written
                record.add(map(content_hash, contents), ApprovedBy.COMMIT, now_ms=ports.clock.now_ms())
                record.remember(log, end)


def _was_seen(ports: KnowledgePorts, record: Approvals, log: str) -> bool:
    start = record.seen(log)
    with suppress(OSError):
        return start is not None and ports.own_commits.goes_on(log, start)
    return False


def approve_merged(ports: KnowledgePorts, contents: Sequence[bytes]) -> None:
    """What a person merged with `cairn change merge`."""
    hashes = [content_hash(data) for data in contents]
    ports.approvals.add(hashes, ApprovedBy.MERGE, now_ms=ports.clock.now_ms())


# --- what waits -------------------------------------------------------------------------------------------------------


def knowledge_pages(ports: KnowledgePorts) -> Iterator[str]:
    """Paths of all pages that a briefing could name."""
    for node in ports.scanned_store().nodes():
        if not node.virtual and node.kind in KINDS and is_searched(node.path, node.kind, ports.corpora):
            yield node.path


def unapproved(ports: KnowledgePorts) -> list[str]:
    """Pages whose content this user has not approved. Only hashes are compared: cheap enough for `status`."""
    record = record_of(ports)
    read = ((path, _read(ports, path)) for path in sorted(knowledge_pages(ports)))
    missing = {path: data for path, data in read if data is not None and record.by(content_hash(data)) is None}
    waiting = [
        path for path, data in missing.items() if status_of(parse(decode(data).text).frontmatter) not in _REFUSED
    ]
    signed = {path: content_hash(data) for path, data in _signed(ports, waiting).items()}
    return [path for path in waiting if signed.get(path) != content_hash(missing[path])]


def waiting_words(number: int) -> str:
    pages = "1 page of knowledge waits" if number == 1 else f"{number:,} pages of knowledge wait"
    return f"{pages} for your approval and {'is' if number == 1 else 'are'} in no briefing"


class PageToApprove(NamedTuple):
    path: str
    approval: Approval
    marks: tuple[InjectionMark, ...]
    hash: str
    doubt: str = ""
    """The passage for which somebody has to read a page that is not flagged."""

    def json(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "approved": self.approval.approved,
            "reason": self.approval.why,
            "marks": [{"why": mark.why, "excerpt": mark.excerpt} for mark in self.marks],
            "to_read": self.doubt or None,
        }


def pages_to_approve(ports: KnowledgePorts, paths: Sequence[str] = ()) -> list[PageToApprove]:
    """These pages, or all pages that wait for an approval, the most urgent first."""
    known = approvals(ports, paths or sorted(knowledge_pages(ports)))
    wanted = [(path, found) for path, found in known.items() if paths or found.waiting]
    pages = [_page(ports, path, found) for path, found in wanted]
    return sorted(pages, key=urgency)


def urgency(page: PageToApprove) -> tuple[bool, bool, str]:
    """Flagged pages first, then those that somebody has to read."""
    return not page.marks, not page.doubt, page.path


def _page(ports: KnowledgePorts, path: str, found: Approval) -> PageToApprove:
    try:
        data = ports.files.read(path)[0]
    except ReadFailed as problem:
        raise NotFound(f"`{path}` cannot be read: {problem}", path=path) from None
    unmarked = found == WAITING or (found.approved and not found.named)  # then its marks were looked for, in vain
    text = decode(data).text
    flags = () if unmarked else marks(text)
    return PageToApprove(path, found, flags, content_hash(data), "" if flags or found.approved else doubt(text))


def approve_pages(ports: KnowledgePorts, pages: Sequence[PageToApprove], *, named: bool) -> list[PageToApprove]:
    """The pages that are approved now and were not before. Pages with marks, or that
    nobody has read although they may give orders, only when each was named."""
    by = ApprovedBy.NAMED if named else ApprovedBy.ALL
    wanted = [page for page in pages if named or not (page.marks or page.doubt)]
    new = set(record_of(ports).add([page.hash for page in wanted], by, now_ms=ports.clock.now_ms()))
    return [page for page in wanted if page.hash in new]


def revoke_pages(ports: KnowledgePorts, pages: Sequence[PageToApprove]) -> list[PageToApprove]:
    gone = set(record_of(ports).remove([page.hash for page in pages], now_ms=ports.clock.now_ms()))
    return [page for page in pages if page.hash in gone]
