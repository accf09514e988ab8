"""Cairn: the knowledge base that AI agents write, and that keeps itself true.

Importing this package does nothing: no settings are read, nothing is registered, nothing connects.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cairn.app.turn import turn as turn
    from cairn.version import __version__ as __version__


def __getattr__(name: str) -> object:
    """Both are imported when somebody uses them."""
    if name == "turn":
        from cairn.app.turn import turn

        return turn
    if name == "__version__":
        from cairn.version import __version__

        return __version__
    raise AttributeError(f"module 'cairn' has no attribute {name!r}")
