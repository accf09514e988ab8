"""Scrubs text that Cairn stores or shows: events, notes, logs of sessions, questions, excerpts."""

from cairn.lib.scrub.find import RedactedText, redact
from cairn.lib.scrub.rules import KEPT


def redact_kept(text: str) -> RedactedText:
    """As `redact`, and the value of everything that is called a password, a secret or a key goes, whatever it is."""
    return redact(text, KEPT)
