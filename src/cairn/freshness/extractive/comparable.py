"""Decides whether two texts of a source have enough in common to be compared passage by passage."""

import re

_WORD = re.compile(r"[^\W\d_]+")
_LEAST_KEPT = 0.08
"""Share of the old text, by length, that stands in the new one."""
_LEAST_WORDS = 0.18
"""Share of the old text's longer words that the new one has."""
_LEAST_LENGTH = 0.12
"""Length of the new text, compared with the old one."""


def why_not(old: str, new: str, share_kept: float) -> str | None:
    """The reason why nothing can be compared, as a measurement; None when it can."""
    if not new.strip():
        return "the source has no text now"
    words = _common(old, new)
    if share_kept < _LEAST_KEPT and words < _LEAST_WORDS:
        return f"the source shares {share_kept:.0%} of its passages and {words:.0%} of its words with its earlier text"
    if len(new) < _LEAST_LENGTH * len(old):
        return f"the source has {len(new):,} characters now and had {len(old):,}"
    return None


def _common(old: str, new: str) -> float:
    before = {word for word in _WORD.findall(old.lower()) if len(word) > 4}
    after = set(_WORD.findall(new.lower()))
    return len(before & after) / max(len(before), 1)
