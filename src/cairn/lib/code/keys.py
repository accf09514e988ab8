"""Paths to a value in JSON, YAML or TOML, and the line on which a key stands."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Final

from cairn.lib.text.parse_json import parse_json

KeyPath = tuple[str | int, ...]

_BARE: Final = re.compile(r"[^\s.\[\]\"'`#]+")
_STEP: Final = re.compile(
    r"""(?P<dot>\.?) (?:
        \[ (?P<index>\d{1,9}) \] | (?P<double>"(?:[^"\\]|\\.)*") | '(?P<single>[^']*)' | (?P<bare>[^\s.\[\]"'`\#]+)
    )""",
    re.VERBOSE,
)


def render_key(path: KeyPath) -> str:
    """A path as it is written: what has a dot, a bracket or a blank in it, or could be a pointer, stands in quotes."""
    parts: list[str] = []
    for step in path:
        if isinstance(step, int):
            parts.append(f"[{step}]")
        else:
            bare = _BARE.fullmatch(step) and (parts or not step.startswith("/"))
            written = step if bare else json.dumps(step, ensure_ascii=False)
            parts.append(f".{written}" if parts else written)
    return "".join(parts)


def parse_key(text: str) -> KeyPath | None:
    """The path that somebody wrote; a JSON pointer such as `/scripts/test` is understood too."""
    if text.startswith("/"):
        return tuple(_unescaped(step) for step in text[1:].split("/"))
    path: list[str | int] = []
    at = 0
    while at < len(text):
        found = _STEP.match(text, at)
        if found is None or not _fits(found, first=at == 0):
            return None
        path.append(_step(found))
        at = found.end()
    return tuple(path) or None


def _fits(found: re.Match[str], *, first: bool) -> bool:
    """Before a name there is a dot unless it is the first, before an index there is none."""
    return (found["dot"] == "") is (first or found["index"] is not None)


def value_at(value: object, path: KeyPath) -> tuple[object] | None:
    """The value in a tuple of one, since `None` is a value as well."""
    for step in path:
        if isinstance(value, dict) and (key := str(step)) in value:
            value = value[key]
        elif isinstance(value, list) and str(step).isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return (value,)


def _step(found: re.Match[str]) -> str | int:
    if found["index"] is not None:
        return int(found["index"])
    if found["double"] is not None:
        try:
            return str(parse_json(found["double"]))
        except ValueError:
            return found["double"][1:-1]
    return found["single"] if found["single"] is not None else found["bare"]


def _unescaped(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")


Lines = dict[KeyPath, int]


def json_lines(text: str) -> Lines:
    found: Lines = {}
    steps: list[str | int] = []
    """One for each open bracket: the key that was read last, or the index of the item."""
    expects_key = False
    line, seen = 1, 0
    for token in _JSON.finditer(text):
        line += text.count("\n", seen, token.start())
        seen = token.start()
        mark = token[0][0]
        if mark in "{[":
            found.setdefault(tuple(steps[:_DEEPEST]), line)
            steps.append(0 if mark == "[" else "")
            expects_key = mark == "{"
        elif mark in "]}":
            del steps[-1:]
        elif mark == ",":
            expects_key = _after_comma(steps)
        elif mark not in ":/":
            if expects_key and steps:
                steps[-1] = _unquoted(token[0])
                expects_key = False
            found.setdefault(tuple(steps[:_DEEPEST]), line)
    return found


_DEEPEST: Final = 100
"""Brackets in each other; nobody asks for a place that is deeper."""
_JSON: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?(?:\*/|\Z)|[{}\[\],:]|[^\s{}\[\],:"/]+', re.DOTALL)


def _after_comma(steps: list[str | int]) -> bool:
    """Whether a key comes next; otherwise it is the next item of a list."""
    if steps and isinstance(steps[-1], int):
        steps[-1] += 1
        return False
    return bool(steps)


def _unquoted(text: str) -> str:
    try:
        return str(parse_json(text))
    except ValueError:
        return text.strip('"')


def toml_lines(text: str) -> Lines:
    found: Lines = {}
    table: KeyPath = ()
    counts: dict[KeyPath, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if header := _TOML_TABLE.match(line):
            table = tuple(_toml_keys(header[2]))
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
            table = _with_indexes(table, counts)
            _note(found, table, number)
        elif pair := _TOML_PAIR.match(line):
            _note(found, (*table, *_toml_keys(pair[1])), number)
    return found


_TOML_KEY: Final = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_TOML_TABLE: Final = re.compile(rf"^\s*(\[\[?)\s*({_TOML_KEY}(?:\s*\.\s*{_TOML_KEY})*)\s*\]")
_TOML_PAIR: Final = re.compile(rf"^\s*({_TOML_KEY}(?:\s*\.\s*{_TOML_KEY})*)\s*=")


def _toml_keys(text: str) -> Iterator[str]:
    for key in re.findall(_TOML_KEY, text):
        yield key[1:-1] if key[0] in "\"'" else key


def _with_indexes(table: KeyPath, counts: dict[KeyPath, int]) -> KeyPath:
    """`[[a]] [a.b]` is about the last of the `a`."""
    path: list[str | int] = []
    for end, step in enumerate(table, 1):
        path.append(step)
        if table[:end] in counts:
            path.append(counts[table[:end]])
    return tuple(path)


def _note(found: Lines, path: KeyPath, number: int) -> None:
    """A key, and those above it that are not written anywhere themselves."""
    for end in range(1, len(path) + 1):
        found.setdefault(path[:end], number)


def yaml_lines(text: str) -> Lines:
    lines = list(_yaml_documents(text))
    several = bool(lines) and lines[-1][0] > 0
    found: Lines = {}
    stack: list[tuple[int, str | int]] = []
    current = 0
    for document, number, line in lines:
        if document != current:
            current, stack = document, []
        at, rest = _indented(line)
        while rest:
            while stack and (stack[-1][0] > at or (stack[-1][0] == at and not _is_item(rest))):
                stack.pop()
            if _is_item(rest):
                _next_item(stack, at)
                inside, rest = _indented(rest[1:])
                at += 1 + inside
            elif key := _YAML_PAIR.match(rest):
                stack.append((at, key[1] or key[2] or key[3].rstrip()))
                rest = ""
            else:
                break
            path = tuple(step for _, step in stack)
            found.setdefault((document, *path) if several else path, number)
    return found


def _yaml_documents(text: str) -> Iterator[tuple[int, int, str]]:
    """Lines with something on them: the document that they are in, their number, and themselves."""
    document, starts = -1, True
    for number, line in enumerate(text.split("\n"), 1):
        if re.match(r"---(?:\s|$)", line):
            starts, line = True, "    " + line[3:]
        if line.strip() and not line.lstrip().startswith(("#", "%")):
            document += starts
            starts = False
            yield document, number, line


_YAML_PAIR: Final = re.compile(
    r"""(?:"([^"\n]*)"|'([^'\n]*)'|"""
    r"""([^\s#'"\[{&*!|>%@`-](?:[^\n#\s:]|:(?!\s|$)|[^\S\n]++(?!:(?:\s|$)))*+|-[^\s:](?:[^:\s]|[^\S\n]++(?!:))*+))"""
    r"""\s*+:(?=\s|$)"""
)


def _indented(line: str) -> tuple[int, str]:
    rest = line.lstrip(" ").rstrip()
    return len(line) - len(line.lstrip(" ")), "" if rest.startswith("#") else rest


def _is_item(rest: str) -> bool:
    """At the same column a key ends the key before; an item of a list ends neither its list nor its key."""
    return rest.startswith("- ") or rest == "-"


def _next_item(stack: list[tuple[int, str | int]], at: int) -> None:
    if stack and stack[-1][0] == at and isinstance(stack[-1][1], int):
        stack[-1] = (at, stack[-1][1] + 1)
    else:
        stack.append((at, 0))


def ini_lines(text: str) -> Lines:
    found: Lines = {}
    section = ""
    for number, line in enumerate(text.split("\n"), 1):
        if header := re.match(r"^\[([^\]]+)\]", line):
            section = header[1]
            found.setdefault((section,), number)
        elif pair := re.match(r"^([^\s=:#;](?:[^=:\s]|\s++(?![=:]|$))*+)\s*(?:[=:]|$)", line):
            found.setdefault((section, pair[1]), number)
    return found


def env_lines(text: str) -> Lines:
    found: Lines = {}
    for number, line in enumerate(text.split("\n"), 1):
        if pair := re.match(r"^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=", line):
            found[(pair[1],)] = number
    return found


KEY_LINES: Final[dict[str, Callable[[str], Lines]]] = {
    "json": json_lines,
    "toml": toml_lines,
    "yaml": yaml_lines,
    "ini": ini_lines,
    "env": env_lines,
}
