"""Those who answer the bot: they look when they have time, mend what is wrong, and close what was no reason to ask."""

from collections.abc import Mapping
from random import Random
from typing import Final, Literal, NamedTuple, Protocol

from cairn.core.model.change import ChangeRequest, Level
from cairn.errors import Conflict
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.replay.world import PlayedWeb, PlayedWorld

Answer = Literal["unchanged", "mended", "closed"]

_LATER: Final = 0.45
"""On any day, how likely it is that a request waits for another one."""
_NOT_NOW: Final = 0.1
"""How many requests that are right are closed all the same."""


class PlayedRepository(Protocol):
    """Requests and files of one branch, in memory."""

    def requests(self) -> list[ChangeRequest]: ...

    def request(self, id: str) -> ChangeRequest: ...

    def close(self, id: str, *, by: str = "", now_ms: int) -> ChangeRequest: ...

    def merge(self, id: str, *, by: str, now_ms: int) -> object: ...

    def files(self) -> Mapping[str, bytes]: ...

    def commit(self, edits: Mapping[str, bytes | None]) -> object: ...


class PlayedHistory(Protocol):
    def note(self) -> None:
        """Remember when the branch came to be what it is; whoever moves it calls this."""
        ...


class PlayedTime(Protocol):
    def set(self, now_ms: int) -> None: ...

    def advance(self, ms: int) -> None: ...


class ReplayPorts(FreshnessPorts, Protocol):
    """An application with everything outside of it replaced."""

    @property
    def repository(self) -> PlayedRepository: ...

    @property
    def tree(self) -> PlayedHistory: ...

    @property
    def time(self) -> PlayedTime: ...

    @property
    def web(self) -> PlayedWeb: ...

    def close(self) -> None: ...


class AnsweredRequest(NamedTuple):
    request: ChangeRequest
    answer: Answer
    right: bool


class PlayedPeople:
    def __init__(self, world: PlayedWorld, app: ReplayPorts, *, seed: int) -> None:
        self._world, self._app = world, app
        self._random = Random(seed)
        self.right: dict[str, bool] = {}
        """Whether a request about drift had a reason, by its id, as things were when it was opened."""

    def hear(self, request: ChangeRequest) -> bool:
        """A request reaches them. Whether it is right is settled now: the world goes on."""
        entries = [self._world.by_path[path] for path in request.paths if path in self._world.by_path]
        self.right[request.id] = any(entry.wrong for entry in entries)
        return self.right[request.id]

    def answer(self) -> list[AnsweredRequest]:
        """What waits, oldest first; some of it waits on."""
        waiting = sorted(self._app.repository.requests(), key=lambda request: request.id)
        return [self._settled(one) for one in waiting if one.active and self._random.random() >= _LATER]

    def _settled(self, request: ChangeRequest) -> AnsweredRequest:
        now_ms = self._app.clock.now_ms()
        right = request.kind == "confirmations" or self.right.get(request.id, True)
        refused = not right or request.level is Level.BLOCK or self._random.random() < _NOT_NOW
        if refused and request.kind != "confirmations":
            self._app.repository.close(request.id, by="Mara", now_ms=now_ms)
            return AnsweredRequest(request, "closed", right)
        try:
            self._app.repository.merge(request.id, by="Mara", now_ms=now_ms)
        except Conflict:  # somebody mended one of its pages meanwhile
            self._app.repository.close(request.id, by="Mara", now_ms=now_ms)
            return AnsweredRequest(request, "closed", right)
        self._app.tree.note()
        return AnsweredRequest(request, "mended" if self._mended(request) else "unchanged", right)

    def _mended(self, request: ChangeRequest) -> bool:
        """The request brought the hashes; the sentence is theirs to write."""
        if request.kind == "confirmations":
            return False
        files = self._app.repository.files()
        edits: dict[str, bytes | None] = {}
        for path in request.paths:
            entry = self._world.by_path[path]
            text = files[path].decode()
            for nth, at in enumerate(entry.facts):
                old, new = entry.sentence(nth, entry.values[nth]), entry.sentence(nth, entry.page.values[at])
                text = text.replace(old, new)
            entry.values = [entry.page.values[at] for at in entry.facts]
            edits[path] = text.encode()
        self._app.repository.commit(edits)
        self._app.tree.note()
        return True
