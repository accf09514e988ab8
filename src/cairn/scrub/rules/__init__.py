"""The rules that hold everywhere; a locale adds its own. Of two that find the same, the first gives it its name."""

from cairn.scrub.rule import Rule
from cairn.scrub.rules.assigned import ASSIGNED
from cairn.scrub.rules.codes import CODES
from cairn.scrub.rules.commands import COMMANDS
from cairn.scrub.rules.numbers import NUMBERS
from cairn.scrub.rules.people import PEOPLE
from cairn.scrub.rules.tokens import TOKENS

GENERIC: tuple[Rule, ...] = (*TOKENS, *ASSIGNED, *COMMANDS, *CODES, *PEOPLE, *NUMBERS)
