"""Whether a sentence says what is, or only what was, will be or might be."""

import re

_PAST = re.compile(
    r"\b(?:deprecated?|deprecation|removed?|removal|renam\w+|replac(?:ed|es)|formerly|previously|originally|used to|"
    r"no longer|any ?more|legacy|obsolete|historical(?:ly)?|instead of|old(?:er)?|prior to|earlier|was|were|had been|"
    r"dropped|dropping|migrat\w+|upgrad\w+|breaking|changed in|since version|versionchanged|gone|first version|"
    r"superseded|backport\w*|in favou?r of|planned|not yet|proposed?|propos(?:al|es)|"
    r"will be (?:added|supported|available|changed|made|introduced))\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"`[^`]*`")
_PERHAPS = re.compile(
    r"\b(?:until|before|once|future|TODO|would|could|might|imagine|suppose|say,|for example|for instance|e\.g\.|"
    r"hypothetical|such as|your[-_ ]|my[-_])\b",
    re.IGNORECASE,
)


def about_the_past(text: str) -> bool:
    """Whether a text talks of what was or is to come, and so need not hold today."""
    return _PAST.search(_CODE.sub(" ", text)) is not None


def is_example(text: str) -> bool:
    """Whether a text only imagines something."""
    return _PERHAPS.search(_CODE.sub(" ", text)) is not None
