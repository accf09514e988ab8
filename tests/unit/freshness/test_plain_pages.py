"""Which links of somebody else's pages are sources."""

import pytest

from cairn.core.model.change import FileEdit
from cairn.core.model.knowledge import Source
from cairn.freshness.plain_pages import (
    MOST_LINKS,
    MOST_OF_A_PAGE,
    is_watched,
    linked_sources,
    one_edit_a_file,
    own_sites,
)
from cairn.knowledge.lockfile import Lock, PageRecord, parse_lock, render_lock

OWN = frozenset({"bakery.example"})


@pytest.mark.parametrize(
    ("link", "source"),
    [
        ("https://other.example/guide", "https://other.example/guide"),
        ("https://other.example/guide#limits", "https://other.example/guide#limits"),
        ("https://other.example/guide#", "https://other.example/guide"),
        ("https://www.bakery.example/own", None),
        ("https://img.shields.io/badge/x", None),
        ("https://other.example/picture.PNG?raw=1", None),
        ("https://other.example/paper.pdf#page=2", None),
        ("https://", None),
        ("mailto:ada@other.example", None),
    ],
)
def test_a_link(link: str, source: str | None) -> None:
    found = [one.reference for one in linked_sources([link], OWN, None)]
    assert found == ([] if source is None else [source])


def test_what_the_lock_file_knows_comes_with_it() -> None:
    known = Source("url", "https://a.example/b", hash="sha256:1", canon=1, retrieved="2026-01-01")
    gone = Source("url", "https://a.example/old", hash="sha256:2")
    record = PageRecord(sources=(known, gone, Source("path", "src/app.py")))
    links = ["https://a.example/b", "https://a.example/new"]
    assert linked_sources(links, OWN, record) == (known, gone, Source("url", "https://a.example/new"))


def test_a_list_of_links_is_cut_short() -> None:
    assert len(linked_sources([f"https://a.example/{n}" for n in range(50)], OWN, None)) == MOST_OF_A_PAGE


def test_where_most_pages_lead_is_home() -> None:
    home = ["https://www.bakery.example/x", "https://a.example/b"]
    assert own_sites([home, home[:1], home[:1], [], ["https://c.example/"]]) == {"bakery.example"}
    assert own_sites([home, home]) == frozenset(), "two pages are no rule"


@pytest.mark.parametrize(
    ("mode", "links", "watched"),
    [("auto", MOST_LINKS, True), ("auto", MOST_LINKS + 1, False), ("on", 10_000, True), ("off", 1, False)],
)
def test_whether_a_corpus_is_looked_at(mode: str, links: int, watched: bool) -> None:
    assert is_watched(mode, {"a.md": [f"https://a.example/{n}" for n in range(links)], "b.md": []}) is watched


def test_what_pages_write_into_one_lock_file_is_taken_together() -> None:
    base = Lock({"a.md": PageRecord("2026-01-01"), "b.md": PageRecord("2026-01-01"), "c.md": PageRecord("2026-01-01")})
    first, second = (base.with_page(name, PageRecord("2026-02-02")) for name in ("a.md", "b.md"))
    texts = [render_lock(lock).encode() for lock in (first, second)]
    edits = [
        FileEdit("cairn.lock", texts[0]),
        FileEdit("x", b"same"),
        FileEdit("cairn.lock", texts[1]),
        FileEdit("x", b"same"),
    ]
    lock, other = one_edit_a_file(edits)
    assert other == FileEdit("x", b"same")
    days = {path: record.last_reviewed for path, record in parse_lock((lock.content or b"").decode()).pages.items()}
    assert days == {"a.md": "2026-02-02", "b.md": "2026-02-02", "c.md": "2026-01-01"}
