"""Hosts as a browser reads them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.urls.host import HostProblem, parse_host
from cairn.lib.yaml.parse import load_yaml

CASES = load_yaml((Path(__file__).parent / "cases" / "hosts.yml").read_text())


def rows(group):
    return [(written, key) for key, all in CASES[group].items() for written in all]


@pytest.mark.parametrize(("written", "text"), rows("addresses"))
def test_addresses(written, text):
    host = parse_host(written)
    assert host.text == text
    assert (host.ipv4 is None) != (host.ipv6 is None)


@pytest.mark.parametrize(("written", "text"), rows("names"))
def test_names(written, text):
    assert parse_host(written) == (text, None, None)


@pytest.mark.parametrize(("written", "words"), rows("refused"))
def test_what_is_no_host(written, words):
    with pytest.raises(HostProblem, match=words):
        parse_host(written)


@pytest.mark.parametrize(
    "long", ["a" * 64 + ".org", "ab." * 90 + "org", "a" * 3_000, "%61" * 1_000, "ü" * 80, "xn--" + "a" * 80]
)
def test_what_is_too_long(long):
    with pytest.raises(HostProblem, match="too long"):
        parse_host(long)


@given(
    st.text(max_size=60)
    | st.text(alphabet="0123456789xXabcdef.%[]:-", max_size=40)
    | st.text("xn-.abc123é", max_size=40)
)
def test_any_text_is_a_host_or_a_problem_and_reading_it_again_changes_nothing(text):
    try:
        host = parse_host(text)
    except HostProblem:
        return
    assert parse_host(host.text) == host
    assert host.text.isascii() and host.text == host.text.lower()
