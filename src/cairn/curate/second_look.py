"""Shows a reader more pages before a candidate is added: those that it asks for, or describes itself."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from cairn.core.model.candidate import Fate, KnowledgeCandidate, KnowledgeConflict
from cairn.curate.ask_reader import Placing, Readers
from cairn.curate.place_material import PAGES, pages_shown
from cairn.curate.questions.place.question import LOOK
from cairn.curate.shortlist import Near
from cairn.jobs.ask import Answer, Outcome

DescribedPages = Callable[[KnowledgeCandidate, Sequence[str]], Sequence[Near]]
"""A port: the pages that fit descriptions, best first."""


class PlaceLook(NamedTuple):
    """The question about a candidate that is open now, or was answered last."""

    placing: Placing
    outcome: Outcome | None
    seen: frozenset[str]
    """Paths of the pages that its reader was shown, and of those among them that can't be edited."""
    added: tuple[Near, ...] = ()
    """Pages of a second look, which were not near before."""

    @property
    def is_asked(self) -> bool:
        """Whether there is a page to ask about."""
        return bool(self.placing.shown or self.placing.asked.input["others"])


def look_at_pages(
    candidate: KnowledgeCandidate,
    near: Sequence[Near],
    conflicts: Sequence[KnowledgeConflict],
    *,
    readers: Readers,
    described: DescribedPages,
) -> PlaceLook:
    """The nearest pages first. A reader may ask for a page by its title, and one who would add the candidate describes
    the page that would already state it. If that leads to pages that were not shown, it is asked once more."""
    others = readers.others(candidate, near)
    first = readers.placing(candidate, near, conflicts, others)
    outcome = readers.find(first.asked)
    seen = frozenset(page.path for page in (*near[:PAGES], *pages_shown(near)))
    wanted = _wanted(candidate, outcome, others, described)
    added = tuple(page for page in pages_shown(wanted) if page.path not in seen)
    if not added:
        return PlaceLook(first, outcome, seen)
    second = readers.placing(candidate, [*added, *near], conflicts)
    return PlaceLook(second, readers.find(second.asked), seen | {page.path for page in added}, added)


def _wanted(
    candidate: KnowledgeCandidate, outcome: Outcome | None, others: Sequence[Near], described: DescribedPages
) -> Sequence[Near]:
    if not isinstance(outcome, Answer):
        return ()
    if outcome.value["fate"] == LOOK:
        return [page for page in others if page.id == outcome.value["page"]]
    descriptions = outcome.value.get("would_be_in") or ()
    return described(candidate, descriptions) if outcome.value["fate"] == Fate.ADD and descriptions else ()
