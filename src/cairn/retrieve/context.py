"""What somebody gets who asks for context: the briefing, or what there is for a step, also as data."""

from typing import Any, Final, NamedTuple

from cairn.retrieve.briefing import briefing_of
from cairn.retrieve.ports import RetrievePorts
from cairn.retrieve.serve_page import index_of
from cairn.retrieve.step_context import guidance_of

BUDGET: Final = "retrieve.context_budget"
_MOST: Final = 8000
"""Whatever the settings say: they come with the repository, and every session of everybody pays."""
STEP: Final = 5
"""A step gets so many times the budget of a briefing, unless somebody says how much."""
_ROOM_FOR_ANYTHING: Final = 150


class Wanted(NamedTuple):
    budget: int | None = None
    near: tuple[str, ...] = ()
    """Paths from the root of the workspace."""
    step: str | None = None
    topics: tuple[str, ...] = ()

    @property
    def for_step(self) -> bool:
        return self.step is not None or bool(self.topics)


class Context(NamedTuple):
    text: str
    tokens: int
    budget: int
    exact: bool
    """False: tokens are estimated from the length."""
    pages: tuple[dict[str, Any], ...] = ()
    more: tuple[dict[str, Any], ...] = ()
    nudge: str = ""

    def json(self) -> dict[str, Any]:
        known = {**self._asdict(), "pages": list(self.pages), "more": list(self.more)}
        return {**known, "nudge": self.nudge or None}


def usual_budget(ports: RetrievePorts) -> int:
    return min(ports.settings.integer(BUDGET), _MOST)


def context(ports: RetrievePorts, wanted: Wanted, *, nudging: bool = True) -> Context:
    """Whoever was reminded of something is not reminded again for an hour."""
    usual = usual_budget(ports)
    exact = ports.tokenizer is not None and ports.tokenizer.exact
    if wanted.for_step:
        budget = STEP * usual if wanted.budget is None else wanted.budget
        found = guidance_of(ports, budget, wanted.step or "", wanted.topics, wanted.near)
        pages = [
            {"id": one.path, "title": one.name, "summary": one.about, "group": "step", "label": one.label or None}
            for one in found.shown
        ]
        return Context(found.text, found.tokens, budget, exact, tuple(pages))
    budget = usual if wanted.budget is None else wanted.budget
    return _briefing(ports, budget, wanted, exact, _nudge(ports) if nudging else "")


def _nudge(ports: RetrievePorts) -> str:
    from cairn.retrieve.reminders import (  # the curator comes with it, whom agents over MCP have no need of
        is_due,
        nudge_of,
    )

    return nudge_of(ports) if is_due(ports) else ""


def _briefing(ports: RetrievePorts, budget: int, wanted: Wanted, exact: bool, nudge: str) -> Context:
    found = briefing_of(ports, budget, wanted.near, nudge=nudge)
    if found.nudge:
        from cairn.retrieve.reminders import nudged

        nudged(ports)
    pages = [
        {"id": one.path, "title": one.title, "summary": one.summary, "group": one.group, "label": one.label or None}
        for one in found.shown
    ]
    more = tuple({"topic": one.topic or None, "pages": one.pages} for one in found.more)
    return Context(found.text, found.tokens, budget, exact, tuple(pages), more, found.nudge)


def why_empty(ports: RetrievePorts, found: Context) -> str:
    """Why there is nothing to print."""
    if found.budget < _ROOM_FOR_ANYTHING:
        return f"{found.budget} tokens have no room for anything; try `--budget 800`."
    if not any(True for _ in index_of(ports)):
        return "There is no page of knowledge here yet; `cairn entry add` makes one."
    return waiting_note(ports) or "No page of knowledge is finished yet: drafts and deprecated pages are left out."


def waiting_note(ports: RetrievePorts) -> str:
    """How many pages are left out because nobody here approved them; empty when there are none."""
    from cairn.knowledge.approve import unapproved, waiting_words

    waiting = len(unapproved(ports))
    return f"{waiting_words(waiting)}; `cairn approve` lists {'it' if waiting == 1 else 'them'}." if waiting else ""
