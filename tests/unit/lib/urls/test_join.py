"""Where references lead, as browsers read them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.urls.url import Url, UrlProblem, join_url, split_url, without_fragment

BASE = "https://docs.example.org/a/b/c?x=1#top"

CASES = [
    ("", "https://docs.example.org/a/b/c?x=1"),
    ("#part", "https://docs.example.org/a/b/c?x=1#part"),
    ("?y=2", "https://docs.example.org/a/b/c?y=2"),
    ("d", "https://docs.example.org/a/b/d"),
    ("./d", "https://docs.example.org/a/b/d"),
    ("../d", "https://docs.example.org/a/d"),
    ("../../../d", "https://docs.example.org/d"),
    ("/d", "https://docs.example.org/d"),
    ("\\d", "https://docs.example.org/d"),
    ("//other.example.org/d", "https://other.example.org/d"),
    ("/\\other.example.org/d", "https://other.example.org/d"),
    ("\\\\other.example.org", "https://other.example.org/"),
    ("http://other.example.org", "http://other.example.org/"),
    ("HTTPS://Other.Example.org/X", "https://other.example.org/X"),
    ("https:d", "https://docs.example.org/a/b/d"),
    ("https:/d", "https://d/"),
    ("http:d", "http://d/"),
    ("  d\n", "https://docs.example.org/a/b/d"),
    ("d\te", "https://docs.example.org/a/b/de"),
    ("d:e", "UrlProblem"),
    ("javascript:alert(1)", "UrlProblem"),
    ("mailto:a@b", "UrlProblem"),
    ("//", "UrlProblem"),
    ("http://a..b/", "UrlProblem"),
]


@pytest.mark.parametrize(("reference", "leads_to"), CASES)
def test_joining(reference: str, leads_to: str) -> None:
    try:
        found = str(join_url(split_url(BASE), reference))
    except UrlProblem:
        found = "UrlProblem"
    assert found == leads_to


@given(reference=st.text(max_size=60))
def test_any_reference_leads_to_a_url_or_to_a_problem(reference: str) -> None:
    try:
        found = join_url(split_url(BASE), reference)
    except UrlProblem as problem:
        assert str(problem).endswith(".")
    else:
        assert isinstance(found, Url)
        assert split_url(str(found)) == found._replace(userinfo=None)


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("https://Docs.example.org:443/a/../b#c", "https://docs.example.org/b"),
        ("https://docs.example.org", "https://docs.example.org/"),
        ("no url#x", "no url"),
        ("https://me@docs.example.org/a#b", "https://me@docs.example.org/a"),
    ],
)
def test_what_is_asked_of_a_server(url: str, asked: str) -> None:
    assert without_fragment(url) == asked
