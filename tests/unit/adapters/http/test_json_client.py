"""JSON to and from a service: what is tried again, for how long, and what is never shown."""

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from cairn.adapters.http.json_client import JsonClient, NoAnswer, Patience, Sizes
from cairn.adapters.http.proxy import proxy_for
from cairn.errors import EnvironmentProblem
from website import Answer, Request, Website, serving

NOW = 1_767_225_600.0
SECRET = "s3cret-token"


@pytest.fixture
def site() -> Iterator[Website]:
    with serving() as made:
        yield made


class Sleeper:
    def __init__(self) -> None:
        self.slept: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)


def client(site: Website, sleep: Callable[[float], None], **facts: Any) -> JsonClient:
    headers = {"Authorization": f"Bearer {SECRET}"}
    return JsonClient(f"{site.url}/api", headers, sleep=sleep, now=lambda: NOW, **facts)


def in_turn(*answers: Answer) -> Callable[[Request], Answer]:
    left = list(answers)
    return lambda request: left.pop(0) if len(left) > 1 else left[0]


FINE: Answer = (200, {}, b'{"ok": true}')


def test_what_goes_there_and_what_comes_back(site: Website) -> None:
    site["/api/things?a=b+c"] = lambda request: (201, {"X-Kind": "thing"}, b'{"id": 7}')
    answer = client(site, Sleeper()).send("POST", "/things", {"name": "ö"}, query={"a": "b c"})
    assert (answer.status, answer.value, answer.headers["x-kind"]) == (201, {"id": 7}, "thing")
    asked = site.requests[0]
    assert asked.headers["user-agent"].startswith("cairn/")
    assert asked.headers["content-type"] == "application/json"
    assert asked.headers["authorization"] == f"Bearer {SECRET}"


@pytest.mark.parametrize("body", [b"", b"<html>", b"[" * 100_000], ids=["empty", "html", "deep"])
def test_a_body_that_is_no_json_has_no_value(site: Website, body: bytes) -> None:
    site["/api/x"] = lambda request: (200, {}, body)
    answer = client(site, Sleeper()).send("GET", "/x")
    assert (answer.value, answer.body) == (None, body)


RETRIES: list[tuple[str, Answer, list[float]]] = [
    ("busy", (503, {}, b""), [0.5]),
    ("timeout", (408, {}, b""), [0.5]),
    ("limited", (429, {}, b""), [0.5]),
    ("told how long", (429, {"Retry-After": "7"}, b""), [7.0]),
    ("told until when", (503, {"Retry-After": "Thu, 01 Jan 2026 00:00:09 GMT"}, b""), [9.0]),
    ("a date that is none", (429, {"Retry-After": "soon"}, b""), [0.5]),
    ("spent", (403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(NOW) + 11)}, b""), [11.0]),
    ("too fast", (403, {"Retry-After": "3"}, b""), [3.0]),
]


@pytest.mark.parametrize(("answer", "slept"), [row[1:] for row in RETRIES], ids=[row[0] for row in RETRIES])
def test_what_may_work_later_is_tried_again(site: Website, answer: Answer, slept: list[float]) -> None:
    site["/api/x"] = in_turn(answer, FINE)
    sleeper = Sleeper()
    assert client(site, sleeper).send("GET", "/x").value == {"ok": True}
    assert sleeper.slept == slept


STANDS: list[tuple[str, str, Answer]] = [
    ("not found", "GET", (404, {}, b"")),
    ("forbidden", "GET", (403, {}, b"")),
    ("too long to wait", "GET", (429, {"Retry-After": "3600"}, b"")),
    ("a broken service that may have done it", "POST", (502, {}, b"")),
]


@pytest.mark.parametrize(("method", "answer"), [row[1:] for row in STANDS], ids=[row[0] for row in STANDS])
def test_what_will_not_get_better_is_passed_on(site: Website, method: str, answer: Answer) -> None:
    site["/api/x"] = in_turn(answer, FINE)
    sleeper = Sleeper()
    assert client(site, sleeper).send(method, "/x").status == answer[0]
    assert sleeper.slept == []


def test_it_gives_up(site: Website) -> None:
    site["/api/x"] = lambda request: (500, {}, b"")
    sleeper = Sleeper()
    patient = client(site, sleeper, patience=Patience(attempts=3))
    assert patient.send("POST", "/x", {}, repeatable=True).status == 500
    assert sleeper.slept == [0.5, 1.0]


def test_too_much_is_not_read(site: Website) -> None:
    site["/api/x"] = "x" * 5_000
    with pytest.raises(NoAnswer, match="more than 1,000 bytes"):
        client(site, Sleeper(), sizes=Sizes(most_bytes=1_000)).send("POST", "/x")


def test_nobody_there_is_said_without_the_secret() -> None:
    with socket.socket() as taken:  # bound, but nobody listens
        taken.bind(("127.0.0.1", 0))
        site = Website()
        site.port = taken.getsockname()[1]
        sleeper = Sleeper()
        with pytest.raises(NoAnswer, match="cannot be reached") as caught:
            client(site, sleeper).send("POST", "/x")
    assert not caught.value.sent and len(sleeper.slept) == 3
    assert SECRET not in str(caught.value) and SECRET not in repr(client(site, sleeper))


@pytest.mark.parametrize(
    ("url", "headers", "says"),
    [
        ("http://api.example.org", {"Authorization": f"Bearer {SECRET}"}, "unencrypted"),
        ("https://me:pw@api.example.org", {}, "password in it"),
        ("ftp://api.example.org", {}, "only http and https"),
        ("https://api.example.org", {"Authorization": f"Bearer {SECRET}\nX: y"}, "odd character"),
    ],
)
def test_addresses_that_are_not_used(url: str, headers: dict[str, str], says: str) -> None:
    with pytest.raises(EnvironmentProblem, match=says) as caught:
        JsonClient(url, headers)
    assert SECRET not in caught.value.message and "pw@" not in caught.value.message


PROXIES = [
    ({}, "https", "api.example.org", None),
    ({"HTTPS_PROXY": "http://proxy:3128"}, "https", "api.example.org", "proxy"),
    ({"https_proxy": "proxy:3128"}, "https", "api.example.org", "proxy"),
    ({"HTTP_PROXY": "http://proxy:3128"}, "http", "api.example.org", None),
    ({"all_proxy": "http://me:pw@proxy"}, "http", "api.example.org", "proxy"),
    ({"https_proxy": "http://proxy", "no_proxy": "other.org, .example.org"}, "https", "api.example.org", None),
    ({"https_proxy": "http://proxy", "NO_PROXY": "*"}, "https", "api.example.org", None),
    ({"http_proxy": "http://proxy"}, "http", "127.0.0.1", None),
    ({"https_proxy": "socks5://proxy"}, "https", "api.example.org", None),
]


@pytest.mark.parametrize(("env", "scheme", "host", "expected"), PROXIES)
def test_which_proxy(env: dict[str, str], scheme: str, host: str, expected: str | None) -> None:
    proxy = proxy_for(env, scheme, host)
    assert (None if proxy is None else proxy.url.host.decode()) == expected
