"""Change requests in the repository itself: a branch and a commit for each, kept as refs beside it."""

import hashlib
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from shutil import rmtree

from cairn.adapters.forge.local.branches import HEADS, base_branch, followed, free_name, point, put_away, worked_on
from cairn.adapters.forge.local.checkouts import checkouts_of
from cairn.adapters.forge.local.git_repository import GitEntry, GitRepository
from cairn.adapters.forge.local.lock import FOLDER, locked
from cairn.adapters.forge.local.merge import LocalMerge, author_of, message_of
from cairn.adapters.forge.local.records import CHANGES, TICKETS, Record, Records
from cairn.adapters.forge.local.trees import edited_tree, three_way
from cairn.changes import request_lifecycle as life
from cairn.changes.request_lifecycle import same_matter
from cairn.core.model.change import ChangeRequest, ChangeSet, FileEdit, GateRuling, Label, RequestState, Ticket
from cairn.core.ports.forge import MergeResult
from cairn.errors import Conflict, Refused

Step = Callable[[ChangeRequest], ChangeRequest]


class LocalForge:
    name = "local"

    def __init__(self, root: Path, *, base: str | None = None) -> None:
        """`base` is the branch that the operator names, if they do."""
        self._git = GitRepository(root)
        self._records = Records(self._git)
        self._base = base
        self._found = False

    def check(self) -> None:
        self.base_branch()

    def base_branch(self) -> str:
        return base_branch(self._git, self._base)

    # --- opening -------------------------------------------------------------------------------------------------

    def publish(self, change: ChangeSet, rulings: Sequence[GateRuling], *, now_ms: int) -> ChangeRequest:
        with self._alone() as index:
            return self._published(change, rulings, index=index, now_ms=now_ms).request

    def _published(
        self, change: ChangeSet, rulings: Sequence[GateRuling], *, index: str, now_ms: int, reverts: str | None = None
    ) -> Record:
        git = self._git
        if git.commit_at(change.base) is None:
            raise Refused(f"The change was made for {change.base!r}, which is no commit of this repository.")
        base_tree = git.tree_of(change.base)
        head_tree = edited_tree(git, base_tree, change.edits, index=index)
        if head_tree == base_tree:
            raise Refused(f"There is nothing in the change about {change.subject}: the files are like that already.")
        records = self._records.all()
        known = next((r for r in records.values() if r.request.active and same_matter(r.request, change)), None)
        if known is not None:
            return self._updated(known, change, rulings, (base_tree, head_tree), now_ms)
        return self._opened(change, rulings, (base_tree, head_tree), records, now_ms, reverts)

    def _opened(
        self,
        change: ChangeSet,
        rulings: Sequence[GateRuling],
        trees: tuple[str, str],
        records: dict[str, Record],
        now_ms: int,
        reverts: str | None,
    ) -> Record:
        id = next(id for id in iter(_new_id, None) if id not in records)
        names = {"id": id, "branch": free_name(self._git, change, records), "base_branch": self.base_branch()}
        request = life.opened(change, rulings, head="", now_ms=now_ms, **names)
        head = self._commit(request, trees[1], now_ms)
        record = self._records.save(Record(replace(request, head=head, reverts=reverts), *trees))
        return self._pointed(record)

    def _updated(
        self, known: Record, change: ChangeSet, rulings: Sequence[GateRuling], trees: tuple[str, str], now_ms: int
    ) -> Record:
        self._must_be_ours(known)
        request = known.request
        fresh = life.updated(request, change, rulings, head=request.head, now_ms=now_ms)
        if trees == (known.base_tree, known.head_tree) and life.same_again(request, fresh):
            return self._pointed(known)
        if trees != (known.base_tree, known.head_tree) or message_of(fresh) != message_of(request):
            fresh = replace(fresh, head=self._commit(fresh, trees[1], now_ms))
        record = Record(fresh, *trees, was=request.head, stored=known.stored)
        return self._pointed(self._records.save(record))

    def _must_be_ours(self, record: Record) -> None:
        request = record.request
        self._nothing_under_way(record)
        if worked_on(record, self._git.refs(HEADS)):
            why = f"somebody has committed to its branch `{request.branch}`"
        elif there := checkouts_of(self._git, request.branch):
            why = f"its branch `{request.branch}` is checked out in {there[0].top}"
        else:
            return
        raise Conflict(f"{request.id} is not brought up to date, because {why}; merge or close it.", id=request.id)

    def _commit(self, request: ChangeRequest, tree: str, now_ms: int) -> str:
        author = author_of(request.origin)
        return self._git.commit(tree, request.base, message_of(request), author=author, at_ms=now_ms)

    def _pointed(self, record: Record) -> Record:
        """With its branch in place. The record is written first: of a kill in between only a branch is missing, and
        the next one who comes by sets it."""
        if point(self._git, record):
            return record
        records = self._records.all()
        name = free_name(self._git, life.as_change(record.request, (), base=record.request.base), records)
        moved = self._records.save(record.with_request(replace(record.request, branch=name)))
        point(self._git, moved)
        return moved

    # --- looking -------------------------------------------------------------------------------------------------

    def requests(self, *, states: Sequence[RequestState] = (), limit: int | None = None) -> list[ChangeRequest]:
        records = self._all()
        heads = self._git.refs(HEADS) if any(record.request.active for record in records.values()) else {}
        found = [self._shown(record, heads).request for record in records.values()]
        return life.newest_first(r for r in found if not states or r.state in states)[:limit]

    def request(self, id: str) -> ChangeRequest:
        return self._shown(self._record(id)).request

    def diff(self, id: str) -> str:
        record = self._shown(self._record(id))
        options = ("-p", "-r", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--full-index")
        out = self._git.run("diff-tree", *options, record.base_tree, record.head_tree)
        return out.decode("utf-8", "replace")

    def change(self, id: str) -> ChangeSet:
        record = self._shown(self._record(id))
        tip = self._git.commit_at(HEADS + record.request.base_branch) or record.request.base
        entries = three_way(self._git, record.base_tree, self._git.tree_of(tip), record.head_tree)
        return life.as_change(record.request, self._edits(entries), base=tip)

    def damaged(self) -> list[str]:
        """Ids of requests that cannot be read."""
        return self._records.damaged() if self._in_a_repository() else []

    def mend(self, ids: Collection[str]) -> None:
        """Finish what a death left of these: an open request has its branch, an ended one has none."""
        with self._alone():
            for record in (self._shown(one) for one in self._all().values() if one.request.id in ids):
                if not record.request.active:
                    put_away(self._git, record)
                elif record.landing is None:
                    self._pointed(record)

    def under_way(self) -> list[str]:
        """Ids of requests whose merge was stopped before the branch moved."""
        records = (self._shown(record, {}) for record in self._all().values() if record.landing is not None)
        return [record.request.id for record in records if record.request.active]

    def _shown(self, record: Record, heads: Mapping[str, str] | None = None) -> Record:
        """As it is now: with what a person did to its branch, and with a merge that was stopped just before its end."""
        landing = record.landing
        if landing is not None and self._git.contains(HEADS + record.request.base_branch, landing.goal):
            at_ms = record.request.updated_at_ms
            return record.with_request(life.merged(record.request, landing.goal, by=landing.by, now_ms=at_ms))
        if not record.request.active:
            return record
        return followed(self._git, record, self._git.refs(HEADS) if heads is None else heads)

    def _all(self) -> dict[str, Record]:
        return self._records.all() if self._in_a_repository() else {}

    def _in_a_repository(self) -> bool:
        """Asked until it is one: from then on it stays one."""
        if not self._found:
            self._found = self._git.ask("rev-parse", "--git-dir") is not None
        return self._found

    def _record(self, id: str) -> Record:
        records = self._all()
        return records[life.by_prefix([record.request for record in records.values()], id).id]

    def _edits(self, entries: dict[str, GitEntry | None]) -> tuple[FileEdit, ...]:
        ids = [entry.id for entry in entries.values() if entry]
        contents = dict(zip(ids, self._git.contents(ids), strict=True)) if ids else {}
        return tuple(
            FileEdit(self._git.short(path), contents[entry.id] if entry else None) for path, entry in entries.items()
        )

    # --- saying something ----------------------------------------------------------------------------------------

    def judge(self, id: str, rulings: Sequence[GateRuling], *, now_ms: int) -> ChangeRequest:
        return self._step(id, lambda request: life.judged(request, rulings, now_ms=now_ms))

    def label(self, id: str, *, add: Sequence[Label] = (), remove: Sequence[str] = (), now_ms: int) -> ChangeRequest:
        return self._step(id, lambda request: life.labelled(request, add, remove, now_ms=now_ms))

    def approve(self, id: str, who: str, *, now_ms: int) -> ChangeRequest:
        return self._step(id, lambda request: life.approved(request, who, now_ms=now_ms))

    def comment(self, id: str, text: str, *, by: str = "", now_ms: int = 0) -> None:
        self._step(id, lambda request: life.commented(request, text, by=by, now_ms=now_ms))

    def _step(self, id: str, step: Step) -> ChangeRequest:
        with self._alone():
            record = self._record(id)
            saved = self._records.save(record.with_request(step(record.request)))
            return self._shown(saved).request

    # --- ending --------------------------------------------------------------------------------------------------

    def merge(self, id: str, *, by: str, automatic: bool = False, now_ms: int) -> MergeResult:
        with self._alone() as index:
            record = followed(self._git, self._record(id), self._git.refs(HEADS))
            merging = LocalMerge(self._git, self._records, index=index, now_ms=now_ms)
            done, merged = merging.merge(record, by=by, automatic=automatic)
            put_away(self._git, record)
            return merged._replace(request=done.request)

    def close(self, id: str, *, by: str = "", reason: str = "", now_ms: int) -> ChangeRequest:
        with self._alone():
            record = self._record(id)
            self._nothing_under_way(record)
            closed = life.closed(record.request, by=by, reason=reason, now_ms=now_ms)
            saved = self._records.save(record.with_request(closed))
            put_away(self._git, saved)
            return saved.request

    def reopen(self, id: str, *, by: str = "", now_ms: int) -> ChangeRequest:
        with self._alone():
            record = self._record(id)
            request = life.reopened(record.request, by=by, now_ms=now_ms)
            self._must_be_the_only_one(record)
            if self._git.commit_at(request.head) is None:  # git has thrown the commit away; the trees are kept
                request = replace(request, head=self._commit(request, record.head_tree, now_ms))
            return self._pointed(self._records.save(record.with_request(request))).request

    def revert(self, id: str, *, by: str, now_ms: int) -> ChangeRequest:
        with self._alone() as index:
            record = self._record(id)
            request = record.request
            life.must_be(request, RequestState.MERGED, what="reverted")
            tip = self._git.commit_at(HEADS + request.base_branch) or request.head
            entries = three_way(self._git, record.head_tree, self._git.tree_of(tip), record.base_tree)
            if not entries:
                raise Refused(f"Nothing of {request.id} is left to take back.", id=request.id)
            change = life.taking_back(request, self._edits(entries), base=tip, by=by)
            return self._published(change, (), index=index, now_ms=now_ms, reverts=request.id).request

    def _nothing_under_way(self, record: Record) -> None:
        if record.landing is not None:
            id = record.request.id
            raise Refused(f"A merge of {id} was stopped in the middle; `cairn change merge {id}` finishes it.", id=id)

    def _must_be_the_only_one(self, record: Record) -> None:
        matter = (record.request.origin, record.request.subject)
        for other in self._records.all().values():
            if other.request.active and (other.request.origin, other.request.subject) == matter:
                raise Conflict(f"{other.request.id} is about the same and open; close that first.", id=other.request.id)

    # --- tickets -------------------------------------------------------------------------------------------------

    def open_ticket(self, cause: str, title: str, body: str, *, now_ms: int) -> Ticket:
        id = _ticket_id(cause)
        with self._alone():
            known, stored = self._records.tickets().get(id, (None, None))
            opened_at = known.opened_at_ms if known and known.open else now_ms
            ticket = Ticket(id, cause, title, body, True, opened_at)
            if ticket != known:
                self._records.save_ticket(ticket, stored)
            return ticket

    def tickets(self, *, open_only: bool = True) -> list[Ticket]:
        if not self._in_a_repository():
            return []
        found = [ticket for ticket, _ in self._records.tickets().values() if ticket.open or not open_only]
        return sorted(found, key=lambda ticket: (ticket.opened_at_ms, ticket.id), reverse=True)

    def close_ticket(self, cause: str, *, now_ms: int) -> Ticket | None:
        with self._alone():
            known, stored = self._records.tickets().get(_ticket_id(cause), (None, None))
            if known is None or not known.open:
                return known
            closed = known._replace(open=False)
            self._records.save_ticket(closed, stored)
            return closed

    # --- leaving -------------------------------------------------------------------------------------------------

    def belongings(self) -> dict[str, str]:
        """Every ref that is here because of us, with where it points; not a branch that somebody works on."""
        if not self._in_a_repository():
            return {}
        heads = self._git.refs(HEADS)
        requests = [record.request for record in self._records.all().values()]
        ours = {HEADS + r.branch: r.head for r in requests if heads.get(HEADS + r.branch) == r.head}
        branches = {ref: id for ref, id in ours.items() if not checkouts_of(self._git, ref.removeprefix(HEADS))}
        return branches | self._git.refs(CHANGES) | self._git.refs(TICKETS)

    def leave(self) -> None:
        """Take all of it away."""
        if not self._in_a_repository():
            return
        for ref, id in self.belongings().items():
            self._git.drop(ref, id)
        rmtree(os.path.join(self._git.place.common, FOLDER), ignore_errors=True)

    @contextmanager
    def _alone(self) -> Iterator[str]:
        with locked(self._git.place.common) as index:
            yield index


def _new_id() -> str:
    return f"c-{os.urandom(4).hex()}"


def _ticket_id(cause: str) -> str:
    return f"t-{hashlib.sha256(cause.encode('utf-8', 'surrogateescape')).hexdigest()[:12]}"
