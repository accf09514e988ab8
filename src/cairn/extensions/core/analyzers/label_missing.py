"""References in Markdown to labels and footnotes that the page does not define."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

from cairn.plugin import AnalyzerManifest, Issue, Severity

if TYPE_CHECKING:
    from cairn.plugin import PageOutline, Repository

_LABELS = re.compile(r"\]\[|\[\^")
_REFERENCE = re.compile(r"(?<![\]\w\\!`)$])\[(?P<text>[^\[\]^][^\[\]]*)\]\[(?P<label>[^\[\]]*)\](?![\[(:])")
_NOTE = re.compile(r"(?<![\\\[])\[\^(?P<note>[^\[\]\s^]+)\](?![:(\[])")
_DEFINED = re.compile(r"^[ \t>]*(?:[-*+] |\d+\. )?\[((?:[^\]\\\n]|\\.)+(?:\n(?:[^\]\\\n]|\\.)+)?)\]:", re.MULTILINE)
_CODE = re.compile(r"(?<!`)(`++).+?(?<!`)\1(?!`)")
_INCLUDES = re.compile(r"--8<--|\{%|\{\{|!include|^[ \t]*+:::?[ \t]*+include", re.MULTILINE)
_ADDS_LABELS = re.compile(r"autorefs|mkdocstrings|hotdoc|auto_append|rustdoc|abbreviations")
_SITES = ("mkdocs.yml", "mkdocs.yaml", "zensical.toml", "hotdoc.json", "docs/meson.build", "pyproject.toml")
_OF_CODE = re.compile(r"::|^(?=[\w.]++$)[\w.][^.]*+\.[\w.]|\(\)$")
"""`shop.Cart`, `Cart::add`: a program that reads the code may define the label."""
_WORD = re.compile(r"[^\W\d_A-Z]{2}")
"""Two citations look like a link too: `[RFC5246][RFC6347]`."""
_NEAR = 0.8


class MissingLabel(NamedTuple):
    line: int
    label: str
    written: str


class LabelMissing:
    """A reference in Markdown to a label or a footnote that the page does not define.

    What it finds
        `[words][label]`, `[label][]` and `[^note]` on pages without a line `[label]: address` or `[^note]: text`. Pages
        that include others, labels that look like names of code, and sites whose generator defines labels (autorefs,
        mkdocstrings) are not judged.

    Why it matters
        The page shows the brackets as they are written; there is no link.

    Example
        `See [the guide][guide].`, after the line `[guide]: guide.md` was removed.

    Fix
        Define the label, or correct it.
    """

    manifest = AnalyzerManifest(
        version="1.0.0",
        description="A reference to a label that the page does not define.",
        phase="read",
        reach="graph",
    )

    def evaluate(self, ctx: "Repository") -> Iterator[Issue]:
        if any(_ADDS_LABELS.search(ctx.tree.text(site) or "") for site in _SITES if site in ctx.tree.paths):
            return
        for page in ctx.pages(_LABELS):
            text = ctx.tree.text(page.path) or ""
            if page.format not in ("markdown", "mdx") or _INCLUDES.search(text):
                continue
            defined = {_normal(found[1]) for found in _DEFINED.finditer(text)}
            if missing := list(_missing(page, defined)):
                yield _issue(ctx, page, missing, defined)


def _missing(page: "PageOutline", defined: set[str]) -> Iterator[MissingLabel]:
    notes = any(label.startswith("^") for label in defined)
    of_code = any(_is_of_code(label) for label in defined)
    for number, line in enumerate(page.prose_lines, 1):
        if "][" not in line and "[^" not in line:
            continue
        plain = _CODE.sub(lambda found: "\0" * len(found[0]), line)
        for found in _REFERENCE.finditer(plain):
            written = line[found.start() : found.end()]
            words, _, label = written[1:-1].partition("][")
            name = _normal(label or words)
            known = name in defined or name.startswith("^") or (_is_of_code(name) and not of_code)
            if name and not known and _WORD.search(words):
                yield MissingLabel(number, name, written)
        for found in _NOTE.finditer(plain):
            # Another sign between these brackets may be anything, if the page has no footnotes.
            if (notes or found["note"].isdigit()) and f"^{_normal(found['note'])}" not in defined:
                yield MissingLabel(number, f"^{found['note']}", found[0])


def _is_of_code(label: str) -> bool:
    return _OF_CODE.search(label.strip("`")) is not None


def _normal(label: str) -> str:
    return " ".join(label.split()).casefold()


def _issue(ctx: "Repository", page: "PageOutline", missing: list[MissingLabel], defined: set[str]) -> Issue:
    from cairn.plugin import Proof, proven

    names = list(dict.fromkeys(one.label for one in missing))
    listed = ", ".join(f"`[{name}]`" for name in names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
    near = get_close_matches(names[0], sorted(defined), 1, cutoff=_NEAR) if len(names) == 1 else []
    message = f"This is not a link: the page does not define {listed}."
    number = len(defined)
    closest = f"; the nearest is `[{near[0]}]`" if near else ""
    proofs = [Proof(f"the page defines {number} label{'' if number == 1 else 's'}, none of them is {listed}{closest}")]
    fix = f"Write `[{near[0]}]`." if near else f"Add a line `[{names[0]}]: …`, or correct the label."
    places = [ctx.place(page.path, one.line)._replace(targets=(one.label,)) for one in missing]
    return proven("label-missing", Severity.WARN, " ".join(sorted(names)), message, places, proofs, fix)


extension = LabelMissing()
