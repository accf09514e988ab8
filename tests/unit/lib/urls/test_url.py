"""URLs: read as a browser does, refused when they lead where nobody should be sent."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.errors import EnvironmentProblem
from cairn.lib.urls.url import MAX_URL, UrlProblem, parse_places, refuse_url, split_url
from cairn.lib.yaml.parse import load_yaml

CASES = load_yaml((Path(__file__).parent / "cases" / "urls.yml").read_text())


def rows(group):
    return [(written, key) for key, all in CASES[group].items() for written in all]


@pytest.mark.parametrize(("written", "normal"), rows("fine"))
def test_fine_urls(written, normal):
    assert refuse_url(written) is None
    assert str(split_url(written)) == normal


@pytest.mark.parametrize(("written", "words"), rows("refused"))
def test_refused_urls(written, words):
    reason = refuse_url(written)
    assert reason is not None and words in reason
    assert "\n" not in reason and reason.endswith(".") and "; " in reason


def test_a_very_long_url_is_refused_whatever_its_host():
    assert "characters" in refuse_url("https://example.org/" + "a" * MAX_URL)
    assert "too long" in refuse_url("https://" + "a" * 64 + ".org/")
    assert "too long" in refuse_url("https://" + "ab." * 90 + "org/")


def test_parts():
    url = split_url("HTTP://Example.ORG:8080/a/../b c?d=e#f")
    assert (url.scheme, url.host.text, url.port) == ("http", "example.org", 8080)
    assert (url.path, url.query, url.fragment, url.userinfo) == ("/b%20c", "d=e", "f", None)
    assert (url.origin, url.target, url.place) == ("http://example.org:8080", "/b%20c?d=e", ("example.org", 8080))


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("http://127.0.0.1:8099/x", True),
        ("http://127.1:8099/x", True),
        ("http://[::1]:9000/", True),
        ("https://wiki.intra:8443/", True),
        ("https://WIKI.intra.:8443/", True),
        ("http://127.0.0.1/", False),
        ("http://127.0.0.2:8099/", False),
        ("http://a@127.0.0.1:8099/", False),
        ("https://wiki.intra:8444/", False),
        ("ftp://wiki.intra:8443/", False),
    ],
)
def test_what_the_operator_allows(url, allowed):
    places = parse_places(" 127.0.0.1:8099, [::1]:9000,, Wiki.intra:8443")
    assert (refuse_url(url, allow=places) is None) == allowed


@pytest.mark.parametrize(
    "text", ["wiki", "wiki:", ":80", "wiki:x", "wiki:70000", "http://wiki:80", "a@wiki:80", "::1:80", "wiki:80/x"]
)
def test_a_place_needs_a_host_and_a_port(text):
    with pytest.raises(EnvironmentProblem, match="host:port"):
        parse_places(text)


@given(st.text(max_size=80) | st.text("htps:/\\@.[]%#?:0123456789abx\t ", max_size=60).map("http:".__add__))
def test_any_text_is_a_url_or_a_problem_and_its_normal_form_reads_the_same(text):
    try:
        url = split_url(text)
    except UrlProblem:
        assert refuse_url(text) is not None
        return
    assert split_url(str(url)) == url._replace(userinfo=None)


@given(st.from_regex(r"\Ahttps?://[a-z0-9.-]{1,40}[/?#]?\Z"))
def test_the_short_cut_for_usual_urls_says_what_the_long_way_does(text):
    assert (refuse_url(text) is None) == (refuse_url(f" {text}") is None)
