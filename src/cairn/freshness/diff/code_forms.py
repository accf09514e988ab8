"""Decides whether a word is written as code in its place, and finds the object or call that it belongs to."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

from cairn.core.repository.code import SHELL, is_shaped
from cairn.lib.document.document import Block

Place = Literal["span", "block", "prose", "directive", "frontmatter"]

CODE_SPAN = re.compile(r"(?<!`)(`++)(.+?)(?<!`)\1(?!`)")
COMMENT = re.compile(r"\s*(?:#|//|--\s|;|\*|/\*|<!--)")
_IMPORTED = re.compile(r"\s*(?:from\s+[\w.]+\s+import|import|use|require|using|export)\b")
_GENERIC = re.compile(r"\b[A-Z]\w*<(?:[\w\s]+,\s*)?\Z")
_UNPACKED = re.compile(r"\b(?:const|let|var|val)\s+\{$")
_LONGEST_CODE = 300
_WITHOUT_BRACKETS = frozenset(("ruby", "rb", "elixir", "ex", "exs", "groovy", "gradle", "crystal", "nix"))
"""Languages in which a line may call its first word."""
DATA_LANGUAGES = SHELL | {
    "yaml",
    "yml",
    "toml",
    "json",
    "jsonc",
    "json5",
    "ini",
    "cfg",
    "conf",
    "properties",
    "env",
    "dotenv",
    "hcl",
    "xml",
}
_SET = re.compile(r"\s*(?:[$>]\s+)?(?:(?:export|set|env)\s+)?(?:\w+=\S*\s+)*")
"""What may stand before a variable of the environment that a line of a shell sets."""


def is_placeholder(match: re.Match[str]) -> bool:
    """`<name>` stands for something that the reader fills in; `import {name}` and `List<Name>` do not."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    if match[0][:1].isupper() and _GENERIC.search(before):
        return False
    braces = () if _IMPORTED.match(match.string) or _UNPACKED.search(before) else (("{", "}"),)
    pairs = (("<", ">"), ("&lt;", "&gt;"), *braces)
    return any(before.endswith(opening) and after.startswith(closing) for opening, closing in pairs)


def code_around(match: re.Match[str]) -> str:
    """The inline code that a word is in; else the word and what follows."""
    for span in CODE_SPAN.finditer(match.string):
        if span.start(2) <= match.start() < span.end(2):
            return span[2]
    return match.string[match.start() :]


def code_before(match: re.Match[str]) -> str:
    """The inline code that a word is in, up to the word."""
    for span in CODE_SPAN.finditer(match.string):
        if span.start(2) <= match.start() < span.end(2):
            return match.string[span.start(2) : match.start()]
    return ""


def looks_like_code(word: str) -> bool:
    """Whether a word is code wherever it stands in a block."""
    return is_shaped(word) or word.startswith("--") or word.count("-") > 1


def is_written_as_code(word: str, match: re.Match[str], place: Place) -> bool:
    if word.startswith("--"):
        return True
    if place == "span":
        return is_shaped(word) or "-" in word or _is_a_form(word, code_around(match))
    if is_shaped(word):
        return True
    if place == "directive":
        return re.match(rf"\s*\.\. [\w:-]+::\s+\S*{re.escape(word)}\b", match.string) is not None
    around = match.string[max(0, match.start() - 2) : match.end() + 2]
    return (
        place != "frontmatter"
        and re.fullmatch(rf"\*\*{re.escape(word)}\*\*|.?([\"']){re.escape(word)}\1.?", around) is not None
    )


def _is_a_form(word: str, code: str) -> bool:
    """Whether a plain word is a name in this piece of inline code: alone, called, dotted, quoted, assigned."""
    w = re.escape(word)
    return (
        len(code) <= _LONGEST_CODE
        and re.fullmatch(
            rf"""[@.:<$\-]*(?:[\w.]+(?:\.|::|->|\#))?["']?{w}["']?(?:>|[?!]|\(.*\)|\s.*|(?:\.|::|->)[\w.()]+|\s*[=:]\s*.*)?""",
            code.strip(),
        )
        is not None
    )


def sets_variable(match: re.Match[str], before: str) -> bool:
    """Whether a line of a shell sets it for a program: `APP_DEBUG=1 app`."""
    return match[0].isupper() and _SET.fullmatch(before) is not None and match.string[match.end() :].startswith("=")


def is_used_in_code(match: re.Match[str], block: Block) -> bool:
    """Whether a plain word is a name at this place of a code block."""
    line = match.string
    before, after = line[: match.start()], line[match.end() :]
    if COMMENT.match(line):
        return False
    if re.search(r"(?:^|\s)-$", before) or sets_variable(match, before):
        return True
    if "-" in match[0]:
        return block.language in DATA_LANGUAGES or before.endswith(("<", "</", '"', "'", "@"))
    if block.language in SHELL:
        return False
    if block.language in _WITHOUT_BRACKETS and not before.strip() and re.match(r"\s+[:'\"\w]", after):
        return True
    if _IMPORTED.match(line):
        return True
    if re.search(r"(?:\.|::|->)$", before) and not before.endswith(".."):
        return True
    if re.match(r"\(|\s*=(?!=)", after):
        return True
    if re.match(r"""["']?\s*:(?:\s|$)""", after) and re.search(r"""(?:^\s*(?:-\s+)?|[{,(]\s*)["']?$""", before):
        return True
    return is_quoted(match)


def is_quoted(match: re.Match[str]) -> bool:
    before, after = match.string[: match.start()], match.string[match.end() :]
    return before[-1:] in ("'", '"') and after[:1] == before[-1:]


_FAR = 2_000
"""Characters before a name in which its object or call begins."""
_CLOSES = {")": "(", "]": "[", "}": "{"}
_LAST = re.compile(r"(?<![\w$])[A-Za-z_$][\w$]*+$")
_FUNCTION = re.compile(r"\b(?:def|function|func|fn|fun|fixture)\s+(?:\([^()\n]*\)\s*)?(\w+)\s*(?:<[^>\n]*>)?\(")
_PARAMETER = re.compile(r"[(,]\s*+(?:[*&.]{1,3}\s*+|(?:mut|ref)\s++|\w++\s++(?=\w++:))?([A-Za-z_]\w*+)")
"""In Swift a label may stand before it: `func row(at index: Int)`."""
_SET_VARIABLE = re.compile(
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


def arguments_in(inside: str) -> list[str]:
    """What stands between the commas of a call, up to its end."""
    depth, parts = 0, [""]
    for char in inside:
        depth += (char in _CLOSES.values()) - (char in _CLOSES)
        if depth < 0:
            break
        if char == "," and not depth:
            parts.append("")
        else:
            parts[-1] += char
    return parts


def variables_set(lines: Sequence[str]) -> set[str]:
    """Variables that a block makes with a keyword or a type, and uses: `val start = { … }` and `beforeTest(start)`.
    What it only makes may show a constant of ours, and what it loads may be a module of ours."""
    made = {found[1] or found[2] for line in lines if (found := _MADE.match(line)) and not _LOADS.search(line)}
    return {name for name in made if sum(re.search(rf"(?<![\w.]){name}\b", line) is not None for line in lines) > 1}


_MADE = re.compile(
    r"\s*(?:const|let|var|val)\s+(?:mut\s+)?([A-Za-z_]\w*)\s*(?::[^=\n]{1,80})?=(?![=>])"
    r"|\s*(?:final\s+)?[A-Z][\w<>\[\],.?]{0,80}\s+([a-z]\w*)\s*=(?!=)"
)
_LOADS = re.compile(r"\b(?:require|import)\b")


def variables_of(foreign: Collection[str], lines: Sequence[str]) -> set[str]:
    """Variables of a block that hold what these names make: `df` for `df = pl.read_csv(path)`."""
    held: set[str] = set()
    for line in lines:
        if found := _SET_VARIABLE.match(line):
            made, name = found[2] or found[3] or found[6], found[1] or found[4] or found[5]
            if made in foreign or made in held:
                held.add(name)
            else:
                held.discard(name)
    return held
