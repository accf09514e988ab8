"""What is being worked on here, as the repository shows it: the branch, what is edited, what was last committed."""

from collections.abc import Iterable, Sequence
from contextlib import suppress

from cairn.adapters.vcs.here import branch
from cairn.app.build import App
from cairn.errors import CairnError
from cairn.retrieve.around import NOWHERE, Around, telling

COMMITS = 5
MOST_PATHS = 200
_BULK = 50
"""A commit that touched more files than that was about none of them."""


def around_of(app: App, near: Sequence[str] = ()) -> Around:
    """Of the files that were named; else of those that differ from the last commit, and of what that and those before
    it were about. Never in the way: what git cannot say is not known."""
    name = branch(str(app.root)) or ""
    if near:
        return _around(near, (name,))
    with suppress(CairnError):
        return _at_work(app, name)
    return NOWHERE


def _at_work(app: App, name: str) -> Around:
    steps = app.vcs.recent(limit=COMMITS)
    if not steps:
        return _around((), (name,))
    edited = [change.path for change in app.vcs.changed("HEAD") if not change.path.startswith(".cairn/")]
    # What is edited now comes first: of a long list the rest is left out.
    paths = (*edited, *(path for step in steps if len(step.paths) <= _BULK for path in step.paths))
    return _around(paths, (name, *(step.subject for step in steps)))


def _around(paths: Iterable[str], texts: Sequence[str]) -> Around:
    known = tuple(dict.fromkeys(paths))[:MOST_PATHS]
    return Around(known, telling(*known, *texts))
