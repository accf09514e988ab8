"""Why a page stands where it stands: what was looked for, how much it tells, and where the page has it."""

from collections.abc import Sequence
from dataclasses import dataclass

from cairn.retrieve.factors import Factor
from cairn.retrieve.rank import Page
from cairn.retrieve.weight import Weighed, coverage


@dataclass(frozen=True, slots=True)
class Found:
    """One thing that was looked for, on one page."""

    shown: str
    pages: int
    """How many pages have it, counted up to a limit; of what no page has, how many notes."""
    weight: float
    """How much it tells: high for what is rare."""
    fields: tuple[str, ...]
    """Where this page has it; empty when it doesn't."""
    times: int
    """In the body."""
    noted: bool = False
    """No page has it, only notes."""


@dataclass(frozen=True, slots=True)
class Explanation:
    score: float
    """What the factors make when they are multiplied."""
    factors: tuple[Factor, ...]
    anywhere: float
    """How much of what was asked the page has, from 0 to 1."""
    together: float
    """How much of it stands in title, summary and one passage."""
    found: tuple[Found, ...]


def explain(page: Page, weighed: Sequence[Weighed]) -> Explanation:
    there = [number for number, w in enumerate(weighed) if w.stands_for is None or number in page.units]
    found = tuple(_found(page, number, weighed) for number in there)
    anywhere, together = coverage(page.units, weighed), coverage(page.near, weighed)
    return Explanation(page.score, page.factors, round(anywhere, 3), round(together, 3), found)


def _found(page: Page, number: int, all_weighed: Sequence[Weighed]) -> Found:
    weighed = all_weighed[number]
    fields = tuple(name for name, units in page.fields.items() if number in units)
    times = sum(span.unit == number for span in page.spans)
    unit = weighed.unit
    shown = f"{unit.shown} (as {unit.read_as})" if unit.read_as else unit.shown
    if weighed.stands_for is not None:
        shown = f"{unit.shown} (for {all_weighed[weighed.stands_for].unit.shown})"
    return Found(shown, weighed.pages, round(weighed.weight, 3), fields, times, weighed.elsewhere)
