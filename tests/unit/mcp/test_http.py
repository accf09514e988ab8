"""Where it may be served, and where not."""

import logging
import socket

import pytest
from starlette.requests import ClientDisconnect

from cairn.errors import EnvironmentProblem, UsageError
from cairn.mcp.http import Address, _bound, address_of, is_news

ALLOWED = [
    ("127.0.0.1:8321", Address("127.0.0.1", 8321), "http://127.0.0.1:8321/mcp"),
    ("localhost:0", Address("127.0.0.1", 0), "http://127.0.0.1:0/mcp"),
    ("[::1]:8321", Address("::1", 8321), "http://[::1]:8321/mcp"),
    ("127.0.0.2:1", Address("127.0.0.2", 1), "http://127.0.0.2:1/mcp"),
    ("8321", Address("127.0.0.1", 8321), "http://127.0.0.1:8321/mcp"),
    (":8321", Address("127.0.0.1", 8321), "http://127.0.0.1:8321/mcp"),
]
REFUSED = [
    ("0.0.0.0:8321", "could be reached by others"),
    ("[::]:8321", "could be reached by others"),
    ("192.168.1.4:80", "could be reached by others"),
    ("example.org:80", "could be reached by others"),
    ("localhost.example.org:80", "could be reached by others"),
    ("127.0.0.1:http", "wants HOST:PORT"),
    ("127.0.0.1:70000", "wants HOST:PORT"),
    ("127.0.0.1:-1", "wants HOST:PORT"),
    ("127.0.0.1:²", "wants HOST:PORT"),
    ("", "wants HOST:PORT"),
]


@pytest.mark.parametrize(("text", "address", "url"), ALLOWED)
def test_on_this_machine(text, address, url):
    assert address_of(text) == address
    assert address_of(text).url == url


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_nowhere_else(text, said):
    with pytest.raises(UsageError, match=said):
        address_of(text)


def test_a_port_that_is_taken_is_named():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(EnvironmentProblem, match=f"127.0.0.1:{port} cannot be used"):
            _bound(Address("127.0.0.1", port))


@pytest.mark.parametrize(("error", "news"), [(ClientDisconnect(), False), (ValueError("x"), True), (None, True)])
def test_a_client_that_goes_away_is_no_news(error: Exception | None, news: bool) -> None:
    exc_info = (type(error), error, None) if error else None
    assert is_news(logging.LogRecord("mcp", logging.ERROR, "", 1, "Error handling POST request", (), exc_info)) is news
