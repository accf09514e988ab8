"""Pages of other formats as Markdown with the same lines."""

from cairn.lib.document.as_markdown import readable

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
