"""Asks an agent, at the end of a prompt, to report what it did not find; unless somebody wants quiet."""

import shlex
from typing import Final, Protocol

from cairn.core.ports.application import HasEnvironment, HasSettings

LONGEST_STEP: Final = 80
QUIET: Final = "CAIRN_GAP_SIGNAL_QUIET"

_TEXT = """\
When you look for something here and don't find it, say so once, in two to four words, then go on with your work:

    cairn gaps signal 'TOPIC' --source agent_search{step} --excerpt 'WHAT YOU WANTED TO KNOW'

Name what is missing (`rate limits of the billing API`), not that it is. No secrets, no names of people.
"""


def gap_tail(step_name: str = "", *, quiet: bool = False) -> str:
    """Empty where nobody wants to hear of gaps, as in tests. The name of a step comes from anywhere, and must become no
    part of the command or of the prompt."""
    if quiet:
        return ""
    name = " ".join("".join(char if char.isprintable() else " " for char in step_name).split())[:LONGEST_STEP]
    return _TEXT.format(step=f" --step {shlex.quote(name)}" if name else "")


class MayBeQuiet(HasEnvironment, HasSettings, Protocol):
    """Where it says whether anybody wants to hear of gaps."""


def tail_for(ports: MayBeQuiet, step: str) -> str:
    """What prompts end with here; nothing where the environment or the settings say so."""
    return gap_tail(step, quiet=is_quiet(ports))


def is_quiet(ports: MayBeQuiet) -> bool:
    """Whether nobody wants to hear what is missing: while tests run, for instance."""
    return ports.env.get(QUIET) == "1" or not ports.settings.flag("observe.gap_tail")
