"""The rules that hold everywhere; a locale adds its own. Of two that find the same, the first gives it its name."""

from cairn.lib.scrub.rule import ScrubRule
from cairn.lib.scrub.rules.assigned import ALWAYS, ASSIGNED
from cairn.lib.scrub.rules.codes import CODES
from cairn.lib.scrub.rules.commands import COMMANDS
from cairn.lib.scrub.rules.devices import DEVICES
from cairn.lib.scrub.rules.documents import DOCUMENTS
from cairn.lib.scrub.rules.entries import ENTRIES
from cairn.lib.scrub.rules.numbers import NUMBERS
from cairn.lib.scrub.rules.people import PEOPLE
from cairn.lib.scrub.rules.statements import STATEMENTS
from cairn.lib.scrub.rules.tokens import TOKENS

GENERIC: tuple[ScrubRule, ...] = (
    *TOKENS,
    *ASSIGNED,
    *ENTRIES,
    *COMMANDS,
    *STATEMENTS,
    *DEVICES,
    *CODES,
    *PEOPLE,
    *DOCUMENTS,
    *NUMBERS,
)

KEPT: tuple[ScrubRule, ...] = (*GENERIC, *ALWAYS)
"""For what is stored of sessions, events and questions."""

SHOWN: tuple[ScrubRule, ...] = (*TOKENS, *ASSIGNED, *ENTRIES, *COMMANDS, *STATEMENTS, *DEVICES, *CODES, *ALWAYS)
"""For excerpts: secrets only. A page may name whom to ask."""
