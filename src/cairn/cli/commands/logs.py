"""`cairn logs`: another name for `cairn session prune`, for those who know it so."""

from cairn.cli.commands.session_prune import prune_command
from cairn.cli.define import define_group

command = define_group(
    "logs",
    [prune_command("logs")],
    help="The same as `cairn session prune`.",
    examples=(
        ("cairn logs prune --dry-run", "what would go"),
        ("cairn logs prune", "take it away"),
    ),
    exits=(0, 2),
)
