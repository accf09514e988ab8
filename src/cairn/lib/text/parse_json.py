"""Parses JSON that somebody else may have written, so that no text of it ends a command."""

import json
from typing import Any


def parse_json(text: str | bytes) -> Any:
    """`ValueError` for everything that cannot be read. Python gives up on deep nesting with a `RecursionError`, which
    no caller expects from a parser."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("The JSON is nested too deeply.") from None
