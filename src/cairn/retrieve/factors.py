"""Factors of a page's rank besides its text: status, age, use, and how near it is to what somebody works on."""

import re
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from heapq import nsmallest
from math import log1p, prod, sqrt
from operator import mul
from typing import Final, NamedTuple

from cairn.core.model.knowledge import Confidence, EntryStatus
from cairn.core.ports.search import Vector
from cairn.core.ports.vcs import Change
from cairn.errors import CairnError
from cairn.knowledge.serving_status import Review
from cairn.lib.text.search_words import stem
from cairn.retrieve.ports import RetrievePorts
from cairn.worktree import branch

NOTE: Final = "note"
"""Kind of what an agent wrote down at the end of a turn."""

_TRUST: Final[dict[EntryStatus | None, tuple[float, str]]] = {
    None: (1.0, "it has no status"),
    EntryStatus.DRAFT: (0.9, "draft: nobody has filled it in yet"),
    EntryStatus.ALPHA: (0.95, "alpha: use has not confirmed it yet"),
    EntryStatus.BETA: (1.0, "beta: a few have confirmed it"),
    EntryStatus.STABLE: (1.05, "stable: many have confirmed it"),
    EntryStatus.DEPRECATED: (0.7, "deprecated: no longer recommended"),
    EntryStatus.QUARANTINED: (0.7, "quarantined: not shown"),
}
_REVIEW: Final[dict[Review | None, tuple[float, str]]] = {
    None: (1.0, "it names neither sources nor a last check"),
    Review.CURRENT: (1.05, "checked lately"),
    Review.OVERDUE: (0.9, "its last check was too long ago"),
    Review.NEVER: (0.95, "never checked against its sources"),
    Review.UNREADABLE: (0.9, "nobody can read when it was last checked"),
}
_CONFIDENCE: Final[dict[Confidence | None, tuple[float, str]]] = {
    None: (1.0, "it does not say how sure it is"),
    "low": (0.9, "low: it was inferred"),
    "medium": (1.0, "medium: it was stated, without a reason"),
    "high": (1.05, "high: it was stated with a reason"),
}
_AGES: Final = ((30, 1.0), (180, 0.95))
"""Days that a note holds so well; an older one says less about how things are now."""
_OLD: Final = 0.9
_LOW_NOTE: Final = (0.9, "of low visibility: little in it seemed worth keeping")
_SAID_AGAIN: Final = 1.05
_BUSY: Final = 50
"""Readings of late from which on more of them make no difference."""
_READ: Final = 0.1
_NEAR: Final = 0.2
_MEANS: Final = 1.0
"""How much the nearest page in meaning gains, of what the best text has."""
_SHARP: Final = 2
"""The power of nearness: most pages of a repository are half as near as the nearest one."""
_WORDLESS: Final = 0.02
"""What a page has that only its meaning brought, of the same: factors are multiplied, so it can't be nothing."""
_A_NOTE: Final = (0.8, "a note: what one agent said, behind a page that says the same")
_A_LESSON: Final = (0.8, "a file of lessons: what was once learned, behind a page that says the same")
_A_GUIDE: Final = (0.85, "a guide from one version to another, behind a page about the present one")
_LESSONS: Final = frozenset(("lessons", "lessons-learned", "lessons_learned", "lessons learned"))


class Factor(NamedTuple):
    name: str
    value: float
    why: str


class RankFacts(NamedTuple):
    """What is known of a page besides its text."""

    kind: str
    status: EntryStatus | None = None
    review: Review | None = None
    confidence: Confidence | None = None
    reads: int = 0
    """How often somebody opened it here, as far as that was written down."""
    lately: float = 0.0
    """The same, each time worth the less the longer it is ago."""
    near: float = 0.0
    """To the files at hand, from 0 to 1."""
    lesson: bool = False
    """A file of lessons, such as `tasks/lessons.md`."""
    change: bool = False
    """A guide from one version to another."""
    age_days: int = 0
    """Of a note."""
    low: bool = False
    """A note of low visibility."""
    said: int = 1
    """In how many turns a note was said."""
    meaning: float | None = None
    """How near it is to the question by what it means, from 0 to 1; None where that is not known."""


def factors(text: float, facts: RankFacts, best: float = 0.0) -> tuple[Factor, ...]:
    """In the order in which they are told; their product is the score. All but the first lie between 0.7 and 1.2, and
    `meaning`, where it is known, is what it adds to the text: as much as the `best` text has, for the nearest page."""
    note = facts.kind == NOTE
    if facts.meaning is not None:
        text = max(text, _WORDLESS * best)
    return (
        Factor("text", text, "how rare the words are, where they stand, and how close together"),
        Factor("trust", *_TRUST[facts.status]),
        Factor("freshness", *(_age(facts.age_days) if note else _REVIEW[facts.review])),
        Factor("confidence", *(_of_note(facts) if note else _CONFIDENCE[facts.confidence])),
        Factor("usage", *_usage(facts.reads, facts.lately)),
        Factor("nearness", *_nearness(facts.near)),
        Factor("kind", *(_A_NOTE if note else _of_page(facts))),
        *_meaning(facts.meaning, best / text if text else 1.0),
    )


def is_lesson(path: str) -> bool:
    """Told by the name of the file or of a folder. A page of knowledge whose type is lesson is a page like others."""
    *folders, name = path.lower().split("/")
    return not _LESSONS.isdisjoint((*folders, name.rpartition(".")[0]))


def score(found: tuple[Factor, ...]) -> float:
    return round(prod(factor.value for factor in found), 6)


def _age(days: int) -> tuple[float, str]:
    value = next((value for most, value in _AGES if days <= most), _OLD)
    return value, "noted today" if days < 1 else "noted yesterday" if days < 2 else f"noted {days} days ago"


def _of_note(facts: RankFacts) -> tuple[float, str]:
    if facts.low:
        return _LOW_NOTE
    return (_SAID_AGAIN, f"said in {facts.said} turns") if facts.said > 1 else (1.0, "said once")


def _of_page(facts: RankFacts) -> tuple[float, str]:
    if facts.lesson:
        return _A_LESSON
    return _A_GUIDE if facts.change else (1.0, f"{facts.kind}: a page")


def _usage(reads: int, lately: float) -> tuple[float, str]:
    if reads <= 0:
        return 1.0, "nobody has opened it yet, as far as was written down"
    value = 1 + _READ * min(1.0, log1p(lately) / log1p(_BUSY))
    return round(value, 4), f"opened {reads:,} times" if reads > 1 else "opened once"


def _nearness(near: float) -> tuple[float, str]:
    if near <= 0:
        return 1.0, "not near the files at hand"
    return round(1 + _NEAR * min(near, 1.0), 4), f"{near:.0%} near the files at hand"


def _meaning(near: float | None, ratio: float) -> tuple[Factor, ...]:
    if near is None:
        return ()
    why = f"{near:.0%} as near in meaning as the nearest page" if near > 0 else "not near in meaning"
    return (Factor("meaning", round(1 + _MEANS * near**_SHARP * ratio, 4), why),)


BROUGHT: Final = 20
"""Pages that meaning adds to those that words find."""
KEPT: Final = 200
"""Pages of which is told how near they are."""
_BLOCK: Final = 4096
"""Vectors that are compared at once; all of them would take twice the room."""


class SemanticNearness(NamedTuple):
    near: Mapping[str, float] = {}
    """By path, the nearest first: how near to the question, from 0 to 1, which is the nearest."""
    notes: tuple[str, ...] = ()
    """What a person should know about it."""


NONE: Final = SemanticNearness()


def packed(vector: Vector) -> bytes:
    """Of length one, in two bytes a number: nobody can tell the difference."""
    length = sqrt(sum(map(mul, vector, vector))) or 1.0
    return struct.pack(f"<{len(vector)}e", *(part / length for part in vector))


def nearest(question: bytes, pages: Iterable[tuple[str, bytes]], *, most: int = KEPT) -> dict[str, float]:
    """By path, with how near its nearest section is; pages that point elsewhere, or come from another model, are left
    out."""
    size = len(question)
    rows = [
        (path, vectors[at : at + size])
        for path, vectors in pages
        if len(vectors) % size == 0
        for at in range(0, len(vectors), size)
    ]
    near: dict[str, float] = {}
    for cosine, (path, _) in zip(_cosines(question, [vector for _, vector in rows]), rows, strict=True):
        if cosine > near.get(path, 0.0):
            near[path] = cosine
    best = nsmallest(most, near.items(), key=lambda one: (-one[1], one[0]))
    return {path: round(cosine / best[0][1], 4) for path, cosine in best}


def _cosines(question: bytes, vectors: list[bytes]) -> list[float]:
    """With numpy, which comes with the extra, a hundred thousand in a moment; without it a few thousand."""
    try:
        import numpy
    except ImportError:
        read = struct.Struct(f"<{len(question) // 2}e").unpack
        asked = read(question)
        return [sum(map(mul, asked, read(vector))) for vector in vectors]
    row, found = numpy.frombuffer(question, dtype="<f2").astype("float32"), list[float]()
    for start in range(0, len(vectors), _BLOCK):
        some = vectors[start : start + _BLOCK]
        rows = numpy.frombuffer(b"".join(some), dtype="<f2").reshape(len(some), len(row)).astype("float32")
        found += (rows @ row).tolist()
    return found


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
