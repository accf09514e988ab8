"""`cairn observe`: what agents and people tell, what they miss, and what does not fit together."""

from cairn.cli.commands import observe_event, observe_ledger
from cairn.cli.define import define_group

command = define_group(
    "observe",
    [observe_event.command, observe_ledger.command],
    help="Tell what happened, and look after the ledger that remembers it.",
    examples=(
        ("cairn observe event progress_heartbeat --field note='tests are green'", "tell something"),
        ("cairn observe ledger tail", "what happened lately"),
    ),
    exits=(0, 1, 2, 5),
)
