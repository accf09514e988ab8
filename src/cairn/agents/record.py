"""Carries plans out and records that it was done."""

from collections.abc import Sequence
from contextlib import suppress

import cairn
from cairn.agents.install import Plan, carry_out
from cairn.app.build import App
from cairn.errors import CairnError


def carry_out_plans(app: App, plans: Sequence[Plan], event: str) -> list[str]:
    """The files that were written. They count; a ledger that cannot be written does not undo them."""
    files = carry_out(app.root, [change for plan in plans for change in plan.changes])
    for plan in plans:
        if plan.changes:
            payload = {"agent": plan.agent.name, "files": [c.path for c in plan.changes], "version": cairn.__version__}
            try:
                app.ledger.append(event, payload, now_ms=app.clock.now_ms())
            except CairnError:
                continue
    return files


def make_first_briefing(app: App) -> None:
    """So that already the first session is told something; the detached step goes on with it."""
    from cairn.retrieve.briefing_cache import refresh

    with suppress(CairnError, OSError):
        refresh(app, at_once=True)
