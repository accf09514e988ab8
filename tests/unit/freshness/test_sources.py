"""Looking at sources, run after run, with a web that changes in between."""

from typing import Any

import pytest

from cairn.adapters.blobs.memory import MemoryBlobs
from cairn.adapters.clock.memory import SettableClock
from cairn.adapters.fetch.memory import MemoryFetcher
from cairn.adapters.storage.sqlite.store import open_memory
from cairn.core.model.knowledge import Source
from cairn.core.ports.sources import Conditions, FetchFailed
from cairn.freshness import sources as looking
from cairn.freshness.sources import SourceLook, SourceLooks, SourceMemory, SourceStanding, look_at
from cairn.lib.html.read import CANON, canonical_hash, raw_hash

URL = "https://docs.example.org/retry"
DAY = 24 * 60 * 60 * 1000


def html(*paragraphs: str, title: str = "Retries") -> str:
    body = "".join(text if text.startswith("<") else f"<p>{text}</p>" for text in paragraphs)
    return f"<html><head><title>{title}</title></head><body><main><h1>{title}</h1>{body}</main></body></html>"


OLD = html("The client retries three times by default.")
NEW = html("The client retries five times by default.")


def text_of(page: str) -> str:
    from cairn.lib.html.charset import FetchedPage
    from cairn.lib.html.read import canonical_text

    text = canonical_text(FetchedPage(URL, URL, 200, "text/html", page.encode(), None, None))
    assert text is not None
    return text


class World:
    """A web, and what is remembered of it from run to run, a day apart."""

    def __init__(self) -> None:
        self.web = MemoryFetcher()
        self.clock = SettableClock()
        self.blobs = MemoryBlobs(self.clock)
        self.store = open_memory()

    def run(self, *sources: Source, **given: Any) -> SourceLooks:
        self.clock.advance(DAY)
        self.web.new_run()
        return look_at(sources, fetcher=self.web, blobs=self.blobs, store=self.store.web, clock=self.clock, **given)

    def one(self, source: Source, **given: Any) -> SourceLook:
        return self.run(source, **given).of[source]

    def row(self) -> Any:
        (row,) = self.store.web.sources()
        return row


@pytest.fixture
def world() -> World:
    world = World()
    world.web.put(URL, OLD)
    return world


def stamped(page: str = OLD, **more: Any) -> Source:
    return Source("url", URL, hash=canonical_hash(text_of(page)), canon=CANON, **more)


def test_the_first_look_takes_a_baseline(world: World) -> None:
    seen = world.one(Source("url", URL))
    assert (seen.standing, seen.old) == (SourceStanding.SAME, None)
    assert seen.hash == canonical_hash(seen.new or "")
    unknown = Source("url", URL, hash="sha256:" + "0" * 64)
    assert world.one(unknown).standing == SourceStanding.BASELINE
    assert world.web.asked[URL] == 2


def test_a_stamped_source_that_is_as_it_was(world: World) -> None:
    assert world.one(stamped()).standing == SourceStanding.SAME
    assert world.one(Source("url", URL, hash=raw_hash(OLD.encode()))).standing == SourceStanding.SAME
    assert world.web.asked[URL] == 2


def test_a_change_is_one_when_it_is_seen_twice(world: World) -> None:
    world.one(stamped())
    world.web.put(URL, NEW)
    seen = world.one(stamped())
    assert seen.standing == SourceStanding.CHANGED
    assert (seen.old, seen.new) == (text_of(OLD), text_of(NEW))
    assert world.web.asked[URL] == 3
    assert world.one(stamped()).old == text_of(OLD), "until somebody looks at the entry"
    assert world.one(stamped(NEW)).standing == SourceStanding.SAME


def test_a_change_that_was_none(world: World) -> None:
    world.one(stamped())
    world.web.put(URL, NEW, OLD)
    assert world.one(stamped()).standing == SourceStanding.SAME
    assert (world.row().flips, world.row().pending_hash) == (1, None)


def test_the_second_look_may_come_with_the_next_run(world: World) -> None:
    world.one(stamped())
    world.web.put(URL, NEW)
    world.web._web[URL].append(FetchFailed(URL, "timeout", "Too late.", retryable=True))
    assert world.one(stamped()).standing == SourceStanding.PENDING
    assert world.row().pending_hash == canonical_hash(text_of(NEW))
    world.web.put(URL, NEW)
    asked = world.web.asked[URL]
    seen = world.one(stamped())
    assert (seen.standing, seen.old) == (SourceStanding.CHANGED, text_of(OLD))
    assert world.web.asked[URL] == asked + 1


def test_an_entry_that_was_stamped_elsewhere_is_looked_at_twice_before_anybody_is_told(world: World) -> None:
    world.web.put(URL, NEW)
    seen = world.one(stamped(OLD))
    assert (seen.standing, seen.old, seen.new) == (SourceStanding.CHANGED, None, text_of(NEW))
    assert world.web.asked[URL] == 2


def nonce(number: int, *, default: str = "three", more: str = "") -> str:
    ad = f"<h2>News</h2><p>Visitor number {number} today, welcome back to the site.</p>"
    rest = f"<h2>Default</h2><p>The client retries {default} times by default.</p>{more}"
    return html("Everything about retries.", ad, rest)


def test_a_page_that_differs_each_time_is_compared_by_section(world: World) -> None:
    world.web.put(URL, nonce(1))
    source = world.one(Source("url", URL)).hash
    assert source is not None
    entry = Source("url", URL, hash=source, canon=CANON)
    world.web.put(URL, nonce(2), nonce(3))
    seen = world.one(entry)
    assert (seen.standing, seen.hash) == (SourceStanding.SAME, source)
    assert world.row().stability < 1
    world.web.put(URL, nonce(4, default="five"), nonce(5, default="five"))
    assert world.one(entry).standing == SourceStanding.CHANGED
    world.web.put(URL, nonce(6), nonce(7))
    back = world.one(entry)
    assert back.standing == SourceStanding.CHANGED, (
        "the news differ from the stamped ones for ever, and the default came back"
    )
    assert "retries three times" in (back.new or "")


def test_one_fetch_for_all_who_cite_a_page(world: World) -> None:
    world.web.put(URL, html("<h2 id=a>A</h2><p>Alpha is first.</p><h2 id=b>B</h2><p>Beta is second.</p>"))
    a, b, whole = Source("url", URL, "#a"), Source("url", URL, "#b"), Source("url", f"{URL}#c")
    seen = world.run(a, b, whole)
    assert (world.web.asked[URL], seen.requests) == (1, 1)
    assert (seen.of[a].new, seen.of[b].new) == ("## A\n\nAlpha is first.\n", "## B\n\nBeta is second.\n")
    world.web.put(URL, html("<h2 id=a>A</h2><p>Alpha is first.</p><h2 id=b>B</h2><p>Beta is third.</p>"))
    seen = world.run(*(one._replace(hash=seen.of[one].hash, canon=CANON) for one in (a, b)))
    assert [one.standing for one in seen.of.values()] == [SourceStanding.SAME, SourceStanding.CHANGED]


def test_a_server_that_says_nothing_changed_is_believed(world: World) -> None:
    world.web.put(URL, OLD, etag='"1"')
    first = world.one(stamped())
    again = world.one(stamped())
    assert again._replace(raw=first.raw) == first
    assert world.web.fetch(URL, Conditions('"1"')).unchanged  # type: ignore[union-attr]
    world.blobs.drop(world.blobs.keys())
    assert world.one(stamped()).new == text_of(OLD), "without a snapshot the page is asked for"


def test_a_failure_is_remembered_and_left_alone_after_the_second(world: World) -> None:
    world.one(stamped())
    world.web.fail(URL, FetchFailed(URL, "status", "The server answers 404.", status=404))
    seen = world.one(stamped())
    assert (seen.standing, seen.cause, seen.reason) == (SourceStanding.UNREACHABLE, "status", "The server answers 404.")
    world.one(stamped())
    assert (world.row().failures, world.row().hash) == (2, canonical_hash(text_of(OLD)))
    asked = world.web.asked[URL]
    assert world.one(stamped()).reason == "The server answers 404."
    assert world.web.asked[URL] == asked
    world.web.put(URL, OLD)
    assert world.one(stamped(), eager=True).standing == SourceStanding.SAME
    assert (world.row().failures, world.row().cause) == (0, None)


def test_a_wall_is_no_change(world: World) -> None:
    world.one(stamped())
    world.web.put(URL, "<html><body><h1>Just a moment...</h1><p>Checking your browser.</p></body></html>")
    seen = world.one(stamped())
    assert (seen.standing, seen.cause) == (SourceStanding.UNREACHABLE, "unusable")


def test_a_source_without_a_hash_is_compared_with_the_day_of_the_last_look(world: World) -> None:
    bare = Source("url", URL, retrieved="2026-01-02")
    world.one(bare)
    world.web.put(URL, NEW)
    seen = world.one(bare)
    assert (seen.standing, seen.old) == (SourceStanding.CHANGED, text_of(OLD))
    assert world.one(bare._replace(retrieved="2026-01-09")).standing == SourceStanding.SAME


def test_another_canonicaliser_is_no_drift(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    old = world.one(stamped())
    monkeypatch.setattr(looking, "CANON", CANON + 1)
    monkeypatch.setattr(looking, "canonical_hash", lambda text: canonical_hash(f"2{text}"))
    assert world.one(stamped()).standing == SourceStanding.SAME
    assert world.row().hash == canonical_hash(f"2{old.new}")
    world.web.put(URL, NEW)
    upgraded = Source("url", URL, hash=canonical_hash(f"2{old.new}"), canon=CANON + 1)
    for source in (stamped(), upgraded):
        seen = world.one(source)
        assert (seen.standing, seen.old) == (SourceStanding.CHANGED, old.new)


def test_what_a_hash_was_taken_of_is_remembered(world: World) -> None:
    world.one(stamped())
    world.web.put(URL, NEW)
    world.one(stamped())
    memory = SourceMemory(world.store.web, world.blobs)
    assert memory.remembered(stamped()) == text_of(OLD)
    assert memory.remembered(stamped(NEW)) == text_of(NEW)
    assert memory.remembered(Source("url", URL, hash=raw_hash(OLD.encode()))) == text_of(OLD)
    assert memory.remembered(Source("url", "https://nobody.example.org/")) is None


def test_places_in_the_repository_cost_no_network(world: World) -> None:
    assert world.run(Source("path", "src/app.py", "connect")).of == {}
    assert not world.web.asked


def test_a_kill_costs_the_last_looks_only(world: World) -> None:
    class Killed(Exception):
        pass

    class Dying:
        def step(self, stage: str, done: int, total: int | None) -> None:
            if done == 250:
                raise Killed

        def event(self, kind: str, **data: object) -> None:
            pass

    urls = [f"https://docs.example.org/{number}" for number in range(300)]
    for url in urls:
        world.web.put(url, OLD)
    with pytest.raises(Killed):
        world.run(*(Source("url", url) for url in urls), progress=Dying())
    kept = [row.url for row in world.store.web.sources()]
    assert len(kept) == 200
    world.run(*(Source("url", url) for url in urls))
    assert {row.looks for row in world.store.web.sources() if row.url in kept} == {2}
    assert {row.looks for row in world.store.web.sources() if row.url not in kept} == {1}
