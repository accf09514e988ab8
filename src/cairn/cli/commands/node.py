"""`cairn node`: another name for `cairn entry`, for those who know it so."""

from cairn.cli.commands.entry import add_command
from cairn.cli.define import define_group

command = define_group(
    "node",
    [add_command("node")],
    help="The same as `cairn entry`.",
    examples=(
        ("cairn node add --kind practice --title 'Small commits' --summary '…'", "a practice"),
        ("cairn node add --kind map --title 'Order queue' --relates-to order-states", "something that exists"),
    ),
    exits=(0, 1, 2, 3, 5),
)
