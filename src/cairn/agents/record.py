"""Carries plans out and records that it was done."""

from collections.abc import Sequence
from contextlib import suppress

import cairn
from cairn.agents.install import Plan, carry_out
from cairn.agents.ports import AgentsPorts
from cairn.errors import CairnError


def carry_out_plans(ports: AgentsPorts, plans: Sequence[Plan], event: str) -> list[str]:
    """The files that were written. They count; a ledger that cannot be written does not undo them."""
    files = carry_out(ports.root, [change for plan in plans for change in plan.changes])
    for plan in plans:
        if plan.changes:
            payload = {"agent": plan.agent.name, "files": [c.path for c in plan.changes], "version": cairn.__version__}
            try:
                ports.ledger.append(event, payload, now_ms=ports.clock.now_ms())
            except CairnError:
                continue
    return files


def make_first_briefing(ports: AgentsPorts) -> None:
    """So that already the first session is told something; the detached step goes on with it."""
    from cairn.retrieve.briefing_cache import refresh

    with suppress(CairnError, OSError):
        refresh(ports, at_once=True)
