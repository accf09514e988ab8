"""Finds what a name in a code block belongs to: an object that it is a member of, a call that it is passed to, or a
function of the block that has it as a parameter."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

_FAR = 2_000
"""Characters before a name in which its object or call begins."""
_CLOSES = {")": "(", "]": "[", "}": "{"}
_LAST = re.compile(r"(?<![\w$])[A-Za-z_$][\w$]*+$")
_FUNCTION = re.compile(r"\b(?:def|function|func|fn|fun|fixture)\s+(?:\([^()\n]*\)\s*)?(\w+)\s*(?:<[^>\n]*>)?\(")
_PARAMETER = re.compile(r"[(,]\s*+(?:[*&.]{1,3}\s*+|(?:mut|ref)\s++|\w++\s++(?=\w++:))?([A-Za-z_]\w*+)")
"""In Swift a label may stand before it: `func row(at index: Int)`."""
_SET = re.compile(
    r"\s*(?:(?:const|let|var|val|with|async|await)\s+)*(\w+)\s*(?::[^=\n]{1,60})?:?=(?!=)\s*(?:(?:await|new)\s+)?(\w+)"
    r"|\s*(?:async\s+)?with\s+(\w++)[^\n]*\bas\s+(\w+)|\s*for\s+(\w+)\s+in\s+(\w+)"
)


def object_of(before: str) -> str:
    """The name that the chain of calls and members begins with, whose end stands before a member: `df` for
    `df.filter(a).`; empty if what follows is no member."""
    before = before[-_FAR:].rstrip()
    name = ""
    while before.endswith((".", "->", "::")):
        before = _without_brackets(before.rstrip(".->:?!").rstrip())
        found = _LAST.search(before)
        if found is None:
            return ""
        name, before = found[0], before[: found.start()].rstrip()
    return name


def call_of(before: str) -> str:
    """The name that the callee begins with, in whose brackets the end of the text stands; empty if there is none."""
    before, depth = before[-_FAR:], 0
    for at in range(len(before) - 1, -1, -1):
        if before[at] in _CLOSES:
            depth += 1
        elif before[at] in _CLOSES.values():
            if not depth:
                return _callee(before[:at]) if before[at] == "(" else ""
            depth -= 1
    return ""


def _callee(before: str) -> str:
    found = _LAST.search(before)
    return (object_of(before[: found.start()]) or found[0]) if found else ""


def _without_brackets(text: str) -> str:
    """Without the pairs of brackets that it ends with."""
    while text[-1:] in (")", "]"):
        depth = 0
        for at in range(len(text) - 1, -1, -1):
            depth += (text[at] in _CLOSES) - (text[at] in _CLOSES.values())
            if not depth:
                break
        text = text[:at].rstrip()
    return text


def parameters_in(lines: Iterable[str]) -> Mapping[str, set[str]]:
    """By name: the functions of a block that have it as a parameter."""
    text, found = "\n".join(lines), defaultdict[str, set[str]](set)
    for function in _FUNCTION.finditer(text):
        start = function.end() - 1
        for name in _PARAMETER.findall(text[start : end_of(text, start)]):
            found[name].add(function[1])
    return found


def end_of(text: str, start: int) -> int:
    """Where the bracket closes that opens at an index."""
    depth = 0
    for at in range(start, min(len(text), start + _FAR)):
        depth += (text[at] in _CLOSES.values()) - (text[at] in _CLOSES)
        if not depth:
            return at
    return start


def variables_set(lines: Sequence[str]) -> set[str]:
    """Variables that a block makes with a keyword, and uses: `val start = { … }` and `beforeTest(start)`. What it only
    makes may show a constant of ours, and what it loads may be a module of ours."""
    made = {found[1] for line in lines if (found := _MADE.match(line)) and not _LOADS.search(line)}
    return {name for name in made if sum(re.search(rf"(?<![\w.]){name}\b", line) is not None for line in lines) > 1}


_MADE = re.compile(r"\s*(?:const|let|var|val)\s+(?:mut\s+)?([A-Za-z_]\w*)\s*(?::[^=\n]{1,80})?=(?![=>])")
_LOADS = re.compile(r"\b(?:require|import)\b")


def variables_of(foreign: Collection[str], lines: Sequence[str]) -> set[str]:
    """Variables of a block that hold what these names make: `df` for `df = pl.read_csv(path)`."""
    held: set[str] = set()
    for line in lines:
        if found := _SET.match(line):
            made, name = found[2] or found[3] or found[6], found[1] or found[4] or found[5]
            if made in foreign or made in held:
                held.add(name)
            else:
                held.discard(name)
    return held
