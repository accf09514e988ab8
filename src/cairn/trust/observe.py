"""Looks at the base branch: pages that are new, say something else, or have the status that was decided."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from cairn.core.isolate import each
from cairn.core.model.change import RequestState
from cairn.core.model.knowledge import KINDS, EntryStatus
from cairn.core.ports.trust import ArtefactRow
from cairn.errors import CairnError
from cairn.knowledge.content_hash import revision_of
from cairn.knowledge.serving_status import status_of
from cairn.trust.artefact import at_path, enrolled, left, seen
from cairn.trust.base_pages import BasePages, declares_maintenance, is_maintenance, kept_text
from cairn.trust.events import CHANGED, ArtefactEvent
from cairn.trust.table import Transition

if TYPE_CHECKING:
    from cairn.trust.ports import TrustPorts
    from cairn.trust.voters import Voters

_ENTERS: Final = (EntryStatus.DRAFT, EntryStatus.ALPHA)
"""Statuses with which a page enters by itself: what the curator and drafts write. Any other must be earned, or be
enrolled by a person."""


class BaseObserver:
    def __init__(self, ports: "TrustPorts", voters: "Voters", base: BasePages) -> None:
        self._ports, self._voters, self._base = ports, voters, base
        self._now_ms = ports.clock.now_ms()
        self._requests: dict[str, str] | None = None

    def look(self, artefacts: Sequence[ArtefactRow]) -> list[ArtefactEvent]:
        """What the base branch has to say about these."""
        found = self._base.read(row.artefact for row in artefacts)
        names = [row.artefact for row in artefacts]
        rejected: dict[str, set[str]] = {}
        for name, content in self._ports.store.trust.rejected(names):
            rejected.setdefault(name, set()).add(content)
        looked = each(
            artefacts,
            lambda row: self._seen(row, found.get(row.artefact), rejected.get(row.artefact, set())),
            lambda row: row.artefact,
        )
        return [event for event in looked if event is not None]

    def _seen(self, row: ArtefactRow, data: bytes | None, rejected: set[str]) -> ArtefactEvent | None:
        if data is None:
            return ArtefactEvent(left(row, self._now_ms)) if row.content else None
        if not row.content:
            return self.enroll(row.artefact, data, rev=row.rev + 1)
        if row.revision == revision_of(data) and row.landed and self._file_is_as_seen(row, data):
            return None
        page = self._base.state(row.artefact, data)
        if page.content != row.content:
            page = page._replace(submitter=self.submitter(row.artefact), maintenance=self._is_maintenance(row, data))
        after = seen(row, page, rejected, self._now_ms)
        if after is None:
            return None
        again = page.content if page.content in rejected and after.content == page.content else ""
        return ArtefactEvent(after, restored=again if after.transition != Transition.LAND else "")

    def _file_is_as_seen(self, row: ArtefactRow, data: bytes) -> bool:
        """Bytes that were looked at before say nothing new, where the status is among them."""
        corpus = self._ports.knowledge.corpus(row.artefact)
        return corpus is not None and corpus.layout != "plain" and bool(data)

    def _is_maintenance(self, row: ArtefactRow, data: bytes) -> bool:
        return declares_maintenance(data) and is_maintenance(kept_text(self._ports, row.revision, row.snapshot), data)

    def submitter(self, path: str) -> int:
        """Who brought the text: the agent or session of the request that was merged, else the author of the commit."""
        if self._requests is None:
            self._requests = self._merged_requests()
        if origin := self._requests.get(path):
            kind, _, name = origin.partition(":")
            session = self._voters.session(path, name)
            return session if kind == "session" else self._voters.agent(path, name, None)
        author = self._ports.page_author(path, self._base.commit) if self._base.commit else ""
        return self._voters.person(path, author) if author else 0

    def _merged_requests(self) -> dict[str, str]:
        """By page, who proposed the newest merged request about it; the oldest first, so that the newest stays."""
        found: dict[str, str] = {}
        try:
            requests = self._ports.forge.requests(states=(RequestState.MERGED,)) if self._base.commit else []
        except CairnError:
            return found
        for request in reversed(requests):
            if request.origin == "trust":
                continue
            by = _proposer(request.evidence) if request.origin != "person" else ""
            for path in request.paths:
                found[path] = by
        return found

    # --- pages that nobody follows yet -----------------------------------------------------------------------------

    def newcomers(self, known: Iterable[str]) -> list[ArtefactEvent]:
        """Pages that say of themselves that they start: what the curator and drafts wrote."""
        known = set(known)
        nodes = self._ports.scanned_store().nodes()
        wanted = [
            node.path
            for node in nodes
            if node.kind in KINDS
            and not node.virtual
            and node.path not in known
            and status_of(node.frontmatter) in _ENTERS
        ]
        return [
            event for path, data in self._base.read(wanted).items() if (event := self.enroll(path, data)) is not None
        ]

    def enroll(
        self, path: str, data: bytes, *, by: str = "tick", keep_status: bool = False, reason: str = "", rev: int = 1
    ) -> ArtefactEvent | None:
        """At alpha, or as a skeleton; with the status that the file has only where a person says so."""
        page = self._base.state(path, data, submitter=self.submitter(path))
        said = page.status
        if by == "tick" and said not in _ENTERS:
            return None
        status = (
            said if said is not None and (keep_status or said not in (EntryStatus.BETA, EntryStatus.STABLE)) else None
        )
        kind = self._ports.knowledge.kind(path) or "page"
        row = enrolled(path, kind, page, self._now_ms, status=status or EntryStatus.ALPHA, by=by, rev=rev)
        if said is not None and status is None:
            row = row._replace(version="0.1.0")
        return ArtefactEvent(row, reason=reason)

    # --- pages that were moved -------------------------------------------------------------------------------------

    def moves(self, artefacts: Sequence[ArtefactRow]) -> Iterator[ArtefactEvent]:
        """Artefacts whose page has another path now, as the scan recorded it: the ballots go along."""
        renames = {rename.old: rename.new for rename in self._ports.store.renames()}
        known = {row.artefact for row in artefacts if row.content}
        moved = [row for row in artefacts if row.content and renames.get(row.artefact, row.artefact) not in known]
        found = self._base.read([path for row in moved for path in (row.artefact, renames[row.artefact])])
        for row in moved:
            new = renames[row.artefact]
            if row.artefact not in found and new in found:
                yield ArtefactEvent(at_path(row, new, self._now_ms))
                yield ArtefactEvent(left(row, self._now_ms))


def _proposer(evidence: Mapping[str, object]) -> str:
    session, agent = evidence.get("session"), evidence.get("agent")
    if isinstance(session, str) and session:
        return f"session:{session}"
    return f"agent:{agent}" if isinstance(agent, str) and agent else ""


def record(ports: "TrustPorts", events: Sequence[ArtefactEvent]) -> None:
    """All of them or none; what was recorded is in the store when this returns."""
    if not events:
        return
    ports.ledger.append_all([(CHANGED, event.payload) for event in events], now_ms=ports.clock.now_ms())
    ports.index_ledger()
