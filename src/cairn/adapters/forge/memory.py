"""A forge in memory, for tests and for those who write plugins: the same life of a request, and no git."""

import difflib
import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from cairn.changes import request_lifecycle as life
from cairn.changes.request_lifecycle import same_matter
from cairn.core.model.change import ChangeRequest, ChangeSet, FileEdit, GateRuling, Label, RequestState, Ticket
from cairn.core.ports.forge import MergeResult
from cairn.errors import Conflict, Refused

Files = Mapping[str, bytes]


class MemoryForge:
    name = "memory"

    def __init__(self, files: Files | None = None, *, base_branch: str = "main", checked_out: bool = False) -> None:
        self._base_branch = base_branch
        self.checked_out = checked_out
        """Whether somebody has the base branch in a work tree: nothing lands there by itself."""
        self._commits: dict[str, dict[str, bytes]] = {}
        self._requests: dict[str, ChangeRequest] = {}
        self._tickets: dict[str, Ticket] = {}
        self.tip = ""
        self.commit(files or {})

    # --- the repository that it stands for -----------------------------------------------------------------------

    def commit(self, files: Mapping[str, bytes | None]) -> str:
        """Change files of the base branch (None takes one away), as somebody who works there would."""
        self.tip = self._kept(self._with(self.tip, files.items()))
        return self.tip

    @property
    def commits(self) -> Collection[str]:
        return self._commits.keys()

    def files(self, commit: str | None = None) -> Files:
        return dict(self._commits[commit or self.tip])

    def _with(self, commit: str, edits: Iterable[tuple[str, bytes | None]]) -> dict[str, bytes]:
        files: dict[str, bytes | None] = {**self._commits.get(commit, {}), **dict(edits)}
        return {path: content for path, content in files.items() if content is not None}

    def _kept(self, files: dict[str, bytes]) -> str:
        id = hashlib.sha1(repr((len(self._commits), sorted(files.items()))).encode()).hexdigest()
        self._commits[id] = files
        return id

    # --- the port ------------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Nothing can be missing here."""

    def base_branch(self) -> str:
        return self._base_branch

    def publish(self, change: ChangeSet, rulings: Sequence[GateRuling], *, now_ms: int) -> ChangeRequest:
        return self._published(change, rulings, now_ms, None)

    def _published(
        self, change: ChangeSet, rulings: Sequence[GateRuling], now_ms: int, reverts: str | None
    ) -> ChangeRequest:
        if change.base not in self._commits:
            raise Refused(f"The change was made for {change.base!r}, which is no commit of this repository.")
        files = self._with(change.base, change.edits)
        if files == self._commits[change.base]:
            raise Refused(f"There is nothing in the change about {change.subject}: the files are like that already.")
        known = next((r for r in self._requests.values() if r.active and same_matter(r, change)), None)
        if known is not None:
            return self._updated(known, change, rulings, files, now_ms)
        id = f"c-{len(self._requests) + 1:08x}"
        branch = change.branch or f"cairn/{change.origin}/{id}"
        request = life.opened(
            change, rulings, id=id, branch=branch, base_branch=self._base_branch, head=self._kept(files), now_ms=now_ms
        )
        return self._save(replace(request, reverts=reverts))

    def _updated(
        self,
        known: ChangeRequest,
        change: ChangeSet,
        rulings: Sequence[GateRuling],
        files: dict[str, bytes],
        now_ms: int,
    ) -> ChangeRequest:
        head = known.head if self._commits[known.head] == files else self._kept(files)
        fresh = life.updated(known, change, rulings, head=head, now_ms=now_ms)
        return known if life.same_again(known, fresh) else self._save(fresh)

    def requests(self, *, states: Sequence[RequestState] = (), limit: int | None = None) -> list[ChangeRequest]:
        found = life.with_reverts(self._requests.values())
        return life.newest_first(r for r in found if not states or r.state in states)[:limit]

    def request(self, id: str) -> ChangeRequest:
        return life.by_prefix(self.requests(), id)

    def diff(self, id: str) -> str:
        request = self.request(id)
        old, new = self._commits[request.base], self._commits[request.head]
        return "".join(_file_diff(path, old.get(path), new.get(path)) for path in sorted({*old, *new}))

    def change(self, id: str) -> ChangeSet:
        request = self.request(id)
        edits = self._moved(request.base, request.head)
        return life.as_change(request, edits, base=self.tip)

    def judge(self, id: str, rulings: Sequence[GateRuling], *, now_ms: int) -> ChangeRequest:
        return self._step(id, lambda request: life.judged(request, rulings, now_ms=now_ms))

    def label(self, id: str, *, add: Sequence[Label] = (), remove: Sequence[str] = (), now_ms: int) -> ChangeRequest:
        return self._step(id, lambda request: life.labelled(request, add, remove, now_ms=now_ms))

    def approve(self, id: str, who: str, *, now_ms: int) -> ChangeRequest:
        return self._step(id, lambda request: life.approved(request, who, now_ms=now_ms))

    def comment(self, id: str, text: str, *, by: str = "", now_ms: int = 0) -> None:
        self._step(id, lambda request: life.commented(request, text, by=by, now_ms=now_ms))

    def merge(self, id: str, *, by: str, automatic: bool = False, now_ms: int) -> MergeResult:
        request = self.request(id)
        life.must_be(request, *life.ACTIVE, what="merged")
        if automatic and self.checked_out:
            self._save(life.ready(request, now_ms=now_ms))
            raise Refused(f"{request.id} is ready, but `{self._base_branch}` is checked out.")
        edits, start = self._moved(request.base, request.head), self.tip
        self.tip = self._kept(self._with(start, edits))
        done = replace(life.merged(request, self.tip, by=by, now_ms=now_ms), base=start, head=self.tip)
        return MergeResult(self._save(done), self.tip, rebased=start != request.base)

    def close(self, id: str, *, by: str = "", reason: str = "", now_ms: int) -> ChangeRequest:
        return self._step(id, lambda request: life.closed(request, by=by, reason=reason, now_ms=now_ms))

    def reopen(self, id: str, *, by: str = "", now_ms: int) -> ChangeRequest:
        request = self.request(id)
        again = life.reopened(request, by=by, now_ms=now_ms)
        for other in self.requests(states=life.ACTIVE):
            if (other.origin, other.subject) == (request.origin, request.subject):
                raise Conflict(f"{other.id} is about the same and open; close that first.", id=other.id)
        return self._save(again)

    def revert(self, id: str, *, by: str, now_ms: int) -> ChangeRequest:
        request = self.request(id)
        life.must_be(request, RequestState.MERGED, what="reverted")
        edits = self._moved(request.head, request.base)
        if not edits:
            raise Refused(f"Nothing of {request.id} is left to take back.", id=request.id)
        change = life.taking_back(request, edits, base=self.tip, by=by)
        return self._published(change, (), now_ms, request.id)

    def under_way(self) -> list[str]:
        return []

    def damaged(self) -> list[str]:
        return []

    def mend(self, ids: Collection[str]) -> None:
        """Nothing is done in two steps here."""

    def open_ticket(self, cause: str, title: str, body: str, *, now_ms: int) -> Ticket:
        known = self._tickets.get(cause)
        opened_at = known.opened_at_ms if known and known.open else now_ms
        id = known.id if known else f"t-{len(self._tickets) + 1}"
        self._tickets[cause] = Ticket(id, cause, title, body, True, opened_at)
        return self._tickets[cause]

    def tickets(self, *, open_only: bool = True) -> list[Ticket]:
        found = [ticket for ticket in self._tickets.values() if ticket.open or not open_only]
        return sorted(found, key=lambda ticket: (ticket.opened_at_ms, ticket.id), reverse=True)

    def close_ticket(self, cause: str, *, now_ms: int) -> Ticket | None:
        if cause in self._tickets:
            self._tickets[cause] = self._tickets[cause]._replace(open=False)
        return self._tickets.get(cause)

    # --- beneath -------------------------------------------------------------------------------------------------

    def _step(self, id: str, step: Callable[[ChangeRequest], ChangeRequest]) -> ChangeRequest:
        return self._save(step(self.request(id)))

    def _save(self, request: ChangeRequest) -> ChangeRequest:
        kept = RequestState.MERGED if request.state is RequestState.REVERTED else request.state
        self._requests[request.id] = replace(request, state=kept)
        return request

    def _moved(self, old: str, new: str) -> tuple[FileEdit, ...]:
        """What leads from one commit to another, put on the base branch; whole files, so both sides clash early."""
        before, after, here = self._commits[old], self._commits[new], self._commits[self.tip]
        wanted = [path for path in sorted({*before, *after}) if before.get(path) != after.get(path)]
        clashes = [path for path in wanted if here.get(path) not in (before.get(path), after.get(path))]
        if clashes:
            raise Conflict(
                f"It does not fit its base branch any more: {', '.join(clashes)} changed there.", paths=clashes
            )
        return tuple(FileEdit(path, after.get(path)) for path in wanted if here.get(path) != after.get(path))


def _file_diff(path: str, old: bytes | None, new: bytes | None) -> str:
    if old == new:
        return ""
    was, now = (f"a/{path}" if old is not None else "/dev/null", f"b/{path}" if new is not None else "/dev/null")
    before, after = ((text or b"").decode("utf-8", "replace").splitlines(keepends=True) for text in (old, new))
    return "".join(difflib.unified_diff(before, after, was, now))
