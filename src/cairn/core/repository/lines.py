"""Finds the lines that one version of a file has and the next one lacks.

Most lines are in both, and are never looked at one by one.
"""

from cairn.core.repository.words import with_words


def removed_lines(old: bytes, new: bytes, wanted: frozenset[bytes]) -> list[bytes]:
    """Sorted; all lines that have one of the wanted words, and few others."""
    most = min(len(old), len(new))
    head = _common_head(old, new, most)
    start = old.rfind(b"\n", 0, head) + 1
    end = old.find(b"\n", len(old) - _common_tail(old, new, most - head))
    tail = len(old) - end if end >= 0 else 0
    before, after = (set(text[start : len(text) - tail].split(b"\n")) for text in (old, new))
    gone = with_words(b"\n".join(before - after), wanted)
    whole = b"\n%b\n" % new if gone else b""
    return sorted(line for line in gone if b"\n%b\n" % line not in whole)


def _common_head(one: bytes, other: bytes, most: int) -> int:
    """How many bytes both begin with."""
    same = 0
    while same < most:
        middle = (same + most + 1) // 2
        if one[same:middle] == other[same:middle]:
            same = middle
        else:
            most = middle - 1
    return same


def _common_tail(one: bytes, other: bytes, most: int) -> int:
    """How many bytes both end with."""
    same = 0
    while same < most:
        middle = (same + most + 1) // 2
        if one[len(one) - middle : len(one) - same] == other[len(other) - middle : len(other) - same]:
            same = middle
        else:
            most = middle - 1
    return same
