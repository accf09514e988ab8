"""Where a symbol went that is no longer where it was."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from cairn.lib.code.model import Outline, Symbol

_TELLING: Final = 2
"""Lines. Shorter definitions look alike by chance, so across files they are known by name only."""


def same_elsewhere(symbol: Symbol, outlines: Iterable[Outline]) -> Symbol | None:
    """The one symbol that is this one under another path or another name, or nothing if that is not certain.

    `outlines` are those of the state in which the symbol is gone; the surest sign that only one symbol has is taken.
    """
    others = [
        other
        for outline in outlines
        for other in outline.symbols
        if other.kind == symbol.kind and other.reference != symbol.reference
    ]
    for alike in _SIGNS:
        found = _nearest([other for other in others if alike(symbol, other)], symbol)
        if found is not None:
            return found
    return None


def _same_all(symbol: Symbol, other: Symbol) -> bool:
    return other.name == symbol.name and other.content == symbol.content


def _same_name(symbol: Symbol, other: Symbol) -> bool:
    return other.name == symbol.name and symbol.kind != "key"


def _renamed(symbol: Symbol, other: Symbol) -> bool:
    """The same content under another name: in the same place, or long enough to be no accident."""
    if other.content != symbol.content:
        return False
    if other.path == symbol.path and _owner(other) == _owner(symbol):
        return True
    return symbol.kind in ("function", "class", "method") and symbol.end_line - symbol.line >= _TELLING


def _same_short_name(symbol: Symbol, other: Symbol) -> bool:
    """A function that became a method has another full name; so has a method of a class with a new name."""
    if symbol.kind in ("parameter", "key"):
        return False
    return other.short == symbol.short and other.interface == symbol.interface


_SIGNS: Final[tuple[Callable[[Symbol, Symbol], bool], ...]] = (_same_all, _same_name, _renamed, _same_short_name)


def _nearest(candidates: Sequence[Symbol], symbol: Symbol) -> Symbol | None:
    """The only one, or the only one in the same file."""
    if len(candidates) == 1:
        return candidates[0]
    here = [other for other in candidates if other.path == symbol.path]
    return here[0] if len(here) == 1 else None


def _owner(symbol: Symbol) -> str:
    return symbol.name.rpartition(".")[0]
