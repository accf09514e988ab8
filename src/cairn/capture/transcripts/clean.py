"""A text of a transcript as it may be looked at: nothing private, nothing that moves a cursor, not without end."""

import re
from typing import Final

from cairn.capture.private import without_private

TEXT_LIMIT: Final = 100_000
"""Characters of one message that are kept. What is longer was pasted, not said."""
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


def clean(text: str) -> str:
    text = without_private(text)
    if len(text) > TEXT_LIMIT:
        text = f"{text[:TEXT_LIMIT]}\n[… {len(text) - TEXT_LIMIT:,} characters left out]"
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _SURROGATE.sub("\ufffd", _CONTROL.sub("", text)).strip()
