"""What somebody is at work on, and how near a page is to it."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final, NamedTuple

from cairn.core.ports.vcs import Change
from cairn.errors import CairnError
from cairn.lib.text.stem import stem
from cairn.retrieve.ports import RetrievePorts
from cairn.worktree import branch

_WORD: Final = re.compile(r"[^\W\d_]+")
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SHORTEST: Final = 3
_COMMON: Final = """
the and for with from into that this not all are was has have its per via one two out new use used uses using make keep
add added adds change changed changes fix fixed fixes update updated remove removed move moved rename say says wip merge
src lib app apps pkg packages main master develop trunk feature feat bugfix hotfix chore release branch python json yaml
test tests spec specs unit docs doc readme index init file files page pages code knowledge entry entries node nodes
practice map javascript typescript toml html css txt import imports imported write writes read reads
"""
_SAYS_NOTHING: Final = frozenset(map(stem, _COMMON.split()))
"""Words that every path and every commit has."""
_SAME_FOLDER: Final = 0.8
_EACH_WORD_LEAVES: Final = 0.6
"""One word in common makes a page 0.4 near, two 0.64, and so on."""
_BY_WORDS: Final = 0.9


class WorkContext(NamedTuple):
    paths: tuple[str, ...]
    """Files that somebody works on, from the root of the workspace."""
    words: frozenset[str]
    """Stems of what the work is about: names of files, of the branch, of what was last committed."""

    @property
    def nothing(self) -> bool:
        return not self.paths and not self.words


NOWHERE: Final = WorkContext((), frozenset())


def telling(*texts: str) -> frozenset[str]:
    """Stems of the words that tell something; of paths and of names in code each part."""
    return frozenset(stem for text in texts for stem in _stems(text))


def _stems(text: str) -> list[str]:
    words = (part.lower() for word in _WORD.findall(text) for part in _HUMP.split(word))
    found = [stem(word) for word in words if len(word) >= _SHORTEST or not word.isascii()]
    return [word for word in found if word not in _SAYS_NOTHING]


def nearness(path: str, words: frozenset[str], around: WorkContext) -> float:
    """From 0 to 1: of a page at that path which is about these words (see `telling`; what it cites belongs to them)."""
    shared = len(words & around.words)
    return max(_BY_WORDS * (1 - _EACH_WORD_LEAVES**shared), _by_place(path, around.paths))


def _by_place(path: str, paths: Sequence[str]) -> float:
    if path in paths:
        return 1.0
    folders = path.split("/")[:-1]
    return max((_SAME_FOLDER * _shared(folders, other.split("/")[:-1]) ** 2 for other in paths), default=0.0)


def _shared(one: list[str], other: list[str]) -> float:
    """How much of the longer way from the root is the same; files in the root itself have nothing in common."""
    same = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        same += 1
    return same / max(len(one), len(other), 1)


COMMITS = 5
MOST_PATHS = 200
_BULK = 50
"""A commit that touched more files than that was about none of them."""


def around_of(ports: RetrievePorts, near: Sequence[str] = ()) -> WorkContext:
    """Of the files that were named; else of those that differ from the last commit, and of what that and those before
    it were about. Never in the way: what git cannot say is not known."""
    with begun_around(ports, near) as around:
        return around()


@contextmanager
def begun_around(ports: RetrievePorts, near: Sequence[str] = ()) -> Iterator[Callable[[], WorkContext]]:
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
    found: list[WorkContext] = []

    def around() -> WorkContext:
        found[:] = found or [_at_work(ports, name, changed)]
        return found[0]

    try:
        yield around
    finally:
        around()


def _at_work(ports: RetrievePorts, name: str, changed: Callable[[], tuple[Change, ...]]) -> WorkContext:
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


def _around(paths: Iterable[str], texts: Sequence[str]) -> WorkContext:
    known = tuple(dict.fromkeys(paths))[:MOST_PATHS]
    return WorkContext(known, telling(*known, *texts))
