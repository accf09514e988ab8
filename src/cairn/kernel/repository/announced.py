"""Recognises lines that announce that something is gone. A hit only hides a finding, so the list may be generous."""

import re

_GONE = re.compile(
    r"\b(?:deprecat\w*|remov\w+|delet\w+|renam\w+|replac(?:ed|es|ing)|formerly|previously|used to|no longer|any ?more|"
    r"legacy|obsolete|dropp(?:ed|ing)|migrat\w+|upgrad\w+|breaking|changed in|versionchanged|superseded|in favou?r of|"
    r"prior to|before v?\d|until v?\d|instead of|was called|old name|planned|not yet|propos\w+|historical\w*|"
    r"there is no|(?:does not|doesn't) exist|does not have|"
    r"(?:release|version|in|since|for|of|from)[- ]v?\d+\.\d[\w.]*)\b|~~",
    re.IGNORECASE,
)
_CODE = re.compile(r"`[^`]*`")


def announces_a_change(text: str) -> bool:
    """Whether the words of a text, its code left out, talk about something that was or is to come."""
    return _GONE.search(_CODE.sub(" ", text)) is not None
