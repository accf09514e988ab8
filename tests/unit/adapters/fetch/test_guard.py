"""The guard of the fetcher, with a DNS and a connector that are made up: nothing leaves this process."""

from collections.abc import Sequence
from typing import Any

import httpcore
import pytest

from cairn.adapters.fetch.hosts import Limits
from cairn.adapters.fetch.web import WebFetcher
from cairn.core.ports.sources import FetchFailed
from cairn.lib.html.charset import FetchedPage

PUBLIC, OTHER, PUBLIC6 = "93.184.216.34", "151.101.1.69", "2606:2800:220:1:248:1893:25c8:1946"
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"


class FakeStream(httpcore.NetworkStream):
    def __init__(self, peer: str, answer: bytes, log: list[bytes]) -> None:
        self._peer, self._answer, self._log = peer, answer, log

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data, self._answer = self._answer[:max_bytes], self._answer[max_bytes:]
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._log.append(buffer)

    def close(self) -> None:
        pass

    def start_tls(self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None) -> Any:
        self._log.append(f"SNI {server_hostname}\n".encode())
        return self

    def get_extra_info(self, info: str) -> Any:
        return (self._peer, 443) if info == "server_addr" else None


class FakeNet:
    """Names to addresses, places to answers."""

    def __init__(self, names: dict[str, Sequence[str]], answers: dict[str, bytes] | None = None) -> None:
        self.names = names
        self.answers = answers or {}
        self.peers: dict[str, str] = {}
        self.resolved: list[str] = []
        self.connected: list[tuple[str, int]] = []
        self.sent: list[bytes] = []

    def resolve(self, host: str, port: int) -> Sequence[str]:
        self.resolved.append(host)
        if host not in self.names:
            raise OSError("no such name")
        return self.names[host]

    def connect(self, address: str, port: int, seconds: float) -> httpcore.NetworkStream:
        self.connected.append((address, port))
        if address in self.answers and not self.answers[address]:
            raise httpcore.ConnectError("nobody there")
        return FakeStream(self.peers.get(address, address), self.answers.get(address, OK), self.sent)

    def fetcher(self, **given: Any) -> WebFetcher:
        given.setdefault("limits", Limits(attempts=1))
        return WebFetcher(resolve=self.resolve, connect=self.connect, **given)


def redirect(to: str) -> bytes:
    return f"HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n".encode()


LITERALS = [
    "http://localhost/", "http://LOCALHOST./", "http://a.localhost/", "http://127.0.0.1/", "http://127.1/",
    "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/", "http://１２７.０.０.１/", "http://127.0.0.1./",
    "http://0.0.0.0/", "http://10.1.2.3/", "http://100.64.0.1/", "http://169.254.169.254/latest/meta-data/",
    "http://172.16.0.1/", "http://172.31.255.255/", "http://192.0.0.1/", "http://192.0.2.1/", "http://192.88.99.1/",
    "http://192.168.0.1/", "http://198.18.0.1/", "http://198.51.100.1/", "http://203.0.113.9/", "http://224.0.0.1/",
    "http://255.255.255.255/", "http://[::]/", "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://[::127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/", "http://[64:ff9b:1::1]/", "http://[2001::1]/", "http://[2002:7f00:1::]/",
    "http://[2001:db8::1]/", "http://[3fff::1]/", "http://[5f00::1]/", "http://[fc00::1]/", "http://[fe80::1]/",
    "http://[fec0::1]/", "http://[feff::1]/", "http://[ff02::1]/", "http://[fe80::1%25eth0]/",
    "http://%6c%6f%63%61%6c%68%6f%73%74/", "http://user@docs.test/", "http://user:pw@docs.test/", "ftp://docs.test/",
    "file:///etc/passwd", "gopher://docs.test/", "javascript:alert(1)", "docs.test/page", "//docs.test/", "",
    "http://docs.test:22/", "https://docs.test:8443/", "http://docs.test:0/", "http://docs.test:99999/",
    "http://docs..test/", "http://.docs.test/", "http://a b/", "http:///", "http://[::1/",
    "http://" + "a" * 300 + ".test/", "https://docs.test/" + "a" * 9000,
]  # fmt: skip


@pytest.mark.parametrize("url", LITERALS)
def test_what_the_text_gives_away_is_refused_before_any_name_is_looked_up(url: str) -> None:
    net = FakeNet({"docs.test": [PUBLIC], "localhost": [PUBLIC]})
    failed = net.fetcher().fetch(url)
    assert isinstance(failed, FetchFailed)
    assert failed.cause == "refused"
    assert failed.reason.endswith(".")
    assert not failed.retryable
    assert (net.resolved, net.connected) == ([], [])


def test_a_backslash_is_a_slash_as_it_is_to_a_browser() -> None:
    net = FakeNet({"docs.test": [PUBLIC]})
    page = net.fetcher().fetch("http://docs.test\\@127.0.0.1/")
    assert isinstance(page, FetchedPage)
    assert (page.final_url, net.connected) == ("http://docs.test/@127.0.0.1/", [(PUBLIC, 80)])


BAD_ANSWERS = [
    ["127.0.0.1"], ["10.0.0.8"], ["169.254.169.254"], ["0.0.0.0"], ["::1"], ["0:0:0:0:0:0:0:1"], ["fe80::1"],
    ["fe80::1%eth0"], ["fd00::5"], ["::ffff:10.0.0.1"], ["::ffff:8.8.8.8"], ["64:ff9b::a00:1"], ["2002:a00:1::"],
    ["2001:0:1::1"], ["ff02::1"], [PUBLIC, "127.0.0.1"], ["127.0.0.1", PUBLIC], [PUBLIC, OTHER, "192.168.1.1"],
    [PUBLIC6, "::1"], ["not an address"], ["1.2.3"], ["100.100.100.200"], ["192.0.0.192"], ["240.0.0.1"], ["5f00::1"],
    ["100::1"],
]  # fmt: skip


@pytest.mark.parametrize("answers", BAD_ANSWERS, ids=lambda answers: ",".join(answers))
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_one_bad_address_spoils_a_name(scheme: str, answers: list[str]) -> None:
    net = FakeNet({"docs.test": answers})
    failed = net.fetcher().fetch(f"{scheme}://docs.test/")
    assert isinstance(failed, FetchFailed)
    assert failed.cause == "refused"
    assert "docs.test leads to" in failed.reason
    assert net.connected == []


@pytest.mark.parametrize("answers", [[], None], ids=["empty", "unknown"])
def test_a_name_that_leads_nowhere(answers: list[str] | None) -> None:
    net = FakeNet({} if answers is None else {"docs.test": answers})
    failed = net.fetcher().fetch("https://docs.test/")
    assert isinstance(failed, FetchFailed)
    assert (failed.cause, failed.retryable) == ("dns", True)


def test_we_connect_to_the_address_that_was_judged_and_keep_the_name() -> None:
    net = FakeNet({"docs.test": [PUBLIC, OTHER]})
    page = net.fetcher().fetch("https://docs.test/a/../b?c=d#e")
    assert isinstance(page, FetchedPage)
    assert (page.url, page.final_url, page.body) == (
        "https://docs.test/a/../b?c=d#e",
        "https://docs.test/b?c=d",
        b"hello",
    )
    assert (net.resolved, net.connected) == (["docs.test"], [(PUBLIC, 443)])
    assert net.sent[0] == b"SNI docs.test\n"
    request = b"".join(net.sent[1:])
    assert request.startswith(b"GET /b?c=d HTTP/1.1\r\nHost: docs.test\r\n")
    assert b"cookie" not in request.lower() and b"authorization" not in request.lower()


def test_a_name_is_looked_up_once_even_when_its_answer_changes() -> None:
    """Rebinding: the second answer is never asked for."""
    net = FakeNet({"docs.test": [PUBLIC]}, {PUBLIC: redirect("/next")})
    net.names = _Rebinding({"docs.test": [[PUBLIC], ["127.0.0.1"]]})  # type: ignore[assignment]
    failed = net.fetcher().fetch("http://docs.test/")
    assert isinstance(failed, FetchFailed)
    assert set(net.connected) == {(PUBLIC, 80)}
    assert net.resolved == ["docs.test"]


class _Rebinding(dict[str, list[list[str]]]):
    def __getitem__(self, host: str) -> Any:
        answers = super().__getitem__(host)
        return answers.pop(0) if len(answers) > 1 else answers[0]


def test_a_peer_that_is_somebody_else_is_left() -> None:
    net = FakeNet({"docs.test": [PUBLIC]})
    net.peers = {PUBLIC: "10.0.0.1"}
    failed = net.fetcher().fetch("http://docs.test/")
    assert isinstance(failed, FetchFailed)
    assert (failed.cause, net.sent) == ("refused", [])


def test_the_next_address_is_tried_when_nobody_is_at_the_first() -> None:
    net = FakeNet({"docs.test": [PUBLIC6, PUBLIC]}, {PUBLIC6: b""})
    assert isinstance(net.fetcher().fetch("http://docs.test/"), FetchedPage)
    assert net.connected == [(PUBLIC6, 80), (PUBLIC, 80)]


BAD_TARGETS = [
    "http://127.0.0.1/", "//127.0.0.1/", "http://10.0.0.1/", "http://inside.test/", "http://[::1]/", "/\\127.0.0.1/",
    "http://localhost/", "http://docs.test:22/", "https://user:pw@docs.test/", "file:///etc/passwd", "http://2130706433/",
    "data:text/plain,hi", "http://169.254.169.254/", "\\\\127.0.0.1\\x",
]  # fmt: skip


@pytest.mark.parametrize("target", BAD_TARGETS)
def test_a_redirect_is_judged_like_the_first_address(target: str) -> None:
    net = FakeNet({"docs.test": [PUBLIC], "inside.test": ["192.168.0.7"]}, {PUBLIC: redirect(target)})
    failed = net.fetcher().fetch("http://docs.test/")
    assert isinstance(failed, FetchFailed)
    assert failed.cause in ("refused", "redirect")
    assert net.connected == [(PUBLIC, 80)]


def test_a_redirect_to_another_host_is_resolved_and_pinned_anew() -> None:
    net = FakeNet({"docs.test": [PUBLIC], "new.test": [OTHER]}, {PUBLIC: redirect("https://new.test/page#part")})
    page = net.fetcher().fetch("http://docs.test/")
    assert isinstance(page, FetchedPage)
    assert page.final_url == "https://new.test/page"
    assert net.connected == [(PUBLIC, 80), (OTHER, 443)]


def test_what_the_operator_allows_is_connected_to_and_nothing_beside_it() -> None:
    net = FakeNet({"wiki.corp": ["10.0.0.8"]})
    fetcher = net.fetcher(allow={("wiki.corp", 8080), ("[::1]", 81)})
    assert isinstance(fetcher.fetch("http://wiki.corp:8080/"), FetchedPage)
    assert isinstance(fetcher.fetch("http://[::1]:81/"), FetchedPage)
    for url in ("http://wiki.corp/", "http://wiki.corp:8081/", "http://10.0.0.8:8080/", "http://[::1]:82/"):
        failed = fetcher.fetch(url)
        assert isinstance(failed, FetchFailed), url
        assert failed.cause == "refused"
    assert net.connected == [("10.0.0.8", 8080), ("::1", 81)]
