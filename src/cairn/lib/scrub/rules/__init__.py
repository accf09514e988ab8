"""The rules that hold everywhere; a locale adds its own. Of two that find the same, the first gives it its name."""

from cairn.lib.scrub.rule import ScrubRule
from cairn.lib.scrub.rules.assigned import ALWAYS, ASSIGNED, ENTRIES
from cairn.lib.scrub.rules.commands import COMMANDS, DEVICES, STATEMENTS
from cairn.lib.scrub.rules.documents import DOCUMENTS
from cairn.lib.scrub.rules.forms import FORMS, MARKED, PREFIXED
from cairn.lib.scrub.rules.headers import HEADERS
from cairn.lib.scrub.rules.implied import IMPLIED, UNNAMED
from cairn.lib.scrub.rules.people import NUMBERS, PEOPLE
from cairn.lib.scrub.rules.tokens import CODES, TOKENS
from cairn.lib.scrub.rules.wallets import WALLETS

GENERIC: tuple[ScrubRule, ...] = (
    *TOKENS,
    *FORMS,
    *MARKED,
    *WALLETS,
    *ASSIGNED,
    *HEADERS,
    *ENTRIES,
    *COMMANDS,
    *STATEMENTS,
    *DEVICES,
    *CODES,
    *IMPLIED,
    *PEOPLE,
    *DOCUMENTS,
    *NUMBERS,
    *PREFIXED,
    *UNNAMED,
)

KEPT: tuple[ScrubRule, ...] = (*GENERIC, *ALWAYS)
"""For what is stored of sessions, events and questions."""

SHOWN: tuple[ScrubRule, ...] = (
    *TOKENS,
    *FORMS,
    *MARKED,
    *WALLETS,
    *ASSIGNED,
    *HEADERS,
    *ENTRIES,
    *COMMANDS,
    *STATEMENTS,
    *DEVICES,
    *CODES,
    *IMPLIED,
    *PREFIXED,
    *UNNAMED,
    *ALWAYS,
)
"""For excerpts: secrets only. A page may name whom to ask."""
