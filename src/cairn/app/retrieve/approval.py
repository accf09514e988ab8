"""Which pages a person has approved: only those are told to an agent that did not ask.

In a repository a page is approved when it is what the last commit holds: somebody committed it, or merged the request
that brought it. Where there is no repository nobody can be seen to have accepted anything, so there a page must not
be new. In both, what is unfinished, in quarantine, outdated or talks to machines is not approved, whoever let it in.
"""

from collections.abc import Sequence
from typing import NamedTuple

from cairn.app.build import App
from cairn.kernel.knowledge.entry import Status
from cairn.kernel.model.change import Note, State, Taint
from cairn.kernel.ports.files import ReadFailed
from cairn.kernel.text.frontmatter import decode, parse
from cairn.kernel.text.instructions import marks
from cairn.retrieve.served import status_of

AUTOMATIC = "cairn"
"""Who merges what lands by itself."""


class Approval(NamedTuple):
    approved: bool
    why: str
    """A few words, to be read behind the page's name."""


LANDED_UNSEEN = Approval(False, "it followed outside text and landed by itself")
_YES = Approval(True, "committed")
_UNTRACKED_YES = Approval(True, "there is no repository, and it is not new")
_REFUSED = {
    Status.DRAFT: "nobody has filled it in yet",
    Status.QUARANTINED: "in quarantine",
    Status.DEPRECATED: "no longer recommended",
}


def approvals(app: App, paths: Sequence[str]) -> dict[str, Approval]:
    """For each path, whether its page as it is now was approved. One question to git for all of them."""
    wanted = list(dict.fromkeys(paths))
    committed = dict(zip(wanted, app.vcs.show([("HEAD", path) for path in wanted]), strict=True))
    repository = any(data is not None for data in committed.values()) or app.vcs.root() is not None
    unseen = landed_unseen(app) if repository else frozenset()
    return {path: _approval(app, path, committed[path], repository, unseen) for path in wanted}


def _approval(app: App, path: str, committed: bytes | None, repository: bool, unseen: frozenset[str]) -> Approval:
    try:
        data = app.files.read(path)[0]
    except ReadFailed:
        return Approval(False, "it cannot be read")
    text = decode(data).text
    page = parse(text)
    if page.problems:
        return Approval(False, "its frontmatter cannot be read")
    status = status_of(page.frontmatter)
    if status in _REFUSED:
        return Approval(False, _REFUSED[status])
    if marks(text):
        return Approval(False, "parts of it address machines")
    if not repository:
        return Approval(False, "new, and there is no repository") if status is Status.ALPHA else _UNTRACKED_YES
    if committed is None:
        return Approval(False, "not committed yet")
    if _lines(committed) != _lines(data):
        return Approval(False, "edited since the last commit")
    return LANDED_UNSEEN if path in unseen else _YES


def _lines(data: bytes) -> bytes:
    """Git may check files out with other line ends than it keeps."""
    return data.replace(b"\r\n", b"\n")


def landed_unseen(app: App) -> frozenset[str]:
    """Files of merged requests that followed outside text and that no person merged. Nothing of ours merges such a
    one; this is for records that were made otherwise. A forge elsewhere is not asked: that would be the network."""
    if app.settings.text("change.forge") != "local":
        return frozenset()
    merged = app.forge.requests(states=(State.MERGED,))
    outside = (request for request in merged if request.taint is Taint.OUTSIDE and _by_itself(request.notes))
    return frozenset(path for request in outside for path in request.paths)


def _by_itself(notes: Sequence[Note]) -> bool:
    """Approved by nobody, as far as anything was written down."""
    return not any(note.what in ("merged", "approved") and note.who not in ("", AUTOMATIC) for note in notes)
