"""Lists of words and phrases, as one pattern that finds any of them."""

import re


def any_of(phrases: str, *, flags: int = re.IGNORECASE) -> "re.Pattern[str]":
    """Phrases with commas between them; each may be a small pattern. Whole words only."""
    known = [" ".join(phrase.split()) for phrase in phrases.replace("\n", " ").split(",") if phrase.strip()]
    return re.compile(rf"\b(?:{'|'.join(known)})\b", flags)
