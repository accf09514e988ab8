"""The journal of a run: the plan is written down before anything is done, and done so that doing it again is no harm.

A run that was killed is finished by the next one: what is on disk already is not written again, a request that was
opened is found by the run that it names, and a candidate that has its stamp gets no second one.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, NamedTuple, Protocol

from cairn.core.model.candidate import Action, Candidate, Conflict, Failure, Fate, ProposedNode, Quote
from cairn.core.model.change import Taint
from cairn.curate.plan import Fated, PageEdit, Plan, Waiting
from cairn.curate.stamp import Stamp, failed, stamp_of

VERSION: Final = 1


class Landed(NamedTuple):
    """What became of the pages."""

    request: str = ""
    """Id of the change request."""
    written: tuple[str, ...] = ()
    left: Mapping[str, str] = {}
    """Paths that were left alone, each with why."""
    held: str = ""
    """Why no request was opened; then nothing of it happened, and its candidates keep their place."""
    documents: tuple[str, ...] = ()
    """What was made anew because of the pages."""
    stale: str = ""
    """Why it could not be."""


class Hands(Protocol):
    """What a plan is carried out with. Each may be asked for the same thing twice."""

    def land(self, plan: Plan) -> Landed: ...
    def write_conflict(self, conflict: Conflict) -> None: ...
    def keep_failures(self, failures: Sequence[Failure], settled: Sequence[str]) -> None: ...
    def stamp(self, stamps: Sequence[Stamp]) -> None:
        """Those that are not there yet."""
        ...

    def forget_plan(self) -> None: ...


def carry_out(plan: Plan, hands: Hands, *, at: str) -> Landed:
    """Pages, conflicts, failures, stamps, and only then the plan goes."""
    landed = hands.land(plan)
    for conflict in plan.conflicts:
        hands.write_conflict(conflict)
    done = [one for one in plan.fates if not _waits(one, landed)]
    hands.keep_failures(plan.failures, [one.candidate.origin for one in done])
    hands.stamp(
        [
            *(stamp_of(one.action, run_id=plan.run_id, at=at, node=one.path) for one in done),
            *(failed(one, at) for one in plan.failures),
        ]
    )
    hands.forget_plan()
    return landed


def _waits(one: Fated, landed: Landed) -> bool:
    """Whether a fate that needs a page did not get it."""
    return one.action.fate in (Fate.ADD, Fate.MODIFY) and (bool(landed.held) or one.path in landed.left)


def still_waiting(plan: Plan, landed: Landed) -> tuple[Waiting, ...]:
    late = (
        Waiting(one.candidate.origin, landed.held or landed.left[one.path], one.candidate.title)
        for one in plan.fates
        if _waits(one, landed)
    )
    return (*plan.waiting, *late)


# --- on disk ----------------------------------------------------------------------------------------------------------


def plan_text(plan: Plan) -> str:
    value = {"version": VERSION, **asdict(plan)}
    return json.dumps(value, ensure_ascii=False, default=str, indent=1) + "\n"


def read_plan(text: str) -> Plan | None:
    """None for what is no plan, or one of a newer program: nothing of it was promised to anybody."""
    try:
        value = json.loads(text)
        return _plan(value) if value["version"] == VERSION else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _plan(value: dict[str, Any]) -> Plan:
    return Plan(
        run_id=value["run_id"],
        made_at=value["made_at"],
        how=value["how"],
        base=value["base"],
        curator=value["curator"],
        fates=tuple(Fated(_candidate(c), _action(a), path) for c, a, path in value["fates"]),
        edits=tuple(PageEdit(path, id, before, text, tuple(o)) for path, id, before, text, o in value["edits"]),
        conflicts=tuple(_conflict(one) for one in value["conflicts"]),
        failures=tuple(Failure(*one) for one in value["failures"]),
        waiting=tuple(Waiting(*one) for one in value["waiting"]),
        taint=Taint(value["taint"]),
        already=tuple(value["already"]),
    )


def _candidate(value: dict[str, Any]) -> Candidate:
    quotes = tuple(Quote(*quote) for quote in value["quotes"])
    lists = {key: tuple(value[key]) for key in ("tags", "derived_from")}
    return Candidate(**{**value, **lists, "quotes": quotes, "taint": Taint(value["taint"])})


def _action(value: dict[str, Any]) -> Action:
    node = value["proposed_node"]
    given = {"fate": Fate(value["fate"]), "proposed_node": node and _node(node), "notes": tuple(value["notes"])}
    return Action(**{**value, **given})


def _node(value: dict[str, Any]) -> ProposedNode:
    return ProposedNode(**{**value, **{key: tuple(value[key]) for key in ("tags", "relates_to", "depends_on")}})


def _conflict(value: dict[str, Any]) -> Conflict:
    given = {
        "proposed": _node(value["proposed"]),
        "taint": Taint(value["taint"]),
        "derived_from": tuple(value["derived_from"]),
    }
    return Conflict(**{**value, **given})
