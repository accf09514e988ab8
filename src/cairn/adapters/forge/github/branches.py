"""The branches of our pull requests: their names, and that nobody else's is ever moved."""

import hashlib
import re

from cairn.adapters.forge.github.api import GitHubApi, failure, ref_in_path, says
from cairn.adapters.forge.github.trees import GitHubTrees
from cairn.core.model.change import ChangeSet
from cairn.errors import Conflict

TRAILER = "Cairn-Key"
_FINE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*(?:/[A-Za-z0-9_][A-Za-z0-9._-]*)*")
_ODD = re.compile(r"[^a-z0-9_-]+")
_LONGEST = 60
_TRIES = 30


def key_of(origin: str, subject: str) -> str:
    """What a request is about, short."""
    return hashlib.sha256(f"{origin}\0{subject}".encode("utf-8", "surrogateescape")).hexdigest()[:16]


def wanted_name(change: ChangeSet) -> str:
    name = change.branch
    if name and _FINE.fullmatch(name) and len(name) <= 200 and ".." not in name and not name.endswith((".", ".lock")):
        return name
    return f"cairn/{_slug(change.origin)}/{_slug(name or change.subject)}"


def _slug(text: str) -> str:
    return _ODD.sub("-", text.lower()).strip("-")[:_LONGEST].strip("-") or "change"


class Branches:
    def __init__(self, api: GitHubApi, trees: GitHubTrees) -> None:
        self._api = api
        self._trees = trees

    def tip(self, name: str) -> str | None:
        found = self._api.look(f"/git/ref/{ref_in_path(name)}", doing="show a branch")
        return None if found is None else str(found["object"]["sha"])

    def create(self, wanted: str, head: str, key: str) -> str:
        """The name it got. A branch that was left over from the same matter is taken up again."""
        for number in range(1, _TRIES + 1):
            name = wanted if number == 1 else f"{wanted}-{number}"
            tip = self.tip(name)
            if tip is None and self._made(name, head):
                return name
            if tip is not None and self._ours(tip, key):
                self._must_be_unused(name)
                self.move(name, head)
                return name
        raise Conflict(f"There are {_TRIES} branches `{wanted}-…` at GitHub already; delete those nobody needs.")

    def _must_be_unused(self, name: str) -> None:
        """Moving it would change, and dropping it close, a pull request that we don't know as ours any more."""
        head = f"{self._api.place.owner}:{name}"
        for pull in self._api.listed("/pulls", doing="list pull requests", pages=1, head=head, state="open"):
            raise Conflict(
                f"Pull request {pull['number']} has our branch `{name}`, but Cairn's record in its text is gone; "
                "close it first."
            )

    def restore(self, name: str, head: str) -> None:
        """Make it again if it is gone."""
        if self.tip(name) is None and not self._made(name, head):
            raise Conflict(f"The branch `{name}` cannot be made again at GitHub; another one is in its way.")

    def move(self, name: str, head: str) -> None:
        body = {"sha": head, "force": True}
        self._api.need("PATCH", f"/git/refs/{ref_in_path(name)}", body, doing=f"move the branch `{name}`")

    def drop(self, name: str, head: str) -> None:
        """If it is still where we left it. That it stays is no reason to fail."""
        if self.tip(name) == head:
            self._api.ask("DELETE", f"/git/refs/{ref_in_path(name)}")

    def _made(self, name: str, head: str) -> bool:
        """False when the name is taken, or a folder of it is a branch."""
        answer = self._api.ask("POST", "/git/refs", {"ref": f"refs/heads/{name}", "sha": head}, repeatable=True)
        if answer.fine:
            return True
        if answer.status == 422 and says(answer, "already exists", "cannot lock ref", "reference update failed"):
            return self.tip(name) == head  # our own, when a first answer got lost
        raise failure(answer, f"make the branch `{name}`")

    def _ours(self, tip: str, key: str) -> bool:
        commit = self._trees.commit(tip)
        message = str(commit["message"]) if commit else ""
        return message.rstrip().splitlines()[-1:] == [f"{TRAILER}: {key}"]
