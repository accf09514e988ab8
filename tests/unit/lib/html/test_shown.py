"""All that a page shows: lines with their level, where links lead, what menus offer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.html.charset import FetchedPage
from cairn.lib.html.shown import ShownLine, ShownLink, show

URL = "https://docs.test/3/a/b.html"
HTML = """<html><head><title>Streams &amp; more</title></head><body>
<nav><a href="../c.html#top">Other</a> <a href="javascript:x()">no</a></nav><div class="banner">Old <b>page</b></div>
<select><option value="/4/a/b.html" selected>4 (stable)</option><option value='3'>3</option><option>2</option></select>
<main><h1>Streams</h1><p>Read <a href="https://other.test/x?y=1#z">this</a>.<br>And that.</p></main></body></html>"""


def page(text: str | bytes, kind: str = "text/html") -> FetchedPage:
    return FetchedPage(URL, URL, 200, kind, text if isinstance(text, bytes) else text.encode(), None, None)


def test_a_page_with_its_menus() -> None:
    shown = show(page(HTML))
    assert shown is not None and shown.title == "Streams & more"
    assert shown.lines == (
        ShownLine("Other no"),
        ShownLine("Old page"),
        ShownLine("Streams", 1),
        ShownLine("Read this."),
        ShownLine("And that."),
    )
    assert shown.links == (
        ShownLink("Other", "https://docs.test/3/c.html", content=False),
        ShownLink("this", "https://other.test/x?y=1"),
    )
    assert shown.choices == (
        ShownLink("4 (stable)", "https://docs.test/4/a/b.html", content=False),
        ShownLink("3", "", content=False),
        ShownLink("2", "", content=False),
    )
    assert shown.headings == (ShownLine("Streams", 1),) and "4 (stable) https://docs.test/4/a/b.html" in shown.text


def test_markdown() -> None:
    text = "# One #\n\nSee [two](../two) and <https://three.test/>.\n\n```\n# code\n```\n## Three\n"
    shown = show(page(text, "text/markdown"))
    assert shown is not None
    assert [(line.text, line.level) for line in shown.headings] == [("One", 1), ("Three", 2)]
    assert [link.url for link in shown.links] == ["https://docs.test/3/two", "https://three.test/"]


@pytest.mark.parametrize("body", [b"\x00\x01binary", b"<div>" * 5_000])
def test_what_shows_nothing(body: bytes) -> None:
    assert show(page(body)) is None


@given(st.binary(max_size=300), st.sampled_from(["text/html", "text/plain", ""]))
def test_whatever_was_sent(body: bytes, kind: str) -> None:
    shown = show(page(body, kind))
    assert shown is None or all(line.text for line in shown.lines)
