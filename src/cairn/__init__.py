"""Cairn: the knowledge base that AI agents write, and that keeps itself true.

Importing this package does nothing: no settings are read, nothing is registered, nothing connects.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cairn.capture.python_turn import turn as turn


def __getattr__(name: str) -> object:
    """`cairn.turn` is imported when somebody uses it."""
    if name == "turn":
        from cairn.capture.python_turn import turn

        return turn
    raise AttributeError(f"module 'cairn' has no attribute {name!r}")
