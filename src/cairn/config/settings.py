"""The settings in force, each with its source, and the layers that they are merged from."""

import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from cairn.config.key import LARGEST_INTEGER, Key, Type, Value
from cairn.config.keys import BY_NAME, KEYS, TREE, Branch, find_key, known_names
from cairn.errors import ConfigError
from cairn.lib.text.json_splice import line_of, parse_object
from cairn.lib.text.names import did_you_mean, nearest


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

LayerName = Literal["default", "old", "committed", "local", "environment", "flag"]


class SettingSource(NamedTuple):
    """Where a value comes from."""

    layer: LayerName
    file: str | None = None
    """The file, or the name of the environment variable."""
    line: int | None = None

    def __str__(self) -> str:
        if self.file is None:
            return self.layer
        return f"{self.file}:{self.line}" if self.line else self.file


class Layer(NamedTuple):
    name: LayerName
    values: Mapping[str, Value]
    spelled: Mapping[str, Sequence[str]] = {}
    """By key: the names as they stand in the file, or the one variable of the environment."""
    file: str | None = None
    text: str = ""
    warnings: tuple[str, ...] = ()
    refused: Mapping[str, str] = {}
    """By key: where it stands, although it may not be said there."""

    def source(self, name: str) -> SettingSource:
        if self.name == "environment":
            return SettingSource(self.name, self.spelled[name][0])
        if self.file is None or self.name == "old":
            return SettingSource(self.name, self.file)
        return SettingSource(self.name, self.file, line_of(self.text, self.spelled[name]))


def defaults() -> Layer:
    return Layer("default", {key.name: key.default for key in BY_NAME.values()})


def from_file(name: LayerName, file: str, text: str) -> Layer:
    """A settings file; local-only keys in the committed one are dropped with a warning."""
    values: dict[str, Value] = {}
    spelled: dict[str, Sequence[str]] = {}
    warnings: list[str] = []
    refused: dict[str, str] = {}
    for path, key_name, key, raw in _leaves(file, text, TREE, parse_object(text, file)):
        if key.local_only and name == "committed":
            where = f"{file}:{line_of(text, path)}"
            warnings.append(f"{where}: '{key_name}' is ignored here; it may only stand in settings.local.json")
            refused[key_name] = where
            continue
        if key_name in values:
            raise _problem(file, text, path, f"'{key_name}' stands here in two spellings; keep the snake_case one")
        try:
            values[key_name] = checked(key, raw)
        except BadValue as problem:
            raise _problem(file, text, path, f"'{key_name}' {problem}") from None
        spelled[key_name] = path
    return Layer(name, values, spelled, file, text, tuple(warnings), refused)


def from_environment(env: Mapping[str, str]) -> Layer:
    """`CAIRN_SCAN__STRICT` for `scan.strict`, and a few shorter names; empty means unset."""
    values: dict[str, Value] = {}
    spelled: dict[str, Sequence[str]] = {}
    for variable, key in VARIABLES.items():
        raw = env.get(variable, "")
        if raw:
            values[key.name] = _from_text(variable, key, raw)
            spelled[key.name] = (variable,)
    return Layer("environment", values, spelled, warnings=tuple(_unknown_variables(env)))


def from_flags(flags: Mapping[str, object]) -> Layer:
    """What a command's options said, by key; None means that the option was not given."""
    values: dict[str, Value] = {}
    for name, value in flags.items():
        found = find_key(name)
        if found is None:
            raise KeyError(name)
        if value is not None:
            values[found[0]] = _from_flag(*found, value)
    return Layer("flag", values)


def unknown_key(name: str) -> str:
    """The sentence about a key that does not exist."""
    if name in RENAMED:
        return f"'{name}' is now '{RENAMED[name]}': rename it"
    return f"unknown key '{name}'" + (did_you_mean(name, known_names(name)) or "; `cairn config list` shows all keys")


def variable_of(key: Key) -> str:
    return "CAIRN_" + key.name.replace(".", "__").upper()


RENAMED = {"freshness.provider": "judge.with"}
"""Keys of earlier versions, rejected with the new name."""

VARIABLES = {variable_of(key): key for key in KEYS if not key.open} | {
    "CAIRN_DB": BY_NAME["store.url"],
    "CAIRN_JUDGE_WITH": BY_NAME["judge.with"],
    "CAIRN_JUDGE_MODEL": BY_NAME["judge.model"],
    "CAIRN_JUDGE_BUDGET": BY_NAME["judge.budget"],
    "CAIRN_JUDGE_WHEN": BY_NAME["judge.when"],
}


_OLD_VARIABLES = {f"CAIRN_FRESHNESS{dots}PROVIDER": "CAIRN_JUDGE_WITH" for dots in ("_", "__")}


def _leaves(
    file: str, text: str, branch: Branch, tree: Mapping[str, Value], above: tuple[str, ...] = (), named: str = ""
) -> Iterator[tuple[tuple[str, ...], str, Key, Value]]:
    """(names as written, normal name, key, value) of every setting in the file."""
    for part, value in tree.items():
        path = (*above, part)
        if path == ("$schema",):
            continue
        found = branch.step(part)
        if found is None:
            raise _unknown(file, text, path, branch)
        name = f"{named}.{found[0]}" if named else found[0]
        if isinstance(found[1], Key):
            yield path, name, found[1], value
        elif isinstance(value, dict):
            yield from _leaves(file, text, found[1], value, path, name)
        else:
            raise _problem(file, text, path, f"'{name}' is a group of settings and must be an object")


def _unknown(file: str, text: str, path: tuple[str, ...], branch: Branch) -> ConfigError:
    """What stands beside it is looked at first: most often a whole section is misspelt."""
    name = ".".join(path)
    if name in RENAMED:
        return _problem(file, text, path, unknown_key(name), nearest=RENAMED[name])
    if len(name.split(".")) > len(path) and find_key(name):
        return _problem(file, text, path, f"write '{name}' as nested objects, one for each dot")
    beside = nearest(path[-1], [child for child in branch.children if child != "*"])
    if beside is not None:
        meant = ".".join((*path[:-1], beside))
        return _problem(file, text, path, f"unknown key '{name}'; did you mean '{meant}'?", nearest=meant)
    return _problem(file, text, path, unknown_key(name), nearest=nearest(name, known_names(name)))


def _problem(file: str, text: str, path: tuple[str, ...], sentence: str, **details: object) -> ConfigError:
    line = line_of(text, path)
    return ConfigError(f"{file}:{line}: {sentence}", file=file, line=line, key=".".join(path), **details)


def _from_text(variable: str, key: Key, raw: str) -> Value:
    try:
        return checked(key, parsed(key, raw))
    except BadValue as problem:
        raise ConfigError(
            f"the environment variable {variable} ('{key.name}') {problem}", key=key.name, variable=variable
        ) from None


def _from_flag(name: str, key: Key, value: object) -> Value:
    try:
        return checked(key, value)
    except BadValue as problem:
        raise ConfigError(f"the option for '{name}' {problem}", key=name) from None


def _unknown_variables(env: Mapping[str, str]) -> Iterator[str]:
    """Only names with `__` are surely meant as settings; other CAIRN_ variables are switches of some part."""
    for variable in sorted(env):
        if variable in _OLD_VARIABLES:
            yield f"the environment variable {variable} is now {_OLD_VARIABLES[variable]}: rename it"
        elif variable.startswith("CAIRN_") and "__" in variable and variable not in VARIABLES:
            yield f"the environment variable {variable} is not known{did_you_mean(variable, VARIABLES)}"


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
