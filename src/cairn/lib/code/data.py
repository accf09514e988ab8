"""Files of keys and targets: JSON, YAML, TOML, INI, Makefiles and justfiles."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from cairn.lib.code.keys import KEY_LINES, KeyPath, render_key
from cairn.lib.code.model import Outline, Symbol, decode, digest_of, shortened

MAX_KEYS: Final = 5_000
"""Symbols of one file. A longer one has names down to the level at which there are fewer."""


def data_outline(path: str, data: bytes, language: str) -> Outline:
    """Raises ValueError or RecursionError for what is not that language."""
    text = decode(data)
    value = load_data(text, language)
    tree = _Tree(value)
    depth, note = _depth_that_fits(tree)
    lines = KEY_LINES[language](text) if language in KEY_LINES else {}
    symbols = tuple(_symbols(path, tree, depth, lines))
    return Outline(path, language, symbols, tree.digest, note)


def load_data(text: str, language: str) -> object:
    return _LOADERS[language](text)


def value_digest(value: object) -> str:
    """Of the value as such: the order of keys in a map is neutral."""
    return _Tree(value).digest


class _Tree:
    """A value with the digest of each of its parts; a part's digest is made of those below."""

    __slots__ = ("children", "digest", "value")

    def __init__(self, value: object) -> None:
        self.value = value
        self.digest: str
        self.children: list[tuple[str | int, _Tree]] = []
        if isinstance(value, dict):
            self.children = [(str(key), _Tree(item)) for key, item in value.items()]
            pairs = sorted((json.dumps(key), child.digest) for key, child in self.children)
            self.digest = digest_of(["{", *[part for pair in pairs for part in pair]])
        elif isinstance(value, list):
            self.children = [(index, _Tree(item)) for index, item in enumerate(value)]
            self.digest = digest_of(["[", *[child.digest for _, child in self.children]])
        else:
            self.digest = digest_of([type(value).__name__, _scalar(value)])


class _Spot(NamedTuple):
    path: KeyPath
    tree: _Tree


def _symbols(path: str, tree: _Tree, depth: int, lines: dict[KeyPath, int]) -> Iterator[Symbol]:
    for spot in _spots(tree, (), depth):
        line = _line(spot.path, lines)
        last = max((_line(below.path, lines) for below in _spots(spot.tree, spot.path, depth)), default=line)
        name = render_key(spot.path)
        digest = spot.tree.digest
        yield Symbol(path, name, "key", line, max(line, last), digest, digest, shown_value(name, spot.tree.value))


def _spots(tree: _Tree, path: KeyPath, depth: int) -> Iterator[_Spot]:
    if len(path) < depth:
        for step, child in tree.children:
            spot = _Spot((*path, step), child)
            yield spot
            yield from _spots(child, spot.path, depth)


def _depth_that_fits(tree: _Tree) -> tuple[int, str]:
    level, count, depth = [tree], 0, 0
    while level:
        level = [child for one in level for _, child in one.children]
        count += len(level)
        if count > MAX_KEYS:
            return (
                depth,
                f"It has more than {MAX_KEYS:,} keys, so only those up to {depth} deep are names of their own.",
            )
        depth += 1
    return depth, ""


def _line(path: KeyPath, lines: dict[KeyPath, int]) -> int:
    """Where a key is written, else where the nearest one around it is."""
    for end in range(len(path), 0, -1):
        if path[:end] in lines:
            return lines[path[:end]]
    return 1


def shown_value(name: str, value: object) -> str:
    """`project.version = "1.2"`; of a map or a list, what fits."""
    if isinstance(value, dict):
        return shortened(f"{name} = {{{', '.join(list(map(str, value))[:20])}}}")
    if isinstance(value, list):
        return shortened(f"{name} = [{', '.join(_brief(item) for item in value[:20])}]")
    return shortened(f"{name} = {_scalar(value)}")


def _brief(value: object) -> str:
    return "…" if isinstance(value, dict | list) else _scalar(value)


def _scalar(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return json.dumps(value, ensure_ascii=False)
        case int() if value.bit_length() > 128:
            return hex(value)
        case _:
            return str(value)


# --- one loader a language ------------------------------------------------------------------------------------------


def _load_json(text: str) -> object:
    """JSON, and the JSON with comments and trailing commas that tools keep their settings in."""
    try:
        return json.loads(text)
    except ValueError:
        return json.loads(_TRAILING.sub(r"\1", _COMMENT.sub(_kept_string, text)))


_COMMENT: Final = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TRAILING: Final = re.compile(r'("(?:[^"\\\n]|\\.)*")|,(?=\s*[\]}])')


def _kept_string(found: re.Match[str]) -> str:
    return found[1] or " "


_MANY_DOTS: Final = 500


def _load_toml(text: str) -> object:
    """The parser's time grows with the square of the dots in one key, and a key is on one line."""
    import tomllib

    if any(line.count(".") > _MANY_DOTS for line in text.split("\n")):
        raise ValueError("a key has too many parts")
    return tomllib.loads(text.replace("\r\n", "\n"))


_DOCUMENT: Final = re.compile(r"^---(?=\s|$)[^\S\n]*", re.MULTILINE)


def _load_yaml(text: str) -> object:
    """One document, or a list of several."""
    from cairn.lib.yaml.parse import load_yaml

    parts = [part for part in _DOCUMENT.split(text.replace("\r\n", "\n")) if _says_something(part)]
    values: list[object] = [load_yaml(part) for part in parts]
    return values if len(values) > 1 else (values[0] if values else None)


def _says_something(part: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith(("#", "%")) for line in part.split("\n"))


def _load_ini(text: str) -> object:
    import configparser

    parser = configparser.RawConfigParser(strict=False, allow_no_value=True, default_section="\0")
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    try:
        parser.read_string(text)
    except configparser.Error as error:
        raise ValueError(str(error).partition("\n")[0]) from None
    except AttributeError:  # configparser of Python 3.12 and older
        raise ValueError("a line continues a key that has no value") from None
    return {section: dict(parser.items(section)) for section in parser.sections()}


_SETTING: Final = re.compile(
    r"^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*+((?:.*[^ \t\n])?)[ \t]*$", re.MULTILINE
)


def _load_env(text: str) -> object:
    found: dict[str, Any] = {}
    for name, value in _SETTING.findall(text.replace("\r", "")):
        quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
        found[name] = value[1:-1] if quoted else value.partition(" #")[0].rstrip()
    return found


_LOADERS: Final[dict[str, Callable[[str], object]]] = {
    "json": _load_json,
    "toml": _load_toml,
    "yaml": _load_yaml,
    "ini": _load_ini,
    "env": _load_env,
}

_VARIABLE: Final = re.compile(r"^(?:export\s+|override\s+)*([\w.-]+)\s*(\?=|:{0,3}=|\+=|!=)\s*(.*)$")
_RULE: Final = re.compile(r"^([^\s#:=](?:[^#:=\s]|\s++(?!:))*+)\s*+(::?)(?!=)\s*+(.*)$")
_RECIPE: Final = re.compile(r"^@?([A-Za-z_][\w-]*+)((?:\s[^:]*+)?):(?!=)\s*+(.*)$")


def make_outline(path: str, data: bytes) -> Outline:
    found = [*_make_symbols(path, list(_logical_lines(decode(data))))]
    return _outline(path, "make", found)


def just_outline(path: str, data: bytes) -> Outline:
    return _outline(path, "just", list(_just_symbols(path, list(_logical_lines(decode(data))))))


def _outline(path: str, language: str, symbols: list[Symbol]) -> Outline:
    """Targets are in no order, but for the first, which is what `make` alone makes."""
    first = next((symbol.name for symbol in symbols if symbol.kind == "key"), "")
    digest = digest_of([first, "|", *sorted(f"{symbol.name}={symbol.content}" for symbol in symbols)])
    return Outline(path, language, tuple(_distinct(symbols)), digest)


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers; a backslash at the end joins the next one."""
    held, start = "", 0
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        start = start or number
        if line.endswith("\\"):
            held += line[:-1] + " "
            continue
        yield start, held + line
        held, start = "", 0
    if held:
        yield start, held


def _make_symbols(path: str, lines: list[tuple[int, str]]) -> Iterator[Symbol]:
    for at, (number, line) in enumerate(lines):
        if line.startswith("\t"):
            continue
        if variable := _VARIABLE.match(line):
            name, sign, value = variable.groups()
            digest = digest_of([sign, " ".join(value.partition(" #")[0].split())])
            yield Symbol(path, name, "constant", number, number, digest, digest, shortened(f"{name} {sign} {value}"))
        elif (rule := _RULE.match(line)) and not rule[1].startswith("."):
            body, end = _recipe(lines, at)
            needs = " ".join(rule[3].partition("#")[0].partition(";")[0].split())
            content = digest_of(["target", needs, *body])
            shown = shortened(f"{rule[1]}: {needs}")
            for name in rule[1].split():
                if "$" not in name and "%" not in name:
                    yield Symbol(path, name, "key", number, end, digest_of(["target"]), content, shown)


def _just_symbols(path: str, lines: list[tuple[int, str]]) -> Iterator[Symbol]:
    for at, (number, line) in enumerate(lines):
        if variable := re.match(r"^(?:export\s+)?([A-Za-z_][\w-]*)\s*:=\s*(.*)$", line):
            name, value = variable.groups()
            digest = digest_of([" ".join(value.split())])
            yield Symbol(path, name, "constant", number, number, digest, digest, shortened(f"{name} := {value}"))
        elif recipe := _RECIPE.match(line):
            name, parameters, needs = recipe[1], " ".join(recipe[2].split()), " ".join(recipe[3].split())
            body, end = _recipe(lines, at)
            interface = digest_of(["recipe", parameters])
            content = digest_of(["recipe", parameters, needs, *body])
            yield Symbol(path, name, "key", number, end, interface, content, shortened(f"{name} {parameters}".rstrip()))


def _recipe(lines: list[tuple[int, str]], at: int) -> tuple[list[str], int]:
    """The commands below a rule, without comments and layout, and the last line of them."""
    body, end = [], lines[at][0]
    for number, line in lines[at + 1 :]:
        if line.strip() and not line.startswith(("\t", " ")):
            break
        if line.strip() and not line.strip().startswith("#"):
            body.append(" ".join(line.split()))
            end = number
    return body, end


def _distinct(symbols: list[Symbol]) -> Iterator[Symbol]:
    """A target that is given twice is one: its prerequisites add up."""
    groups: dict[str, list[Symbol]] = {}
    for symbol in symbols:
        groups.setdefault(symbol.name, []).append(symbol)
    for first, *more in groups.values():
        if more:
            interface = digest_of([one.interface for one in (first, *more)])
            yield first._replace(interface=interface, content=digest_of([one.content for one in (first, *more)]))
        else:
            yield first
