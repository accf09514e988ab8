"""Which known name did they mean?"""

from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name most like `word`, or None when nothing is close. The last part of a dotted name counts too."""
    from difflib import SequenceMatcher  # only needed when somebody mistyped

    def likeness(name: str) -> float:
        return max(_ratio(SequenceMatcher, word, name), _ratio(SequenceMatcher, _last(word), _last(name)) * 0.95)

    best = max(sorted(known), key=likeness, default=None)
    return best if best is not None and likeness(best) >= 0.6 else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?`, or nothing."""
    name = nearest(word, known)
    return f"; did you mean '{name}'?" if name else ""


def _ratio(matcher: type, one: str, other: str) -> float:
    return float(matcher(None, one.lower(), other.lower()).ratio())


def _last(name: str) -> str:
    return name.rpartition(".")[2]
