"""Tables in Markdown that lose cells, or that are not shown as tables."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from cairn.plugin import AnalyzerManifest, Issue, Severity

if TYPE_CHECKING:
    from cairn.plugin import PageOutline, Repository

_TABLES = re.compile(r"^ {0,3}\|?[ \t]*:?-+:?[ \t]*\|", re.MULTILINE)
_DELIMITER = re.compile(r" {0,3}\|?\s*+:?-++:?\s*+(?:\|\s*+:?-++:?\s*+)*+\|?\s*+")
_BAR = re.compile(r"(?<!\\)\|")
_CODE = re.compile(r"(?<!`)(`++).+?(?<!`)\1(?!`)")
_TEMPLATE = re.compile(r"\{[{%].{0,300}?[%}]\}")
"""A template fills it in, so that its bars are not there when the table is shown."""
_NAMED = 3


class TableFault(NamedTuple):
    line: int
    problem: str
    lost: str
    """The text that is not shown; empty if the whole table is not a table."""


class TableBroken:
    """A table in Markdown that loses cells, or that is not shown as a table.

    What it finds
        Rows with more cells than the head of their table, where a surplus cell has text, and tables whose first line
        has another number of cells than the line of dashes below it. A `|` in inline code ends a cell too, unless it is
        written as `\\|`. Tables of sites that Jekyll or MkDocs builds are counted by the rules of those programs, or
        not at all.

    Why it matters
        GitHub and other renderers drop surplus cells without a word, and show a table whose lines don't match as a
        paragraph full of dashes.

    Example
        A row of four cells under a head of three, after somebody added a column to some of the rows.

    Fix
        Give every line the same number of cells, and write `\\|` for a bar that belongs to the text.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="A table in Markdown that loses cells.", phase="read", reach="graph"
    )

    def evaluate(self, ctx: "Repository") -> Iterator[Issue]:
        mkdocs = any(ctx.tree.by_name.get(name) for name in ("mkdocs.yml", "mkdocs.yaml"))
        jekyll = bool(ctx.tree.by_name.get("_config.yml"))
        for page in ctx.pages(_TABLES):
            on_forge = ctx.is_read_on_forge(page.path)
            if page.format not in ("markdown", "mdx") or (jekyll and not on_forge):
                continue
            faults = list(_faults(page, code_counts=on_forge or not mkdocs))
            if faults:
                yield _issue(ctx, page, faults)


def _faults(page: "PageOutline", *, code_counts: bool) -> Iterator[TableFault]:
    shown = [_TEMPLATE.sub("x", line) for line in page.prose_lines]
    lines = [line if code_counts else _CODE.sub("", line) for line in shown]
    at = 1
    while at < len(lines):
        if not _is_head(lines, at):
            at += 1
            continue
        head, dashes = len(_cells(lines[at - 1])), len(_cells(lines[at]))
        at += 1
        if head != dashes:
            yield TableFault(at - 1, f"the head has {_count(head)}, the line of dashes {dashes}", "")
            continue
        while at < len(lines) and "|" in lines[at] and lines[at].strip():
            cells = _cells(lines[at])
            at += 1
            if lost := " | ".join(cell.strip() for cell in cells[head:] if cell.strip()):
                yield TableFault(at, f"{_count(len(cells))} under a head of {head}; not shown: {lost}", lost)


def _is_head(lines: list[str], at: int) -> bool:
    """Whether the line is the one of dashes of a table that begins one line above."""
    above = lines[at - 1]
    dashes = "|" in lines[at] and _DELIMITER.fullmatch(lines[at]) is not None
    if not dashes or "|" not in above or _DELIMITER.fullmatch(above):
        return False
    first = at < 2 or not lines[at - 2].strip() or "|" not in lines[at - 2]
    return first and len(above) - len(above.lstrip()) < 4


def _cells(line: str) -> list[str]:
    """The cells of a row; a bar after two backslashes may be read either way, so it does not count."""
    row = line.strip().replace("\\\\|", "  ").removeprefix("|")
    parts = _BAR.split(row)
    return parts[:-1] if len(parts) > 1 and not parts[-1].strip() else parts


def _count(number: int) -> str:
    return f"{number} cell{'' if number == 1 else 's'}"


def _issue(ctx: "Repository", page: "PageOutline", faults: list[TableFault]) -> Issue:
    from cairn.plugin import Proof, proven

    rows = [fault for fault in faults if fault.lost]
    if not rows:
        message = "This table is not shown as a table: its head and the line of dashes have different numbers of cells."
    elif len(rows) == 1:
        message = "This row has more cells than its table: the last ones are not shown."
    else:
        message = f"{len(rows)} rows of tables have more cells than their table: the last ones are not shown."
    proofs = [Proof(fault.problem, page.path, fault.line) for fault in faults[:_NAMED]]
    bars = any(_has_bar_in_code(ctx, page, fault) for fault in rows)
    fix = (
        "Write `\\|` for a bar inside of a cell." if bars else "Give every line of the table the same number of cells."
    )
    places = [ctx.place(page.path, fault.line) for fault in faults]
    return proven("table-broken", Severity.WARN, page.path, message, places, proofs, fix)


def _has_bar_in_code(ctx: "Repository", page: "PageOutline", fault: TableFault) -> bool:
    return any("|" in code[0] for code in _CODE.finditer(ctx.place(page.path, fault.line).text))


extension = TableBroken()
