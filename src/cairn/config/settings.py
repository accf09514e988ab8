"""The settings in force, each with its source."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cairn.config.keys import Value
from cairn.config.layer import Layer, SettingSource


class LayeredSettings(NamedTuple):
    """Asking for a key that is not in the table is a mistake in the program: `KeyError`."""

    values: Mapping[str, Value]
    """By dotted key; lists are tuples."""
    origins: Mapping[str, Layer]
    warnings: tuple[str, ...] = ()
    refused: Mapping[str, str] = {}
    """By key: where somebody set it who may not, as `file:line`."""

    def flag(self, key: str) -> bool:
        value = self.values[key]
        assert isinstance(value, bool), key
        return value

    def integer(self, key: str) -> int:
        value = self.values[key]
        assert isinstance(value, int), key
        return value

    def optional_integer(self, key: str) -> int | None:
        return None if self.values[key] is None else self.integer(key)

    def text(self, key: str) -> str:
        value = self.values[key]
        assert isinstance(value, str), key
        return value

    def optional_text(self, key: str) -> str | None:
        return None if self.values[key] is None else self.text(key)

    def texts(self, key: str) -> tuple[str, ...]:
        """An unset list is an empty one; `values` still tells them apart."""
        return tuple(self.values[key] or ())

    def mapping(self, prefix: str) -> dict[str, Any]:
        """Everything below a group, nested as in a file; empty when nothing is set there."""
        start = prefix + "." if prefix else ""
        return nested({key.removeprefix(start): value for key, value in self.values.items() if key.startswith(start)})

    def source(self, key: str) -> SettingSource:
        return self.origins[key].source(key)


def merge(layers: Sequence[Layer]) -> LayeredSettings:
    """Later layers win, key by key; a list replaces a list."""
    values: dict[str, Value] = {}
    origins: dict[str, Layer] = {}
    for layer in layers:
        values.update(layer.values)
        origins.update(dict.fromkeys(layer.values, layer))
    refused = {key: where for layer in layers for key, where in layer.refused.items()}
    return LayeredSettings(values, origins, tuple(warning for layer in layers for warning in layer.warnings), refused)


def nested(flat: Mapping[str, Value]) -> dict[str, Any]:
    """Dotted keys as nested objects."""
    tree: dict[str, Any] = {}
    for name, value in flat.items():
        *groups, last = name.split(".")
        place = tree
        for group in groups:
            place = place.setdefault(group, {})
        place[last] = list(value) if isinstance(value, tuple) else value
    return tree
