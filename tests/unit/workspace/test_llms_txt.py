"""llms.txt: written, and parsed back."""

import re

import pyromark
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.extension_points import KindSpec
from cairn.core.model.graph import Node, Triple
from cairn.core.model.knowledge import Corpus
from cairn.errors import UsageError
from cairn.workspace.llms_txt import base_of, closed, first_paragraph, full_text, index_text, inlined, site

CORPORA = (Corpus("knowledge", "kb", "entries"),)
KINDS = {"markdown/markdown": KindSpec("Page", "#000"), "claude/agent": KindSpec("Agent", "#000")}
LINK = re.compile(r"- \[((?:\\.|[^\]\\])+)\]\(([^)\s]+)\)(?:: (.+))?")


def node(path, title="", description="", provider="markdown", kind="markdown", virtual=False, **frontmatter):
    return Node(path, kind, provider, title or path, description, frontmatter, "", "", Triple(0, 0, 0), virtual=virtual)


def entry(path, **more):
    return node(path, provider="knowledge", kind="entry", **more)


def made(*nodes, base_url="", bodies=None, corpora=CORPORA):
    return site(
        nodes,
        title="Garden",
        corpora=corpora,
        kinds=KINDS,
        base_url=base_url,
        body_of=lambda path: (bodies or {}).get(path),
    )


def parsed(text):
    """Title, summary, and for each section its (title, url, description)."""
    lines = text.splitlines()
    assert lines[0].startswith("# ") and lines[1] == "" and lines[2].startswith("> ")
    sections = {}
    for line in lines[3:]:
        if line.startswith("## "):
            current = sections.setdefault(line[3:], [])
        elif line:
            found = LINK.fullmatch(line)
            assert found, line
            current.append((re.sub(r"\\(.)", r"\1", found[1]), found[2], found[3]))
    return lines[0][2:], lines[2][2:], sections


def test_parsed_back():
    text = index_text(
        made(
            entry("kb/testing/b.md", title="Mocks [and] fakes", description="When to\n## use them."),
            entry("kb/testing/a.md", title="First"),
            entry("kb/deep/er/x.md", title="Deep", summary="By its summary."),
            entry("kb/root.md", title="Root"),
            node("docs/a b(1).md", "Page"),
            node(".claude/agents/x.md", "X", provider="claude", kind="agent"),
            node("https://example.org", "a source", virtual=True),
        )
    )
    title, summary, sections = parsed(text)
    assert (title, summary) == ("Garden", "6 pages to read.")
    assert list(sections) == ["Agents", "deep/er", "knowledge", "Pages", "testing"]
    assert sections["testing"] == [
        ("First", "kb/testing/a.md", None),
        ("Mocks [and] fakes", "kb/testing/b.md", "When to ## use them."),
    ]
    assert sections["deep/er"] == [("Deep", "kb/deep/er/x.md", "By its summary.")]
    assert sections["Pages"] == [("Page", "docs/a%20b%281%29.md", None)]


def test_what_is_not_to_be_trusted_is_optional_or_left_out():
    nodes = [
        entry("kb/a/old.md", title="Old", status="deprecated"),
        entry("kb/a/bad.md", title="Bad", status="quarantined"),
        entry("kb/a/good.md", title="Good", status="stable"),
        entry("kb/optional/x.md", title="X"),
        node("a.md", "Agent", stability="deprecated"),
        node("b.md", "Odd", status=["quarantined"]),
    ]
    _, _, sections = parsed(index_text(made(*nodes)))
    assert list(sections)[-1] == "Optional"
    assert [title for title, _, _ in sections["Optional"]] == ["Agent", "Old"]
    assert [title for title, _, _ in sections["optional pages"]] == ["X"]
    assert "Bad" not in index_text(made(*nodes)) and "Odd" in index_text(made(*nodes))
    assert "Bad" not in full_text(made(*nodes), lambda path: "text")


def test_the_order_of_the_nodes_does_not_matter():
    nodes = [entry(f"kb/{folder}/{name}.md") for folder in "abC" for name in "xyz"]
    assert index_text(made(*nodes)) == index_text(made(*reversed(nodes)))


@pytest.mark.parametrize(
    ("front", "bodies", "summary"),
    [
        (node("README.md", description="From the\nfrontmatter."), {}, "From the frontmatter."),
        (node("README.md"), {"README.md": "# T\n\nWe grow *things*.\n"}, "We grow things."),
        (node("index.md"), {"index.md": "Index."}, "Index."),
        (node("README.md"), {}, "1 page to read."),
        (node("docs/README.md"), {"docs/README.md": "No."}, "1 page to read."),
    ],
)
def test_the_summary(front, bodies, summary):
    assert parsed(index_text(made(front, bodies=bodies)))[1] == summary


def test_several_corpora_are_told_apart():
    corpora = (Corpus("one", "a", "entries"), Corpus("two", "b", "entries"))
    _, _, sections = parsed(index_text(made(entry("a/x/1.md"), entry("b/x/2.md"), entry("b/3.md"), corpora=corpora)))
    assert list(sections) == ["one/x", "two", "two/x"]


def test_a_long_description_is_cut():
    _, _, sections = parsed(index_text(made(node("a.md", description="word " * 200))))
    assert len(sections["Pages"][0][2]) < 310 and sections["Pages"][0][2].endswith("word …")


def test_full_has_every_text_below_its_title_and_source():
    bodies = {
        "kb/a/1.md": "# One\n\n## Summary\n\nx\n\n```\n# never closed",
        "kb/a/2.md": "# Two\n",
        "kb/a/3.md": "Three.",
    }
    found = made(
        entry("kb/a/1.md", title="One"),
        entry("kb/a/2.md", title="Two"),
        entry("kb/a/3.md", title="3"),
        base_url="https://x.org/",
    )
    text = full_text(found, bodies.get)
    assert text == (
        "# Garden\n\n> 3 pages to read.\n"
        "\n# One\n\nSource: https://x.org/kb/a/1.md\n\n### Summary\n\nx\n\n```\n# never closed\n```\n"
        "\n# Two\n\nSource: https://x.org/kb/a/2.md\n"
        "\n# 3\n\nSource: https://x.org/kb/a/3.md\n\nThree.\n"
    )


@pytest.mark.parametrize(
    ("given", "base"),
    [
        (None, ""),
        ("https://x.org", "https://x.org/"),
        ("https://x.org/kb/", "https://x.org/kb/"),
        ("http://localhost:8000/kb", "http://localhost:8000/kb/"),
    ],
)
def test_where_pages_are_published(given, base):
    assert base_of(given) == base


@pytest.mark.parametrize(
    "given", ["x.org", "", "ftp://x.org", "https://x.org/?a", "https://x.org/#a", "https://u@x.org"]
)
def test_what_cannot_stand_before_a_path(given):
    with pytest.raises(UsageError, match="cannot stand before the paths"):
        base_of(given)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("# Title\n\nText.\n", "Text."),
        ("# Other\n\nText.\n", "## Other\n\nText."),
        ("Text.\n\n# Title\n", "Text.\n\n## Title"),
        ("## A ##\n\n###### F\n", "### A ##\n\n###### F"),
        ("Two\nlines\n===\n\nSub\n---\n", "## Two lines\n\n### Sub"),
        ("```\n# no heading\n```\n\n# Ünï\n\nx", "```\n# no heading\n```\n\n## Ünï\n\nx"),
        ("> # quoted\n\n- # listed", "> # quoted\n\n- # listed"),
        ("  # Indented\nx", "  ## Indented\nx"),
        ("\n\n# Title\n# Title\n", "## Title"),
        ("#<\n=\n\nx", "## #<\n\nx"),
        ("", ""),
    ],
)
def test_headings_move_down(body, expected):
    assert inlined(body, "Title").strip("\n") == expected.strip("\n")


@pytest.mark.parametrize(
    "body",
    [
        "```python\n# never closed",
        "~~~~\nopen",
        "````\n```\nstill open",
        "<!-- never closed",
        "<script>\nlet a = 1",
        "<pre>\nx",
        "<![CDATA[ x",
        "<?php x",
        "- a\n  ```\n  open in a list",
        "> ```\n> open in a quotation",
        "<!-- a\n```\nb",
        "```\n<!-- a\n~~~",
    ],
)
def test_nothing_stays_open(body):
    assert headings(closed(body) + "\n\n# next\n")[-1] == "H1"


@given(st.text("#`~<>!-=[]a \n\t?/pre*", max_size=80))
def test_whatever_a_page_says_the_next_one_starts_anew(body):
    whole = f"# first\n\n{inlined(body, 'first')}\n\n# next\n"
    assert headings(whole).count("H1") == 2


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("# T\n\nThe *first*\n`paragraph` & more.\n\nSecond.", "The first paragraph & more."),
        ("[![badge](a.svg)](b)\n\nText.", "Text."),
        ("- list\n\n> quoted\n\nText.", "Text."),
        (
            "# T\n\n> **New:** our hosted product does it all for you.\n\nA set of skills for science.",
            "A set of skills for science.",
        ),
        (
            "# T\n\n> A motto that sums it all up.\n\n## Install\n\nRun the installer first.",
            "A motto that sums it all up.",
        ),
        (
            "<h1>\n  T\n</h1>\n<p>The <b>tool</b> that deploys &amp; rolls back.</p>\n\nSee the pages for more of it.",
            "The tool that deploys & rolls back.",
        ),
        ('<p align="center">\n  <img src="a.png">\n</p>\n\nText that says what it is.', "Text that says what it is."),
        ("```\ncode\n```\n", ""),
        ("", ""),
    ],
)
def test_the_first_paragraph(body, expected):
    assert first_paragraph(body) == expected


def headings(text):
    """Levels of the headings at the top."""
    found, depth = [], 0
    for event in pyromark.Markdown().events(text):
        if "Start" in event:
            if depth == 0 and "Heading" in event["Start"]:
                found.append(event["Start"]["Heading"]["level"])
            depth += 1
        elif "End" in event:
            depth -= 1
    return found
