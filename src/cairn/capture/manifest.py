"""Force, enforce, verify: what holds everywhere, and by which code. Whatever lacks one of the three is a wish."""

import json
from importlib.resources import files
from typing import Any, NamedTuple


class Requirement(NamedTuple):
    id: str
    says: str
    force: tuple[str, ...]
    """Names of code, `module:name`: the path that does it without anybody choosing to."""
    enforce: tuple[str, ...]
    """The code that rejects what doesn't comply."""
    verify: str
    """A function of the application that finds what slipped through: `(app) -> list of sentences`."""


def requirements() -> tuple[Requirement, ...]:
    text = (files("cairn.capture") / "requirements.json").read_text("utf-8")
    return tuple(_read(one) for one in json.loads(text)["requirements"])


def _read(given: dict[str, Any]) -> Requirement:
    found = Requirement(given["id"], given["says"], tuple(given["force"]), tuple(given["enforce"]), given["verify"])
    if not (found.force and found.enforce and found.verify):
        raise ValueError(
            f"`{found.id}` needs a path that forces it, code that enforces it and a query that verifies it"
        )
    return found
