"""A manifest as plain data, for JSON and for people."""

from collections.abc import Mapping
from typing import Any

from cairn.core.extension_points import Manifest


def manifest_json(manifest: Manifest) -> dict[str, Any]:
    """Every field, with the names of the wire."""
    return {_camel(name): _plain(getattr(manifest, name)) for name in manifest.names}


def declared(manifest: Manifest) -> dict[str, Any]:
    """What its author said besides the usual: neither empty, nor among what every extension has."""
    common = {"version", "description", "stability", "settings", "kinds"}
    found = {key: value for key, value in manifest_json(manifest).items() if key not in common}
    return {key: _without_empty(value) for key, value in found.items() if _without_empty(value) not in (None, {}, [])}


def documentation(extension: object) -> str:
    """The docstring of its class, else of its module."""
    from inspect import cleandoc
    from sys import modules

    module = modules.get(type(extension).__module__)
    return cleandoc(type(extension).__doc__ or (module.__doc__ if module else None) or "")


def why_it_matters(extension: object) -> str:
    """The first sentence of that section of its documentation, without its full stop; empty if there is none."""
    from re import DOTALL, MULTILINE, search

    found = search(r"^Why it matters\n +(.+?)\.(?:\s|\Z)", documentation(extension), DOTALL | MULTILINE)
    return " ".join(found[1].split()) if found else ""


def _plain(value: Any) -> Any:
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {_camel(name): _plain(item) for name, item in value._asdict().items()}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _without_empty(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {k: v for k, item in value.items() if (v := _without_empty(item)) not in (None, {}, [], "")}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
