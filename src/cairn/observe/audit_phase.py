"""Audits at the end of a phase: quick, of documents only, and within a time."""

import sys
from typing import TYPE_CHECKING, NamedTuple

from cairn.observe.audit import AuditRequest, audit
from cairn.observe.audit_result import Audit
from cairn.observe.report_files import save_report

if TYPE_CHECKING:
    from cairn.observe.ports import ObservePorts

LENS = "H-cross-doc"
LEFT_OUT = "I-knowledge-gaps"
NOTE = (
    f"This was an audit at the end of a phase: {LENS} looked, {LEFT_OUT} did not run; `cairn observe audit` runs all."
)


class PhaseAudit(NamedTuple):
    audit: Audit | None
    files: tuple[str, ...] = ()
    why: str = ""
    """Why there was none."""


def phase_audit(ports: "ObservePorts", phase: str, *, now: bool = False) -> PhaseAudit:
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


def _start(ports: "ObservePorts", phase: str) -> None:
    from cairn.adapters.process.detached import start_detached

    command = [sys.executable, "-m", "cairn", "-C", str(ports.root), "observe", "phase", "audit", "--", phase]
    start_detached(command, folder=ports.root, env=ports.env)
