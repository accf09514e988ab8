"""Joins the answers to several wordings of one question, by the places at which pages stand in them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cairn.retrieve.find import Answer, Hit

_FLAT: Final = 10
"""The higher, the less it matters whether a page stands first or third in one answer, and the more that it is in
several."""


def fused(answers: Sequence[Answer], limit: int) -> Answer:
    """The first is the question as it was asked; it decides in a tie. A hit shows the passage of the wording that found
    it best. Something fits when it fits one of the wordings."""
    first = answers[0]
    scores: dict[str, float] = {}
    best: dict[str, tuple[int, Hit]] = {}
    for answer in answers:
        for place, hit in enumerate(answer.hits):
            scores[hit.path] = scores.get(hit.path, 0.0) + 1 / (_FLAT + place)
            if hit.path not in best or place < best[hit.path][0]:
                best[hit.path] = place, hit
    ordered = sorted(scores, key=lambda path: -scores[path])
    return replace(
        first,
        fits=any(answer.fits for answer in answers),
        hits=tuple(best[path][1] for path in ordered[:limit]),
        total=max(len(scores), *(answer.total for answer in answers)),
        withheld=max(answer.withheld for answer in answers),
        more=any(answer.more for answer in answers),
    )
