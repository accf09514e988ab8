"""The end of a prompt that asks an agent to say what it looked for and did not find."""

import shlex
from typing import Final

LONGEST_STEP: Final = 80

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
