"""The parts of a page that analyzers read, whatever its format."""

from typing import NamedTuple


class PageHeading(NamedTuple):
    text: str
    """As shown to a reader: without markup, and without the words of an explicit id."""
    line: int
    """Of the file, from 1, like every line here."""
    level: int
    ids: tuple[str, ...] = ()
    """Ids written beside the heading: `{#id}`, `<a id>` inside of it, or, in `.rst`, the docutils ids."""


class PageTarget(NamedTuple):
    """A place that a link can name: an HTML id, `{#id}`, `(label)=`, or `.. _label:`."""

    name: str
    """As written in Markdown; normalised (lower case, single spaces) in `.rst`."""
    id: str
    line: int
    url: str = ""
    """Where it leads, if it is an alias of another address: `.. _name: https://…`."""


class PageLink(NamedTuple):
    target: str
    """As written, entities and backslashes undone, percent-encoding kept."""
    line: int
    image: bool
    kind: str
    """`link`, `image`, `html` (an attribute of a tag), `wiki` (`[[x]]`), `auto` (an address in the text), and in `.rst`
    also `name` (`name_`: `target` is the name), `role` (`:ref:` and the like), `include`, `toctree`, `download`."""
    start: int
    """Offset in the text."""
    end: int = 0
    role: str = ""
    """Without the colons: `ref`, `doc`, `py:func`."""
    text: str = ""
    """The words of a reference in `.rst`, if it has words of its own."""


class CodeSpan(NamedTuple):
    """Inline code, an inline literal, or the text of a role for code."""

    text: str
    line: int
    role: str = ""


class Block(NamedTuple):
    """A fenced or indented code block, a literal block, or a directive for code."""

    language: str
    line: int
    """Of the first line of its content."""
    lines: tuple[str, ...]


class PageOutline(NamedTuple):
    path: str
    format: str
    """`markdown`, `mdx`, `rst` or `text`."""
    title: str
    headings: tuple[PageHeading, ...]
    targets: tuple[PageTarget, ...]
    links: tuple[PageLink, ...]
    spans: tuple[CodeSpan, ...]
    blocks: tuple[Block, ...]
    prose_lines: tuple[str, ...]
    """As many as the file has lines; code blocks, comments, tags, imports and directives are blank, inline code is
    not."""

    def headings_above(self, line: int) -> list[str]:
        """The headings of the sections that a line is in, the innermost first."""
        found: list[PageHeading] = []
        for heading in reversed(self.headings):
            if heading.line <= line and (not found or heading.level < found[-1].level):
                found.append(heading)
        return [heading.text for heading in found]

    @property
    def ids(self) -> frozenset[str]:
        """All explicit anchors of the page."""
        return frozenset([target.id for target in self.targets] + [i for h in self.headings for i in h.ids])


def lines_of(text: str) -> list[str]:
    """The lines of a file without their ends; a final line break starts no further line."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines
