"""What is being worked on here, as the repository shows it: the branch, what is edited, what was last committed."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

from cairn.adapters.vcs.here import branch
from cairn.core.ports.vcs import Change
from cairn.errors import CairnError
from cairn.retrieve.ports import RetrievePorts
from cairn.retrieve.work_context import NOWHERE, Around, telling

COMMITS = 5
MOST_PATHS = 200
_BULK = 50
"""A commit that touched more files than that was about none of them."""


def around_of(ports: RetrievePorts, near: Sequence[str] = ()) -> Around:
    """Of the files that were named; else of those that differ from the last commit, and of what that and those before
    it were about. Never in the way: what git cannot say is not known."""
    with begun_around(ports, near) as around:
        return around()


@contextmanager
def begun_around(ports: RetrievePorts, near: Sequence[str] = ()) -> Iterator[Callable[[], Around]]:
    """Lets git look for edited files while something else is done; in a large repository that takes a while. What was
    begun is finished in any case."""
    name = branch(str(ports.root)) or ""
    if near:
        yield lambda: _around(near, (name,))
        return
    try:
        changed = ports.vcs.begin_changed("HEAD")
    except CairnError:
        yield lambda: NOWHERE
        return
    found: list[Around] = []

    def around() -> Around:
        found[:] = found or [_at_work(ports, name, changed)]
        return found[0]

    try:
        yield around
    finally:
        around()


def _at_work(ports: RetrievePorts, name: str, changed: Callable[[], tuple[Change, ...]]) -> Around:
    changes: tuple[Change, ...] = ()
    with suppress(CairnError):  # before the first commit nothing differs from it
        changes = changed()
    with suppress(CairnError):
        steps = ports.vcs.recent(limit=COMMITS)
        edited = [change.path for change in changes if steps and not change.path.startswith(".cairn/")]
        # Edited files come first: a long list is cut.
        paths = (*edited, *(path for step in steps if len(step.paths) <= _BULK for path in step.paths))
        return _around(paths, (name, *(step.subject for step in steps)))
    return NOWHERE


def _around(paths: Iterable[str], texts: Sequence[str]) -> Around:
    known = tuple(dict.fromkeys(paths))[:MOST_PATHS]
    return Around(known, telling(*known, *texts))
