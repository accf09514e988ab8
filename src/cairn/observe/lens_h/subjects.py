"""Are two claims about the same thing? In doubt they are not."""

from posixpath import dirname

from cairn.kernel.text.atoms import NAME_MARK
from cairn.observe.lens_h.claims import Claim
from cairn.observe.lens_h.words import DECORATION, GENERIC

MOST_EXTRA = 2
NEEDED = 12
"""Weight of what two claims share, when nothing speaks against their being about one thing."""
NEEDED_APART = 18
"""The same, when their pages are about different things."""
NEEDED_TOGETHER = 9
"""The same, when their headings say the same."""


def same_subject(one: Claim, other: Claim) -> bool:
    if one.scopes != other.scopes:
        return False
    first, second = one.subject - other.subject - DECORATION, other.subject - one.subject - DECORATION
    if first and second:
        return False
    if not (_explained(first, one, other) and _explained(second, other, one)):
        return False
    return weight(one, other) >= _needed(one, other)


def _explained(extra: frozenset[str], speaker: Claim, listener: Claim) -> bool:
    """Whether words that only one says are what the other's page is about."""
    return len(extra) <= MOST_EXTRA and not extra & speaker.conditions and extra <= listener.context.about


def _needed(one: Claim, other: Claim) -> int:
    near, far = one.context.near, other.context.near
    if dirname(one.path) == dirname(other.path):
        near, far = near | one.context.name, far | other.context.name
    if (near - far - other.subject) and (far - near - one.subject):
        return NEEDED_APART
    return NEEDED_TOGETHER if (near & far) - GENERIC else NEEDED


def weight(one: Claim, other: Claim) -> int:
    """How much what both say tells about which thing is meant."""
    shared = one.subject & other.subject
    names = one.names | other.names
    return sum(_weight(key, names) for key in shared)


def _weight(key: str, names: frozenset[str]) -> int:
    if key.startswith(NAME_MARK) and any(sign in key[1:] for sign in "_./:-") and len(key) > 5:
        return 25
    if key.startswith(NAME_MARK):
        return 15
    if key in names:
        return 12
    return 3 if key in GENERIC else 9
