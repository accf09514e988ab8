"""Change requests as pull requests at GitHub, tickets as issues."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from cairn.adapters.forge.github.api import GitHubApi, Json, failure, headers_with, says
from cairn.adapters.forge.github.branches import TRAILER, Branches, key_of, wanted_name
from cairn.adapters.forge.github.gate_table import show_gates
from cairn.adapters.forge.github.merge import GitHubMerge
from cairn.adapters.forge.github.project import place_from, token_from
from cairn.adapters.forge.github.pulls import Pulls, must_be_writable, must_have_branch, repository, sync_labels
from cairn.adapters.forge.github.reading import Pull
from cairn.adapters.forge.github.tickets import Tickets
from cairn.adapters.forge.github.trees import GitHubTrees
from cairn.adapters.http.json_client import JsonClient
from cairn.changes import request_lifecycle as life
from cairn.core.model.change import ChangeRequest, ChangeSet, GateRuling, Label, RequestState, Ticket
from cairn.core.ports.forge import MergeResult
from cairn.errors import CairnError, Conflict, Refused

DIFF = "application/vnd.github.diff"


def open_github(
    env: Mapping[str, str],
    *,
    origin: str | None,
    base: str | None = None,
    prefix: str = "",
    sleep: Callable[[float], None] = time.sleep,
) -> "GitHubForge":
    """With what the operator's environment says. `origin` is the address of the remote, `prefix` the folder of the
    workspace in the repository. Nothing is asked of GitHub yet."""
    place = place_from(env, origin)
    client = JsonClient(place.api, headers_with(token_from(env)), env=env, sleep=sleep)
    return GitHubForge(GitHubApi(client, place), base=base, prefix=prefix, sleep=sleep)


class GitHubForge:
    name = "github"

    def __init__(
        self,
        api: GitHubApi,
        *,
        base: str | None = None,
        prefix: str = "",
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._api = api
        self._base = base
        self._trees = GitHubTrees(api, prefix=prefix)
        self._branches = Branches(api, self._trees)
        self._pulls = Pulls(api)
        self._merging = GitHubMerge(api, self._trees, sleep=sleep)
        self._tickets = Tickets(api)

    @cached_property
    def _repository(self) -> Json:
        return repository(self._api)

    def check(self) -> None:
        must_be_writable(self._repository, self._api.place.full_name)
        must_have_branch(self._api, self.base_branch())

    def base_branch(self) -> str:
        return self._base or str(self._repository["default_branch"])

    # --- opening -------------------------------------------------------------------------------------------------

    def publish(self, change: ChangeSet, rulings: Sequence[GateRuling], *, now_ms: int) -> ChangeRequest:
        return self._published(change, rulings, now_ms, None)

    def _published(
        self, change: ChangeSet, rulings: Sequence[GateRuling], now_ms: int, reverts: str | None
    ) -> ChangeRequest:
        if self._trees.commit(change.base) is None:
            raise Refused(
                f"The change was made for {change.base!r}, which is no commit at GitHub; push it there first."
            )
        tree = self._trees.edited(change.base, change.edits)
        if tree is None:
            raise Refused(f"There is nothing in the change about {change.subject}: the files are like that already.")
        known = self._pulls.open_about(change.origin, change.subject)
        if known is not None:
            return self._updated(known, change, rulings, tree, now_ms)
        return self._opened(change, rulings, tree, now_ms, reverts)

    def _opened(
        self, change: ChangeSet, rulings: Sequence[GateRuling], tree: str, now_ms: int, reverts: str | None
    ) -> ChangeRequest:
        head = self._trees.committed(tree, change.base, _message(change))
        branch = self._branches.create(wanted_name(change), head, key_of(change.origin, change.subject))
        names = {"id": "0", "branch": branch, "base_branch": self.base_branch(), "head": head}
        request = replace(
            life.opened(change, rulings, now_ms=now_ms, **names),
            reverts=reverts,
            notes=(),
            labels=tuple(sorted(change.labels)),
        )
        try:
            made = self._pulls.open(request)
        except CairnError:
            self._without_branch(branch, head)
            raise
        request = replace(request, id=str(made["number"]), url=made.get("html_url"))
        sync_labels(self._api, request.id, (), _names(request))
        show_gates(self._api, request.id, rulings, author=str(made["user"]["login"]))
        return request

    def _without_branch(self, branch: str, head: str) -> None:
        """Leave no trace; when that fails too, the next attempt takes the branch up again."""
        try:
            self._branches.drop(branch, head)
        except CairnError:
            return

    def _updated(
        self, known: Pull, change: ChangeSet, rulings: Sequence[GateRuling], tree: str, now_ms: int
    ) -> ChangeRequest:
        request = known.request
        if known.worked_on:
            raise Conflict(
                f"{request.id} is not brought up to date, because somebody has committed to its branch "
                f"`{request.branch}`; merge or close it.",
                id=request.id,
            )
        fresh = replace(life.updated(request, change, rulings, head=request.head, now_ms=now_ms), notes=())
        moved = request.base != change.base or self._trees.tree_of(request.head) != tree
        if moved:
            fresh = replace(fresh, head=self._trees.committed(tree, change.base, _message(change)))
        if moved or not life.same_again(request, fresh):
            self._pulls.save(fresh, was=request.head)
        else:
            fresh = request
        if moved:
            self._branches.move(request.branch, fresh.head)
        sync_labels(self._api, request.id, _names(request), _names(fresh))
        show_gates(self._api, request.id, rulings, author=known.author)
        return fresh

    # --- looking -------------------------------------------------------------------------------------------------

    def requests(self, *, states: Sequence[RequestState] = (), limit: int | None = None) -> list[ChangeRequest]:
        """Of those that are closed, only the last few hundred are looked at."""
        found = self._pulls.all(closed=not states or not set(states) <= set(life.ACTIVE))
        return life.newest_first(r for r in found if not states or r.state in states)[:limit]

    def request(self, id: str) -> ChangeRequest:
        return self._pulls.one(id).request

    def diff(self, id: str) -> str:
        request = self.request(id)
        answer = self._api.ask("GET", f"/pulls/{request.id}", accept=DIFF)
        if not answer.fine:
            raise failure(answer, f"show the diff of {request.id}")
        return answer.body.decode("utf-8", "replace")

    def change(self, id: str) -> ChangeSet:
        pull = self._pulls.one(id)
        request = pull.request
        tip = self._tip(request.base_branch)
        base = self._fork_point(request) if pull.worked_on else request.base
        edits = self._merging.on_top_of(request, base, tip, self._paths(pull))
        return life.as_change(request, edits, base=tip)

    def _paths(self, pull: Pull) -> list[str]:
        if not pull.worked_on and pull.request.paths:
            return list(pull.request.paths)
        return [self._trees.short(path) for path in self._pulls.files(pull.request.id)]

    def _fork_point(self, request: ChangeRequest) -> str:
        path = f"/compare/{request.base}...{request.head}"
        return str(self._api.need("GET", path, doing="compare two commits")["merge_base_commit"]["sha"])

    def _tip(self, branch: str) -> str:
        tip = self._branches.tip(branch)
        if tip is None:
            raise Refused(f"The branch `{branch}` is gone at GitHub; name another one as `change.base`.")
        return tip

    # --- saying something ----------------------------------------------------------------------------------------

    def judge(self, id: str, rulings: Sequence[GateRuling], *, now_ms: int) -> ChangeRequest:
        pull = self._pulls.one(id)
        judged = life.judged(pull.request, rulings, now_ms=now_ms)
        self._keep(pull, judged)
        show_gates(self._api, judged.id, rulings, author=pull.author)
        return judged

    def label(self, id: str, *, add: Sequence[Label] = (), remove: Sequence[str] = (), now_ms: int) -> ChangeRequest:
        pull = self._pulls.one(id)
        labelled = replace(life.labelled(pull.request, add, remove, now_ms=now_ms), notes=())
        sync_labels(self._api, labelled.id, _names(pull.request), _names(labelled))
        self._keep(pull, labelled)
        return labelled

    def approve(self, id: str, who: str, *, now_ms: int) -> ChangeRequest:
        """As the one whose token it is: GitHub does not take anybody's word for another."""
        request = self.request(id)
        life.must_be(request, *life.ACTIVE, what="approved")
        body = {"event": "APPROVE", "commit_id": request.head}
        answer = self._api.ask("POST", f"/pulls/{request.id}/reviews", body)
        if answer.status == 422 and says(answer, "your own"):
            raise Refused(
                f"GitHub lets nobody approve their own pull request; approve {request.id} there as somebody else.",
                id=request.id,
            )
        if not answer.fine:
            raise failure(answer, f"approve {request.id}")
        return self.request(request.id)

    def comment(self, id: str, text: str, *, by: str = "", now_ms: int = 0) -> None:
        request = self.request(id)
        said = text.replace("<!--", "&lt;!--") + (f"\n\n({by}, by Cairn)" if by else "")
        self._api.need("POST", f"/issues/{request.id}/comments", {"body": said}, doing="write a comment")

    def _keep(self, pull: Pull, request: ChangeRequest) -> None:
        if request != pull.request:
            kept = replace(request, head=pull.head)  # the record is about what we put there, not about others' commits
            self._pulls.save(kept, was=pull.was)

    # --- ending --------------------------------------------------------------------------------------------------

    def merge(self, id: str, *, by: str, automatic: bool = False, now_ms: int) -> MergeResult:
        pull = self._pulls.one(id)
        request = pull.request
        life.must_be(request, *life.ACTIVE, what="merged")
        tip = self._tip(request.base_branch)
        commit = self._merging.land(request, self._repository, automatic=automatic)
        self._without_branch(request.branch, request.head)
        done = replace(life.merged(request, commit, by=by, now_ms=now_ms), notes=())
        return MergeResult(done, commit, rebased=tip != request.base)

    def close(self, id: str, *, by: str = "", reason: str = "", now_ms: int) -> ChangeRequest:
        pull = self._pulls.one(id)
        closed = replace(life.closed(pull.request, by=by, reason=reason, now_ms=now_ms), notes=())
        if reason:
            self.comment(closed.id, reason, by=by)
        self._pulls.set_state(closed.id, "closed")
        self._without_branch(closed.branch, pull.head)
        return closed

    def reopen(self, id: str, *, by: str = "", now_ms: int) -> ChangeRequest:
        pull = self._pulls.one(id)
        again = replace(life.reopened(pull.request, by=by, now_ms=now_ms), notes=())
        other = self._pulls.open_about(again.origin, again.subject)
        if other is not None:
            raise Conflict(f"{other.request.id} is about the same and open; close that first.", id=other.request.id)
        self._branches.restore(again.branch, again.head)
        self._pulls.set_state(again.id, "open")
        return again

    def revert(self, id: str, *, by: str, now_ms: int) -> ChangeRequest:
        pull = self._pulls.one(id)
        request = pull.request
        life.must_be(request, RequestState.MERGED, what="reverted")
        tip = self._tip(request.base_branch)
        edits = self._merging.taken_back(request, tip, self._paths(pull))
        if not edits:
            raise Refused(f"Nothing of {request.id} is left to take back.", id=request.id)
        return self._published(life.taking_back(request, edits, base=tip, by=by), (), now_ms, request.id)

    # --- tickets -------------------------------------------------------------------------------------------------

    def under_way(self) -> list[str]:
        return []

    def damaged(self) -> list[str]:
        return []

    def mend(self, ids: Collection[str]) -> None:
        """Nothing is done in two steps here."""

    def open_ticket(self, cause: str, title: str, body: str, *, now_ms: int) -> Ticket:
        return self._tickets.open(cause, title, body, now_ms=now_ms)

    def tickets(self, *, open_only: bool = True) -> list[Ticket]:
        return self._tickets.all(open_only=open_only)

    def close_ticket(self, cause: str, *, now_ms: int) -> Ticket | None:
        return self._tickets.close(cause)


def _names(request: ChangeRequest) -> list[str]:
    return [label.name for label in request.labels]


def _message(change: ChangeSet) -> str:
    """The key stands last, so that no text of a change can pretend to have one."""
    title = " ".join(change.title.split()) or change.subject
    body = f"\n\n{change.body.strip()}" if change.body.strip() else ""
    text = f"{title}{body}\n\nCairn-Origin: {' '.join(change.origin.split())}"
    return f"{text}\n{TRAILER}: {key_of(change.origin, change.subject)}\n".replace("\0", "")
