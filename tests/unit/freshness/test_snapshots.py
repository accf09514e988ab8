"""What is kept of pages, and for how long."""

import pytest

from cairn.adapters.blobs.memory import MemoryBlobs
from cairn.adapters.clock.memory import SettableClock
from cairn.core.ports.sources import SourceTextRow
from cairn.freshness.snapshots import needed_keys, outdated, pack, snapshot_text, sweep, unpack
from cairn.lib.html.charset import FetchedPage

DAY = 24 * 60 * 60 * 1000
PAGE = FetchedPage("https://a.example/x#y", "https://a.example/z", 200, "text/plain", b"Hi\n\x00\xc3", '"1"', "Mon")


def test_a_page_comes_back_without_what_changes_from_fetch_to_fetch() -> None:
    again = unpack(pack(PAGE))
    assert again == FetchedPage(
        "https://a.example/x", "https://a.example/z", 200, PAGE.content_type, PAGE.body, None, None
    )
    assert pack(PAGE) == pack(PAGE._replace(etag=None, url="https://a.example/x#other"))


@pytest.mark.parametrize("data", [b"", b"no json\nbody", b"[]\n", b'{"url": "x"}\n'])
def test_what_is_no_snapshot_is_none(data: bytes) -> None:
    assert unpack(data) is None
    blobs = MemoryBlobs()
    assert snapshot_text(blobs, blobs.put(data), "") is None


def row(url: str, number: int) -> SourceTextRow:
    return SourceTextRow(url, "", 1, f"sha256:{number}", f"raw:{number}", f"blob:{number}", number)


def test_the_last_two_texts_stay_and_those_that_entries_mean() -> None:
    texts = [row("a", 5), row("a", 4), row("a", 3), row("a", 2), row("a", 1), row("b", 1)]
    assert outdated(texts, {"sha256:3", "raw:1"}) == [row("a", 2)]


def test_blobs_go_by_age_and_then_by_size() -> None:
    clock = SettableClock()
    blobs = MemoryBlobs(clock)
    keys = []
    for number in range(6):
        keys.append(blobs.put(bytes([number]) * 100))
        clock.advance(10 * DAY)
    needed = needed_keys([keys[0], None], [row("a", 1)._replace(snapshot=keys[3])])
    assert sweep(blobs, needed, now_ms=clock.now_ms(), days=45, most_bytes=1_000) == 1
    assert blobs.keys() == sorted([keys[0], *keys[2:]])
    assert sweep(blobs, needed, now_ms=clock.now_ms(), days=45, most_bytes=300) == 2
    assert blobs.keys() == sorted([keys[0], keys[3], keys[5]])
    assert sweep(blobs, needed, now_ms=clock.now_ms(), days=45, most_bytes=0) == 1
    assert blobs.keys() == sorted([keys[0], keys[3]]), "what is needed stays whatever it takes"
