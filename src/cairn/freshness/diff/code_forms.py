"""Decides whether a word is written as code at its place: in a span, in quotes, called, assigned, set or imported."""

import re
from typing import Literal

from cairn.core.repository.mentions import SHELL, is_shaped
from cairn.lib.document.outline import Block

Place = Literal["span", "block", "prose", "directive", "frontmatter"]

CODE_SPAN = re.compile(r"(?<!`)(`++)(.+?)(?<!`)\1(?!`)")
COMMENT = re.compile(r"\s*(?:#|//|--\s|;|\*|/\*|<!--)")
_IMPORTED = re.compile(r"\s*(?:from\s+[\w.]+\s+import|import|use|require|using|export)\b")
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
    """`<name>` stands for something that the reader fills in; `import {name}` does not."""
    before, after = match.string[: match.start()], match.string[match.end() :]
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
