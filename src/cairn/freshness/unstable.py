"""Pages that differ at every look: only what two looks agree on counts."""

import re

_HEADING = re.compile(r"(?m)^(?=#{1,6} )")


def really_changed(settled: str, first: str, second: str) -> bool:
    """Whether two looks agree on something that the settled text does not have, or lacks what both of them lack."""
    if _HEADING.search(second):
        old, one, two = _sections(settled), _sections(first), _sections(second)
    else:
        old, one, two = (frozenset(text.splitlines()) for text in (settled, first, second))
    came = (one & two) - old
    went = old - one - two
    return bool(came) or _is_missing(went, one, two)


def _sections(text: str) -> frozenset[str]:
    return frozenset(part.strip() for part in _HEADING.split(text) if part.strip())


def _is_missing(went: frozenset[str], one: frozenset[str], two: frozenset[str]) -> bool:
    """A section that differs each time is still there under its heading."""
    heads = {_head(part) for part in one} | {_head(part) for part in two}
    return any(_head(part) not in heads for part in went if part.startswith("#"))


def _head(section: str) -> str:
    return section.partition("\n")[0]
