"""What curating keeps: the plan of a run and how far it is, one stamp a candidate, failures, and conflicts as files."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, NamedTuple, Protocol

from cairn.changes.write import append_lines, remove_file, write_file
from cairn.core.model.candidate import (
    CandidateDecision,
    DecisionFailure,
    Fate,
    KnowledgeCandidate,
    KnowledgeConflict,
    PageRevision,
    ProposedNode,
    Quote,
    TextEdit,
)
from cairn.core.model.change import Taint
from cairn.core.paths import OLD_BASE
from cairn.core.ports.runtime import ReadFailed
from cairn.curate.conflicts import SUFFIX, conflict_text, file_name, read_conflict
from cairn.curate.plan import CandidateFate, CuratePlan, PageEdit, WaitingCandidate
from cairn.curate.ports import CuratePorts
from cairn.errors import CairnError, LocalFileTracked

FAILED = "failed"
ASKED = "asked"
"""A failed one about which a reader was asked again: it waits like one that has no stamp."""


class FateStamp(NamedTuple):
    origin: str
    fate: str
    """Of `Fate`, or `failed` for one that waits to be tried again."""
    run_id: str
    at: str
    reason: str = ""
    node: str = ""
    """Id of the page or of the conflict that came of it."""


def stamp_of(action: CandidateDecision, *, run_id: str, at: str, node: str = "") -> FateStamp:
    return FateStamp(action.candidate_origin, action.fate.value, run_id, at, action.rationale[:400], node)


def failed(failure: DecisionFailure, at: str) -> FateStamp:
    return FateStamp(failure.candidate_origin, FAILED, failure.run_id, at, failure.detail[:400], failure.node_id)


def lines(stamps: Iterable[FateStamp]) -> str:
    return "".join(f"{json.dumps(stamp._asdict(), ensure_ascii=False)}\n" for stamp in stamps)


def read_stamps(text: str) -> dict[str, FateStamp]:
    """The last of each origin. A line that was cut short counts as none."""
    return {stamp.origin: stamp for value in _objects(text) if (stamp := _stamp(value))}


def _stamp(value: dict[str, Any]) -> FateStamp | None:
    given = {name: value.get(name, "") for name in FateStamp._fields}
    return FateStamp(**given) if given["origin"] and all(isinstance(one, str) for one in given.values()) else None


def failure_lines(failures: Iterable[DecisionFailure]) -> str:
    return "".join(f"{json.dumps(failure._asdict(), ensure_ascii=False)}\n" for failure in failures)


def read_failures(text: str) -> list[DecisionFailure]:
    found = []
    for value in _objects(text):
        given = {name: value.get(name) for name in DecisionFailure._fields}
        if all(isinstance(one, str) for one in given.values()):
            found.append(DecisionFailure(**given))  # type: ignore[arg-type]
    return list({failure.candidate_origin: failure for failure in found}.values())


def _objects(text: str) -> Iterator[dict[str, Any]]:
    for line in text.splitlines():
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


VERSION: Final = 1


class LandResult(NamedTuple):
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

    def land(self, plan: CuratePlan) -> LandResult: ...
    def write_conflict(self, conflict: KnowledgeConflict) -> None: ...
    def keep_failures(self, failures: Sequence[DecisionFailure], settled: Sequence[str]) -> None: ...
    def stamp(self, stamps: Sequence[FateStamp]) -> None:
        """Those that are not there yet."""
        ...

    def forget_plan(self) -> None: ...


def carry_out(plan: CuratePlan, hands: Hands, *, at: str) -> LandResult:
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


def _waits(one: CandidateFate, landed: LandResult) -> bool:
    """Whether a fate that needs a page did not get it."""
    return one.action.fate in (Fate.ADD, Fate.MODIFY) and (bool(landed.held) or one.path in landed.left)


def still_waiting(plan: CuratePlan, landed: LandResult) -> tuple[WaitingCandidate, ...]:
    late = (
        WaitingCandidate(one.candidate.origin, landed.held or landed.left[one.path], one.candidate.title)
        for one in plan.fates
        if _waits(one, landed)
    )
    return (*plan.waiting, *late)


# --- on disk ----------------------------------------------------------------------------------------------------------


def plan_text(plan: CuratePlan) -> str:
    value = {"version": VERSION, **asdict(plan)}
    return json.dumps(value, ensure_ascii=False, default=str, indent=1) + "\n"


def read_plan(text: str) -> CuratePlan | None:
    """None for what is no plan, or one of a newer program: nothing of it was promised to anybody."""
    try:
        value = json.loads(text)
        return _plan(value) if value["version"] == VERSION else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _plan(value: dict[str, Any]) -> CuratePlan:
    return CuratePlan(
        run_id=value["run_id"],
        made_at=value["made_at"],
        how=value["how"],
        base=value["base"],
        curator=value["curator"],
        fates=tuple(CandidateFate(_candidate(c), _action(a), path) for c, a, path in value["fates"]),
        edits=tuple(PageEdit(path, id, before, text, tuple(o)) for path, id, before, text, o in value["edits"]),
        conflicts=tuple(_conflict(one) for one in value["conflicts"]),
        failures=tuple(DecisionFailure(*one) for one in value["failures"]),
        waiting=tuple(WaitingCandidate(*one) for one in value["waiting"]),
        taint=Taint(value["taint"]),
        already=tuple(value["already"]),
        unread=tuple(WaitingCandidate(*one) for one in value.get("unread", ())),
    )


def _candidate(value: dict[str, Any]) -> KnowledgeCandidate:
    quotes = tuple(Quote(*quote) for quote in value["quotes"])
    lists = {key: tuple(value[key]) for key in ("tags", "derived_from")}
    return KnowledgeCandidate(**{**value, **lists, "quotes": quotes, "taint": Taint(value["taint"])})


def _action(value: dict[str, Any]) -> CandidateDecision:
    node = value["proposed_node"]
    given = {"fate": Fate(value["fate"]), "proposed_node": node and _node(node), "notes": tuple(value["notes"])}
    return CandidateDecision(**{**value, **given, "revision": _revision(value.get("revision"))})


def _revision(value: Any) -> PageRevision | None:
    return PageRevision(tuple(TextEdit(*edit) for edit in value[0]), *value[1:]) if value else None


def _node(value: dict[str, Any]) -> ProposedNode:
    return ProposedNode(**{**value, **{key: tuple(value[key]) for key in ("tags", "relates_to", "depends_on")}})


def _conflict(value: dict[str, Any]) -> KnowledgeConflict:
    given = {
        "proposed": _node(value["proposed"]),
        "taint": Taint(value["taint"]),
        "derived_from": tuple(value["derived_from"]),
    }
    return KnowledgeConflict(**{**value, **given})


FOLDER: Final = ".cairn/curate"
PLAN: Final = f"{FOLDER}/plan.json"
STAMPS: Final = f"{FOLDER}/stamps.jsonl"
FAILURES: Final = f"{FOLDER}/failures.jsonl"
MEMORY: Final = f"{FOLDER}/memory-ledger.json"
CONFLICTS: Final = ".cairn/conflicts"


class CurateState:
    def __init__(self, ports: CuratePorts) -> None:
        self._ports = ports

    def refuse_tracked(self) -> None:
        """A commit must not decide what this machine has done already."""
        if self._ports.tracked([FOLDER]):
            raise LocalFileTracked(
                f"git tracks {FOLDER}, which belongs to this machine alone; look at it, then run "
                f"`git rm -r --cached -- {FOLDER}` and commit.",
                files=[FOLDER],
            )

    # --- the plan ------------------------------------------------------------------------------------------------

    def plan(self) -> CuratePlan | None:
        """One that somebody did not finish."""
        text = self._text(PLAN)
        return read_plan(text) if text else None

    def keep_plan(self, plan: CuratePlan) -> None:
        write_file(self._ports.root, PLAN, plan_text(plan), mode=0o600)

    def forget_plan(self) -> None:
        remove_file(self._ports.root, PLAN)

    # --- stamps and failures -------------------------------------------------------------------------------------

    def stamps(self) -> dict[str, FateStamp]:
        return read_stamps(self._text(STAMPS))

    def stamp(self, stamps: Sequence[FateStamp]) -> None:
        known = self.stamps()
        new = [one for one in stamps if (known.get(one.origin) or one._replace(run_id=""))[1:3] != one[1:3]]
        if new:
            append_lines(self._ports.root, STAMPS, lines(new).encode())

    def failures(self) -> list[DecisionFailure]:
        return read_failures(self._text(FAILURES))

    def keep_failures(self, failures: Sequence[DecisionFailure], settled: Sequence[str]) -> None:
        gone = {*settled, *(one.candidate_origin for one in failures)}
        before = self.failures()
        after = [*(one for one in before if one.candidate_origin not in gone), *failures]
        if after != before:
            write_file(self._ports.root, FAILURES, failure_lines(after), mode=0o600)

    # --- conflicts -----------------------------------------------------------------------------------------------

    @property
    def conflict_folder(self) -> str:
        """Beside the nodes of an older base, where there is one."""
        old = f"{OLD_BASE}/conflicts"
        return old if self._ports.files.exists(f"{OLD_BASE}/nodes") else CONFLICTS

    def conflicts(self) -> tuple[list[KnowledgeConflict], list[str]]:
        """Those that can be read, in order of their ids, and a sentence about each that can't."""
        found: list[KnowledgeConflict] = []
        problems: list[str] = []
        for name in self._conflict_files():
            path = f"{self.conflict_folder}/{name}"
            try:
                found.append(read_conflict(self._text(path), path))
            except CairnError as error:
                problems.append(error.message)
        return found, problems

    def _conflict_files(self) -> list[str]:
        try:
            names = os.listdir(self._ports.root / self.conflict_folder)
        except OSError:
            return []
        return sorted(name for name in names if name.endswith(SUFFIX) and not name.startswith("."))

    def conflict_path(self, conflict: KnowledgeConflict) -> str:
        return f"{self.conflict_folder}/{file_name(conflict)}"

    def write_conflict(self, conflict: KnowledgeConflict) -> None:
        write_file(self._ports.root, self.conflict_path(conflict), conflict_text(conflict))

    def has_conflict(self, conflict: KnowledgeConflict) -> bool:
        return self._ports.files.exists(self.conflict_path(conflict))

    def _text(self, path: str) -> str:
        try:
            return self._ports.files.read(path)[0].decode("utf-8", "replace")
        except ReadFailed:
            return ""
