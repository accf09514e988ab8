"""What curating keeps: the plan of a run that is under way, stamps, failures, and conflicts as files for people."""

import os
from collections.abc import Sequence
from typing import Final

from cairn.capture.session_logs import OLD_BASE
from cairn.changes.write import append_lines, remove_file, write_file
from cairn.config.tracked import by_git
from cairn.core.model.candidate import Conflict, Failure
from cairn.core.ports.files import ReadFailed
from cairn.curate.conflicts import SUFFIX, conflict_text, file_name, read_conflict
from cairn.curate.journal import plan_text, read_plan
from cairn.curate.plan import Plan
from cairn.curate.ports import CuratePorts
from cairn.curate.stamp import Stamp, failure_lines, lines, read_failures, read_stamps
from cairn.errors import CairnError, LocalFileTracked

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
        if by_git(self._ports.root)([FOLDER]):
            raise LocalFileTracked(
                f"git tracks {FOLDER}, which belongs to this machine alone; look at it, then run "
                f"`git rm -r --cached -- {FOLDER}` and commit.",
                files=[FOLDER],
            )

    # --- the plan ------------------------------------------------------------------------------------------------

    def plan(self) -> Plan | None:
        """One that somebody did not finish."""
        text = self._text(PLAN)
        return read_plan(text) if text else None

    def keep_plan(self, plan: Plan) -> None:
        write_file(self._ports.root, PLAN, plan_text(plan), mode=0o600)

    def forget_plan(self) -> None:
        remove_file(self._ports.root, PLAN)

    # --- stamps and failures -------------------------------------------------------------------------------------

    def stamps(self) -> dict[str, Stamp]:
        return read_stamps(self._text(STAMPS))

    def stamp(self, stamps: Sequence[Stamp]) -> None:
        known = self.stamps()
        new = [one for one in stamps if (known.get(one.origin) or one._replace(run_id=""))[1:3] != one[1:3]]
        if new:
            append_lines(self._ports.root, STAMPS, lines(new).encode())

    def failures(self) -> list[Failure]:
        return read_failures(self._text(FAILURES))

    def keep_failures(self, failures: Sequence[Failure], settled: Sequence[str]) -> None:
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

    def conflicts(self) -> tuple[list[Conflict], list[str]]:
        """Those that can be read, in order of their ids, and a sentence about each that can't."""
        found: list[Conflict] = []
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

    def conflict_path(self, conflict: Conflict) -> str:
        return f"{self.conflict_folder}/{file_name(conflict)}"

    def write_conflict(self, conflict: Conflict) -> None:
        write_file(self._ports.root, self.conflict_path(conflict), conflict_text(conflict))

    def has_conflict(self, conflict: Conflict) -> bool:
        return self._ports.files.exists(self.conflict_path(conflict))

    def _text(self, path: str) -> str:
        try:
            return self._ports.files.read(path)[0].decode("utf-8", "replace")
        except ReadFailed:
            return ""
