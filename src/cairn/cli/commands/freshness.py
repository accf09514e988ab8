"""`cairn freshness`: is what the pages say still so?"""

from cairn.cli.commands import freshness_stamp, freshness_validate
from cairn.cli.define import define_group

command = define_group(
    "freshness",
    [freshness_validate.command, freshness_stamp.command],
    help="Check pages of knowledge, and record that they are still right.",
    examples=(
        ("cairn freshness validate", "is every page what its layout asks for?"),
        ("cairn freshness stamp docs/client.md", "somebody looked, and it is still right"),
    ),
    exits=(0, 1, 2, 5),
)
