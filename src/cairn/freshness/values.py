"""Doubts about values: a sentence names something and states the value that it had before the change."""

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from cairn.freshness.definition import is_manifest
from cairn.freshness.doubt import Doubt, Reason
from cairn.freshness.literals import LiteralChange, values_in
from cairn.freshness.occurrence import Statement, WrittenPage
from cairn.freshness.pages import Pages
from cairn.freshness.vanished import Grep, is_product

_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_NUMBER = re.compile(r"(-?\d[\d_]*)(?:\.(\d+))?([a-zA-Z%]{0,3})")
_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = {20: "twenty", 30: "thirty", 40: "forty", 50: "fifty", 60: "sixty", 70: "seventy", 80: "eighty", 90: "ninety"}
_IN_WORDS = {str(n): word for n, word in (*enumerate(_ONES), *_TENS.items(), (100, "hundred"), (1000, "thousand"))}
_KEYWORDS = frozenset(("true", "false", "null", "none", "nil"))
_COMMON = _KEYWORDS | {"0", "1", "-1", "0.0", "1.0"}
"""Values that everything has: they count in an entry, and behind the word "default"."""
_DEFAULT = re.compile(r"(?i)\bdefault\w*\W{1,8}(?:(?:is|to|value)\W{1,8})*$")
_VERSION = re.compile(r"v?\d+(?:\.\d+){1,3}")
_TELLING = re.compile(r"\w[._/-]\w+[._/-]\w")
"""Texts of several parts: a path, a dotted name."""
_SHORTEST_TEXT = 2


def value_doubts(changes: Iterable[LiteralChange], pages: Pages, grep: Grep) -> Iterator[Doubt]:
    stating = list(islice((change for change in changes if _states_something(change)), _MOST))
    tokens = {name: _tokens(name) for change in stating for name in change.names}
    having = pages.having({token for some in tokens.values() for token in some})
    for change in stating:
        documents = {path for name in change.names for token in tokens[name] for path in having.get(token, ())}
        yield from _of_change(change, documents, pages, grep)


_MOST = 400


def _states_something(change: LiteralChange) -> bool:
    """Manifests name programs and versions of other people, except for settings with a name of several words."""
    value = change.old
    if any(value in spellings(name) for name in change.names):
        return False
    if is_manifest(change.path):
        return _is_number(value) and all(len(_PART.findall(name)) > 1 for name in change.names)
    return _is_number(value) or value.lower() in _KEYWORDS or len(value) >= _SHORTEST_TEXT


def _is_number(value: str) -> bool:
    return _NUMBER.fullmatch(value) is not None or _VERSION.fullmatch(value) is not None


def _of_change(change: LiteralChange, documents: Collection[str], pages: Pages, grep: Grep) -> Iterator[Doubt]:
    if not documents:
        return
    old, new = written_value(change.old), written_value(change.new)
    for page in (pages.page(path) for path in sorted(documents)):
        for statement in page.statements if old.search(page.text) else ():
            found = old.search(statement.text)
            if not found or new.search(statement.text) or page.is_about_the_past(statement.line):
                continue
            name = next((name for name in change.names if _is_about(name, statement, found, change.old)), None)
            if name and not _another(change, statement, found, grep):
                yield _doubt(page, statement, found, change, name)


def _another(change: LiteralChange, statement: Statement, found: re.Match[str], grep: Grep) -> bool:
    """Whether something else has the old value now and may be what the statement is about."""
    value = change.old
    about = _is_about if not any(_is_entry(name, statement) for name in change.names) else _in_entry
    for path, line in grep([value]):
        if is_product(path) and value in line:
            owners = (names for other, names in values_in(line) if other == value)
            if any(about(name, statement, found, value) for names in owners for name in names):
                return True
    return False


def _tokens(name: str) -> set[str]:
    """Words one of which a page must have to name the thing."""
    words = _PART.findall(name)
    last = max(words, key=len, default=name)
    kebab = name.strip("-_").replace("_", "-")
    return {name, kebab, f"--{kebab}", name.upper(), last, last.lower(), last.capitalize()}


def written_value(value: str) -> re.Pattern[str]:
    """How a document may write a value: digits, or a word for them, with or without a unit; text only as code."""
    if found := _NUMBER.fullmatch(value):
        whole, part, unit = found[1].replace("_", ""), (found[2] or "").rstrip("0"), found[3]
        grouped = rf"{int(whole):,}".replace(",", "[,_ ]?") if whole.lstrip("-").isdigit() else re.escape(whole)
        digits = grouped + (rf"\.{part}0*" if part else r"(?:\.0+)?")
        word = rf"|\b{_IN_WORDS[whole]}\b" if not part and whole in _IN_WORDS and len(whole) + int(whole) > 2 else ""
        ends = rf"(?:{unit})?" if unit else r"(?:[a-zA-Z%]{1,3})?"
        return re.compile(rf"(?<![\w.,/-])(?:{digits}{ends})(?![\w-]|[.,/]\d){word}", re.IGNORECASE)
    if _VERSION.fullmatch(value):
        return re.compile(rf"(?<![\w.-])v?{re.escape(value.removeprefix('v'))}(?![\w-]|\.\d)")
    if value.lower() in _KEYWORDS:
        return re.compile(rf"(?<![\w.-])(?i:{re.escape(value)})(?![\w-])")
    return re.compile(
        rf"""(?<=[`"'*|]){re.escape(value)}(?=[`"'*|])|(?<=[=:]\s){re.escape(value)}(?![\w.-])|(?<==){re.escape(value)}(?![\w.-])"""
    )


# --- naming ---------------------------------------------------------------------------------------------------------


def _is_about(name: str, statement: Statement, found: re.Match[str], value: str) -> bool:
    """Whether a statement with the value is about the thing: as an entry of it, by its name as code, or, for a number,
    by all words of its name in order."""
    if statement.signature:
        return re.search(rf"(?<!\w){re.escape(name)}\s*=\s*[\"']?$", statement.text[: found.start()]) is not None
    if _is_entry(name, statement):
        return True
    number = _is_number(value) and value not in _COMMON
    if not number and not _TELLING.search(value) and not _DEFAULT.search(statement.text[: found.start()]):
        return False
    text = f"{statement.text[: found.start()]}\0{statement.text[found.end() :]}"
    return _as_code(name, text) or (number and _in_words(name, text))


def _in_entry(name: str, statement: Statement, found: re.Match[str], value: str) -> bool:  # noqa: ARG001
    """In the entry of a name, only something of that name can be meant."""
    return _is_entry(name, statement)


def _in_words(name: str, text: str) -> bool:
    """A name of one word is a word like any other, unless the sentence is about a default."""
    words = [word for word in _PART.findall(name) if word.lower() != "default"]
    if not words or (len(words) == 1 and not re.search(r"(?i)\bdefaults?\b", text)):
        return False
    pattern = r"\W+(?:\w+\W+){0,3}?".join(re.escape(word) for word in words)
    return re.search(rf"\b{pattern}s?\b", text, re.IGNORECASE) is not None


def spellings(name: str) -> set[str]:
    """`max-size`, `--max-size`, `MAX_SIZE`, `maxSize` for `max_size`."""
    words = [word.lower() for word in _PART.findall(name)]
    name = name.strip("_")
    camel = "".join([words[0], *(word.capitalize() for word in words[1:])]) if words else name
    kebab = "-".join(words)
    return {name, kebab, f"--{kebab}", "_".join(words), "_".join(words).upper(), camel, camel[:1].upper() + camel[1:]}


def _as_code(name: str, text: str) -> bool:
    for form in spellings(name):
        w = re.escape(form)
        plain = r"[_-]" in form or (("_" in form.strip("_") or form.startswith("--")) and len(form) > 3)
        code = rf"`[^`\n]*(?<![\w-]){w}(?![\w-])[^`\n]*`|\*\*{w}\*\*|\"{w}\"|'{w}'"
        if re.search(code + (rf"|(?<![\w-]){w}(?![\w-])" if plain else ""), text):
            return True
    return False


def _is_entry(name: str, statement: Statement) -> bool:
    """Whether the innermost heading, or the first cell of the row, is the name."""
    cells = (
        [cell.strip() for cell in statement.text.strip().strip("|").split("|")]
        if statement.text.lstrip().startswith("|")
        else []
    )
    heads = [*statement.headings[:1], *cells[:1]]
    return any(re.sub(r"[`*\"'\\]|\(.*?\)", "", head).strip().rpartition(".")[2] in spellings(name) for head in heads)


def _doubt(page: WrittenPage, statement: Statement, found: re.Match[str], change: LiteralChange, name: str) -> Doubt:
    message = f"`{name}` is no longer `{change.old}`: it is `{change.new}`."
    line = page.line_of(statement, found[0])
    fix = f"Write `{change.new}`." if _NUMBER.fullmatch(change.old) else "Update this sentence."
    return Doubt(
        page.path, line, page.lines[line - 1], found[0], Reason.VALUE, message, change.path, change.line,
        change.old_text, change.text, True, change.old_line, fix,
    )  # fmt: skip
