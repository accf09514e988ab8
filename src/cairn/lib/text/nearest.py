"""Which known name did they mean?"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from difflib import SequenceMatcher


def nearest(word: str, known: Iterable[str], *, at_least: float = 0.6) -> str | None:
    """The known name most like `word`, or None when nothing is close. `strict` is close to `scan.strict`."""
    from difflib import SequenceMatcher  # only needed when somebody mistyped

    matcher = SequenceMatcher(b=word.lower())
    best, found = at_least, None
    for name in sorted(known):
        like = _likeness(matcher, name, best)
        if "." in name and "." not in word:
            like = max(like, 0.95 * _likeness(matcher, name.rpartition(".")[2], best))
        if like > best or (like == best and found is None):
            best, found = like, name
    return found


def _likeness(matcher: "SequenceMatcher[str]", name: str, at_least: float) -> float:
    """From 0 to 1. What can't reach that much is not looked at closely: there may be many thousand names."""
    matcher.set_seq1(name.lower())
    if matcher.real_quick_ratio() < at_least or matcher.quick_ratio() < at_least:
        return 0.0
    return matcher.ratio()


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?`, or nothing."""
    name = nearest(word, known)
    return f"; did you mean '{name}'?" if name else ""


def hint(word: str, known: Iterable[str], otherwise: str, *, at_least: float = 0.6) -> str:
    """The end of a sentence: what was probably meant, or what to do otherwise."""
    name = nearest(word, known, at_least=at_least)
    return f"did you mean `{name}`?" if name else otherwise
