"""The text of a pull request or an issue: what people read, and behind it what Cairn has to remember.

What it remembers is JSON between two comments at the very end. No text can pretend to be it: inside of strings the
characters that could end a fence or a comment are written as escapes, and comments in the text before are defused.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

MOST_CHARACTERS = 65_000
"""GitHub takes 65,536."""
MOST_TEXT = 24_000
MOST_REASON = 300
MOST_RULINGS = 20
MOST_PATHS = 100
FORMAT = 1
_BEGIN = "<!-- cairn:record -->"
_END = "<!-- /cairn:record -->"
_FENCE = "```"
_BEFORE = f"\n\n{_BEGIN}\n<details><summary>What Cairn keeps here</summary>\n\n{_FENCE}json\n"
_BEHIND = f"\n{_FENCE}\n\n</details>\n{_END}\n"
_RECORD = re.compile(re.escape(_BEFORE) + r"([^\n]*)" + re.escape(_BEHIND.rstrip("\n")) + r"\s*\Z")
_ESCAPED = {ord(char): f"\\u{ord(char):04x}" for char in "<>&`@#"}
CUT = "\n\n… (the rest was too long for GitHub)"


class Parts(NamedTuple):
    text: str
    record: dict[str, Any] | None
    """None when this is not Cairn's, or was tampered with."""


def compose(text: str, record: Mapping[str, Any]) -> str:
    """The less of the record has room, the more is left out: first what gates based their rulings on, then evidence."""
    shown = text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + CUT
    before = _defused(shown) + _BEFORE
    room = MOST_CHARACTERS - len(before) - len(_BEHIND)
    tries = [_encoded(value) for value in _smaller(record)]
    return before + next((kept for kept in tries if len(kept) <= room), tries[-1]) + _BEHIND


def take_apart(body: str | None) -> Parts:
    text = (body or "").replace("\r\n", "\n")
    found = _RECORD.search(text)
    if found is None:
        return Parts(text, None)
    try:
        record = json.loads(found[1])
    except (ValueError, RecursionError):
        record = None
    known = isinstance(record, dict) and record.get("format") == FORMAT
    return Parts(_restored(text[: found.start()]), record if known else None)


def _smaller(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    whole = {"rulings": [], **record, "format": FORMAT}
    bare = [{**ruling, "evidence": []} for ruling in whole["rulings"]]
    omitted = {"evidence": {"omitted": "too large for GitHub"}}
    short = [{**ruling, "reason": ruling["reason"][:MOST_REASON]} for ruling in bare[:MOST_RULINGS]]
    return [
        whole,
        {**whole, "rulings": bare},
        {**whole, "rulings": bare, **omitted},
        {**whole, "rulings": short, **omitted, "paths": whole.get("paths", [])[:MOST_PATHS]},
        {**whole, "rulings": [], **omitted, "paths": []},
    ]


def _encoded(value: Mapping[str, Any]) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).translate(_ESCAPED)


def _defused(text: str) -> str:
    return text.replace("<!--", "&lt;!--").rstrip("\n")


def _restored(text: str) -> str:
    return text.replace("&lt;!--", "<!--")
