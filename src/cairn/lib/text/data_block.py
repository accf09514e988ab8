"""What others wrote, as one fenced block in a prompt.

The block is JSON. Line breaks inside of texts are escaped there, so that no line of it is somebody else's, and the
fence around it is longer than any run of backticks in it: nothing in a text can end the block or stand outside of it.
"""

import json
import re
from typing import Any, Final

_RUNS: Final = re.compile(r"`+")
_BREAKS: Final = {ord(char): f"\\u{ord(char):04x}" for char in "\u2028\u2029\x85\x7f\x0b\x0c\x1c\x1d\x1e"}


def fenced(data: Any) -> str:
    """What others wrote, as one block that nothing in it can end."""
    block = escaped(json.dumps(data, ensure_ascii=False, indent=1))
    fence = "`" * max(4, 1 + max((len(run) for run in _RUNS.findall(block)), default=0))
    return f"{fence}json\n{block}\n{fence}\n"


def escaped(text: str) -> str:
    """JSON leaves some characters alone that others take for line breaks; a half surrogate could not be sent at all."""
    return text.translate(_BREAKS).encode("utf-8", "backslashreplace").decode()
