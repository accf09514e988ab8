"""Files that Cairn writes into a repository: a stamp tells whether one is ours, and whether somebody has edited it."""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Final, Literal, NamedTuple

FORMAT: Final = 1
_NOTE: Final = "# Written by `cairn freshness install-workflow`; run it again to bring this file up to date.\n"
_LINE: Final = re.compile(r"# cairn (\{[^\n]{0,4000}\}) sha256:([0-9a-f]{64})\n")

Standing = Literal["create", "keep", "update", "edited", "foreign"]
"""What writing a file would mean: it is not there, as it should be, ours but another one, ours with edits of somebody,
or not ours at all."""


class Stamp(NamedTuple):
    facts: Mapping[str, str]
    """What the file was written for."""
    intact: bool
    """Whether the rest is as we wrote it."""


def stamped(body: str, facts: Mapping[str, str]) -> str:
    said = json.dumps({"format": FORMAT, **facts}, sort_keys=True)
    return f"{_NOTE}# cairn {said} sha256:{sha256(body.encode()).hexdigest()}\n{body}"


def stamp_of(text: str) -> Stamp | None:
    """None for a file that is not ours."""
    found = _LINE.search(text, 0, 4_096)
    if found is None:
        return None
    try:
        facts = json.loads(found[1])
    except (ValueError, RecursionError):
        facts = {}
    head = text[: found.end()]
    body = text[found.end() :]
    intact = head == _NOTE + found[0] and sha256(body.encode("utf-8", "surrogatepass")).hexdigest() == found[2]
    return Stamp({str(name): str(value) for name, value in facts.items()}, intact)


def standing_of(text: str | None, wanted: str) -> Standing:
    if text is None:
        return "create"
    if text == wanted:
        return "keep"
    stamp = stamp_of(text)
    if stamp is None:
        return "foreign"
    return "update" if stamp.intact else "edited"
