"""Finds where a page writes a word as code: in prose, tables, code blocks, directives, frontmatter."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from cairn.freshness.definition import bounded
from cairn.kernel.repository.announced import is_about_other_versions, is_versioned
from cairn.kernel.repository.definitions import declared_in
from cairn.kernel.repository.mentions import SHELL, foreign_names, is_shaped, own_names, runs_this
from cairn.kernel.text.outline import Block, PageOutline, outline

Place = Literal["span", "block", "prose", "directive", "frontmatter"]

_SPAN = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_URL = re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s<>\"'`)\]]*")
_LINK = re.compile(r"\]\(([^()\s]*)")
_TITLE = re.compile(r"\s*(?:title|sidebar_label|sidebarTitle|nav_title|slug|id|tags|description|keywords|label)\s*:")
_DIRECTIVE = re.compile(r"\s*(?:\.\. [\w:-]+::|:[\w-]+(?: [^:]*)?:|<[A-Za-z])")
_COMMENT = re.compile(r"\s*(?:#|//|--\s|;|\*|/\*|<!--)")
_USAGE = re.compile(r"\s*usage:.*", re.IGNORECASE)
_IMPORTED = re.compile(r"\s*(?:from\s+[\w.]+\s+import|import|use|require|using|export)\b")
_UNPACKED = re.compile(r"\b(?:const|let|var|val)\s+\{$")
_SIGNATURE = re.compile(r"\s*\.\. (?:\w+:)?(?:auto)?(?:class|function|method|exception|decorator|classmethod)::")
_GONE = re.compile(r"(?i)\b(?:deprecated|removed|renamed|no longer|formerly|obsolete|superseded)\b|~~")
"""The line stood there before the change, so it can only tell of an earlier one. A hit only hides it."""
_LINES = 12
_LONGEST_CODE = 300
_NAME = 80
"""Characters that a name may have."""
_LONGEST = 4_000
"""Characters. Longer lines are data, and nobody reads them as sentences."""
_WITHOUT_BRACKETS = frozenset(("ruby", "rb", "elixir", "ex", "exs", "groovy", "gradle", "crystal", "nix"))
"""Languages in which a line may call its first word."""
_DATA = SHELL | {
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


class Occurrence(NamedTuple):
    word: str
    line: int
    text: str
    """The line of the document."""
    place: Place
    base: str
    """What stands before the word and a dot: `client` in `client.connect`."""
    program: str
    """The program that a line of a shell runs, as far as it is not one of this repository."""
    quoted: bool = False
    """Whether it is a string in a block of code."""
    in_data: bool = False
    """Whether the block is data or commands, not a program."""
    declared: bool = False
    """Whether the block declares it: as a reference shows it, or as something of its own."""

    @property
    def is_key(self) -> bool:
        """Whether it is a key of a literal in a block, without quotes."""
        key = rf"(?:^\s*|[{{,(]\s*){re.escape(self.word)}\s*:(?:\s|$)"
        return self.place == "block" and re.search(key, self.text) is not None


class Statement(NamedTuple):
    """A piece of a document that says something: a sentence, a row, an item."""

    line: int
    text: str
    headings: tuple[str, ...]
    """Of the sections that it is in, the innermost first."""
    signature: bool = False
    """Whether it shows how something is called."""
    terms: tuple[str, ...] = ()
    """What the lines that it belongs to begin with: `--port` for a description below the flag."""
    in_block: bool = False


class WrittenPage:
    """One document, read when somebody asks for a word of it."""

    def __init__(self, path: str, text: str, packages: Callable[[], Collection[str]] = tuple) -> None:
        self.path = path
        self.lines = text.replace("\r\n", "\n").split("\n")
        self.text = text
        self._find_packages = packages
        self._owned: dict[int, frozenset[str]] = {}

    @cached_property
    def _packages(self) -> Collection[str]:
        return self._find_packages()

    @cached_property
    def outline(self) -> PageOutline:
        """A page that its reader fails on is read as plain text, so that it does not stop the others."""
        try:
            return outline(self.path, self.text)
        except Exception:
            from cairn.kernel.text.outline_plain import plain_outline

            return plain_outline(self.path, self.text)

    @cached_property
    def _blocks(self) -> Mapping[int, Block]:
        """The block that each line of code is in."""
        blocks = [_as_shell(block) for block in self.outline.blocks]
        return {block.line + at: block for block in blocks for at in range(len(block.lines))}

    @cached_property
    def _body(self) -> int:
        """The first line behind the frontmatter."""
        from cairn.kernel.text.frontmatter import split

        return split(self.text).body_line

    def lines_with(self, texts: Collection[str]) -> Iterator[tuple[int, str]]:
        """The lines that have one of these texts, with their numbers; not those that are data."""
        for number, line in enumerate(self.lines, 1):
            if len(line) <= _LONGEST and any(text in line for text in texts):
                yield number, line

    def occurrences(self, word: str) -> Iterator[Occurrence]:
        """Every line that writes the word as code, unless its block defines it or has it from another package."""
        pattern = bounded(word)
        for number, line in self.lines_with((word,)):
            found = next((one for match in pattern.finditer(line) if (one := self._one(word, number, match))), None)
            if found is not None:
                yield found

    def _one(self, word: str, number: int, match: re.Match[str]) -> Occurrence | None:
        line = match.string
        if self.is_address(match) or _is_placeholder(match):
            return None
        if (block := self._blocks.get(number)) is not None:
            return self._in_block(word, number, match, block)
        place = self._place(word, number, match)
        if place is None or not _written_as_code(word, match, place):
            return None
        program = self._program(_code_around(match)) if word.startswith("--") else ""
        return Occurrence(word, number, line, place, _base(match), program)

    @staticmethod
    def is_address(match: re.Match[str]) -> bool:
        """Whether it is a part of a URL."""
        return any(url.start() <= match.start() < url.end() for url in _URL.finditer(match.string))

    def is_code(self, number: int, match: re.Match[str]) -> bool:
        """Whether these characters of a line are in inline code, or in a block that is no program."""
        if (block := self._blocks.get(number)) is not None:
            return not block.language or block.language in SHELL
        return any(span.start(2) < match.end() <= span.end(2) for span in _SPAN.finditer(match.string))

    def _place(self, word: str, number: int, match: re.Match[str]) -> Place | None:
        line = match.string
        if number < self._body:
            is_value = ":" in line[: match.start()] or line.lstrip().startswith("-")
            return "frontmatter" if is_value and not _TITLE.match(line) else None
        if any(span.start(2) <= match.start() < span.end(2) for span in _SPAN.finditer(line)):
            return "span"
        if any(link.start(1) <= match.start() < link.end(1) for link in _LINK.finditer(line)):
            return None
        prose = self.outline.prose_lines
        if number <= len(prose) and word in prose[number - 1]:
            return "prose"
        return "directive" if _DIRECTIVE.match(line) or self._continues(number) else None

    def _continues(self, number: int) -> bool:
        """Whether a line of `.rst` goes on with the signature of the directive above."""
        while number > 1 and self.lines[number - 2].rstrip().endswith("\\"):
            number -= 1
            if _DIRECTIVE.match(self.lines[number - 1]):
                return True
        return False

    def _in_block(self, word: str, number: int, match: re.Match[str], block: Block) -> Occurrence | None:
        own, base, line = self._own(block), _base(match), match.string
        declared = word in own and is_shaped(word) and word in declared_in(line.encode())
        if (base and base in self._foreign(block)) or (word in own and not declared and not _overrides(line)):
            return None
        if not _looks_like_code(word) and not _used_in_code(match, block, self._packages):
            return None
        program = self._program(line) if word.startswith("--") else ""
        data = block.language in _DATA
        return Occurrence(word, number, line, "block", base, program, _is_string(match), data, declared)

    def _own(self, block: Block) -> frozenset[str]:
        """Names that a block defines, or has from another package. Commands and settings define nothing."""
        if block.line not in self._owned:
            own = self._foreign(block) | own_names(block.lines, self._packages, assigned=bool(block.language))
            self._owned[block.line] = frozenset() if block.language in _DATA else own
        return self._owned[block.line]

    def _foreign(self, block: Block) -> frozenset[str]:
        """Names that a block has from another package."""
        return frozenset().union(*(foreign_names(line, self._packages) for line in block.lines))

    def _program(self, command: str) -> str:
        command = _USAGE.sub("", "" if _COMMENT.match(command) else command)
        return "" if not command.strip() or runs_this(command, self._packages) else command.split()[0]

    # --- statements -------------------------------------------------------------------------------------------------

    @cached_property
    def statements(self) -> Sequence[Statement]:
        """Its sentences, rows and items, without code blocks."""
        from cairn.kernel.text.readable import readable
        from cairn.kernel.text.sentences import sentences

        body, first = self.text, 1
        if self.outline.format != "markdown":
            body = readable(self.path, self.text, self.outline)
        found = (one for one in sentences(body, first) if one.fence is None and one.line >= self._body)
        said = [
            Statement(one.line, one.text, tuple(self.outline.headings_above(one.line)), terms=self._terms(one.line))
            for one in found
        ]
        return [*said, *self._signatures, *self._defaults]

    @property
    def _defaults(self) -> Iterator[Statement]:
        """Lines of code blocks that state a default: pasted help, or a reference of settings."""
        for number, line in self.lines_with(("default", "Default", "DEFAULT")):
            if number in self._blocks:
                terms = tuple(term[1] for term in _TERM.finditer(line) if not term.start())
                yield Statement(number, line, (), terms=(*terms, *self._terms(number)), in_block=True)

    def _terms(self, number: int) -> tuple[str, ...]:
        """The first words of the lines above that are indented less, and of one that is nothing but a name."""
        found: list[str] = []
        indent = _indent(self.lines[number - 1])
        for line in reversed(self.lines[max(0, number - 1 - _LINES) : number - 1]):
            alone = _indent(line) == indent and _ALONE.fullmatch(line)
            if line.strip() and (_indent(line) < indent or alone):
                indent = _indent(line)
                found += [term[1] for term in [_TERM.match(line)] if term]
                if alone or not indent:
                    break
        return tuple(found)

    @property
    def _signatures(self) -> Iterator[Statement]:
        """Of directives such as `.. function:: connect(host, timeout=30)`."""
        for number, line in self.lines_with("=") if self.outline.format == "rst" else ():
            if _SIGNATURE.match(line) or self._continues(number):
                yield Statement(number, line, (), signature=True)

    def line_of(self, statement: Statement, written: str) -> int:
        """The line of a statement that has these characters."""
        for number in range(statement.line, min(statement.line + _LINES, len(self.lines) + 1)):
            if written in self.lines[number - 1]:
                return number
        return statement.line

    # --- what the page says about itself ----------------------------------------------------------------------------

    def is_about_the_past(self, number: int) -> bool:
        """Whether the line says that something is gone, or stands in a section about other versions."""
        if _GONE.search(self.lines[number - 1]) or is_about_other_versions(self.outline.headings_above(number)):
            return True
        return self.outline.format == "rst" and is_versioned(self.lines, number)


_TERM = re.compile(
    r"""[\s\[#]*+(?:[-*+]\s+|\d+\.\s+|\.\. [\w:-]+::\s+)?(?:-\w,\s+)?[`*"'\[:]*+((?:--)?[A-Za-z][\w.-]*)"""
)
"""The first word of a line, behind the mark of a list or of a directive."""
_ALONE = re.compile(r"""\s*(?:[-*+]\s+)?[`*"']*(?:--)?[A-Za-z][\w.-]*[`*"']*:?\s*""")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _as_shell(block: Block) -> Block:
    """A block without a language whose lines begin with a prompt has commands in it."""
    prompt = not block.language and any(line.startswith("$ ") for line in block.lines)
    return block._replace(language="console") if prompt else block


def _is_placeholder(match: re.Match[str]) -> bool:
    """`<name>` stands for something that the reader fills in; `import {name}` does not."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    braces = () if _IMPORTED.match(match.string) or _UNPACKED.search(before) else (("{", "}"),)
    pairs = (("<", ">"), ("&lt;", "&gt;"), *braces)
    return any(before.endswith(opening) and after.startswith(closing) for opening, closing in pairs)


def _base(match: re.Match[str]) -> str:
    found = re.search(r"(\w+)(?:\(\))?(?:\.|::|->|#)$", match.string[max(0, match.start() - _NAME) : match.start()])
    return found[1] if found else ""


def _code_around(match: re.Match[str]) -> str:
    """The inline code that a word is in; else the word and what follows."""
    for span in _SPAN.finditer(match.string):
        if span.start(2) <= match.start() < span.end(2):
            return span[2]
    return match.string[match.start() :]


def _looks_like_code(word: str) -> bool:
    """Whether a word is code wherever it stands in a block."""
    return is_shaped(word) or word.startswith("--") or word.count("-") > 1


def _written_as_code(word: str, match: re.Match[str], place: Place) -> bool:
    if word.startswith("--"):
        return True
    if place == "span":
        return is_shaped(word) or "-" in word or _is_a_form(word, _code_around(match))
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


def _used_in_code(match: re.Match[str], block: Block, packages: Collection[str]) -> bool:
    """Whether a plain word is a name at this place of a code block."""
    line = match.string
    before, after = line[: match.start()], line[match.end() :]
    if _COMMENT.match(line):
        return False
    if "-" in match[0]:
        return block.language in _DATA or before.endswith(("<", "</", '"', "'", "@"))
    if block.language in SHELL:
        words = before.split()
        return bool(words) and words[-1].lower() in packages
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
    return _is_string(match)


def _is_string(match: re.Match[str]) -> bool:
    before, after = match.string[: match.start()], match.string[match.end() :]
    return before[-1:] in ("'", '"') and after[:1] == before[-1:]


def _overrides(line: str) -> bool:
    """Whether the line is indented: a method of a class that the block derives from one of ours."""
    return line[:1].isspace()
