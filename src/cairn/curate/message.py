"""Defines one message of a session, as every reader of sessions gets it."""

from typing import NamedTuple

from cairn.core.model.session import Role


class Said(NamedTuple):
    role: Role
    text: str
    start: int = 0
    """Offset in the rendered text of the log, in characters."""
    outside: bool = False
    """Whether the sender had already seen text by strangers, such as the output of a tool."""
