"""Tells a session in which something may have been learnt from one that is over before it began."""

import re
from typing import Final, NamedTuple

from cairn.core.model.session import Role

CURSORY: Final = "cursory_session"
"""Why nothing is proposed from it."""
_WORDS: Final = 5
_UNSPACED: Final = re.compile(r"\w{12}")
"""About as much text as five words, where words are not spaced."""
_ASKS: Final = re.compile(r"[?？؟]\s*\Z")
_USER_TURNS: Final = 1
_USER_CHARS: Final = 200
_AGENT_CHARS: Final = 500


class Said(NamedTuple):
    """How much was said so far, by whom."""

    user_turns: int = 0
    user_chars: int = 0
    agent_chars: int = 0

    def more(self, role: Role, text: str) -> "Said":
        if role == "user":
            return self._replace(user_turns=self.user_turns + 1, user_chars=self.user_chars + len(text))
        return self._replace(agent_chars=self.agent_chars + len(text))


def is_cursory(said: Said) -> bool:
    return said.user_turns <= _USER_TURNS and said.user_chars <= _USER_CHARS and said.agent_chars <= _AGENT_CHARS


def is_statement(text: str) -> bool:
    """Whether a message says something: more than a greeting, and no question."""
    long = len(text.split(None, _WORDS)) >= _WORDS or _UNSPACED.search(text) is not None
    return long and _ASKS.search(text.rstrip()) is None
