"""Reads links, headings and inline code of documents with plain regular expressions, independently of Cairn.

It prefers to overlook: whatever it returns has to be true, because decoys and planted faults rest on it.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from strangers_clones import DOCUMENTS, Tree

PAST = re.compile(
    r"(?<![A-Za-z])(?:change|history|news|release|migrat|upgrad|whats_?-?new|deprecat|roadmap|archive|audit|adr|decision|blog|rfc|propos"
    r"|plan|research|spec|post|retro|report|note|draft|legacy|old)|[_-]template|\d{4}-\d\d",
    re.IGNORECASE,
)
OUT_OF_SCOPE = re.compile(
    r"(?<![A-Za-z])(?:vendor|third[_-]?party|node_modules|dist|build|generated|fixture|testdata|snapshot|template|example|sample|demo"
    r"|test|spec|i18n|locale|lang|translat|versioned|themes?|interfaces|classes|functions|enumerations|type-aliases|typedoc|javadoc|apidocs|python-sdk)|^v?\d+(\.|$)",
    re.IGNORECASE,
)
LANGUAGE = re.compile(
    r"(^|[/._-])(zh|ja|jp|ko|kr|fr|de|es|pt|ru|it|tr|pl|uk|vi|id|cn|tw|hu|cs|nl|sv|fa|ar|hi|malayalam|chinese)"
    r"([-_][a-z]{2,4})?([/._-]|$)",
    re.IGNORECASE,
)
MADE_BY_PROGRAM = re.compile(r"(auto[- ]?|is |are )generated|do not edit|don't edit|@generated", re.IGNORECASE)
FENCE = re.compile(r"^\s{0,12}(?:>\s*|[-*]\s+)?(```+|~~~+)")
HEADING = re.compile(r"^(#{1,6})\s+([A-Za-z0-9][A-Za-z0-9 -]*[A-Za-z0-9])\s*$")
PLAIN_LINK = re.compile(r"(?<!!)\[(?:[^\[\]`]|`[^`]*`)+\]\(([^()\s<>]+)\)")
RST_DOC = re.compile(r":doc:`(?:[^`<]*<)?([^`<>]+)>?`")
RST_REF = re.compile(r":ref:`(?:[^`<]*<)?([^`<>]+)>?`")
RST_INCLUDE = re.compile(r"^\s*\.\. (?:literalinclude|include):: (\S+)\s*$")
RST_LABEL = re.compile(r"^\.\. _([A-Za-z0-9_.-]+):\s*$")
SPAN = re.compile(r"(?<!`)(`{1,2})(?!`)([^`]+?)(?<!`)\1(?!`)")


RST_SPAN = re.compile(
    r"``([^`]+)``|:(?:\w+:)?(?:class|func|meth|attr|exc|data|const|obj|macro|type|option):`[~!]?([^`<]+)`"
)
OTHER_ROLE = re.compile(r"\{(?:ref|doc|term|download|numref|any)\}$")


class Link(NamedTuple):
    page: str
    line: int
    written: str
    target: str
    """A tracked path; the page itself for a link that is only an anchor."""
    anchor: str


class Page:
    """One document. Lines inside fences, comments and frontmatter are code, not prose."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.lines = text.splitlines()

    @property
    def is_rst(self) -> bool:
        return self.path.lower().endswith(".rst")

    @cached_property
    def prose(self) -> list[tuple[int, str]]:
        """Line numbers from 1, and the lines outside code."""
        return list(indented_out(self.lines) if self.is_rst else fenced_out(self.lines))

    @cached_property
    def headings(self) -> dict[str, int]:
        """Plain headings of Markdown by anchor. A heading that occurs twice is left out."""
        found: dict[str, int] = {}
        twice: set[str] = set()
        for number, line in [] if self.is_rst else self.prose:
            if match := HEADING.match(line):
                anchor = match[2].lower().replace(" ", "-")
                twice |= {anchor} & found.keys()
                found[anchor] = number
        return {anchor: line for anchor, line in found.items() if anchor not in twice}

    @cached_property
    def spans(self) -> list[tuple[int, str]]:
        """Inline code with its line; roles that name a page or a label are none."""
        if self.is_rst:
            return [(number, one or two) for number, line in self.prose for one, two in RST_SPAN.findall(line)]
        found = ((number, line, match) for number, line in self.prose for match in SPAN.finditer(line))
        return [
            (number, match[2].strip()) for number, line, match in found if not OTHER_ROLE.search(line[: match.start()])
        ]

    def mentions(self, word: re.Pattern[str]) -> list[int]:
        return [number for number, line in enumerate(self.lines, 1) if word.search(line)]


def fenced_out(lines: list[str]) -> Iterator[tuple[int, str]]:
    fence, comment, front = "", False, bool(lines) and lines[0].strip() == "---"
    for number, line in enumerate(lines, 1):
        if front:
            front = number == 1 or line.strip() != "---"
        elif match := FENCE.match(line):
            if not fence:
                fence = match[1]
            elif match[1].startswith(fence[0]) and len(match[1]) >= len(fence):
                fence = ""
        elif comment or "<!--" in line:
            comment = "-->" not in line[line.rfind("<!--") :]
        elif not fence and not line.startswith(("    ", "\t")):
            yield number, line


def indented_out(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yields lines of reStructuredText that are not indented; one directive is a single line."""
    for number, line in enumerate(lines, 1):
        if line[:1].strip() and (not line.startswith("..") or RST_INCLUDE.match(line)):
            yield number, line


def in_scope(path: str) -> bool:
    """Whether a reader expects the document to describe the present, in the original language."""
    folder, name = posixpath.split(path)
    if not path.lower().endswith(DOCUMENTS) or LANGUAGE.search(path):
        return False
    parts = [part for part in folder.split("/") if part]
    return not (any(OUT_OF_SCOPE.search(part) or PAST.search(part) for part in parts) or PAST.search(name))


def read(root: Path, path: str) -> str:
    """Returns the text; empty for links, binaries and files that are too large to be written by hand."""
    file = root / path
    if file.is_symlink() or not file.is_file() or file.stat().st_size > 400_000:
        return ""
    data = file.read_bytes()
    return "" if b"\0" in data[:4096] else data.decode("utf-8", "replace")


def pages(tree: Tree) -> list[Page]:
    """Documents in scope that no program wrote."""
    texts = ((path, read(tree.root, path)) for path in tree.files if in_scope(path))
    return [Page(path, text) for path, text in texts if text and not by_program(text)]


def by_program(text: str) -> bool:
    """Whether a generator wrote the page: it says so at the top, or names the source of one thing after another."""
    return bool(MADE_BY_PROGRAM.search(text[:600])) or text.count("Defined in") >= 3


def links(page: Page, files: frozenset[str]) -> Iterator[Link]:
    """Yields relative links to tracked files and to anchors of the page itself."""
    for number, line in page.prose:
        bare = re.sub(r"(?<!`)`[^`\[\]]*`(?!\])", "", line)
        for written in targets_of(page, bare):
            path, _, anchor = written.partition("#")
            target = resolve(page, unquote(path), files) if path else page.path
            if target:
                yield Link(page.path, number, written, target, anchor)


def targets_of(page: Page, line: str) -> Iterable[str]:
    if page.is_rst:
        return [*RST_DOC.findall(line), *RST_INCLUDE.findall(line)]
    return [written for written in PLAIN_LINK.findall(line) if not re.match(r"[a-z+]+:|//|/|[{$]", written)]


def resolve(page: Page, path: str, files: frozenset[str]) -> str | None:
    if path.startswith("/") or "?" in path:
        return None
    target = posixpath.normpath(posixpath.join(posixpath.dirname(page.path), path))
    if page.is_rst and f"{target}.rst" in files:
        return f"{target}.rst"
    return target if target in files else None
