"""Under which names a heading can be linked."""

import pytest

from cairn.lib.document.document import outline
from cairn.lib.markdown.headings import may_have_more, page_anchors
from cairn.lib.markdown.slugs import Renderer

NAMES = {
    "# Where *it* is: `code` & more!": "where-it-is-code--more",
    "## `throws(fn[, error][, message])`": "throwsfn-error-message",
    "## [Setup](setup.md) of all": "setup-of-all",
    "## Something { #own }": "own",
    "Under a line\n------------": "under-a-line",
    "## Twice\n\n## Twice": "twice-1",
    "## ⚙️ Set-up": "\ufe0f-set-up",
    "## ⚙️ Set-up\n": "⚙️-set-up",
}


def anchors(text: str) -> frozenset[str]:
    return page_anchors(outline("a.md", text), text, Renderer)


@pytest.mark.parametrize(("text", "name"), NAMES.items())
def test_names(text: str, name: str):
    assert name in anchors(text)


def test_an_id_in_brackets_behind_a_heading():
    assert "stringbool" in anchors("## Stringbools [#stringbool]")


def test_a_fence_inside_a_comment_hides_no_heading():
    assert "shown" in anchors("<!-- ```\ncode\n``` -->\n\n## Shown\n")


def test_code_and_comments_have_no_headings():
    text = "# One\n\n```sh\n# two\n```\n\n<!--\n# three\n-->\n\nIn a `<script>` tag.\n\n## Four\n"
    assert {"one", "four"} <= anchors(text)
    assert not {"two", "three"} & anchors(text)


def test_pages_that_a_program_fills():
    assert may_have_more("# Api\n\n::: package.module\n")
    assert not may_have_more("# Api\n\nNothing more.\n")
