"""Joins the answers to several wordings of one question, by how good each page is in each of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Final, NamedTuple

from cairn.retrieve.find import CLOSEST, WORTH_SHOWING, Answer, Hit

DEPTH: Final = 30
"""Pages of each answer that are compared: one that stands far behind in two answers may be the best of both."""
_AS_ASKED: Final = 1.25
"""How much the question itself counts, against another wording that fits as well."""
_FIRST: Final = 3
"""How well a wording fits, its first pages say."""


class _Found(NamedTuple):
    wording: int
    worth: float
    """Its score, of the best score in this answer, times how much the wording counts."""
    hit: Hit


@dataclass(slots=True)
class _Page:
    """What several wordings found of one page, or of pages that say the same."""

    found: list[_Found] = field(default_factory=list)

    @property
    def score(self) -> float:
        return sum(self._best().values())

    def _best(self) -> Mapping[int, float]:
        """By wording: the best of several that say the same."""
        best: dict[int, float] = {}
        for one in self.found:
            best[one.wording] = max(one.worth, best.get(one.wording, 0.0))
        return best

    def fits(self, wordings: int) -> list[float]:
        """How well it fits each wording; those that did not find it are not fitted by it at all."""
        best = [0.0] * wordings
        for one in self.found:
            best[one.wording] = max(one.hit.fit, best[one.wording])
        return best

    def hit(self, wordings: int) -> Hit:
        """As the wording that found it best shows it; it fits as well as in the middle one."""
        shown = max(self.found, key=lambda one: one.worth).hit
        names = dict.fromkeys(name for one in self.found for name in (one.hit.path, *one.hit.alike))
        alike = tuple(name for name in names if name != shown.path)
        return replace(shown, alike=alike, fit=round(median(self.fits(wordings)), 3))


def fused(answers: Sequence[Answer], limit: int, *, everything: bool = False) -> Answer:
    """The first is the question as it was asked. Something fits when the first page fits the middle one of the
    wordings: among many pages, one short wording of an unanswerable question fits somewhere."""
    first, wordings = answers[0], len(answers)
    pages = sorted(_pages(answers), key=lambda page: -page.score)
    line = min(answer.line for answer in answers)
    fits = bool(pages) and pages[0].hit(wordings).fit >= line
    least = line * WORTH_SHOWING if fits and not everything else 0.0
    shown = [page.hit(wordings) for page in pages if max(page.fits(wordings)) >= least]
    most = limit if fits or everything else min(limit, CLOSEST)
    return replace(
        first,
        fits=fits,
        hits=tuple(shown[:most]),
        total=max(len(shown), *(answer.total for answer in answers)),
        withheld=max(answer.withheld for answer in answers),
        more=any(answer.more for answer in answers),
    )


def _pages(answers: Sequence[Answer]) -> list[_Page]:
    by_name: dict[str, _Page] = {}
    for found in _found(answers):
        names = (found.hit.path, *found.hit.alike)
        page = next((by_name[name] for name in names if name in by_name), None) or _Page()
        page.found.append(found)
        by_name |= dict.fromkeys(names, page)
    return list({id(page): page for page in by_name.values()}.values())


def _found(answers: Sequence[Answer]) -> Iterator[_Found]:
    for wording, answer in enumerate(answers):
        best = max((hit.explanation.score for hit in answer.hits), default=0.0) or 1.0
        counts = max((hit.fit for hit in answer.hits[:_FIRST]), default=0.0) * (1.0 if wording else _AS_ASKED)
        for hit in answer.hits:
            yield _Found(wording, counts * hit.explanation.score / best, hit)
