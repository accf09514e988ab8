"""Pages that only send their readers on."""

import pytest

from cairn.lib.html.wall import DeadEnd, Leads, find_stub
from cairn.lib.urls.url import split_url

HERE = "https://docs.example.org/old/page"
PROSE = "<p>" + "This page has a lot to say about retries. " * 10 + "</p>"


def meta(content: str, *, before: str = "", after: str = "") -> str:
    return (
        f'<html><head>{before}<meta http-equiv="Refresh" content="{content}">{after}</head><body>{PROSE}</body></html>'
    )


SCRIPT = "<script>{}</script>"
CASES: dict[str, tuple[str, str | None]] = {
    "at once": (meta("0; url=/new"), "https://docs.example.org/new"),
    "relative": (meta("0;url=../new"), "https://docs.example.org/new"),
    "after ten seconds": (meta("10; url=/new"), "https://docs.example.org/new"),
    "without the word url": (meta("0; /new"), "https://docs.example.org/new"),
    "with a comma": (meta("0, url=/new"), "https://docs.example.org/new"),
    "in quotes": (meta("0;url='/new'"), "https://docs.example.org/new"),
    "upper case, no quotes": ("<META HTTP-EQUIV=refresh CONTENT=0;URL=/new>", "https://docs.example.org/new"),
    "entities": (meta("0;url=/new?a=1&amp;b=2&#x26;c=3&#47;"), "https://docs.example.org/new?a=1&b=2&c=3/"),
    "fragment dropped": (meta("0;url=/new#part"), "https://docs.example.org/new"),
    "base href": (meta("0;url=x", before='<base href="https://other.example.org/y/">'), "https://other.example.org/y/x"),
    "broken base": (meta("0;url=x", before='<base href="ftp://x/">'), "https://docs.example.org/old/x"),
    "the first counts": (meta("0;url=/one", after='<meta http-equiv=refresh content="0;url=/two">'),
                         "https://docs.example.org/one"),
    "private place": (meta("0;url=http://10.0.0.1/"), "http://10.0.0.1/"),
    "itself at once": (meta("0;url=page"), "itself"),
    "itself with a fragment": (meta("1;url=#top"), "itself"),
    "itself once a minute": (meta("60;url=/old/page"), None),
    "no url, at once": (meta("0"), "loads itself again"),
    "no url, every five minutes": (meta("300"), None),
    "no page": (meta("0;url=mailto:a@b"), "no page of the web"),
    "script": (meta("0;url=javascript:go()"), "no page of the web"),
    "in a comment": (f"<html><head><!-- {meta('0;url=/new')} --></head><body>{PROSE}", None),
    "in the body": (f"<html><head></head><body>{meta('0;url=/new')}", None),
    "beyond the head": ("<html><head>" + " " * 70_000 + '<meta http-equiv=refresh content="0;url=/new">', None),
    "no head": ('<meta http-equiv="refresh" content="0;url=/new">', "https://docs.example.org/new"),
    "assigned by script": (f"<head>{SCRIPT.format('window.location.href = x')}</head><body>Moved.", "by a script"),
    "replaced by script": (f"<head>{SCRIPT.format('location.replace(x)')}</head><body></body>", "by a script"),
    "script, but prose too": (f"<head>{SCRIPT.format('location.assign(x)')}</head><body>{PROSE}", None),
    "script compares only": (f"<head>{SCRIPT.format('if (location == x) y()')}</head><body>Hi.", None),
    "an ordinary page": (f"<html><head><title>x</title></head><body>{PROSE}", None),
    "unclosed quote": ('<head><meta http-equiv="refresh content=0;url=/new><body>x', None),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_stubs(name: str) -> None:
    html, expected = CASES[name]
    found = find_stub(html.encode(), "text/html; charset=utf-8", split_url(HERE))
    if expected is None:
        assert found is None
    elif expected.startswith("http"):
        assert isinstance(found, Leads)
        assert str(found.url) == expected
    else:
        assert isinstance(found, DeadEnd)
        assert expected in found.reason


@pytest.mark.parametrize(
    ("kind", "body", "is_stub"),
    [
        ("text/plain", meta("0;url=/new"), True),
        ("", meta("0;url=/new"), True),
        ("text/plain", "A page about " + meta("0;url=/new")[12:], True),
        ("text/plain", "x" * 3_000 + meta("0;url=/new"), False),
        ("application/json", '{"a": 1}', False),
        ("application/xhtml+xml; charset=x", meta("0;url=/new"), True),
    ],
)
def test_what_is_taken_for_html(kind: str, body: str, is_stub: bool) -> None:
    assert (find_stub(body.encode(), kind, split_url(HERE)) is not None) == is_stub
