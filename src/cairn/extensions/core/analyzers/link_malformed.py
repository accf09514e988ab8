"""Links that are written so that no reader sees a link."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from cairn.plugin import AnalyzerManifest, Issue, Severity

if TYPE_CHECKING:
    from cairn.plugin import PageOutline, Place, Repository

_ADDRESS = r"https?://[^\s()\[\]<>`]+"
_FILE = r"[\w.][\w./-]*\.(?:mdx?|rst|html)(?:#[\w.-]*)?"


class Slip(NamedTuple):
    kind: str
    formats: tuple[str, ...]
    pattern: re.Pattern[str]
    """With the words of the link as `text`, and where it is meant to lead as `to`."""
    message: str
    proof: str
    fix: str


_MARKDOWN = ("markdown", "mdx")
_SLIPS = (
    Slip(
        "reversed",
        _MARKDOWN,
        re.compile(rf"(?<![\w\])])\((?P<text>[^()\[\]]+)\)\[(?P<to>{_ADDRESS}|{_FILE})\](?![\[(:])"),
        "This is not a link: the brackets are the wrong way round.",
        "Markdown reads `[words](address)`, not `(words)[address]`",
        "Write `[{text}]({to})`.",
    ),
    Slip(
        "space",
        _MARKDOWN,
        re.compile(r"(?<!\\)\[(?P<text>[^\[\]]+)\]\((?P<to>[\w./-]+\.(?:mdx?|html|rst)(?:#[\w-]*)?(?: +[\w./#-]+)+)\)"),
        "This is not a link: its target has a space.",
        "a target with spaces ends at the first one, unless it is written as `<…>` or with `%20`",
        "Write `%20` for each space, or the anchor of the heading.",
    ),
    Slip(
        "scheme",
        (*_MARKDOWN, "rst"),
        re.compile(r"(?P<to>https?://https?(?::/?/?|//)(?=\w)[\w./-]*)"),
        "Broken link: the address begins with `https://` twice.",
        "`https` is read as the name of a host",
        "Remove one of them.",
    ),
    Slip(
        "markdown",
        ("rst",),
        re.compile(rf"(?<![\w`\]])\[(?P<text>[^\[\]`]+)\]\((?P<to>{_ADDRESS}|{_FILE})\)"),
        "This is not a link: it is written in Markdown, and the page is reStructuredText.",
        "reStructuredText shows the brackets and the address as they are",
        "Write `` `{text} <{to}>`__ ``.",
    ),
    Slip(
        "underscore",
        ("rst",),
        re.compile(rf"(?<![:`\w])`(?P<text>[^`<>]+) <(?P<to>{_ADDRESS})>`(?![_`\w])"),
        "This is not a link: there is no `_` after it.",
        "without `_` at the end, reStructuredText shows the words and the address in italics",
        "Write `` `{text} <{to}>`__ ``.",
    ),
    Slip(
        "rst",
        ("markdown",),
        re.compile(rf"(?<!`)`(?P<text>[^`<>]+) <(?P<to>{_ADDRESS})>`__?(?!\w)"),
        "This is not a link: it is written in reStructuredText, and the page is Markdown.",
        "Markdown shows it as inline code, followed by `_`",
        "Write `[{text}]({to})`.",
    ),
)
_CODE = re.compile(r"(?<!`)(`++).+?(?<!`)\1(?!`)")
_LITERAL = re.compile(r"``.+?``")
_NEARLY = re.compile(r"\)\[|\]\(|https?://https?|<https?://[^<>]++>`")
_NOT_TEXT = re.compile(r"\s*%\s|.*\{[{%]")
"""Begins a comment of MyST, or has a template to fill in."""


class LinkMalformed:
    """A link that is written so that no reader sees a link.

    What it finds
        In Markdown `(words)[address]`, a target with a space, and links of reStructuredText; in reStructuredText links
        of Markdown, and links without the `_` at their end; everywhere `https://https://`. Code is not read.

    Why it matters
        The page shows brackets and addresses in the place of a link, or a link that leads nowhere. No checker of links
        notices, because there is no link.

    Example
        `See (the guide)[https://example.org/guide].`

    Fix
        Write the link as the format of the page wants it.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="A link that is not shown as a link.", phase="read", reach="graph"
    )

    def evaluate(self, ctx: "Repository") -> Iterator[Issue]:
        for page in ctx.pages(_NEARLY):
            found: dict[Slip, list[tuple[Place, str]]] = defaultdict(list)
            for line, slip, fix in _slips(page):
                found[slip].append((ctx.place(page.path, line), fix))
            for slip, same in found.items():
                yield _issue(page, slip, same)


def _slips(page: "PageOutline") -> Iterator[tuple[int, Slip, str]]:
    slips = [slip for slip in _SLIPS if page.format in slip.formats]
    for number, line in enumerate(page.prose_lines, 1):
        if not _NEARLY.search(line) or _NOT_TEXT.match(line):
            continue
        bare = _LITERAL.sub(_blank, line)
        plain = _CODE.sub(_blank, line)
        for slip in slips:
            backticks = slip.kind in ("underscore", "rst")
            for found in slip.pattern.finditer(bare if backticks or page.format == "rst" else plain):
                words = {key: value or "" for key, value in found.groupdict().items()}
                yield number, slip, slip.fix.format(**words)


def _blank(found: re.Match[str]) -> str:
    return "`" * len(found[0])


def _issue(page: "PageOutline", slip: Slip, same: "list[tuple[Place, str]]") -> Issue:
    from cairn.plugin import Proof, proven

    proofs = [Proof(slip.proof)]
    places = [place for place, _ in same]
    fix = same[0][1] if len(same) == 1 else slip.fix.format(text="words", to="address")
    return proven("link-malformed", Severity.WARN, f"{slip.kind} {page.path}", slip.message, places, proofs, fix)


extension = LinkMalformed()
