"""Which pages are worth a close look: those that have the rarest words of the question."""

from collections.abc import Sequence

from cairn.kernel.ports.search import TextFilter, TextHit, TextIndex, TextQuery
from cairn.retrieve.query import Query
from cairn.retrieve.weight import Weighed

CANDIDATES = 60
"""As many as one question to the index brings."""
_BUDGET = 6_000
"""About so many rows of the index one question may touch, as far as its rarest words allow."""


def candidates(
    weighed: Sequence[Weighed], query: Query, index: TextIndex, wanted: TextFilter, *, at_least: int = 0
) -> list[TextHit]:
    """Pages that have all telling words, then pages that have some of the rarest."""
    enough = max(CANDIDATES, at_least + 1)
    must = [w for w in weighed if w.unit.must]
    if any(not w.pages or w.elsewhere for w in must):
        return []
    optional = [w for w in weighed if w.pages and not w.elsewhere and not w.unit.must and w.weight]
    rare = _rare(sorted(optional, key=lambda w: w.pages))
    every = tuple(w.unit.term for w in (*must, *rare))
    if not every:
        return []
    found = index.search(TextQuery(every=every, none=query.never), wanted, enough)
    if len(found) < enough and (len(rare) > 1 or (must and rare)):
        some = _affordable(rare)
        required = tuple(w.unit.term for w in must)
        looser = TextQuery(every=required, any=() if required else tuple(w.unit.term for w in some), none=query.never)
        known = {hit.path for hit in found}
        found += [hit for hit in index.search(looser, wanted, enough) if hit.path not in known]
    return found


def few(weighed: Sequence[Weighed]) -> list[Weighed]:
    """The rarest that can be asked for together."""
    return _affordable(_rare(sorted(weighed, key=lambda w: w.pages)))


def _rare(ordered: list[Weighed]) -> list[Weighed]:
    """Without those that too many pages have, unless there are no others."""
    return [w for w in ordered if not w.common] or ordered[:2]


def _affordable(rare: list[Weighed]) -> list[Weighed]:
    """The rarest, as many as their pages together are few; the two rarest in any case, if both are not too common."""
    taken: list[Weighed] = []
    spent = 0
    for weighed in rare:
        if taken and spent + weighed.pages > max(_BUDGET, spent):
            break
        taken.append(weighed)
        spent += weighed.pages
    return taken
