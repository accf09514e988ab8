"""Whether pages are there, check after check."""

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.adapters.fetch.memory import MemoryFetcher
from cairn.adapters.storage.memory import open_memory
from cairn.changes.gate import LinkResult
from cairn.core.ports.sources import SourceRow, UrlCheckRow
from cairn.freshness.links import FRESH_MS, check_links, is_skipped, recent, severity

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
