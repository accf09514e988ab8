"""Doubts about values: a sentence states the value of something as it was before the change."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from cairn.freshness.diff.code_forms import CODE_SPAN, arguments_in
from cairn.freshness.diff.definition import is_manifest
from cairn.freshness.diff.doubt import StaleReason, StaleSentence
from cairn.freshness.diff.literals import (
    KEYWORDS,
    PART,
    UNIT,
    LiteralChange,
    contradicts,
    is_converted,
    is_number,
    may_state,
    unit_of,
    values_in,
    written_name,
    written_value,
)
from cairn.freshness.diff.occurrence import Statement, WrittenPage
from cairn.freshness.diff.pages import SurveyedPages
from cairn.freshness.diff.vanished import Grep, is_product

_COMMON = KEYWORDS | {"0", "1", "-1", "0.0", "1.0"}
"""Values that everything has: they count in an entry, and behind the word "default"."""
_DEFAULT = re.compile(r"(?i)\bdefault\w*\W{1,8}(?:(?:is|to|value)\W{1,8})*$")
_TELLING = re.compile(r"\w[._/-]\w+[._/-]\w")
"""Texts of several parts: a path, a dotted name."""
_SHORTEST_TEXT = 2


def value_doubts(changes: Iterable[LiteralChange], pages: SurveyedPages, grep: Grep) -> Iterator[StaleSentence]:
    stating = list(islice((change for change in changes if _states_something(change)), _MOST))
    tokens = [{token for name in change.names for token in _tokens(name, change.around)} for change in stating]
    having = pages.having({token for some in tokens for token in some})
    owners = lru_cache(_MOST)(lambda value: _owners(value, grep))
    for change, some in zip(stating, tokens, strict=True):
        documents = {path for token in some for path in having.get(token, ())}
        yield from _of_change(change, documents, pages, owners)


_MOST = 400


def _states_something(change: LiteralChange) -> bool:
    """Manifests name programs and versions of other people, except for settings with a name of several words."""
    value = change.old
    if any(value in spellings(name) or _squeezed(value) == _squeezed(name) for name in change.names):
        return False
    if is_manifest(change.path):
        return is_number(value) and all(len(PART.findall(name)) > 1 for name in change.names)
    return is_number(value) or value.lower() in KEYWORDS or len(value) >= _SHORTEST_TEXT


Owners = Callable[[str], frozenset[str]]
"""What has this value in the code, after the change."""


def _of_change(
    change: LiteralChange, documents: Collection[str], pages: SurveyedPages, owners: Owners
) -> Iterator[StaleSentence]:
    if not documents:
        return
    old, new = written_value(change.old, change.old_text), written_value(change.new, change.text)
    for page in (pages.page(path) for path in sorted(documents)):
        for statement in page.statements if _may_state(change, page) and old.search(page.text) else ():
            found = _stated(old, new, statement)
            if not found or page.is_about_the_past(statement.line):
                continue
            about = ValueStatement(
                statement, found, change.old, change.around | pages.packages, change.old_text, change.inside
            )
            name = max(change.names, key=about.strength)
            if strength := about.strength(name):
                meant = about.is_member_of(name, change.inside) or not _another(about, strength, owners)
                yield _doubt(page, about, change, name, certain=about.is_sure(name) and meant)


def _may_state(change: LiteralChange, page: WrittenPage) -> bool:
    return may_state(change.old, change.old_text, page.words)


def _stated(old: re.Pattern[str], new: re.Pattern[str], statement: Statement) -> re.Match[str] | None:
    """Where a statement states the old value; not if it has the new one too, unless the old one is the default."""
    found = [match for match in old.finditer(statement.text) if match[0]]
    default = next((match for match in found if _is_default(statement.text, match)), None)
    if default is None:
        return None if not found or statement.in_block or new.search(statement.text) else found[0]
    return None if any(_is_default(statement.text, match) for match in new.finditer(statement.text)) else default


def _is_default(text: str, found: re.Match[str]) -> bool:
    return _DEFAULT.search(text[max(0, found.start() - _BEFORE) : found.start()]) is not None


_BEFORE = 300
"""Characters before a value in which the word *default* is looked for."""


def _another(about: "ValueStatement", strength: int, owners: Owners) -> bool:
    """Whether something else has the old value now and may be what the statement is about, by a name as good."""
    others = about._replace(around=frozenset())
    return any(others.strength(name) >= strength for name in owners(about.value))


def _owners(value: str, grep: Grep) -> frozenset[str]:
    lines = {line for path, line in grep([value]) if is_product(path) and value in line}
    return frozenset(name for line in lines for other, names in values_in(line) if other == value for name in names)


def _tokens(name: str, around: frozenset[str]) -> set[str]:
    """Words one of which a page must have to name the thing."""
    longest = max(PART.findall(name), key=len, default=name)
    squeezed = _squeezed(name)
    snake = "_".join(PART.findall(name)).lower()
    some = {longest, longest.lower(), longest.capitalize()}
    inside = (form for word in around for form in (f"{word}_{snake}", f"{word}_{snake}".upper()))
    return {*spellings(name), *some, *(f"{word}s" for word in some), squeezed, squeezed.upper(), *inside}


# --- naming ---------------------------------------------------------------------------------------------------------


class ValueStatement(NamedTuple):
    """A statement that states a value."""

    statement: Statement
    found: re.Match[str]
    value: str
    around: frozenset[str]
    """Words that the documented name may have before that of the code."""
    code: str = ""
    """The line that has the value."""
    inside: frozenset[str] = frozenset()
    """The names in the lines that it is inside of."""

    def strength(self, name: str) -> int:
        """How clearly the statement is about a name: as an entry of it, by its name as code, or, for a number, by all
        words of its name in order; 0 if it is not."""
        if self.statement.signature:
            return int(re.search(rf"(?<!\w){re.escape(name)}\s*=\s*[\"']?$", self._before) is not None)
        number = is_number(self.value) and self.value not in _COMMON
        if _is_row(name, self.statement, self.around):
            return 3
        if not number and not self._is_default and not is_code_text(self.value):
            return 0
        if _is_section(name, self.statement, self.around):
            return 3
        if _as_code(name, self._text) or (self._is_default and _is_below(name, self.statement, self.around)):
            return 2
        return int(number and (_in_words(name, self._text) or self._is_headed(name)))

    def is_sure(self, name: str) -> bool:
        """Whether the value is stated about the name, and does not only stand in the same sentence."""
        if self.statement.signature:
            return True
        if contradicts(self.found, self.value, self.code):
            return False
        if self._is_default or self._is_row_in_words(name):
            return True
        quantity = is_number(self.value) and self._is_quantity
        if _is_row(name, self.statement, self.around):
            return quantity or self._fills_its_cell
        if quantity and _is_section(name, self.statement, self.around):
            return True
        return is_converted(self.found, self.value) or self._is_headed(name) or self._is_beside(name)

    def is_member_of(self, name: str, owners: Collection[str]) -> bool:
        """Whether the statement names it as a member of one of these: `Client.size`."""
        return any(owner in owners for owner in re.findall(rf"(?<!\w)(\w+)\.{re.escape(name)}(?![\w-])", self._before))

    @property
    def _before(self) -> str:
        return self.statement.text[: self.found.start()]

    @property
    def _after(self) -> str:
        return self.statement.text[self.found.end() :]

    @property
    def _text(self) -> str:
        """With a mark in place of the value."""
        return f"{self._before}\0{self._after}"

    @property
    def _is_default(self) -> bool:
        return _is_default(self.statement.text, self.found) or _BY_DEFAULT.match(self._after) is not None

    @property
    def _fills_its_cell(self) -> bool:
        cell = f"{self._before.rpartition('|')[2]}{self._after.partition('|')[0]}"
        return re.search(r"\w", cell) is None

    def _is_row_in_words(self, name: str) -> bool:
        """Whether the first cell is the name in words: `| Default timeout | 5 seconds |`."""
        first, others, _ = self._before.strip().lstrip("|").partition("|")
        named = self._before.lstrip().startswith("|") and others and _named_by(_plain(first)) == _named_by(name)
        return bool(named) and is_number(self.value) and (self._is_quantity or self._fills_its_cell)

    @property
    def _is_quantity(self) -> bool:
        """Whether the value is stated as one, wherever its name stands: not the number of a chapter or a version."""
        return bool(unit_of(self.found) or _STATED.search(_bare(self._before)) or not re.search(r"\w", self._before))

    def _is_beside(self, name: str) -> bool:
        """Whether nothing but "is" and the like stands between the name and the value."""
        text = _bare(self._text)
        at = text.index("\0")
        for found in re.finditer(_pattern_of(name), text, re.IGNORECASE):
            if found.end() <= at and _LEADING.fullmatch(text[found.end() : at]):
                return not (_is_passed(self._before) or self._is_example)
            if found.start() > at and self._is_quantity and _FOLLOWING.fullmatch(text[at + 1 : found.start()]):
                return True
        return False

    @property
    def _is_example(self) -> bool:
        """Whether the value is an argument of a call in inline code, and not the default in the signature of what takes
        it: that opens an entry or has a parameter beside it, and no argument that is more than a name. Anything may
        take the value of a constant."""
        span = next((one for one in CODE_SPAN.finditer(self.statement.text) if _holds(one, self.found)), None)
        call = span and _CALL.fullmatch(span[2])
        if not span or not call or span.start(2) + call.start(2) > self.found.start():
            return False
        ours = call[1] in self.inside or re.search(rf"(?<!\w){call[1]}\s*\(", self.code)
        arguments = arguments_in(call[2])
        opens = not re.search(r"\w", self.statement.text[: span.start()])
        named = any(map(_BARE.fullmatch, arguments))
        constant = not self.inside and "(" not in self.code
        signature = (ours and (opens or named)) or (constant and named)
        return not (signature and all(map(_SHOWN.fullmatch, arguments)))

    def _is_headed(self, name: str) -> bool:
        """Whether the heading and what stands before the value have all words of the name and nothing else: "The
        default is" below "Timeouts", "It is" below "Default timeout"."""
        heads = self.statement.headings
        said = _SUBJECT.fullmatch(_bare(self._before))
        if not heads or said is None or (not said[2] and not _ALONE.fullmatch(self._after)):
            return False
        named, above, before = (_named_by(text) for text in (name, heads[0], _DEFAULTS_TO.sub("", said[1])))
        default = any(re.search(r"(?i)\bdefault", text) for text in (*heads, self._before))
        return set(named) == {*above, *before} and (len(named) > 1 or default)


_BY_DEFAULT = re.compile(r"[`\"'*]*(?:\s+\w+)?\s+\(?by default\b", re.IGNORECASE)
_IS = r"(?:is|are|was|were|be|equals|of)(?:\s+(?:\w+\s+to|at most|at least|up to|about|currently))?"
_LEADING = re.compile(
    rf"(?:[.;,]\s+\w+)?\s*(?:[=:(–—→]|-(?=\s))\s*|(?:,\s+(?:which|that))?(?:\s+\w+){{0,3}}?\s+{_IS}:?\s+", re.IGNORECASE
)
"""What stands between a name and the value that is stated about it."""
_FOLLOWING = re.compile(
    rf"[ -]?(?:{UNIT})\s+|(?:[ -]?[a-z]+)?\s*(?:\(|\b(?:is|are)\s+(?:the\s+|our\s+)?(?:default\s+)?)", re.IGNORECASE
)
"""The same, where the value comes first: "the 5-second timeout", "5 s (`timeout`)", "five seconds is the timeout"."""
_STATED = re.compile(
    rf"(?:[=:(–—→|]|\b{_IS}|\b(?:for|after|within|until|than|most|least|by|every|up to))\s*$", re.IGNORECASE
)
_SUBJECT = re.compile(
    r"\W*+(?:(?:the|its|this|that|it|by)\b\s*+)?((?:\w[\w-]*+\s++){0,6}?)((?:is|are|of|was)\s+|:\s+)?", re.IGNORECASE
)
_DEFAULTS_TO = re.compile(r"(?i)\bdefaults?\s+(?:to|value)\b")
_ALONE = re.compile(rf"[ -]?(?:{UNIT})?\W*", re.IGNORECASE)


def _bare(text: str) -> str:
    """Without the marks of code and of emphasis, and the brackets of a call."""
    return re.sub(r"[`*\"']|\(\)", "", text)


_CALL = re.compile(r"(?:\w*+[@.:$]++)*+(\w++)[?!]?\((.*)\)[\s\w:>.\[\]-]*")
"""A call or a signature, perhaps with the type that it returns."""
_BARE = re.compile(r"\s{0,40}[*&]{0,2}[A-Za-z_]\w*+[?!]?\s{0,40}(?::\s{0,40}[A-Za-z_][^=\d\"']*+)?")
_SHOWN = re.compile(
    r"\s{0,40}(?:[*&]{0,2}[A-Za-z_]\w*+[?!]?\s{0,40}(?:[:=].*+)?|[*/]|\.{3}|[{\[].{0,400}[}\]])\s{0,40}"
)
"""An argument as a signature shows it: a parameter, perhaps with its type and its default."""


def _holds(span: re.Match[str], found: re.Match[str]) -> bool:
    return span.start(2) <= found.start() and found.end() <= span.end(2)


def _is_passed(before: str) -> bool:
    """Whether inline code is a command that passes the value as an example."""
    code = before.rpartition("`")[2] if before.count("`") % 2 else ""
    return re.search(r"\s-", code) is not None


def _named_by(text: str) -> list[str]:
    """The words of a name or a heading, without an article, *default* and the end of a plural."""
    words = (word.lower() for word in PART.findall(text))
    return [word.removesuffix("s") for word in words if word not in ("the", "default", "defaults")]


def is_code_text(value: str) -> bool:
    """Whether a text is written as code wherever it stands: a path, a dotted name."""
    return _TELLING.search(value) is not None


def _pattern_of(name: str) -> str:
    """The name in any of its spellings, or all of its words in order."""
    forms = "|".join(re.escape(form) for form in sorted(spellings(name), key=len, reverse=True))
    words = r"\W+(?:\w+\W+){0,3}?".join(re.escape(word) for word in _words_of(name))
    return rf"(?<![\w-])(?:{forms})(?![\w-])" + (rf"|\b{words}s?\b" if words else "")


def _words_of(name: str) -> list[str]:
    return [word for word in PART.findall(name) if word.lower() != "default"]


def _in_words(name: str, text: str) -> bool:
    """A name of one word is a word like any other, unless the sentence is about a default."""
    words = _words_of(name)
    if not words or (len(words) == 1 and not re.search(r"(?i)\bdefaults?\b", text)):
        return False
    pattern = r"\W+(?:\w+\W+){0,3}?".join(re.escape(word) for word in words)
    return re.search(rf"\b{pattern}s?\b", text, re.IGNORECASE) is not None


def spellings(name: str) -> set[str]:
    """`max-size`, `--max-size`, `MAX_SIZE`, `maxSize` for `max_size`."""
    words = [word.lower() for word in PART.findall(name)]
    whole, name = name, name.strip("_")
    camel = "".join([words[0], *(word.capitalize() for word in words[1:])]) if words else name
    kebab = "-".join(words)
    return {
        whole,
        name,
        kebab,
        f"--{kebab}",
        "_".join(words),
        "_".join(words).upper(),
        camel,
        camel[:1].upper() + camel[1:],
    }


def _as_code(name: str, text: str) -> bool:
    for form in spellings(name):
        w = re.escape(form)
        plain = r"[_-]" in form or (("_" in form.strip("_") or form.startswith("--")) and len(form) > 3)
        code = rf"`[^`\n]*(?<![\w-]){w}(?![\w-])[^`\n]*`|\*\*{w}\*\*|\"{w}\"|'{w}'"
        if re.search(code + (rf"|(?<![\w-]){w}(?![\w-])" if plain else ""), text):
            return True
    return False


def _is_section(name: str, statement: Statement, around: frozenset[str]) -> bool:
    """Whether the innermost heading is the name."""
    return any(_is_named(_plain(head), name, around) for head in statement.headings[:1])


def _is_row(name: str, statement: Statement, around: frozenset[str]) -> bool:
    """Whether a cell of the row is the name: the first one, or one before the value that is written as code."""
    row = statement.text.strip()
    first, *others = row.strip("|").split("|")
    named = row.startswith("|") and _is_named(_plain(first), name, around)
    return named or any(
        "`" in cell and _is_named(_plain(cell), name, around) for cell in (first, *others[:-1]) if others
    )


def _plain(head: str) -> str:
    return re.sub(r"[`*\"'\\]|\(.{0,200}?\)|\[.{0,200}?\]", "", head).strip()


def _is_below(name: str, statement: Statement, around: frozenset[str]) -> bool:
    """Whether the statement belongs to an item, a term or a flag with the name."""
    return any(_is_named(term, name, around) for term in statement.terms)


def _is_named(head: str, name: str, around: frozenset[str]) -> bool:
    """Whether a heading is the name: by itself, behind a dot, or behind words of what it stands inside of in the code,
    such as `redis_socket_timeout` for `redis=Namespace(socket_timeout=Option(5))`."""
    if head.rpartition(".")[2] in spellings(name):
        return True
    whole, end = _squeezed(head), _squeezed(name)
    if not head or " " in head or len(end) < _SHORTEST_NAME or not whole.endswith(end):
        return False
    return _is_made_of(whole.removesuffix(end), around)


_SHORTEST_NAME = 4


def _squeezed(name: str) -> str:
    return "".join(PART.findall(name)).lower()


def _is_made_of(text: str, words: frozenset[str]) -> bool:
    return not text or any(_is_made_of(text.removesuffix(word), words) for word in words if text.endswith(word))


def _doubt(
    page: WrittenPage, about: ValueStatement, change: LiteralChange, name: str, *, certain: bool
) -> StaleSentence:
    """A note if something else that has the value may be meant."""
    found = about.found
    message = f"`{written_name(name, change.names)}` is no longer `{change.old}`: it is `{change.new}`."
    line = page.line_of(about.statement, found[0])
    fix = f"Write `{change.new}`." if found[0] == change.old and is_number(change.old) else "Update this sentence."
    if not certain:
        fix = "Read the sentence: something else has the old value too."
    return StaleSentence(
        page.path, line, page.lines[line - 1], found[0], StaleReason.VALUE if certain else StaleReason.CHANGED, message,
        change.path, change.line, change.old_text, change.text, certain, change.old_line, fix,
    )  # fmt: skip
