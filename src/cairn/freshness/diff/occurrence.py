"""Finds where a page writes a word as code: in prose, tables, code blocks, directives, frontmatter."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from cairn.core.repository.code import (
    SHELL,
    foreign_names,
    is_about_other_versions,
    is_program,
    is_shaped,
    is_versioned,
    own_names,
    runs_this,
)
from cairn.freshness.diff.code_forms import (
    CODE_SPAN,
    COMMENT,
    DATA_LANGUAGES,
    Place,
    call_of,
    code_around,
    code_before,
    is_placeholder,
    is_quoted,
    is_used_in_code,
    is_written_as_code,
    looks_like_code,
    object_of,
    parameters_in,
    sets_variable,
    variables_of,
    variables_set,
)
from cairn.freshness.diff.definition import bounded
from cairn.freshness.diff.literals import table_of, words_of
from cairn.lib.code.definitions import declared_in, defined_in
from cairn.lib.document.document import Block, PageOutline, outline

_URL = re.compile(r"\b[a-z][a-z0-9+.-]{0,20}://[^\s<>\"'`)\]]*")
_LINK = re.compile(r"\]\(([^()\s]*)")
_TITLE = re.compile(r"\s*(?:title|sidebar_label|sidebarTitle|nav_title|slug|id|tags|description|keywords|label)\s*:")
_DIRECTIVE = re.compile(r"\s*(?:\.\. [\w:-]+::|:[\w-]+(?: [^:]*)?:|<[A-Za-z])")
_SHOWS_FILE = re.compile(r"\s*\.\. (?:\|[^|\n]+\| )?(?:figure|image|include|literalinclude)::")
"""A directive whose argument is a path, and no name."""
_OPTION = re.compile(r"\s+(?:-\w\b[^-]*)?--\w")
"""An entry of a list of options."""
_NAMES = re.compile(r"\s+\w+(?:,\s*\w+)*,?\s*")
_MEMBERS = re.compile(r"\s+:(?:[\w-]+-)?members:")
_USAGE = re.compile(r"(?:(?<!\s)\s++)?usage:.*", re.IGNORECASE)
_SIGNATURE = re.compile(r"\s*\.\. (?:\w+:)?(?:auto)?(?:class|function|method|exception|decorator|classmethod)::")
_GONE = re.compile(r"(?i)\b(?:deprecated|removed|renamed|no longer|formerly|obsolete|superseded)\b|~~")
"""The line stood there before the change, so it can only tell of an earlier one. A hit only hides it."""
_LINES = 12
_LINKED = re.compile(r"\s*(?:[-*+]|\d+\.)\s+\[[^\]\n]*\]\([^()\n]*\)\s*")
"""An item that is only a link."""
_GROUP = re.compile(r"#{1,6}\s.*|\s*[-*_]{3,}\s*|\s*[-*+]\s+[^`\n]*")
_COMMAND = re.compile(r"\s*(?:[$>%]\s+)?(?:\w+=\S*\s+)*([\w./-].*)")
_NAME = 80
"""Characters that a name may have."""
_LONGEST = 4_000
"""Characters. Longer lines are data, and nobody reads them as sentences."""


_MARKUP = frozenset(("xml", "html", "jsx", "tsx", "vue", "svelte", "xaml", "csproj"))
"""Languages in which `<name>` is an element."""


class WordOccurrence(NamedTuple):
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
    passed: bool = False
    """Whether a line passes it to a program of this repository: a subcommand, or the value of a flag."""
    parameter_of: frozenset[str] = frozenset()
    """The functions of the block that have it as a parameter."""

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

    def __init__(
        self,
        path: str,
        text: str,
        packages: Callable[[], frozenset[str]] = frozenset,
        programs: Callable[[], frozenset[str]] | None = None,
    ) -> None:
        self.path = path
        self.lines = text.replace("\r\n", "\n").split("\n")
        self.text = text
        self._find_packages = packages
        self._find_programs = programs or packages
        self._owned: dict[int, frozenset[str]] = {}
        self._taken: dict[int, Mapping[str, set[str]]] = {}

    @cached_property
    def _packages(self) -> frozenset[str]:
        return self._find_packages()

    @cached_property
    def _programs(self) -> frozenset[str]:
        return self._find_programs()

    @cached_property
    def outline(self) -> PageOutline:
        """A page that its reader fails on is read as plain text, so that it does not stop the others."""
        try:
            return outline(self.path, self.text)
        except Exception:
            from cairn.lib.document.document import plain_outline

            return plain_outline(self.path, self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        return words_of(self.text)

    @cached_property
    def _blocks(self) -> Mapping[int, Block]:
        """The block that each line of code is in."""
        blocks = [_as_shell(block) for block in self.outline.blocks]
        return {block.line + at: block for block in blocks for at in range(len(block.lines))}

    def in_block(self, number: int) -> bool:
        return number in self._blocks

    @cached_property
    def _body(self) -> int:
        """The first line behind the frontmatter."""
        from cairn.lib.markdown.frontmatter import split

        return split(self.text).body_line

    def lines_with(self, texts: Collection[str]) -> Iterator[tuple[int, str]]:
        """The lines that have one of these texts, with their numbers; not those that are data."""
        for number, line in enumerate(self.lines, 1):
            if len(line) <= _LONGEST and any(text in line for text in texts):
                yield number, line

    def occurrences(self, word: str) -> Iterator[WordOccurrence]:
        """Every line that writes the word as code, unless its block defines it or has it from another package."""
        pattern = bounded(word)
        for number, line in self.lines_with((word,)):
            found = next((one for match in pattern.finditer(line) if (one := self._one(word, number, match))), None)
            if found is not None:
                yield found

    def _one(self, word: str, number: int, match: re.Match[str]) -> WordOccurrence | None:
        line = match.string
        block = self._blocks.get(number)
        if (
            self._is_navigation
            or _SHOWS_FILE.match(line)
            or self.is_address(match)
            or (is_placeholder(match) and not (block and block.language in _MARKUP))
        ):
            return None
        if block is not None:
            return self._in_block(word, number, match, block)
        place = self._place(word, number, match)
        before = code_before(match)
        passed = place == "span" and (self._is_passed(before) or sets_variable(match, before))
        if place is None or not (passed or is_written_as_code(word, match, place)):
            return None
        program = self._program(code_around(match)) if word.startswith("--") else ""
        return WordOccurrence(word, number, line, place, _base(match), program, passed=passed)

    @cached_property
    def _is_navigation(self) -> bool:
        """Whether the page is nothing but titles of other pages, as `SUMMARY.md` and `_sidebar.md` are."""
        lines = [line for line in self.lines[self._body - 1 :] if line.strip()]
        return any(map(_LINKED.fullmatch, lines)) and all(
            _LINKED.fullmatch(line) or _GROUP.fullmatch(line) for line in lines
        )

    @staticmethod
    def is_address(match: re.Match[str]) -> bool:
        """Whether it is a part of a URL."""
        return any(url.start() <= match.start() < url.end() for url in _URL.finditer(match.string))

    def is_code(self, number: int, match: re.Match[str]) -> bool:
        """Whether these characters of a line are in inline code, or in a block that is no program."""
        if (block := self._blocks.get(number)) is not None:
            return not block.language or block.language in SHELL
        return any(span.start(2) < match.end() <= span.end(2) for span in CODE_SPAN.finditer(match.string))

    def is_command(self, number: int, written: str) -> bool:
        """Whether a line has these characters in inline code, or in a block that is no program."""
        return any(self.is_code(number, found) for found in re.finditer(re.escape(written), self.lines[number - 1]))

    def command_at(self, number: int) -> str:
        """The command that a line of a shell begins, with the lines that it goes on in; empty if it is none."""
        block = self._blocks.get(number)
        if block is None or block.language not in SHELL:
            return ""
        command, at = self.lines[number - 1], number
        while command.rstrip().endswith("\\") and at < len(self.lines):
            command, at = f"{command.rstrip()[:-1]} {self.lines[at].strip()}", at + 1
        found = _COMMAND.match(command)
        return found[1] if found else ""

    def _place(self, word: str, number: int, match: re.Match[str]) -> Place | None:
        line = match.string
        if number < self._body:
            is_value = ":" in line[: match.start()] or line.lstrip().startswith("-")
            return "frontmatter" if is_value and not _TITLE.match(line) else None
        if any(span.start(2) <= match.start() < span.end(2) for span in CODE_SPAN.finditer(line)):
            return "span"
        if any(link.start(1) <= match.start() < link.end(1) for link in _LINK.finditer(line)):
            return None
        prose = self.outline.prose_lines
        if number <= len(prose) and word in prose[number - 1]:
            return "prose"
        listed = word.startswith("--") and _OPTION.match(line)
        return "directive" if _DIRECTIVE.match(line) or listed or self._continues(number) else None

    def _continues(self, number: int) -> bool:
        """Whether a line of `.rst` goes on with the signature of the directive above, or with the members it lists."""
        at = number
        while at > 1 and _NAMES.fullmatch(self.lines[at - 1]):
            at -= 1
        if at < number and _MEMBERS.match(self.lines[at - 1]):
            return True
        while number > 1 and self.lines[number - 2].rstrip().endswith("\\"):
            number -= 1
            if _DIRECTIVE.match(self.lines[number - 1]):
                return True
        return False

    def _in_block(self, word: str, number: int, match: re.Match[str], block: Block) -> WordOccurrence | None:
        own, base, line = self._own(block), _base(match), match.string
        if word in own and not line[:1].isspace() and _is_called(word, block.lines):
            return None
        declared = word in own and is_shaped(word) and word in declared_in(line.encode())
        if (word in own and not declared and not _overrides(word, line)) or self._is_of_others(number, match, block):
            return None
        if re.match(rf"\s*(?:final\s+)?[A-Z][\w<>\[\],.?]*\s+{re.escape(word)}\s*=(?!=)", line):
            return None  # a variable of the block, with its type
        if not base and word in variables_set(block.lines):
            return None
        passed = (not block.language or block.language in SHELL) and self._is_passed(line[: match.start()])
        if not passed and not looks_like_code(word) and not is_used_in_code(match, block):
            return None
        program = self._program(line) if word.startswith("--") else ""
        data = block.language in DATA_LANGUAGES
        functions = frozenset(self._parameters(block).get(word, ()))
        return WordOccurrence(
            word, number, line, "block", base, program, is_quoted(match), data, declared, passed, functions
        )

    def _is_of_others(self, number: int, match: re.Match[str], block: Block) -> bool:
        """Whether it is a member of something that the block has from another package, or an argument of a call of
        it."""
        foreign = self._foreign(block)
        if not foreign or block.language in SHELL:
            return False
        before = "\n".join((*block.lines[: number - block.line], match.string[: match.start()]))
        made = foreign | variables_of(foreign, block.lines[: number - block.line])
        if re.match(r"\s*=(?!=)", match.string[match.end() :]) and call_of(before) in made:
            return True
        return object_of(before) in made

    def _parameters(self, block: Block) -> Mapping[str, set[str]]:
        """By name: the functions of a block that have it as a parameter."""
        if block.line not in self._taken:
            self._taken[block.line] = parameters_in(block.lines)
        return self._taken[block.line]

    def _is_passed(self, before: str) -> bool:
        """Whether what stands before a word runs a program of ours, up to a subcommand or the value of a flag."""
        words = before.split()
        if not words or COMMENT.match(before):
            return False
        if _INSTALLS.search(before):
            return True
        if extra := _EXTRA.search(before):
            return is_program(extra[1], self._packages)
        if _NAMES_FLAG.search(before) is None:
            return before[-1:].isspace() and is_program(words[-1], self._programs)
        return any(is_program(word, self._programs) for word in words)

    def _own(self, block: Block) -> frozenset[str]:
        """Names that a block defines, or has from another package. Commands and settings define nothing, and what is
        set once and not used is a setting."""
        if block.line not in self._owned:
            own = self._foreign(block) | own_names(block.lines, self._packages, assigned=False)
            if block.language:
                own |= {name for name in own_names(block.lines, self._packages) if not _is_set_once(name, block.lines)}
            self._owned[block.line] = frozenset() if block.language in DATA_LANGUAGES else own
        return self._owned[block.line]

    def _foreign(self, block: Block) -> frozenset[str]:
        """Names that a block has from another package."""
        return frozenset().union(*(foreign_names(line, self._packages) for line in block.lines))

    @cached_property
    def is_about_others(self) -> bool:
        """Whether its blocks import from other packages, and no word of it is the name of one of ours."""
        if not any(self._foreign(block) for block in self.outline.blocks):
            return False
        return self._packages.isdisjoint(re.findall(r"[\w-]+", self.text.lower()))

    def table_of(self, one: WordOccurrence) -> str:
        """The table or the key that a line of a block of data belongs to."""
        block = self._blocks.get(one.line)
        return table_of(block.lines, one.line - block.line, block.language) if block and one.in_data else ""

    def has_company(self, one: WordOccurrence, words: Collection[str]) -> bool:
        """Whether other names of code beside it are among these words: in its block, or in the inline code of its
        line."""
        if (block := self._blocks.get(one.line)) is not None:
            text = "\n".join(block.lines)
        else:
            text = " ".join(span[2] for span in CODE_SPAN.finditer(one.text))
        return any(word in words and word != one.word and is_shaped(word) for word in _NAMED.findall(text))

    def _program(self, command: str) -> str:
        command = _USAGE.sub("", "" if COMMENT.match(command) else command)
        return "" if not command.strip() or runs_this(command, self._programs) else command.split()[0]

    # --- statements -------------------------------------------------------------------------------------------------

    @cached_property
    def statements(self) -> Sequence[Statement]:
        """Its sentences, rows and items, without code blocks."""
        from cairn.lib.document.document import readable
        from cairn.lib.markdown.blocks import sentences

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
                terms = tuple(term[1] for term in [_TERM.match(line)] if term)
                yield Statement(number, line, (), terms=(*terms, *self._terms(number)), in_block=True)

    def _terms(self, number: int) -> tuple[str, ...]:
        """The name that its line begins with, the first words of the lines above that are indented less, and of one
        that is nothing but a name."""
        found: list[str] = []
        indent = _indent(self.lines[number - 1])
        if own := _ITEM.match(self.lines[number - 1]):
            found.append(own[1])
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
        headings = self.outline.headings_above(number)
        if _GONE.search(self.lines[number - 1]) or (
            is_about_other_versions(headings) and is_about_other_versions(map(self._without_own_names, headings))
        ):
            return True
        return self.outline.format == "rst" and is_versioned(self.lines, number)

    def denies(self, number: int, written: str) -> bool:
        """Whether a line of prose only says that there is no such thing; the sentence may begin or end in the next."""
        if number in self._blocks or written not in self.lines[number - 1]:
            return False
        from cairn.freshness.diff.denials import denies

        line = self.lines[number - 1]
        above = f"{self.lines[number - 2]} " if number > 1 and self._goes_on(number) else ""
        below = f" {self.lines[number]}" if self._goes_on(number + 1) else ""
        places = [(len(above) + one.start(), len(above) + one.end()) for one in bounded(written).finditer(line)]
        return bool(places) and all(denies(f"{above}{line}{below}", *place) for place in places)

    def _goes_on(self, number: int) -> bool:
        """Whether a line goes on with the paragraph above."""
        return number <= len(self.lines) and not _BEGINS.match(self.lines[number - 1])

    def _without_own_names(self, heading: str) -> str:
        """A heading of a project that is called *Migrations* is not about the past."""
        return " ".join(word for word in heading.split() if word.lower() not in self._packages)


_TERM = re.compile(
    r"""[\s\[#]*+(?:[-*+]\s+|\d+\.\s+|\.\. [\w:-]+::\s+)?(?:-\w,\s+)?[`*"'\[:]*+((?:--)?[A-Za-z][\w.-]*)"""
)
"""The first word of a line, behind the mark of a list or of a directive."""
_ITEM = re.compile(
    r"""\s*(?:(?:[-*+]|\d+\.)\s+)?(?:\[[ xX]\]\s+)?(?:\*\*|__)?(?:`+|(?<=\*\*)|(?<=__))["']?(-{0,2}[A-Za-z][\w.-]*)"""
)
"""A name as code or in bold that a line begins with."""
_BEGINS = re.compile(r"\s*(?:$|[-*+|#>]\s|\d+\.\s|\||\.\. )")
"""What a line begins with that does not go on with the line above."""
_ALONE = re.compile(r"""\s*(?:[-*+]\s+)?[`*"']*(?:--)?[A-Za-z][\w.-]*[`*"']*:?\s*""")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _as_shell(block: Block) -> Block:
    """A block without a language whose lines begin with a prompt has commands in it."""
    prompt = not block.language and any(line.startswith("$ ") for line in block.lines)
    return block._replace(language="console") if prompt else block


_NAMED = re.compile(r"(?<![\w-])[A-Za-z]\w{3,}")
_INSTALLS = re.compile(
    r"(?:^|[\s$])(?:(?:pip3?|pipx|npm|pnpm|yarn|bun|gem|go|cargo|brew|composer|uv|conda|dotnet)\s+(?:(?:global|tool|pip)\s+)?"
    r"(?:install|add|i|get|require)|Install-Package)\s++(?:-[\w-]++\s++)*+$"
)
"""A command that installs what follows."""
_EXTRA = re.compile(r"(?:^|\s)[\"']?([\w-]+)\[(?:[\w-]+,\s*)*$")
"""An extra of a package: `pip install app[web]`."""
_NAMES_FLAG = re.compile(r"(?:^|\s)--?[a-z][\w-]*=[\"']?$|\s--[a-z][\w-]*\s+[\"']?$")


def _is_set_once(name: str, lines: Sequence[str]) -> bool:
    """Whether only one line has the name."""
    return is_shaped(name) and sum(bounded(name).search(line) is not None for line in lines if name in line) == 1


def _base(match: re.Match[str]) -> str:
    found = re.search(
        r"(?<!\w)(\w++)(?:\(\))?(?:\.|::|->|#)$", match.string[max(0, match.start() - _NAME) : match.start()]
    )
    return found[1] if found else ""


def _is_called(word: str, lines: Sequence[str]) -> bool:
    """Whether a block calls what it defines: then it is no reference of ours, but a program of its reader."""
    call = re.compile(rf"(?<![\w.]){re.escape(word)}\(")
    return any(
        call.search(line) and word not in declared_in(line.encode()) for line in lines if not COMMENT.match(line)
    )


def _overrides(word: str, line: str) -> bool:
    """Whether the line may define a method of a class that the block derives from one of ours."""
    return line[:1].isspace() and word in defined_in(line.encode())
