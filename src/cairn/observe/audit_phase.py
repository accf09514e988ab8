"""Audits at the end of a phase: quick, of documents only, and within a time."""

import sys
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from cairn.observe.audit import AuditRequest, audit
from cairn.observe.audit_result import Audit
from cairn.observe.ports import ObservePorts
from cairn.observe.report_files import save_report

LENS = "H-cross-doc"
LEFT_OUT = "I-knowledge-gaps"
NOTE = (
    f"This was an audit at the end of a phase: {LENS} looked, {LEFT_OUT} did not run; `cairn observe audit` runs all."
)


class PhasePorts(ObservePorts, Protocol):
    def start_detached(self, command: Sequence[str]) -> None:
        """Starts a program in the root that nobody waits for."""
        ...


class PhaseAudit(NamedTuple):
    audit: Audit | None
    files: tuple[str, ...] = ()
    why: str = ""
    """Why there was none."""


def phase_audit(ports: PhasePorts, phase: str, *, now: bool = False) -> PhaseAudit:
    """Quick, of documents only; one that takes too long says so in its report and holds nobody up. With `now` it is
    not started beside, whatever the settings say."""
    settings = ports.settings
    if not settings.flag("observe.phase_audit.enabled"):
        return PhaseAudit(None, why="audits of phases are switched off by `observe.phase_audit.enabled`")
    if phase not in settings.texts("observe.phase_audit.phases"):
        return PhaseAudit(None, why=f"`{phase}` is not among `observe.phase_audit.phases`")
    if settings.flag("observe.phase_audit.detached") and not now:
        _start(ports, phase)
        return PhaseAudit(
            None, why="it runs beside, as `observe.phase_audit.detached` wants; its report is written then"
        )
    done = audit(
        ports,
        AuditRequest(
            lenses=(LENS,),
            args=("phase", "complete", phase),
            notes=(f"The phase {phase} is complete.", NOTE),
            within_seconds=settings.integer("observe.phase_audit.timeout_seconds"),
        ),
    )
    return PhaseAudit(done, tuple(save_report(ports, done)))


def _start(ports: PhasePorts, phase: str) -> None:
    command = [sys.executable, "-m", "cairn", "-C", str(ports.root), "observe", "phase", "audit", "--", phase]
    ports.start_detached(command)
