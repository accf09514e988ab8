"""Does anything here answer the question at all? A number from 0 to 1, and the line below which nothing does."""

from collections.abc import Sequence

from cairn.retrieve.rank import Page
from cairn.retrieve.weight import Weighed, coverage

FITS = 0.55
"""Where both kinds of mistakes together are fewest, on one half of the questions in `bench/retrieval`; what
`bench/retrieve.py` prints comes from the other half."""
_NEAR = 0.6
"""What stands together counts more than what is scattered over a page."""
_ABOUT = 0.3
"""What stands in title, path or summary is what a page is about; it makes up for words that were chosen differently."""
_OF_A_NOTE = 0.9
"""In a few sentences words stand together by chance."""


def fit(page: Page, weighed: Sequence[Weighed]) -> float:
    """How much of what was asked the page speaks of, weighed by how much each word tells."""
    together = coverage(page.near, weighed)
    anywhere = coverage(page.units, weighed)
    about = coverage(page.about, weighed)
    found = min(1.0, _NEAR * together + (1 - _NEAR) * anywhere + _ABOUT * about)
    return round(found * _OF_A_NOTE if page.note else found, 3)
