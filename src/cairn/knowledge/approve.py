"""Approves pages, takes approvals back, and lists what waits: pages with injection marks first."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from cairn.core.ports.files import ReadFailed
from cairn.errors import NotFound
from cairn.knowledge.approval import WAITING, Approval, approvals, knowledge_pages, record_of
from cairn.knowledge.approved import ApprovedBy, content_hash
from cairn.knowledge.ports import KnowledgePorts
from cairn.lib.injection.marks import Mark, marks
from cairn.lib.markdown.frontmatter import decode


class PageToApprove(NamedTuple):
    path: str
    approval: Approval
    marks: tuple[Mark, ...]
    hash: str

    def json(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "approved": self.approval.approved,
            "reason": self.approval.why,
            "marks": [{"why": mark.why, "excerpt": mark.excerpt} for mark in self.marks],
        }


def pages_to_approve(ports: KnowledgePorts, paths: Sequence[str] = ()) -> list[PageToApprove]:
    """These pages, or all pages that wait for an approval; those with injection marks first."""
    known = approvals(ports, paths or sorted(knowledge_pages(ports)))
    wanted = [(path, found) for path, found in known.items() if paths or found.waiting]
    pages = [_page(ports, path, found) for path, found in wanted]
    return sorted(pages, key=lambda page: (not page.marks, page.path))


def _page(ports: KnowledgePorts, path: str, found: Approval) -> PageToApprove:
    try:
        data = ports.files.read(path)[0]
    except ReadFailed as problem:
        raise NotFound(f"`{path}` cannot be read: {problem}", path=path) from None
    unmarked = found == WAITING or (found.approved and not found.named)  # then its marks were looked for, in vain
    return PageToApprove(path, found, () if unmarked else marks(decode(data).text), content_hash(data))


def approve_pages(ports: KnowledgePorts, pages: Sequence[PageToApprove], *, named: bool) -> list[PageToApprove]:
    """The pages that are approved now and were not before. Pages with marks only when each was named."""
    by = ApprovedBy.NAMED if named else ApprovedBy.ALL
    wanted = [page for page in pages if named or not page.marks]
    new = set(record_of(ports).add([page.hash for page in wanted], by, now_ms=ports.clock.now_ms()))
    return [page for page in wanted if page.hash in new]


def revoke_pages(ports: KnowledgePorts, pages: Sequence[PageToApprove]) -> list[PageToApprove]:
    gone = set(record_of(ports).remove([page.hash for page in pages], now_ms=ports.clock.now_ms()))
    return [page for page in pages if page.hash in gone]
