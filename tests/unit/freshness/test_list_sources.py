"""Whether pages are there, check after check."""

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.adapters.fetch.memory import MemoryFetcher
from cairn.adapters.storage.sqlite.store import open_memory
from cairn.changes.gate import LinkResult
from cairn.core.model.knowledge import Source
from cairn.core.ports.sources import SourceRow, UrlCheckRow
from cairn.freshness.list_sources import (
    ELSEWHERE,
    FRESH_MS,
    Citation,
    HostCount,
    by_category,
    by_host,
    check_links,
    cited,
    is_skipped,
    recent,
    severity,
)
from cairn.knowledge.allowlist import AllowedPlace, Allowlist

URL = "https://docs.example.org/a"
HOUR = 60 * 60 * 1000


def test_the_second_failure_in_a_row_weighs_more() -> None:
    web, store, clock = MemoryFetcher(), open_memory().web, SettableClock()
    seen = []
    for hours, there in ((0, False), (0.5, False), (24, False), (24, True), (24, False)):
        clock.advance(int(hours * HOUR))
        web.new_run()
        if there:
            web.put(URL, "page")
        else:
            web = MemoryFetcher()
        (row,) = check_links([f"{URL}#x", URL], fetcher=web, store=store, clock=clock).rows
        seen.append((row.failures, None if row.ok else severity(row)))
    assert seen == [(1, "P2"), (1, "P2"), (2, "P1"), (0, None), (1, "P2")]


@pytest.mark.parametrize(
    ("word", "skipped"),
    [
        (URL, True), (f"{URL}#part", True), ("https://docs.example.org/", False), ("docs.example.org", True),
        ("example.org", True), (".example.org", True), ("DOCS.example.org", True), ("ample.org", False), ("", False),
        ("org", True), ("other.org", False),
    ],
)  # fmt: skip
def test_what_is_passed_over(word: str, skipped: bool) -> None:
    assert is_skipped(URL, ["nobody.example.com", word]) == skipped
    assert not is_skipped("no url at all", [word])


def test_what_gates_may_rely_on() -> None:
    now = 10 * FRESH_MS
    links = [UrlCheckRow("a", False, 404, "status", "Gone.", now - 1, 1), UrlCheckRow("b", True, 200, None, None, 0, 0)]
    sources = [
        SourceRow("a", seen_at_ms=now - 5),
        SourceRow("c", seen_at_ms=now - 2),
        SourceRow("d", seen_at_ms=0, failures=1, cause="dns", reason="No.", failed_at_ms=now - 3),
        SourceRow("e", seen_at_ms=0, failures=1, cause="unusable", reason="Wall.", failed_at_ms=now - 3),
    ]
    assert recent(links, sources, now) == {
        "a": LinkResult("a", False, "Gone.", now - 1),
        "c": LinkResult("c", True, "", now - 2),
        "d": LinkResult("d", False, "No.", now - 3),
    }


LIST = Allowlist([AllowedPlace("owasp.org", "", "security"), AllowedPlace("docs.example.org", "/api", "api")])
CITATIONS = [
    Citation("b.md", Source("url", "https://owasp.org/xss", "#a", hash="sha256:1")),
    Citation("a.md", Source("url", "https://owasp.org/xss", "#a")),
    Citation("a.md", Source("url", "https://owasp.org/xss")),
    Citation("c.md", Source("url", "https://docs.example.org/api/x")),
    Citation("c.md", Source("url", "https://docs.example.org/blog")),
    Citation("c.md", Source("path", "src/app.py", "connect")),
    Citation("d.md", Source("url", "not a url")),
]
ROWS = [
    SourceRow("https://owasp.org/xss", "#a", looks=4, flips=3),
    SourceRow("https://owasp.org/xss", failures=2),
    SourceRow("https://gone.example.org/", failures=9),
]


def test_a_source_is_listed_once_with_all_who_cite_it() -> None:
    listed = cited(CITATIONS, ROWS, LIST)
    assert [(one.reference, one.documents, one.category) for one in listed] == [
        ("not a url", ("d.md",), ELSEWHERE),
        ("https://docs.example.org/api/x", ("c.md",), "api"),
        ("https://docs.example.org/blog", ("c.md",), ELSEWHERE),
        ("https://owasp.org/xss", ("a.md",), "security"),
        ("https://owasp.org/xss#a", ("a.md", "b.md"), "security"),
        ("src/app.py#connect", ("c.md",), ""),
    ]
    assert [one.unstable for one in listed] == [False] * 4 + [True, False]
    assert [one.row is not None for one in listed] == [False] * 3 + [True, True, False]


def test_counts_by_host_and_by_category() -> None:
    listed = cited(CITATIONS, ROWS, LIST)
    assert by_host(listed)[0] == HostCount("owasp.org", "security", 2, 2, 1)
    assert [(count.host, count.category) for count in by_host(listed)[1:]] == [
        ("", ELSEWHERE),
        ("docs.example.org", "api"),
        ("docs.example.org", ELSEWHERE),
    ]
    assert by_category(listed) == {"api": (1, 1), ELSEWHERE: (2, 2), "security": (2, 2)}
