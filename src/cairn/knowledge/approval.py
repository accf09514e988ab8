"""Decides which pages may reach an agent that did not ask: those whose content this user approved.

`cairn.knowledge.approved` defines what counts. A page that is a draft, in quarantine or deprecated is left out
even if approved, and one with injection marks unless it was approved by name.
"""

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cairn.adapters.approvals.files import ApprovalFiles, state_directory
from cairn.core.isolate import item
from cairn.core.model.corpus import KINDS
from cairn.core.model.entry import Status
from cairn.core.ports.files import ReadFailed
from cairn.errors import CairnError
from cairn.knowledge.approved import ApprovedBy, content_hash, words_for
from cairn.knowledge.ports import KnowledgePorts
from cairn.knowledge.scoped import is_searched
from cairn.lib.injection.marks import marks
from cairn.lib.markdown.frontmatter import decode, parse
from cairn.retrieve.served import status_of

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
    Status.DRAFT: "nobody has filled it in yet",
    Status.QUARANTINED: "in quarantine",
    Status.DEPRECATED: "no longer recommended",
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


def _approval(record: ApprovalFiles, data: bytes | None) -> Approval:
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


def _signed(ports: KnowledgePorts, paths: Sequence[str]) -> dict[str, bytes]:
    """Nothing is asked where the operator named no key."""
    approvers = ports.settings.texts("approvers")
    if not approvers or not paths:
        return {}
    from cairn.adapters.vcs.own_commits import signed_contents

    return signed_contents(ports.root, list(paths)[:_SIGNED_AT_ONCE], approvers)


# --- the record -------------------------------------------------------------------------------------------------------


def record_of(ports: KnowledgePorts) -> ApprovalFiles:
    """This user's approvals, with the plain commits that were made here since the last look."""
    record = ApprovalFiles(state_directory(ports.env))
    _observe_commits(ports, record)
    return record


def _observe_commits(ports: KnowledgePorts, record: ApprovalFiles) -> None:
    """Costs one look at the size of a log where nothing happened."""
    from cairn.adapters.vcs.own_commits import plain_commits, reflogs, written_blobs

    for log in reflogs(str(ports.root)):
        try:
            start = record.seen(log)
            if os.path.getsize(log) == start:
                continue
            commits, end = plain_commits(log, start)
            hashes = [content_hash(data) for data in written_blobs(ports.root, commits)]
            record.add(hashes, ApprovedBy.COMMIT, now_ms=ports.clock.now_ms())
        except (OSError, CairnError):  # then nobody is known to have committed anything
            continue
        record.remember(log, end)


def approve_merged(ports: KnowledgePorts, contents: Sequence[bytes]) -> None:
    """What a person merged with `cairn change merge`."""
    hashes = [content_hash(data) for data in contents]
    ApprovalFiles(state_directory(ports.env)).add(hashes, ApprovedBy.MERGE, now_ms=ports.clock.now_ms())


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
