"""`cairn observe`: what agents and people tell, what they miss, and what does not fit together."""

from cairn.cli.commands import observe_audit, observe_event, observe_findings, observe_ledger, observe_phase
from cairn.cli.define import define_group

command = define_group(
    "observe",
    [
        observe_audit.command,
        observe_findings.findings_command,
        observe_findings.ack_command,
        observe_findings.report_command,
        observe_phase.command,
        observe_event.command,
        observe_ledger.command,
    ],
    help="Find what does not fit together, tell what happened, and look after the ledger that remembers it.",
    examples=(
        ("cairn observe audit", "what does not fit together?"),
        ("cairn observe event progress_heartbeat --field note='tests are green'", "tell something"),
        ("cairn observe ledger tail", "what happened lately"),
    ),
    exits=(0, 1, 2, 5),
)
