"""`cairn knowledge`: another name for `cairn note`, for those who know it so."""

from cairn.cli.commands.note import note_command
from cairn.cli.define import define_group

command = define_group(
    "knowledge",
    [note_command("cairn knowledge note")],
    help="The same as `cairn note`.",
    examples=(
        ('cairn knowledge note "The importer needs UTF-8."', "a note"),
        ("cairn knowledge note --skip-reason no-new-information", "why there is none"),
    ),
    exits=(0, 2),
)
