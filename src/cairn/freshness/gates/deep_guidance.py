"""The gate `deep-guidance`: a page keeps the sections that agents are served."""

from collections.abc import Iterator
from typing import Any, Final

from cairn.changes.gate import GateContext
from cairn.core.model.change import ChangeSet, Level, Ruling
from cairn.freshness.gates.pages import Touched, touched_pages
from cairn.freshness.sections import headings
from cairn.knowledge.layouts import sections_of


class DeepGuidance:
    """Pages without the sections that their corpus asks for.

    **What it checks.** Every page that the change touches, in a corpus that asks for sections: the layout `entries`
    asks for `## Deep Guidance`, and the setting `required_sections` of a corpus names others. A heading in a block of
    code is none.

    **Why it matters.** What agents are served of a page starts at that heading; without it they get nothing, or
    everything.

    **How to pass.** Add the heading, at the second level and spelled just so.
    """

    id: Final = "deep-guidance"

    def judge(self, change: ChangeSet, around: GateContext) -> Ruling:
        missing = [fact for page in touched_pages(change, around) for fact in _missing(page)]
        if not missing:
            return Ruling(self.id, Level.PASS, "Every page has the sections that its corpus asks for.")
        first = missing[0]
        more = f", and {len(missing) - 1} more are missing" if len(missing) > 1 else ""
        reason = f"{first['path']} has no section `{first['section']}`{more}; add the heading, spelled just so."
        return Ruling(self.id, Level.BLOCK, reason, tuple(missing))


def _missing(page: Touched) -> Iterator[dict[str, Any]]:
    wanted = sections_of(page.corpus)
    if page.new is None or not wanted:
        return
    there = {heading.text.strip("#").strip() for heading in headings(page.new.parsed.body) if heading.level == 2}
    for title in wanted:
        if title not in there:
            message = f"There is no section `## {title}`; add the heading, spelled just so."
            yield {"path": page.path, "section": f"## {title}", "message": message}
