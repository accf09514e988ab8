"""Addresses as numbers, and which are public; compared with the standard library where the two must agree."""

import ipaddress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cairn.lib.urls.host import (
    embedded_ipv4,
    ipv4_text,
    ipv4_trouble,
    ipv6_text,
    ipv6_trouble,
    parse_ipv4,
    parse_ipv6,
    refuse_address,
)

STRICTER_V4 = [ipaddress.ip_network(text) for text in ("192.0.0.0/24", "192.88.99.0/24", "224.0.0.0/4")]
STRICTER_V6 = [
    ipaddress.ip_network(text) for text in ("2001::/23", "2002::/16", "3fff::/20", "ff00::/8", "64:ff9b:1::/48")
]

ipv4_numbers = st.integers(0, 2**32 - 1)
ipv6_numbers = st.integers(0, 2**128 - 1) | st.builds(
    lambda top, rest: top << 112 | rest, st.integers(0, 2**16 - 1), st.integers(0, 2**34)
)


@given(ipv4_numbers)
@example(0x7F000001)
def test_ipv4_is_written_and_read_like_the_standard_library_does(number):
    text = str(ipaddress.IPv4Address(number))
    assert ipv4_text(number) == text
    assert parse_ipv4(text) == number


@given(ipv6_numbers)
def test_ipv6_is_written_and_read_like_the_standard_library_does(number):
    address = ipaddress.IPv6Address(number)
    assert ipv6_text(number) == f"{address.compressed}"
    assert parse_ipv6(address.compressed) == parse_ipv6(address.exploded) == number


@given(st.text("0123456789abcdefg:.", max_size=45))
def test_what_is_an_ipv6_address_is_agreed_on(text):
    try:
        expected = int(ipaddress.IPv6Address(text))
    except ValueError:
        expected = None
    assert parse_ipv6(text) == expected


@given(ipv4_numbers)
def test_no_ipv4_address_passes_that_the_standard_library_holds_back(number):
    address = ipaddress.IPv4Address(number)
    stricter = any(address in network for network in STRICTER_V4)
    assert (ipv4_trouble(number) is None) == (address.is_global and not stricter)


@given(ipv6_numbers)
def test_no_ipv6_address_passes_that_the_standard_library_holds_back(number):
    address = ipaddress.IPv6Address(number)
    stricter = any(address in network for network in STRICTER_V6) or embedded_ipv4(number) is not None
    outside = address not in ipaddress.ip_network("2000::/3")
    if not stricter:
        assert (ipv6_trouble(number) is None) == (address.is_global and not outside)


@given(
    ipv4_numbers,
    st.sampled_from(["::", "::ffff:", "::ffff:0:", "64:ff9b::", "2606:4700::5efe:", "2606:4700::200:5efe:"]),
)
def test_a_bad_address_stays_bad_in_any_dress(number, dress):
    inside = parse_ipv6(dress + ipv4_text(number))
    assert inside is not None and embedded_ipv4(inside) == number
    if ipv4_trouble(number) is not None:
        assert ipv6_trouble(inside) is not None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("93.184.216.34", None),
        ("2606:2800:220:1:248:1893:25c8:1946", None),
        ("64:ff9b::5db8:d822", None),
        ("127.0.0.1", "a loopback address"),
        ("0:0:0:0:0:0:0:1", "a loopback address"),
        ("::ffff:10.1.2.3", "a private address"),
        ("fe80::1", "a link-local address"),
        ("fe80::1%eth0", "is no IP address"),
        ("127.1", "is no IP address"),
        ("0x7f000001", "is no IP address"),
        ("01.2.3.4", "is no IP address"),
        ("１.2.3.4", "is no IP address"),
        ("", "is no IP address"),
        ("localhost", "is no IP address"),
        ("1.2.3.4\n", "is no IP address"),
        ("x" * 1000, "…` is no IP address"),
    ],
)
def test_what_a_resolver_may_say(text, words):
    reason = refuse_address(text)
    assert reason is None if words is None else words in reason
