"""Which pages are worth a close look: those that have the rarest words of the question."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from cairn.core.ports.search import Term, TextFilter, TextHit, TextIndex, TextQuery
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
    typed = [w for w in weighed if w.stands_for is None]
    optional = [w for w in typed if w.pages and not w.elsewhere and not w.unit.must and w.weight]
    rare = _rare(sorted(optional, key=lambda w: w.pages))
    every = tuple(w.unit.term for w in (*must, *rare))
    found = index.search(TextQuery(every=every, none=query.never), wanted, enough) if every else []
    if len(found) >= enough:
        return found
    required = tuple(w.unit.term for w in must)
    lists = list[list[TextHit]]()
    if len(rare) > 1 or (must and rare):
        some = () if required else tuple(w.unit.term for w in _affordable(rare))
        lists.append(index.search(TextQuery(every=required, any=some, none=query.never), wanted, enough))
    also = _with_others(weighed)
    if not required and also:
        lists.append(index.search(TextQuery(any=also, none=query.never), wanted, enough))
    known = {hit.path: hit for hit in found}
    for hit in by_turns(lists):
        known.setdefault(hit.path, hit)
    return list(known.values())


def _with_others(weighed: Sequence[Weighed]) -> tuple[Term, ...]:
    """The telling words, each with the others that may stand for it, as far as they are affordable together."""
    behind = [w for w in weighed if w.stands_for is not None and not w.common]
    words: list[Weighed] = []
    for at, w in enumerate(weighed):
        others = [other for other in behind if other.stands_for == at]
        if w.stands_for is None and w.weight and not w.elsewhere and not w.common and (w.pages or others):
            spellings = [spelling for one in (w, *others) if one.pages for spelling in one.unit.term.spellings]
            pages = w.pages + sum(other.pages for other in others)
            unit = replace(w.unit, term=Term(tuple(dict.fromkeys(spellings)), w.unit.term.prefix and not others))
            words.append(w._replace(unit=unit, pages=pages))
    some = _affordable(sorted(words, key=lambda w: w.pages)) if behind else []
    return tuple(w.unit.term for w in some)


def by_turns(found: Sequence[list[TextHit]]) -> list[TextHit]:
    """The first of each, then the second of each: no list crowds out another."""
    turns = zip_longest(*found)
    return list({hit.path: hit for turn in turns for hit in turn if hit is not None}.values())


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
