"""The fetcher against a real server on loopback, with everything that servers do wrong."""

import gzip
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpcore
import pytest

from cairn.adapters.fetch.backend import connect_directly
from cairn.adapters.fetch.credentials import read_credentials
from cairn.adapters.fetch.hop import Trust
from cairn.adapters.fetch.hosts import Limits, Manners
from cairn.adapters.fetch.web import WebFetcher
from cairn.core.ports.sources import Conditions, FetchFailed
from cairn.errors import EnvironmentProblem
from cairn.lib.html.charset import FetchedPage
from website import Answer, Request, Website, redirect, serving

CERTIFICATE = Path(__file__).parent / "docs-example-org.pem"
QUICK = Limits(backoff_seconds=0.01, hop_seconds=5, probe_seconds=5, total_seconds=10)
HTML = {"Content-Type": "text/html"}


@pytest.fixture
def site() -> Iterator[Website]:
    with serving() as site:
        yield site


def fetcher(*sites: Website, **given: Any) -> WebFetcher:
    given.setdefault("limits", QUICK)
    return WebFetcher(allow={site.place for site in sites}, **given)


def failed(outcome: FetchedPage | FetchFailed, cause: str) -> FetchFailed:
    assert isinstance(outcome, FetchFailed), outcome
    assert outcome.cause == cause, outcome
    assert outcome.reason.endswith("."), outcome.reason
    return outcome


def page(outcome: FetchedPage | FetchFailed) -> FetchedPage:
    assert isinstance(outcome, FetchedPage), outcome
    return outcome


# --- what comes back ------------------------------------------------------------------------------------------------


def test_a_page_comes_with_what_is_needed_to_ask_again(site: Website) -> None:
    headers = {
        "Content-Type": "text/html; charset=utf-8",
        "ETag": '"v1"',
        "Last-Modified": "Mon, 05 Jan 2026 10:00:00 GMT",
    }
    site["/a"] = lambda _: (200, headers, b"<p>hello</p>")
    got = page(fetcher(site).fetch(f"{site.url}/a#part"))
    kind, modified = headers["Content-Type"], headers["Last-Modified"]
    assert got == FetchedPage(f"{site.url}/a#part", f"{site.url}/a", 200, kind, b"<p>hello</p>", '"v1"', modified)


def test_conditions_are_sent_and_304_is_no_failure(site: Website) -> None:
    def view(request: Request) -> Answer:
        same = request.headers.get("if-none-match") == '"v1"'
        return (304, {"ETag": '"v1"'}, b"") if same else (200, {**HTML, "ETag": '"v1"'}, b"new")

    site["/a"] = view
    assert page(fetcher(site).fetch(f"{site.url}/a", Conditions('"v1"', "x"))).unchanged
    assert page(fetcher(site).fetch(f"{site.url}/a", Conditions('"v0"'))).body == b"new"
    # What cannot be a header is not sent as one.
    assert page(fetcher(site).fetch(f"{site.url}/a", Conditions('"v1"\r\nX: y'))).body == b"new"


@pytest.mark.parametrize(
    ("encoding", "pack"),
    [
        ("gzip", gzip.compress),
        ("x-gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", lambda data: zlib.compress(data)[2:-4]),
        ("identity", bytes),
        ("", bytes),
    ],
)
def test_packed_bodies_are_unpacked(site: Website, encoding: str, pack: Any) -> None:
    body = b"hello " * 10_000
    site["/a"] = lambda _: (200, {**HTML, "Content-Encoding": encoding}, pack(body))
    assert page(fetcher(site).fetch(f"{site.url}/a")).body == body
    assert site.requests[0].headers["accept-encoding"] == "gzip, deflate"


BROKEN: dict[str, tuple[dict[str, str], bytes, str]] = {
    "brotli was not asked for": ({"Content-Encoding": "br"}, b"\x0b\x02\x80hello\x03", "decoding"),
    "packed twice": ({"Content-Encoding": "gzip, gzip"}, gzip.compress(gzip.compress(b"hi")), "decoding"),
    "not packed at all": ({"Content-Encoding": "gzip"}, b"hello", "decoding"),
    "breaks off": ({"Content-Encoding": "gzip"}, gzip.compress(b"hello" * 1000)[:-20], "decoding"),
    "10 MB": ({}, b"x" * 10_000_000, "too-large"),
    "gzip bomb": ({"Content-Encoding": "gzip"}, gzip.compress(bytes(50_000_000)), "too-large"),
    "deflate bomb": ({"Content-Encoding": "deflate"}, zlib.compress(bytes(50_000_000)), "too-large"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_body_that_is_not_as_it_should_be(site: Website, name: str) -> None:
    headers, body, cause = BROKEN[name]
    site["/a"] = lambda _: (200, {**HTML, **headers}, body)
    assert not failed(fetcher(site).fetch(f"{site.url}/a"), cause).retryable


def test_a_large_body_is_given_up_while_it_comes(site: Website) -> None:
    """Without a length nobody knows beforehand."""
    sent = 0

    def view(request: Request) -> None:
        nonlocal sent
        request.send_raw(b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n")
        for _ in range(2_000):
            request.send_raw(b"x" * 100_000)
            sent += 100_000

    site["/a"] = view
    failed(fetcher(site).fetch(f"{site.url}/a"), "too-large")
    assert sent < 60_000_000


def test_headers_without_end(site: Website) -> None:
    site["/a"] = lambda _: (200, {f"X-{number}": "y" * 1_000 for number in range(95)}, b"hi")
    failed(fetcher(site).fetch(f"{site.url}/a"), "too-large")
    site["/b"] = lambda _: (200, {f"X-{number}": "y" * 60_000 for number in range(10)}, b"hi")
    failed(fetcher(site).fetch(f"{site.url}/b"), "connect")


def test_a_body_that_is_shorter_than_promised(site: Website) -> None:
    site["/a"] = lambda _: (200, {**HTML, "Content-Length": "500"}, b"short")
    assert failed(fetcher(site).fetch(f"{site.url}/a"), "connect").retryable


@pytest.mark.parametrize("line", [b"", b"hello\r\n\r\n", b"HTTP/9.9 okay\r\n\r\n", b"\x00\x01\x02"])
def test_what_is_no_http(site: Website, line: bytes) -> None:
    site["/a"] = lambda request: request.send_raw(line)
    failed(fetcher(site).fetch(f"{site.url}/a"), "connect")


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    outcome = WebFetcher(allow={("127.0.0.1", port)}, limits=QUICK).fetch(f"http://127.0.0.1:{port}/")
    assert failed(outcome, "connect").reason == "127.0.0.1 cannot be reached."


# --- redirects ------------------------------------------------------------------------------------------------------


def test_redirects_are_followed_a_few_times(site: Website) -> None:
    for number in range(7):
        site[f"/{number}"] = redirect(f"/{number + 1}", (301, 302, 303, 307, 308)[number % 5])
    site["/5"] = "<p>the end</p>"
    assert page(fetcher(site).fetch(f"{site.url}/0")).final_url == f"{site.url}/5"
    site["/5"] = redirect("/6")
    site["/6"] = "<p>too far</p>"
    assert "more than 5 times" in failed(fetcher(site).fetch(f"{site.url}/0"), "redirect").reason
    assert site.asked["GET /6"] == 0


@pytest.mark.parametrize(
    ("to", "cause", "said"),
    [
        ("/a", "redirect", "to itself"),
        ("#other", "redirect", "to itself"),
        ("/b", "redirect", "in a circle"),
        ("http://127.0.0.1:1/", "refused", "not fetched"),
        ("http://192.168.1.1/", "refused", "not fetched"),
        ("http://[::1]/", "refused", "not fetched"),
        ("mailto:somebody@example.org", "redirect", "nowhere"),
        ("http://", "redirect", "nowhere"),
    ],
)
def test_redirects_that_lead_nowhere(site: Website, to: str, cause: str, said: str) -> None:
    site["/a"] = redirect(to)
    site["/b"] = redirect("/a")
    assert said in failed(fetcher(site).fetch(f"{site.url}/a"), cause).reason


def test_a_redirect_without_a_place(site: Website) -> None:
    site["/a"] = lambda _: (302, {}, b"")
    failed(fetcher(site).fetch(f"{site.url}/a"), "redirect")


def test_a_stub_is_followed_as_one_more_redirect(site: Website) -> None:
    site["/old"] = '<html><head><meta http-equiv="refresh" content="0; url=new/"></head></html>'
    site["/new/"] = "<p>here</p>"
    assert page(fetcher(site).fetch(f"{site.url}/old")).final_url == f"{site.url}/new/"
    site["/new/"] = '<head><meta http-equiv=refresh content="0;/old"></head>'
    failed(fetcher(site).fetch(f"{site.url}/old"), "redirect")
    site["/new/"] = '<head><meta http-equiv=refresh content="0;url=http://10.0.0.1/"></head>'
    failed(fetcher(site).fetch(f"{site.url}/old"), "refused")
    site["/new/"] = "<head><script>location.replace('https://example.org/')</script></head>"
    failed(fetcher(site).fetch(f"{site.url}/old"), "unusable")


# --- time -----------------------------------------------------------------------------------------------------------


def test_a_server_that_says_nothing(site: Website) -> None:
    over = threading.Event()
    site["/a"] = lambda _: over.wait(20) and None
    outcome = fetcher(site, limits=QUICK._replace(hop_seconds=0.2, attempts=1)).fetch(f"{site.url}/a")
    over.set()
    assert failed(outcome, "timeout").retryable


@pytest.mark.parametrize("start", [b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"])
def test_a_byte_now_and_then_does_not_keep_us(site: Website, start: bytes) -> None:
    sent = 0

    def drip(request: Request) -> None:
        nonlocal sent
        request.send_raw(start)
        for _ in range(2_000):
            request.send_raw(b"x")
            sent += 1
            time.sleep(0.01)

    site["/a"] = drip
    failed(fetcher(site, limits=QUICK._replace(hop_seconds=0.3, attempts=1)).fetch(f"{site.url}/a"), "timeout")
    assert sent < 1_000


def test_all_hops_together_have_a_limit_too(site: Website) -> None:
    def slowly(request: Request) -> Answer:
        time.sleep(0.15)
        return 302, {"Location": f"/{int(request.path[1:]) + 1}"}, b""

    for number in range(6):
        site[f"/{number}"] = slowly
    limits = QUICK._replace(total_seconds=0.4, attempts=1)
    failed(fetcher(site, limits=limits).fetch(f"{site.url}/0"), "timeout")


def test_a_name_that_is_not_resolved_in_time() -> None:
    over = threading.Event()

    def resolve(host: str, port: int) -> list[str]:
        over.wait(20)
        return []

    limits = QUICK._replace(hop_seconds=0.5, attempts=1)
    assert "in time" in failed(WebFetcher(resolve=resolve, limits=limits).fetch("https://docs.test/"), "dns").reason
    over.set()


# --- trying again ---------------------------------------------------------------------------------------------------


def test_what_is_worth_it_is_tried_again(site: Website) -> None:
    site["/a"] = lambda _: (503, {}, b"") if site.asked["GET /a"] < 3 else (200, HTML, b"fine")
    assert page(fetcher(site).fetch(f"{site.url}/a")).body == b"fine"
    assert site.asked["GET /a"] == 3


@pytest.mark.parametrize(
    ("status", "times", "cause"),
    [(404, 1, "status"), (410, 1, "status"), (400, 1, "status"), (401, 1, "unauthorized"), (403, 1, "unauthorized"),
     (429, 3, "status"), (500, 3, "status"), (502, 3, "status"), (503, 3, "status"), (505, 1, "status")],
)  # fmt: skip
def test_a_status_that_stays(site: Website, status: int, times: int, cause: str) -> None:
    site["/a"] = lambda _: (status, {}, b"")
    assert failed(fetcher(site).fetch(f"{site.url}/a"), cause).status == status
    assert site.asked["GET /a"] == times


def test_a_server_may_ask_us_to_wait_but_not_for_long(site: Website) -> None:
    site["/soon"] = lambda _: (429, {"Retry-After": "0"}, b"") if site.asked["GET /soon"] < 2 else (200, HTML, b"fine")
    site["/late"] = lambda _: (503, {"Retry-After": "3600"}, b"")
    site["/never"] = lambda _: (503, {"Retry-After": "Fri, 31 Dec 2199 23:59:59 GMT"}, b"")
    asked = fetcher(site)
    assert page(asked.fetch(f"{site.url}/soon")).body == b"fine"
    failed(asked.fetch(f"{site.url}/late"), "status")
    failed(asked.fetch(f"{site.url}/never"), "status")
    assert (site.asked["GET /late"], site.asked["GET /never"]) == (1, 1)


def test_a_host_that_does_not_answer_is_left_alone_after_a_few_pages() -> None:
    asked = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        raise OSError("no such name")

    manners = Manners(gap_seconds=0, at_once=1)
    urls = [f"https://{host}.test/{number}" for host in ("one", "two") for number in range(20)]
    outcomes = list(WebFetcher(resolve=resolve, limits=QUICK, manners=manners).probe_all(urls))
    names = {failed(one, "dns").reason.split()[2] for one in outcomes}
    assert names == {"one.test", "two.test"}
    assert sorted(one.url for one in outcomes) == sorted(urls)
    assert asked.count("one.test") == 3 + 1 + 1, "the first page three times, two more once, the others not at all"


# --- many at once ---------------------------------------------------------------------------------------------------


def test_each_url_is_asked_for_once_in_a_run(site: Website) -> None:
    site["/a"] = "one"
    site["/b"] = "two"
    asked = fetcher(site)
    wanted = [f"{site.url}/a#x", f"{site.url}/a#y", f"{site.url}/a", f"{site.url}/./a", f"{site.url}/b"]
    outcomes = list(asked.fetch_all((url, Conditions()) for url in wanted))
    assert sorted(one.url for one in outcomes) == sorted(wanted)
    assert {one.url: page(one).body for one in outcomes}[f"{site.url}/a#y"] == b"one"
    assert page(asked.fetch(f"{site.url}/b#z")).body == b"two"
    assert page(asked.probe(f"{site.url}/b")).status == 200
    assert site.asked == {"GET /a": 1, "GET /b": 1}
    site["/a"] = "changed"
    assert page(asked.fetch(f"{site.url}/a", again=True)).body == b"changed"
    assert page(asked.fetch(f"{site.url}/a#x")).body == b"changed"
    assert site.asked["GET /a"] == 2


def test_one_host_is_asked_by_two_at_once() -> None:
    both = threading.Barrier(2, timeout=20)  # each waits for another one, so that two are there however slow it is
    with serving() as site:
        for number in range(12):
            site[f"/{number}"] = lambda _: (both.wait(), (200, HTML, b"page"))[1]
        manners = Manners(vouched_at_once=2)
        outcomes = list(fetcher(site, manners=manners).fetch_all((f"{site.url}/{n}", Conditions()) for n in range(12)))
    assert all(isinstance(one, FetchedPage) for one in outcomes)
    assert site.most_at_once == 2


def test_a_slow_host_does_not_hold_up_the_others() -> None:
    over = threading.Event()
    with serving() as slow, serving() as quick:
        for number in range(6):
            slow[f"/{number}"] = lambda _: (over.wait(20), (200, HTML, b"late"))[1]
            quick[f"/{number}"] = "soon"
        manners = Manners(concurrency=4, vouched_at_once=2)
        # Both are 127.0.0.1; by name they are two hosts.
        names = {"slow.test": slow.port, "quick.test": quick.port}
        asked = WebFetcher(
            allow=set(names.items()), limits=QUICK, manners=manners, resolve=lambda host, port: ["127.0.0.1"]
        )
        urls = [f"http://{host}:{port}/{n}" for host, port in names.items() for n in range(6)]
        outcomes = asked.fetch_all((url, Conditions()) for url in urls)
        first = [page(next(outcomes)).body for _ in range(6)]
        over.set()
        assert first == [b"soon"] * 6
        assert [page(one).body for one in outcomes] == [b"late"] * 6


def test_whoever_stops_listening_leaves_no_work_behind(site: Website) -> None:
    for number in range(50):
        site[f"/{number}"] = "page"
    manners = Manners(concurrency=1)
    outcomes = fetcher(site, manners=manners).fetch_all((f"{site.url}/{n}", Conditions()) for n in range(50))
    next(outcomes)
    outcomes.close()  # type: ignore[attr-defined]
    time.sleep(0.1)
    assert sum(site.asked.values()) < 50


def test_a_bug_is_heard_of(site: Website, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cairn.adapters.fetch.web.find_stub", lambda *_: 1 / 0)
    site["/a"] = "page"
    with pytest.raises(ZeroDivisionError):
        fetcher(site).fetch(f"{site.url}/a")


# --- is it there? ---------------------------------------------------------------------------------------------------

PROBES: dict[str, tuple[dict[str, int], int, dict[str, int]]] = {
    "HEAD is enough": ({"HEAD": 200}, 200, {"HEAD": 1}),
    "HEAD is not allowed": ({"HEAD": 405, "GET": 206}, 206, {"HEAD": 1, "GET": 1}),
    "HEAD is not known": ({"HEAD": 501, "GET": 200}, 200, {"HEAD": 1, "GET": 1}),
    "HEAD says gone, GET knows better": ({"HEAD": 404, "GET": 200}, 200, {"HEAD": 1, "GET": 1}),
    "empty page": ({"HEAD": 403, "GET": 416}, 416, {"HEAD": 1, "GET": 1}),
    "both say gone": ({"HEAD": 404, "GET": 404}, -404, {"HEAD": 1, "GET": 1}),
    "server is broken": ({"HEAD": 500, "GET": 200}, -500, {"HEAD": 3}),
}


@pytest.mark.parametrize("name", PROBES)
def test_probing(site: Website, name: str) -> None:
    answers, wanted, asked = PROBES[name]
    site["/a"] = lambda request: (answers[request.method], {}, b"x" * 1_000)
    outcome = fetcher(site).probe(f"{site.url}/a")
    assert outcome.status == abs(wanted)
    assert isinstance(outcome, FetchedPage) == (wanted > 0)
    assert {key.split()[0]: count for key, count in site.asked.items()} == asked
    if "GET" in asked:
        assert site.requests[-1].headers["range"] == "bytes=0-0"


def test_probing_follows_redirects_and_the_guard(site: Website) -> None:
    site["/a"] = redirect("/b")
    site["/b"] = "there"
    site["/c"] = redirect("http://10.0.0.1/")
    outcomes = {one.url: one for one in fetcher(site).probe_all([f"{site.url}/a", f"{site.url}/c"])}
    assert page(outcomes[f"{site.url}/a"]).final_url == f"{site.url}/b"
    failed(outcomes[f"{site.url}/c"], "refused")


def test_a_server_that_hangs_up_on_head(site: Website) -> None:
    site["/a"] = lambda request: None if request.method == "HEAD" else (200, HTML, b"there")
    assert page(fetcher(site).probe(f"{site.url}/a")).status == 200


# --- secrets and certificates ---------------------------------------------------------------------------------------


def test_a_secret_goes_to_its_host_only(site: Website) -> None:
    with serving() as other:
        site["/a"] = redirect(f"http://localhost:{other.port}/b")
        other["/b"] = "page"
        vouched = {site.place, ("localhost", other.port)}
        secrets = read_credentials(f"127.0.0.1:{site.port}=t0ken docs.example.org=me:pass", vouched)
        asked = WebFetcher(allow=vouched, credentials=secrets, limits=QUICK, resolve=lambda *_: ["127.0.0.1"])
        page(asked.fetch(f"{site.url}/a"))
    assert site.requests[0].headers["authorization"] == "Bearer t0ken"
    assert "authorization" not in other.requests[0].headers
    assert "t0ken" not in repr(secrets)


@pytest.mark.parametrize("text", ["docs.example.org", "=secret", "docs.example.org=", "a b=c", "host:99999999=x"])
def test_what_is_no_secret_is_not_shown(text: str) -> None:
    with pytest.raises(EnvironmentProblem) as problem:
        read_credentials(text)
    assert "secret" not in problem.value.message
    assert "CAIRN_FETCH_AUTH" in problem.value.message


def test_a_certificate_that_nobody_vouches_for() -> None:
    with serving(certificate=CERTIFICATE) as site:
        site["/a"] = "page"
        place = ("docs.example.org", site.port)
        asked = WebFetcher(allow={place}, limits=QUICK, resolve=lambda *_: ["127.0.0.1"])
        outcome = failed(asked.fetch(f"https://docs.example.org:{site.port}/a"), "tls")
        assert "could not prove who it is" in outcome.reason
        assert not outcome.retryable
        assert site.requests == []


@pytest.mark.parametrize(("host", "fine"), [("docs.example.org", True), ("other.example.org", False)])
def test_a_certificate_is_for_its_name(host: str, fine: bool) -> None:
    trust = Trust(ssl.create_default_context(cafile=str(CERTIFICATE)))
    with serving(certificate=CERTIFICATE) as site:
        site["/a"] = "page"
        asked = WebFetcher(allow={(host, site.port)}, limits=QUICK, trust=trust, resolve=lambda *_: ["127.0.0.1"])
        outcome = asked.fetch(f"https://{host}:{site.port}/a")
    assert isinstance(outcome, FetchedPage) == fine
    if not fine:
        failed(outcome, "tls")


def test_https_on_a_port_that_speaks_http(site: Website) -> None:
    failed(fetcher(site).fetch(f"https://127.0.0.1:{site.port}/"), "tls")


# --- no network -------------------------------------------------------------------------------------------------------


def test_without_a_network_no_host_is_asked_twice() -> None:
    asked: list[str] = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        raise OSError("Temporary failure in name resolution")

    urls = [f"https://host{number % 40}.example.org/{number}" for number in range(80)]
    found = list(WebFetcher(limits=QUICK, resolve=resolve).probe_all(urls))
    assert len(asked) <= 40 + Manners().concurrency
    assert {failed(one, "dns").url for one in found} == set(urls)


def test_a_host_behind_many_dead_ones_is_asked(site: Website) -> None:
    def resolve(host: str, port: int) -> list[str]:
        if host.endswith(".example.org"):
            raise OSError("Name or service not known")
        return ["127.0.0.1"]

    site["/a"] = "<p>hello</p>"
    gone = [f"https://host{number}.example.org/" for number in range(60)]
    found = {one.url: one for one in fetcher(site, resolve=resolve).probe_all([*gone, f"{site.url}/a"])}
    assert isinstance(found[f"{site.url}/a"], FetchedPage)


def test_when_time_is_up_only_the_first_hosts_are_asked() -> None:
    asked: list[str] = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        raise OSError("Temporary failure in name resolution")

    urls = [f"https://host{number}.example.org/" for number in range(80)]
    patience = QUICK._replace(silent_seconds=-1.0)
    found = list(WebFetcher(limits=patience, resolve=resolve).probe_all(urls))
    assert len(asked) <= 5 + Manners().concurrency
    assert sorted(one.url for one in found) == sorted(urls)
    assert {failed(one, "dns").url for one in found} == set(urls)


def test_nobody_is_waited_for_long_until_a_host_answers(site: Website) -> None:
    """A name server that swallows questions must not cost the usual patience for each of the first hosts."""
    given: list[float] = []

    def connect(address: str, port: int, seconds: float) -> httpcore.NetworkStream:
        given.append(seconds)
        return connect_directly(address, port, seconds)

    site["/a"] = site["/b"] = "<p>hello</p>"
    patience = QUICK._replace(silent_seconds=0.5, connect_seconds=3.0)
    asked = WebFetcher(allow={site.place}, limits=patience, connect=connect)
    for name in ("a", "b"):
        page(asked.fetch(f"{site.url}/{name}"))
    first, second = given
    assert first <= 0.5 < second


def test_hosts_that_fail_first_don_t_stop_the_others(site: Website) -> None:
    """Names that nobody knows fail at once; a page takes longer."""

    def slow(_: Request) -> Answer:
        time.sleep(0.2)
        return 200, HTML, b"<p>hello</p>"

    def resolve(host: str, port: int) -> list[str]:
        if host.endswith(".example.org"):
            raise OSError("Name or service not known")
        return ["127.0.0.1"]

    site["/slow"] = site["/late"] = slow
    gone = [f"https://host{number}.example.org/" for number in range(20)]
    there = [f"{site.url}/slow", f"{site.url}/late"]
    found = {one.url: one for one in fetcher(site, resolve=resolve).probe_all([there[0], *gone, there[1]])}
    assert all(isinstance(found[url], FetchedPage) for url in there)
    assert all(failed(found[url], "dns") for url in gone)


# --- black holes ------------------------------------------------------------------------------------------------------


class _Hole:
    """Takes every connection to an address of its own, and answers none; others are reached."""

    def __init__(self, *, addresses: int = 1) -> None:
        self.addresses = addresses
        self.given: dict[str, list[float]] = {}
        """Seconds that each host was waited for."""
        self._hosts: dict[str, str] = {}

    def resolve(self, host: str, port: int) -> list[str]:
        if not host.endswith(".example.org"):
            return ["127.0.0.1"]
        self._hosts.setdefault(host, f"93.184.{len(self._hosts) // 50 + 1}.{len(self._hosts) % 50 + 1}")
        return [f"{self._hosts[host]}{number}" for number in range(self.addresses)]

    def connect(self, address: str, port: int, seconds: float) -> httpcore.NetworkStream:
        if address == "127.0.0.1":
            return connect_directly(address, port, seconds)
        host = next(name for name, known in self._hosts.items() if known == address[:-1])
        self.given.setdefault(host, []).append(seconds)
        time.sleep(seconds)
        raise httpcore.ConnectTimeout("nothing came back")


def test_a_host_that_takes_no_connection_is_asked_once(site: Website) -> None:
    hole = _Hole()
    site["/a"] = "<p>hello</p>"
    limits = QUICK._replace(connect_seconds=0.3)
    asked = fetcher(site, resolve=hole.resolve, connect=hole.connect, limits=limits, manners=Manners(at_once=1))
    page(asked.fetch(f"{site.url}/a"))
    found = list(asked.probe_all(f"https://gone.example.org/{number}" for number in range(5)))
    assert [failed(one, "timeout").url for one in found] == [f"https://gone.example.org/{n}" for n in range(5)]
    assert len(hole.given["gone.example.org"]) == 1


def test_all_addresses_of_a_host_share_its_time() -> None:
    hole = _Hole(addresses=4)
    asked = WebFetcher(resolve=hole.resolve, connect=hole.connect, limits=QUICK._replace(connect_seconds=0.4))
    failed(asked.fetch("https://gone.example.org/"), "timeout")
    [given] = hole.given.values()
    assert len(given) == 4 and sum(given) <= 0.5


@pytest.mark.parametrize("hosts", [1, 3, 40])
def test_on_a_route_into_nothing_all_hosts_share_one_budget(hosts: int) -> None:
    """Three attempts of ten seconds for each page took 18 to 71 seconds."""
    hole = _Hole(addresses=2)
    limits = QUICK._replace(silent_seconds=1.2, connect_seconds=30.0, backoff_seconds=5.0)
    asked = WebFetcher(resolve=hole.resolve, connect=hole.connect, limits=limits)
    urls = [f"https://host{host}.example.org/{number}" for host in range(hosts) for number in range(3)]
    found = list(asked.fetch_all((url, Conditions()) for url in urls))
    assert {failed(one, "timeout").url for one in found} == set(urls)
    assert len(hole.given) <= Manners().concurrency, "hosts that were asked before the time was up"
    assert all(sum(given) <= 2 * 1.2 for given in hole.given.values()), "two pages at once, each once"


def test_hosts_that_take_no_connection_share_the_waiting(site: Website, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cairn.adapters.fetch.web._LEAST_SECONDS", 0.1)
    hole = _Hole()
    site["/a"] = "<p>hello</p>"
    limits = QUICK._replace(connect_seconds=0.5, unreached_seconds=0.5)
    asked = fetcher(site, resolve=hole.resolve, connect=hole.connect, limits=limits, manners=Manners(concurrency=1))
    page(asked.fetch(f"{site.url}/a"))
    list(asked.probe_all(f"https://host{number}.example.org/" for number in range(3)))
    first, *others = (max(given) for given in hole.given.values())
    assert first > 0.4 and len(others) == 2 and all(seconds <= 0.1 for seconds in others)
