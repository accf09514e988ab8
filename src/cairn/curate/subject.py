"""Which page a candidate is about: the one whose title and summary have most of the words that tell pages apart."""

from collections import Counter
from collections.abc import Sequence
from math import log
from typing import Final

from cairn.curate.shortlist import Near
from cairn.curate.statements import Keys, keys_of
from cairn.kernel.model.candidate import Candidate

SAME: Final = 1.4
"""Of at most 3. Found on the sessions that may be tuned on: below, pages are taken for the same that are not."""
_LEAST_SHARED: Final = 2


def likely(candidate: Candidate, shortlist: Sequence[Near]) -> Near | None:
    """The page that it is most likely about, if any. A word tells the more the fewer of the pages near it have it."""
    heads = [keys_of(f"{page.title}. {page.summary}. {' '.join(page.tags)}") for page in shortlist]
    seen = Counter(key for head in heads for key in head)
    weigh = _Weights(seen, len(heads))
    words = keys_of(candidate.title) | keys_of(candidate.body.partition("\n\n")[0][:500])  # and not why
    best = max(
        ((_share(words, head, keys_of(page.title), weigh), page) for head, page in zip(heads, shortlist, strict=True)),
        key=lambda one: one[0],
        default=None,
    )
    return best[1] if best and best[0] >= SAME else None


class _Weights:
    def __init__(self, seen: Counter[str], pages: int) -> None:
        self._seen, self._pages = seen, pages

    def of(self, keys: Keys) -> float:
        return sum(log((self._pages + 1) / (self._seen[key] + 0.5)) for key in keys)

    def known(self, keys: Keys) -> Keys:
        return frozenset(key for key in keys if key in self._seen)


def _share(words: Keys, head: Keys, title: Keys, weigh: _Weights) -> float:
    """How much of what it says the page is about, how much of that any page near is about, and how much of the
    page's title it has."""
    shared = words & head
    if len(shared) < _LEAST_SHARED:
        return 0.0
    both = weigh.of(shared)
    return sum(
        part / whole if whole else 0.0
        for part, whole in (
            (both, weigh.of(weigh.known(words))),
            (both, weigh.of(words)),
            (weigh.of(words & title), weigh.of(title)),
        )
    )
