"""Outlines of pages in every format, against tables of constructs."""

from pathlib import Path
from typing import Any

import pytest
import ryaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cairn.lib.document.document import PageOutline, format_of, outline

TABLES = Path(__file__).parent / "outlines"
NAMES = {"markdown": "docs/a.md", "mdx": "docs/a.mdx", "rst": "docs/a.rst", "text": "README"}


def cases() -> list[Any]:
    tables = ((form, ryaml.loads((TABLES / f"{form}.yml").read_text(encoding="utf-8"))) for form in NAMES)
    return [pytest.param(form, case, id=f"{form}: {case['name']}") for form, table in tables for case in table]


@pytest.mark.parametrize(("form", "case"), cases())
def test_outline_of_a_construct(form: str, case: dict[str, Any]) -> None:
    page = outline(NAMES[form], case["text"])
    found = as_lines(page)
    expected = {key: case.get(key, []) for key in found}
    if form == "rst":  # each case names what it is about
        expected = {key: case.get(key, found[key]) for key in found}
    assert found == expected
    if form == "mdx":  # a link that covers another hides it
        assert len({(link.start, link.end) for link in page.links}) == len(page.links)
    assert len(page.prose_lines) == len(case["text"].removesuffix("\n").split("\n"))
    if "prose" in case:
        assert [line.rstrip() for line in page.prose_lines] == case["prose"]


def as_lines(page: PageOutline) -> dict[str, list[str]]:
    return {
        "headings": [f"{h.line} {h.level} {h.text}{''.join(f' #{i}' for i in h.ids)}" for h in page.headings],
        "targets": [f"{t.line} {t.name} #{t.id}{f' {t.url}' if t.url else ''}" for t in page.targets],
        "links": [f"{k.line} {k.kind}{f'/{k.role}' if k.role else ''} {k.target}" for k in page.links],
        "spans": [f"{s.line} {s.text}" for s in page.spans],
        "blocks": [f"{b.line} {b.language} {'|'.join(b.lines)}" for b in page.blocks],
    }


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("a.md", "markdown"),
        ("docs/A.MARKDOWN", "markdown"),
        ("a.mdx", "mdx"),
        ("a.rst", "rst"),
        ("README", "text"),
        ("lib/Contributing.txt", "text"),
        ("INSTALL", "text"),
        ("AUTHORS", "text"),
        ("a.txt", None),
        ("uninstall", None),
        ("README.html", None),
        (".rst", None),
        ("a.adoc", None),
        (".cursor/rules/a.mdc", "markdown"),
        ("pkg/.cursor/rules/x/a.mdc", "markdown"),
        (".cursorrules", "markdown"),
        ("pkg/.windsurfrules", "markdown"),
        ("a.mdc", None),
    ],
)
def test_format_of_a_path(path: str, form: str | None) -> None:
    assert format_of(path) == form


MARKUP = ["`", "``", "_", "__", "*", "|", "[", "]", "<", ">", "{", "}", "\n", "\n\n", "  ", "    ", "..", ".. ", "::"]
MARKUP += [
    ":a:",
    "a",
    "Title",
    "===",
    "---",
    "- ",
    "1. ",
    "\\",
    "\t",
    "é",
    "http://x.y",
    "@",
    "+--+",
    "```",
    "#",
    "<!--",
]
MARKUP += ["-->", ".. _a:", ".. note:: ", "import x", "</a>", '<a href="b">', "\r\n", "\0", "\u2028", "\f"]


@pytest.mark.parametrize("path", NAMES.values())
@given(text=st.one_of(st.text(max_size=300), st.lists(st.sampled_from(MARKUP), max_size=60).map("".join)))
@settings(max_examples=200, deadline=None)
def test_any_text_has_an_outline(path: str, text: str) -> None:
    page = outline(path, text)
    lines = (
        text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1 if path != NAMES["rst"] else text.count("\n") + 1
    )
    assert len(page.prose_lines) in (lines, lines - 1)
    assert all(0 <= link.start <= len(text) for link in page.links)
    assert all(1 <= heading.line <= lines for heading in page.headings)


HOSTILE = [
    " " * 9_000,
    "`" * 50_000,
    "``a " * 12_000,
    "`a " * 15_000,
    ":a:`" * 12_000,
    "_" * 50_000,
    "a-" * 25_000 + "_",
    "a_ " * 15_000,
    "|a " * 15_000,
    "*" * 50_000,
    "[" * 50_000,
    "<a " * 15_000,
    "{" * 50_000,
    "<!--" * 12_000,
    "- " * 20_000,
    "http:" * 10_000,
    "a@" * 20_000,
    "\n".join(" " * n + "a" for n in range(300)),
    "+-+\n" * 10_000,
    "== ==\n" * 8_000,
    ".. a::\n" * 8_000,
    ".. _a:\n" * 8_000,
    "a\n=\n" * 8_000,
    "::\n\n" * 10_000,
    "| a\n" * 10_000,
    "<a href='" * 8_000,
    "import {\n" * 8_000,
]


@pytest.mark.parametrize("path", NAMES.values())
@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:12]))
def test_hostile_text_ends(path: str, text: str) -> None:
    outline(path, text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\t0_", ["0_"]),
        ("a\tb `x <y.rst>`_ c\n", ["`x <y.rst>`_"]),
        ("x\n\n\tsee\t`q <z>`_ and w_\n", ["`q <z>`_", "w_"]),
    ],
)
def test_links_behind_tabs_are_where_the_file_has_them(text: str, shown: list[str]) -> None:
    assert [text[link.start : link.end] for link in outline("docs/a.rst", text).links] == shown
