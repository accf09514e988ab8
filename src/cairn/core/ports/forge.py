"""The forge: where change requests and tickets live. One is in the repository itself, others are on the web.

Only `changes` and the app use it.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

from cairn.core.model.change import ChangeRequest, ChangeSet, GateRuling, Label, RequestState, Ticket


class MergeResult(NamedTuple):
    request: ChangeRequest
    commit: str
    rebased: bool
    """Whether the base had moved on and the change was put on top of it."""
    moved: tuple[str, ...] = ()
    """Work trees whose checkout moved along."""


class Forge(Protocol):
    @property
    def name(self) -> str: ...

    def check(self) -> None:
        """Everything that publishing needs is there, else the error says what is missing."""
        ...

    def base_branch(self) -> str: ...

    def publish(self, change: ChangeSet, rulings: Sequence[GateRuling], *, now_ms: int) -> ChangeRequest:
        """Open a request, or bring the open one of the same origin and subject up to date. `Conflict` when somebody
        else has worked on its branch."""
        ...

    def requests(self, *, states: Sequence[RequestState] = (), limit: int | None = None) -> list[ChangeRequest]:
        """Newest first."""
        ...

    def request(self, id: str) -> ChangeRequest:
        """By id or an unambiguous beginning of it; `NotFound` else."""
        ...

    def diff(self, id: str) -> str:
        """Unified, against its base."""
        ...

    def change(self, id: str) -> ChangeSet:
        """What it would do to the base branch as that stands now, to be judged again; `Conflict` when it does not fit
        any more."""
        ...

    def judge(self, id: str, rulings: Sequence[GateRuling], *, now_ms: int) -> ChangeRequest:
        """Keep what the gates say now."""
        ...

    def label(
        self, id: str, *, add: Sequence[Label] = (), remove: Sequence[str] = (), now_ms: int
    ) -> ChangeRequest: ...

    def approve(self, id: str, who: str, *, now_ms: int) -> ChangeRequest: ...

    def comment(self, id: str, text: str, *, by: str = "", now_ms: int = 0) -> None: ...

    def merge(self, id: str, *, by: str, automatic: bool = False, now_ms: int) -> MergeResult:
        """`Conflict` when it does not fit the base any more; `Refused` when a checkout is in the way. An automatic one
        never moves a branch that is checked out: the request becomes `ready`, and `Refused` says so."""
        ...

    def close(self, id: str, *, by: str = "", reason: str = "", now_ms: int) -> ChangeRequest: ...

    def reopen(self, id: str, *, by: str = "", now_ms: int) -> ChangeRequest: ...

    def revert(self, id: str, *, by: str, now_ms: int) -> ChangeRequest:
        """A new request that takes a merged one back."""
        ...

    # what a death left
    def damaged(self) -> list[str]:
        """Ids of requests that cannot be read."""
        ...

    def under_way(self) -> list[str]:
        """Ids of requests whose merge was stopped before the branch moved."""
        ...

    def mend(self, ids: Collection[str]) -> None:
        """Finish what a death left of these: an open request has its branch, an ended one has none."""
        ...

    # tickets
    def open_ticket(self, cause: str, title: str, body: str, *, now_ms: int) -> Ticket: ...

    def tickets(self, *, open_only: bool = True) -> list[Ticket]: ...

    def close_ticket(self, cause: str, *, now_ms: int) -> Ticket | None: ...
