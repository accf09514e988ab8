"""A page as a part of a larger one."""

import pyromark
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.graph.inline_page import closed, first_paragraph, inlined


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
