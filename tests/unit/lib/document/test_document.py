import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.document.document import Document, readable

BODY = "See [a](b.md) and `./c.md`.\n\n```sh\nrun @x\n```\nend\n"


def test_views_have_the_length_of_the_body_and_are_made_once() -> None:
    document = Document("docs/a.md", {}, BODY, 4)
    assert len(document.prose) == len(BODY)
    assert document.prose is document.prose
    assert document.code_ranges is document.code_ranges
    assert document.links is document.links


def test_prose_and_code_are_each_others_complement() -> None:
    document = Document("docs/a.md", {}, BODY)
    assert document.prose.split() == ["See", "[a](b.md)", "and", ".", "end"]
    assert [BODY[start:end] for start, end in document.code_ranges] == ["`./c.md`", "```sh\nrun @x\n```"]


def test_a_body_without_code_is_its_own_prose() -> None:
    document = Document("docs/a.md", {}, "nothing but words\n")
    assert document.prose is document.body
    assert document.code_ranges == []


def test_links_are_those_of_the_body() -> None:
    (link,) = Document("docs/a.md", {}, BODY).links
    assert BODY[link.start : link.end] == "[a](b.md)"


@pytest.mark.parametrize(("offset", "line"), [(0, 4), (26, 4), (27, 4), (28, 5), (29, 6), (len(BODY), 10)])
def test_lines_are_lines_of_the_file(offset: int, line: int) -> None:
    assert Document("docs/a.md", {}, BODY, 4).line_at(offset) == line


@given(st.text(alphabet="a\n"), st.lists(st.integers(min_value=0, max_value=50)))
def test_the_order_of_questions_does_not_matter(body: str, offsets: list[int]) -> None:
    document = Document("a.md", {}, body, 7)
    for offset in offsets:
        assert document.line_at(offset) == 7 + body[:offset].count("\n")


RST = """\
.. _top:

=====
Title
=====

Call :func:`~a.b`, see :ref:`the top <top>` and `site <https://x.y>`_, not name_.

Part ``x``
----------

.. code-block:: python

   f(1)

.. note:: Careful.
"""


def test_markdown_stays() -> None:
    assert readable("a.md", "# A\n\n<b>x</b>\n") == "# A\n\n<b>x</b>\n"


def test_rst_has_headings_prose_and_fenced_code_on_the_same_lines() -> None:
    lines = readable("a.rst", RST).split("\n")
    assert len(lines) == len(RST.split("\n"))
    assert lines[3] == "# Title"
    assert lines[6] == "Call `a.b`, see the top and [site](https://x.y), not name_."
    assert lines[8:10] == ["## Part x", ""]
    assert lines[12:15] == ["```python", "f(1)", "```"]
    assert lines[15].strip() == "Careful."
    assert not "".join([*lines[:3], lines[4], *lines[10:12]]).strip()


def test_mdx_keeps_its_frontmatter_and_drops_jsx() -> None:
    text = "---\ntitle: x\n---\nimport A from 'a'\n\n<A>\n    ## B\n\n    ```sh\n    ls\n    ```\n</A>\n"
    assert readable("a.mdx", text).split("\n") == [
        *("---", "title: x", "---"),
        *(" " * 17, "", "   ", "## B", "", "```sh", "ls", "```", "    ", ""),
    ]


def test_plain_text_has_headings() -> None:
    assert readable("README", "Widget\n======\n\nWords.\n") == "# Widget\n\n\nWords.\n"
