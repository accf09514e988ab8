"""Code blocks that are never closed, so that the rest of the page is shown as code."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cairn.plugin import AnalyzerManifest, Issue, Severity

if TYPE_CHECKING:
    from cairn.plugin import PageOutline, Repository

_FENCES = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_FENCE = re.compile(r" {0,3}(?P<marks>`{3,}|~{3,})(?P<info>.*)")
_HEADING = re.compile(r"#{2,6} \S")
_LABELLED = re.compile(r" {0,3}(?:`{3,}|~{3,})[A-Za-z]")


class Open(NamedTuple):
    """The fence at which a block begins that has no end."""

    line: int
    marks: str


class BlockUnclosed:
    """A code block that is never closed.

    What it finds
        A fence of three or more backticks or tildes in Markdown that no fence closes, where the rest of the page has a
        heading or another code block. A block without an end that holds nothing but code is not reported.

    Why it matters
        The rest of the page is shown as code: its headings, links and tables are gone, and links to them are broken.

    Example
        A block that begins with four backticks and ends with three.

    Fix
        Close the block where the code ends.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="A code block that is never closed.", phase="read", reach="graph"
    )

    def evaluate(self, ctx: "Repository") -> Iterator[Issue]:
        for page in ctx.pages(_FENCES):
            if page.format in ("markdown", "mdx"):
                yield from _unclosed(ctx, page)


def _unclosed(ctx: "Repository", page: "PageOutline") -> Iterator[Issue]:
    from cairn.plugin import Proof, proven

    lines = ctx.tree.lines(page.path)
    left = _open_at_end(lines)
    swallowed = _swallowed(lines, left.line) if left else []
    if left is None or not swallowed or not _is_last_block(page, left, swallowed[-1]):
        return
    message = "This code block is never closed: the rest of the page is shown as code."
    rest = len(lines) - left.line
    proofs = [Proof(f"none of the {rest} lines that follow closes it; they have lines that are not code")]
    proofs += [Proof(lines[line - 1].strip(), page.path, line) for line in swallowed[:3]]
    places = [ctx.place(page.path, left.line)]
    kind = "backticks" if left.marks[0] == "`" else "tildes"
    fix = f"Add a line with {len(left.marks)} {kind} where the code ends."
    yield proven("block-unclosed", Severity.WARN, page.path, message, places, proofs, fix)


def _is_last_block(page: "PageOutline", left: Open, last: int) -> bool:
    """Whether the parser agrees: a fence may be inside of a comment, and the end of a list closes its blocks."""
    block = page.blocks[-1] if page.blocks else None
    return block is not None and block.line == left.line + 1 and block.line + len(block.lines) > last


def _open_at_end(lines: Sequence[str]) -> Open | None:
    """The fence that is still open after the last line."""
    left: Open | None = None
    for number, line in enumerate(lines, 1):
        found = _FENCE.match(line)
        if found is None:
            continue
        if left is None:
            if found["marks"][0] == "~" or "`" not in found["info"]:
                left = Open(number, found["marks"])
        elif found["marks"].startswith(left.marks) and not found["info"].strip():
            left = None
    return left


def _swallowed(lines: Sequence[str], opened: int) -> list[int]:
    """Lines below the fence that are not code: headings after an empty line, and the first lines of other blocks."""
    found = []
    for number in range(opened + 1, len(lines) + 1):
        line = lines[number - 1]
        heading = _HEADING.match(line) and not lines[number - 2].strip()
        if heading or _LABELLED.match(line):
            found.append(number)
    return found


extension = BlockUnclosed()
