"""The gate `anti-over-rewrite`: what is stable is not written anew by the way."""

from typing import Any, Final, NamedTuple

from cairn.changes.gate import GateContext
from cairn.core.model.change import ChangeSet, Level, Ruling
from cairn.core.model.knowledge import Volatility
from cairn.freshness.gates.pages import Touched, touched_pages
from cairn.lib.text.line_diff import changed_lines

LIMIT: Final = 0.20
LABEL: Final = "override:anti-over-rewrite"


class Churn(NamedTuple):
    """How much of a page's body a change turns over; the frontmatter does not count."""

    added: int
    removed: int
    old_lines: int
    new_lines: int

    @property
    def deleted(self) -> float:
        """Of the old body."""
        return self.removed / max(1, self.old_lines)

    @property
    def turned(self) -> float:
        """Added and removed, of the new body."""
        return (self.added + self.removed) / max(1, self.new_lines)

    @property
    def too_much(self) -> bool:
        return self.deleted > LIMIT or self.turned > LIMIT


class AntiOverRewrite:
    """Too much of a stable page written anew.

    **What it checks.** The body of every page that was `stable` before the change: deleted lines may be at most 20 % of
    the old body, added and deleted ones together at most 20 % of the new. Other pages get a note.

    **Why it matters.** A stable page was read and confirmed by people. A model that is asked to touch up a sentence
    likes to write the whole page again, and nobody reads a diff of a whole page.

    **How to pass.** Make a smaller edit, or ask a reviewer to add the label `override:anti-over-rewrite`; the label of
    whoever made the change does not count.
    """

    id: Final = "anti-over-rewrite"

    def judge(self, change: ChangeSet, around: GateContext) -> Ruling:
        pages = [page for page in touched_pages(change, around) if _rewritten(page, change, around)]
        high = [(page, churn) for page in pages if (churn := churn_of(page)).too_much]
        facts = tuple(_fact(page, churn) for page, churn in sorted(high, key=lambda one: -one[1].turned))
        stable = [(page, churn) for page, churn in high if _was_stable(page)]
        if not high:
            return Ruling(self.id, Level.PASS, "No page changes by more than 20 %.")
        if not stable:
            reason = f"{_ratios(*high[0])}; that page is not stable, so this is only a note."
            return Ruling(self.id, Level.NOTE, reason, facts)
        if around.labelled(LABEL):
            return Ruling(self.id, Level.NOTE, f"{_ratios(*stable[0])}; the label `{LABEL}` allows it.", facts)
        fix = f"Make a smaller edit, or ask a reviewer to add the label `{LABEL}`."
        reason = f"{_ratios(*stable[0])}. At most 20 % of a stable page may change. {fix}"
        return Ruling(self.id, Level.BLOCK, reason, facts)


def churn_of(page: Touched) -> Churn:
    old = page.old.parsed.body if page.old else ""
    new = page.new.parsed.body if page.new else ""
    change = changed_lines(old, new)
    return Churn(len(change.added), len(change.removed), len(old.split("\n")), len(new.split("\n")))


def _rewritten(page: Touched, change: ChangeSet, around: GateContext) -> bool:
    """A new page rewrites nothing, and neither does one that only moved."""
    if page.old is None:
        return False
    before = around.base(page.path)
    return page.new is not None or all(edit.content != before for edit in change.edits)


def _was_stable(page: Touched) -> bool:
    """Before the change: one that calls a page evolving must not open the door for itself."""
    return page.old is not None and page.old.entry is not None and page.old.entry.volatility is Volatility.STABLE


def _ratios(page: Touched, churn: Churn) -> str:
    lost, turned = f"{churn.deleted:.0%} of its lines", f"{churn.turned:.0%} of the new text"
    return f"{page.path} loses {lost}, and {turned} is added or removed"


def _fact(page: Touched, churn: Churn) -> dict[str, Any]:
    return {
        "path": page.path,
        "message": f"{_ratios(page, churn)}.",
        "added": churn.added,
        "removed": churn.removed,
        "deletedRatio": round(churn.deleted, 4),
        "changedRatio": round(churn.turned, 4),
        "stable": _was_stable(page),
    }
