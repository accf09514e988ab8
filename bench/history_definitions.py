"""Decides from a line of code how it defines a word: a symbol, a parameter, an attribute, a string, or only a local.

The patterns are rough on purpose, and independent of the outlines of the program under test.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from history_paths import MANIFEST

OPENERS = (
    "def defp defmacro defmodule class module func fun fn function struct enum trait interface type protocol object"
    " record typedef union namespace mod sub data newtype typealias extension delegate event property package"
).split()
STATEMENTS = (
    "return throw raise new else case await yield delete import from use using goto in of not and or if".split()
)
CONFIGURATION = re.compile(
    r"\.(toml|ya?ml|json|jsonc|ini|cfg|conf|env|properties|editorconfig)$|(^|/)(Dockerfile|Makefile)$"
)
IMPORTED = re.compile(
    r"^\s*(import|from|use|using|#\s*include|require|require_once|extern crate|alias)\b|\brequire\(|\bimport\("
)
DEPENDENCY = re.compile(
    r"[\"'=:@~^<>(\s]v?\d+(\.\d+)*|\b(version|workspace|git|path|catalog)\b|^\s*[\"']?[@\w./-]+[\"']?,?\s*$"
)
COMMENT = re.compile(r"^\s*(//|#(?!\s*define|\[)|\*|/\*|--\s|;|\"\"\"|<!--)")


class CodeLine(NamedTuple):
    path: str
    text: str


class Patterns(NamedTuple):
    symbol: re.Pattern[str]
    constant: re.Pattern[str]
    local: re.Pattern[str]
    attribute: re.Pattern[str]
    parameter: re.Pattern[str]
    string: re.Pattern[str]


@lru_cache(maxsize=20_000)
def patterns(name: str) -> Patterns:
    word = re.escape(name)
    opener = "|".join(OPENERS)
    statement = "|".join(STATEMENTS)
    return Patterns(
        symbol=re.compile(
            rf"(?:\b(?:{opener})|macro_rules!|#\s*define)\s+(?:\([^)]*\)\s*)?(?:[\w.:?]*[.:])?{word}\b"
            rf"|^\s+(?:(?:async|static|get|set|public|private|protected|override|abstract|readonly|export)\s+)*{word}\s*(?:<[^>]*>)?\([^;]*\{{\s*$"
            rf"|^\s*(?!(?:{statement})\b)[A-Za-z_][\w<>\[\],.?*&: ]*[\s*&]{word}\s*\([^;]*$"
        ),
        constant=re.compile(
            rf"^(?:export\s+|default\s+|pub(?:\([^)]*\))?\s+|public\s+|static\s+|final\s+|declare\s+)*"
            rf"(?:(?:const|let|var|val|static|final)\s+(?:mut\s+)?)?(?:[\w<>\[\]]+\s+)?{word}\s*(?::[^=]+)?(?:=|:=)(?!=)"
        ),
        local=re.compile(
            rf"^\s+(?:(?:const|let|var|val|auto|final|my)\s+(?:mut\s+)?)?(?:\w+\s+)?{word}\s*(?::[^=]+)?(?: = |:=)"
        ),
        attribute=re.compile(
            rf"(?:\b(?:self|this|cls)\.|@){word}\b|\.{word}\s*=(?!=)"
            rf"|(?:^|[{{,(\s\[])[\"']?{word}[\"']?\s*[?!]?:(?![:=])|^\s+{word}\s+[\w*\[\].]+(?:\s+`.*)?$"
            rf"|^\s+(?:pub(?:\([^)]*\))?|public|readonly|protected|internal)\s+(?:[\w<>\[\],.?]+\s+)*\$?{word}\b"
            rf"|(?:^|\s|:){word}\s*=>|[\"']{word}[\"']\s*(?:=>|\]|:)"
        ),
        parameter=re.compile(
            rf"\b(?:{opener})\b[^(]*\(.*\b{word}\b|^\s+(?:[\w<>\[\]?.*&]+\s+)?[*&$]{{0,2}}{word}\s*(?::(?!:)[^,]+|=[^,=]+),?$"
            rf"|[(,]\s*{word}\s*(?:=(?!=)|:)|[(,]\s*(?:[\w<>\[\]?.]+\s+)[$*&]?{word}\s*[,)=]"
        ),
        string=re.compile(rf"[\"']{word}[\"'=]|[\"'`][^\"'`]*--{word}\b|(?<![\w:]):{word}\b|\blong\s*=\s*\"{word}\""),
    )


def form(name: str, line: CodeLine) -> str:
    """How the line defines the name; `local`, or nothing where it only uses it."""
    if IMPORTED.search(line.text) or COMMENT.match(line.text):
        return ""
    if CONFIGURATION.search(line.path) or MANIFEST.search(line.path):
        keyed = re.search(rf"^\s*[-\"']*{re.escape(name)}[\"']?\s*[:=]", line.text)
        if MANIFEST.search(line.path) and (not keyed or DEPENDENCY.search(line.text)):
            return "dependency"
        return "key" if keyed else ""
    found = patterns(name)
    if found.symbol.search(line.text) or found.constant.search(line.text):
        return "symbol"
    if found.local.search(line.text) and not (name.isupper() and "_" in name):
        return "local"
    for kind in ("attribute", "parameter", "string"):
        if getattr(found, kind).search(line.text):
            return kind
    if name.isupper() and "_" in name and re.search(rf"[\"'`].*\b{name}\b|\b{name}\s*=", line.text):
        return "string"
    return ""


def best_form(names: Iterable[str], lines: Iterable[CodeLine]) -> str:
    """The strongest of the forms that these lines have; `local`, `dependency` and nothing are the weak ones."""
    forms = {form(name, line) for line in lines for name in names if name in line.text}
    order = ("symbol", "attribute", "parameter", "string", "key", "local", "dependency")
    return next((one for one in order if one in forms), "")
