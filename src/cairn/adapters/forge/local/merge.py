"""Bring a request into its base branch: on top of where that is now, and the checkouts that have it move along.

The order makes it safe to be killed: what is going to happen is written down, then the checkouts move, then the branch,
then it is written down as done. Whoever merges again finishes what was begun. When git fails on the way, we put the
checkouts back ourselves.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from cairn.adapters.forge.local.branches import HEADS
from cairn.adapters.forge.local.checkouts import Checkout, checkouts_of, move_files, must_be_untouched, put_back
from cairn.adapters.forge.local.git_repository import GitEntry, GitRepository
from cairn.adapters.forge.local.records import Record, Records, StartedMerge
from cairn.adapters.forge.local.trees import differences, three_way
from cairn.changes import request_lifecycle as life
from cairn.core.model.change import ChangeRequest
from cairn.core.ports.forge import MergeResult
from cairn.errors import CairnError, Conflict, EnvironmentProblem, NotFound, Refused


class _Goal(NamedTuple):
    commit: str
    rebased: bool


class LocalMerge:
    def __init__(self, git: GitRepository, records: Records, *, index: str, now_ms: int) -> None:
        self._git = git
        self._records = records
        self._index = index
        self._now_ms = now_ms

    def merge(self, record: Record, *, by: str, automatic: bool) -> tuple[Record, MergeResult]:
        if record.landing is not None:
            record = self._without_old_attempt(record, record.landing)
            if record.request.merged_commit is not None:
                return record, MergeResult(record.request, record.request.merged_commit, rebased=False)
        life.must_be(record.request, *life.ACTIVE, what="merged")
        tip = self.tip(record.request)
        checkouts = checkouts_of(self._git, record.request.base_branch)
        if automatic and checkouts:
            raise self._left_to_a_person(record, checkouts)
        goal = self._goal(record, tip)
        return self._land(record, StartedMerge(tip, goal.commit, by), checkouts, rebased=goal.rebased)

    def tip(self, request: ChangeRequest) -> str:
        found = self._git.commit_at(HEADS + request.base_branch)
        if found is None:
            raise NotFound(f"The branch `{request.base_branch}`, which {request.id} was made for, is gone.")
        return found

    def _left_to_a_person(self, record: Record, checkouts: Sequence[Checkout]) -> Refused:
        self._records.save(record.with_request(life.ready(record.request, now_ms=self._now_ms)))
        id, where = record.request.id, checkouts[0].top
        return Refused(
            f"{id} is ready, but `{record.request.base_branch}` is checked out in {where}; `cairn change merge {id}` "
            "moves the checkout along."
        )

    def _goal(self, record: Record, tip: str) -> _Goal:
        """The commit that the base branch will point at."""
        git, request = self._git, record.request
        if git.commit_at(request.head) and git.contains(request.head, tip):
            return _Goal(request.head, rebased=False)
        tree = git.tree_of(tip)
        changes = three_way(git, record.base_tree, tree, record.head_tree)
        if not changes:
            return _Goal(tip, rebased=tip != request.base)
        tree = git.with_files(tree, changes, index=self._index)
        message, author = message_of(request), author_of(request.origin)
        return _Goal(git.commit(tree, tip, message, author=author, at_ms=self._now_ms), rebased=tip != request.base)

    # --- landing -------------------------------------------------------------------------------------------------

    def _land(
        self,
        record: Record,
        landing: StartedMerge,
        checkouts: Sequence[Checkout],
        *,
        rebased: bool,
        again: bool = False,
    ) -> tuple[Record, MergeResult]:
        old, new = self._both_ways(landing)
        for checkout in checkouts:
            must_be_untouched(self._git, checkout, [old, new] if again else [old])
        record = self._records.save(replace(record, landing=landing))
        try:
            self._move(record.request, landing, checkouts, new)
        except CairnError as failed:
            self._undo(record, landing, checkouts, failed)
            raise
        done = self._written_down(record, landing)
        tops = tuple(checkout.top for checkout in checkouts)
        return done, MergeResult(done.request, landing.goal, rebased=rebased, moved=tops)

    def _move(
        self,
        request: ChangeRequest,
        landing: StartedMerge,
        checkouts: Sequence[Checkout],
        files: Mapping[str, GitEntry | None],
    ) -> None:
        for checkout in checkouts:
            move_files(self._git, checkout, files)
        base = request.base_branch
        if not self._git.move(HEADS + base, landing.goal, landing.start, why=f"cairn: merge {request.id}"):
            raise Conflict(f"`{base}` moved meanwhile; merge again. Nothing was changed.")

    def _undo(self, record: Record, landing: StartedMerge, checkouts: Sequence[Checkout], failed: CairnError) -> None:
        """`EnvironmentProblem` when that is not possible, or too late."""
        failure, finishes = failed.message.rstrip("."), f"`cairn change merge {record.request.id}` finishes it."
        try:
            tip = self.tip(record.request)
            if tip != landing.goal:
                self._put_back(record, landing, tip, checkouts)
                return
        except CairnError as again:
            why = again.message.rstrip(".")
            raise EnvironmentProblem(f"{failure}. What had moved cannot be put back: {why}. {finishes}") from failed
        raise EnvironmentProblem(f"{failure}. Branch and files have moved all the same; {finishes}") from failed

    def _both_ways(self, landing: StartedMerge) -> tuple[Mapping[str, GitEntry | None], Mapping[str, GitEntry | None]]:
        paths = self._git.differing(landing.start, landing.goal)
        return differences(self._git, landing.start, landing.goal, paths)

    def _written_down(self, record: Record, landing: StartedMerge) -> Record:
        """As merged; base and head are from now on what has landed, so that it can be shown and taken back."""
        git = self._git
        request = life.merged(record.request, landing.goal, by=landing.by, now_ms=self._now_ms)
        landed = replace(request, base=landing.start, head=landing.goal)
        trees = {"base_tree": git.tree_of(landing.start), "head_tree": git.tree_of(landing.goal)}
        if landing.start == landing.goal:  # it was there already
            landed, trees = request, {}
        return self._records.save(replace(record, request=landed, landing=None, was=record.request.head, **trees))

    def _without_old_attempt(self, record: Record, landing: StartedMerge) -> Record:
        """Finish a merge that was stopped in the middle, or put back what it had moved."""
        tip = self.tip(record.request)
        if self._git.contains(tip, landing.goal):
            return self._written_down(record, landing)
        checkouts = checkouts_of(self._git, record.request.base_branch)
        if tip == landing.start:
            return self._land(record, landing, checkouts, rebased=False, again=True)[0]
        old, new = self._both_ways(landing)
        now = self._files_at(tip, old)
        for checkout in checkouts:
            must_be_untouched(self._git, checkout, [now, old, new])
        return self._put_back(record, landing, tip, checkouts)

    def _put_back(self, record: Record, landing: StartedMerge, tip: str, checkouts: Sequence[Checkout]) -> Record:
        """To where the branch is, which may be somewhere else than at the start."""
        now = self._files_at(tip, self._git.differing(landing.start, landing.goal))
        for checkout in checkouts:
            put_back(self._git, checkout, now)
        return self._records.save(replace(record, landing=None))

    def _files_at(self, tip: str, paths: Iterable[str]) -> dict[str, GitEntry | None]:
        wanted = list(paths)
        known = self._git.entries(tip, wanted)
        return {path: known.get(path) for path in wanted}


def message_of(request: ChangeRequest) -> str:
    title = " ".join(request.title.split()) or request.id
    body = f"\n\n{request.body.strip()}" if request.body.strip() else ""
    origin = " ".join(request.origin.split())
    text = f"{title}{body}\n\nCairn-Change: {request.id}\nCairn-Origin: {origin}\n"
    return text.replace("\0", "")  # which git refuses


def author_of(origin: str) -> str:
    """Of commits: the person where it is theirs, else Cairn says that it was itself."""
    return "" if origin == "person" else "Cairn"
