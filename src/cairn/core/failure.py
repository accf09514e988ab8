"""An extension that failed: named, with its version, and skipped; the scan goes on."""

import json
from typing import Any, NamedTuple

from cairn.core.registry import Loaded

FAILING = (Exception, SystemExit)
"""What an extension may raise without ending more than itself. `sys.exit()` in a plugin is not a person's ^C."""


class BadEmission(Exception):
    """An extension said something that the contract does not allow."""


class Failure(NamedTuple):
    extension: str
    version: str
    path: str
    """The file that it failed on; empty when it was not about one."""
    message: str


def failure(loaded: Loaded[Any], path: str, error: BaseException) -> Failure:
    text = str(error) if isinstance(error, BadEmission) else f"{type(error).__name__}: {error}"
    return Failure(loaded.qualified, loaded.manifest.version, path, text)


def as_json(value: Any) -> str:
    """What an extension wants kept, as text that every store and every reader of JSON can take."""
    try:
        text = json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadEmission(f"it gave a value that is not JSON: {error}") from error
    must_be_text(text)
    return text


def must_be_text(*texts: object) -> None:
    """Strings of valid Unicode: anything else could not be written."""
    for text in texts:
        if not isinstance(text, str):
            raise BadEmission(f"it gave {text!r} where text belongs")
        if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
            raise BadEmission("it gave text that is not valid Unicode")
