"""Is this value what its key expects? Also: how a value is written as text on a command line."""

import posixpath
from collections.abc import Callable

from cairn.config.keys import LARGEST_INTEGER, Key, Type, Value


class BadValue(Exception):
    """Why a value does not fit; the caller knows where it stands and says so."""


def checked(key: Key, value: Value) -> Value:
    """The value in the form that `Settings` keeps (lists become tuples), or `BadValue`."""
    if value is None and key.nullable:
        return None
    if not _FITS[key.type](value):
        raise BadValue(f"expects {key.expected}, not {shown(value)}")
    if key.type == "integer" and not key.minimum <= value <= LARGEST_INTEGER:
        raise BadValue(f"expects {key.expected}, not {shown(value)}")
    if key.choices and value not in key.choices:
        raise BadValue(f"expects {key.expected}, not {shown(value)}")
    if key.inside:
        _refuse_outside([value] if isinstance(value, str) else value)
    return tuple(value) if key.type == "texts" else value


def parsed(key: Key, raw: str) -> Value:
    """The value that a person meant by this text."""
    if key.nullable and key.type != "any" and raw.strip().lower() in ("null", "none", ""):
        return None
    return _PARSERS[key.type](raw)


def shown(value: Value) -> str:
    """A value as JSON, shortened when it is long."""
    import json

    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "…"


def _refuse_outside(paths: list[str]) -> None:
    for path in paths:
        plain = posixpath.normpath(path.replace("\\", "/"))
        if plain.startswith(("/", "~", "../")) or plain == ".." or plain[1:2] == ":":
            raise BadValue(f"names '{path}', which is outside the repository; only paths inside it are read")


def _is_text(value: Value) -> bool:
    """A text that can be written to a file and handed to the system."""
    if not isinstance(value, str) or "\0" in value:
        return False
    return not any("\ud800" <= letter <= "\udfff" for letter in value)


def _is_texts(value: Value) -> bool:
    return isinstance(value, list | tuple) and all(_is_text(item) and item for item in value)


def _is_integer(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_FITS: dict[Type, Callable[[Value], bool]] = {
    "flag": lambda value: isinstance(value, bool),
    "integer": _is_integer,
    "text": lambda value: _is_text(value) and value != "",
    "texts": _is_texts,
    "any": lambda _: True,
}

_FLAGS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def _parse_integer(raw: str) -> Value:
    digits = raw.strip().replace("_", "")
    plain = digits.removeprefix("-")
    return int(digits) if plain.isascii() and plain.isdigit() and len(plain) < 20 else raw


def _parse_texts(raw: str) -> Value:
    if raw.lstrip().startswith("["):
        return _parse_any(raw)
    return [part.strip() for part in raw.split(",") if part.strip()]


def _parse_any(raw: str) -> Value:
    import json

    try:
        return json.loads(raw, parse_constant=str)
    except (ValueError, RecursionError):
        return raw


_PARSERS: dict[Type, Callable[[str], Value]] = {
    "flag": lambda raw: _FLAGS.get(raw.strip().lower(), raw),
    "integer": _parse_integer,
    "text": lambda raw: raw,
    "texts": _parse_texts,
    "any": _parse_any,
}
