"""`cairn freshness`: is what the pages say still so?"""

from cairn.cli.commands import (
    freshness_allow,
    freshness_apply,
    freshness_audit,
    freshness_bump,
    freshness_gates,
    freshness_link_check,
    freshness_prefilter,
    freshness_reports,
    freshness_run,
    freshness_sources,
    freshness_stamp,
    freshness_state,
    freshness_validate,
    freshness_workflow,
)
from cairn.cli.define import define_group

command = define_group(
    "freshness",
    [
        freshness_run.command,
        freshness_validate.command,
        freshness_stamp.command,
        freshness_sources.command,
        freshness_allow.command,
        freshness_link_check.command,
        freshness_reports.coverage_command,
        freshness_reports.frontier_command,
        freshness_prefilter.command,
        freshness_audit.command,
        freshness_apply.command,
        freshness_gates.unsourced_command,
        freshness_gates.rewrite_command,
        freshness_gates.guidance_command,
        freshness_bump.command,
        freshness_state.command,
        freshness_workflow.command,
    ],
    help="Check pages of knowledge, and record that they are still right.",
    examples=(
        ("cairn freshness validate", "is every page what its layout asks for?"),
        ("cairn freshness stamp docs/client.md", "somebody looked, and it is still right"),
        ("cairn freshness audit-run-entry rate-limits", "do its sources still say so?"),
    ),
    exits=(0, 1, 2, 3, 5),
)
