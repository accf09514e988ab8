"""What makes a page stand higher or lower than its words alone: a few numbers, each with its reason, multiplied."""

import struct
from collections.abc import Iterable, Mapping
from heapq import nsmallest
from math import log1p, prod, sqrt
from operator import mul
from typing import Final, NamedTuple

from cairn.core.model.knowledge import Confidence, EntryStatus
from cairn.core.ports.search import Vector
from cairn.knowledge.cadence import Review

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
    """Told by the name of the file. A page of knowledge whose type is lesson is a page like others."""
    return path.rpartition("/")[2].rpartition(".")[0].lower() in _LESSONS


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
    return (Factor("meaning", round(1 + _MEANS * near * ratio, 4), why),)


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
