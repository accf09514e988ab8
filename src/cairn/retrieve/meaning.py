"""What pages mean, beside which words they have: one more factor, and a second row of candidates where no page fits."""

import struct
from collections.abc import Iterable, Mapping, Sequence
from heapq import nsmallest
from math import sqrt
from operator import mul
from typing import Final, NamedTuple

from cairn.kernel.ports.embedder import Vector
from cairn.retrieve.rank import Page

BROUGHT: Final = 20
"""Pages that meaning brings where words don't."""
KEPT: Final = 200
"""Pages of which is told how near they are."""
_BLOCK: Final = 4096
"""Vectors that are compared at once; all of them would take twice the room."""
_RANK: Final = 60
"""Added to every rank before they are joined, so that the first place is not worth everything."""


class Meaning(NamedTuple):
    near: Mapping[str, float] = {}
    """By path, the nearest first: how near to the question, from 0 to 1, which is the nearest."""
    notes: tuple[str, ...] = ()
    """What a person should know about it."""


NONE: Final = Meaning()


def packed(vector: Vector) -> bytes:
    """Of length one, in two bytes a number: nobody can tell the difference."""
    length = sqrt(sum(map(mul, vector, vector))) or 1.0
    return struct.pack(f"<{len(vector)}e", *(part / length for part in vector))


def nearest(question: bytes, pages: Iterable[tuple[str, bytes]], *, most: int = KEPT) -> dict[str, float]:
    """By path, with how near; those that point elsewhere, or come from another model, are left out."""
    alike = [(path, vector) for path, vector in pages if len(vector) == len(question)]
    cosines = _cosines(question, [vector for _, vector in alike])
    near = ((cosine, path) for cosine, (path, _) in zip(cosines, alike, strict=True) if cosine > 0)
    best = nsmallest(most, near, key=lambda one: (-one[0], one[1]))
    return {path: round(cosine / best[0][0], 4) for cosine, path in best}


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


def fused(ranked: Sequence[Page], meaning: Meaning) -> list[Page]:
    """Where no page fits by its words: by the sum of the reciprocals of both ranks."""
    by_meaning = {path: rank for rank, path in enumerate(meaning.near)}
    scores = {
        page.hit.path: (1 / (_RANK + rank) if page.score > 0 else 0.0)
        + (1 / (_RANK + by_meaning[page.hit.path]) if page.hit.path in by_meaning else 0.0)
        for rank, page in enumerate(ranked)
    }
    return sorted(ranked, key=lambda page: -scores[page.hit.path])
