"""Compares what pages mean, beside which words they have: one more factor, and pages to add where none fits."""

import struct
from collections.abc import Iterable, Mapping
from heapq import nsmallest
from math import sqrt
from operator import mul
from typing import Final, NamedTuple

from cairn.core.ports.search import Vector

BROUGHT: Final = 20
"""Pages that meaning adds to those that words find."""
KEPT: Final = 200
"""Pages of which is told how near they are."""
_BLOCK: Final = 4096
"""Vectors that are compared at once; all of them would take twice the room."""


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
