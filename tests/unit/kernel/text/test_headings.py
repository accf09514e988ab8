"""Under which names a heading can be linked."""

import pytest

from cairn.kernel.text.headings import anchors, heading_texts, may_have_more

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


@pytest.mark.parametrize(("text", "name"), NAMES.items())
def test_names(text: str, name: str):
    assert name in anchors(text)


def test_code_and_comments_have_no_headings():
    text = "# One\n\n```sh\n# two\n```\n\n<!--\n# three\n-->\n\nIn a `<script>` tag.\n\n## Four\n"
    assert heading_texts(text) == ["One", "Four"]


def test_pages_that_a_program_fills():
    assert may_have_more("# Api\n\n::: package.module\n")
    assert not may_have_more("# Api\n\nNothing more.\n")
