"""Makefiles and justfiles: what can be made, and the variables that can be set."""

import re
from collections.abc import Iterator
from typing import Final

from cairn.lib.code.digest import digest_of
from cairn.lib.code.model import Outline, Symbol
from cairn.lib.code.shown import shortened
from cairn.lib.code.text import decode

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
