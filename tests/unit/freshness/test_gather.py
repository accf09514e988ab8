"""Texts of sources, now and before: pages by their hash, places in the repository by git."""

from pathlib import Path

import pytest

from cairn.adapters.fetch.memory import MemoryFetcher
from cairn.adapters.files.local import LocalFiles
from cairn.adapters.vcs.git import Git
from cairn.freshness.code_index import CodeIndex
from cairn.freshness.declared import look
from cairn.freshness.drift import Around
from cairn.freshness.gather import Ports, Remembered, Seen, Unseen, gather
from cairn.kernel.knowledge.entry import Source
from cairn.kernel.page.read import CANON, canonical_hash, raw_hash
from cairn.kernel.ports.fetch import FetchFailed
from repository import commit, make

CODE = "import os\n\n\ndef connect(host, timeout=30):\n    return host\n\n\nLIMIT = 3\n"
PAGE = "<html><body><main><h1>Guide</h1><p>Wait {} seconds.</p><h2 id=more>More</h2><p>Again.</p></main></body></html>"
URL = "https://example.org/guide"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make(tmp_path / "repo", {"src/net.py": CODE})


def ports(root: Path, fetcher: MemoryFetcher | None = None, remembered: Remembered = lambda _: None) -> Ports:
    return Ports(fetcher or MemoryFetcher(), Around(LocalFiles(root), Git(root), CodeIndex), remembered)


def one(source: Source, around: Ports) -> Seen | Unseen:
    [found] = gather([source], around)
    return found


def seen(source: Source, around: Ports) -> Seen:
    found = one(source, around)
    assert isinstance(found, Seen), found
    return found


def digest(root: Path, source: Source) -> str:
    place = look([source], {source.target: (root / source.target).read_bytes()})[source].place
    assert place is not None
    return place.digest


# --- the web --------------------------------------------------------------------------------------------------------


def test_a_page_and_its_section_are_fetched_once(root: Path) -> None:
    web = MemoryFetcher()
    web.put(URL, PAGE.format(30))
    whole, section = gather([Source("url", URL), Source("url", URL, "#more")], ports(root, web))
    assert isinstance(whole, Seen) and isinstance(section, Seen)
    assert "Wait 30 seconds." in whole.text and "Wait" not in section.text and "Again." in section.text
    assert whole.hash == canonical_hash(whole.text) != section.hash
    assert whole.raw == section.raw == raw_hash(PAGE.format(30).encode()) and whole.canon == CANON
    assert web.asked[URL] == 1


def test_what_a_page_said_before(root: Path) -> None:
    web = MemoryFetcher()
    web.put(URL, PAGE.format(60))
    source = Source("url", URL, hash="sha256:" + "0" * 64)
    assert seen(source, ports(root, web)).old is None
    assert seen(source, ports(root, web, lambda asked: f"old of {asked.hash}")).old == f"old of {source.hash}"


@pytest.mark.parametrize("kind", ["canonical", "raw"])
def test_a_page_that_is_as_it_was_needs_no_memory(root: Path, kind: str) -> None:
    web = MemoryFetcher()
    web.put(URL, PAGE.format(60))
    now = seen(Source("url", URL), ports(root, web))
    known = seen(Source("url", URL, hash=now.hash if kind == "canonical" else now.raw), ports(root, web))
    assert known.old == known.text


def test_pages_that_say_nothing_and_pages_that_are_not_there(root: Path) -> None:
    web = MemoryFetcher()
    web.put(URL, b"%PDF-1.7 binary", content_type="application/pdf")
    web.fail(
        "https://example.org/stub", FetchFailed("https://example.org/stub", "unusable", "It only leads elsewhere.")
    )
    web.fail("https://example.org/slow", FetchFailed("https://example.org/slow", "timeout", "It took too long."))
    unusable, stub, slow, missing = gather(
        [
            Source("url", URL),
            *(Source("url", f"https://example.org/{name}") for name in ("stub", "slow", "missing")),
        ],
        ports(root, web),
    )
    assert isinstance(unusable, Unseen) and unusable.unusable
    assert isinstance(stub, Unseen) and stub.unusable and stub.reason == "It only leads elsewhere."
    assert isinstance(slow, Unseen) and not slow.unusable
    assert isinstance(missing, Unseen) and "404" in missing.reason


# --- the repository -------------------------------------------------------------------------------------------------


def test_a_place_in_the_repository_now_and_before(root: Path) -> None:
    source = Source("path", "src/net.py", "connect")
    source = source._replace(hash=digest(root, source))
    unchanged = seen(source, ports(root))
    assert unchanged.text == unchanged.old == "def connect(host, timeout=30):\n    return host\n"
    assert unchanged.hash == source.hash and unchanged.raw is None and unchanged.canon is None
    commit(root, {"src/net.py": "# moved down\n\n" + CODE.replace("30", "60")})
    changed = seen(source, ports(root))
    assert "timeout=60" in changed.text and changed.old == unchanged.text and changed.hash != source.hash


def test_a_whole_file_and_one_that_was_never_stamped(root: Path) -> None:
    assert seen(Source("path", "src/net.py"), ports(root)).text == CODE
    assert seen(Source("path", "src/net.py"), ports(root)).old is None
    assert seen(Source("path", "src/net.py", hash="sha256:" + "0" * 64), ports(root)).old is None


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (Source("path", "src/gone.py"), "src/gone.py is gone."),
        (Source("path", "src/net.py", "close"), "There is no `close` in src/net.py."),
    ],
)
def test_places_that_are_not_there(root: Path, source: Source, said: str) -> None:
    found = one(source, ports(root))
    assert isinstance(found, Unseen) and found.reason == said and not found.unusable


def test_a_place_costs_no_network(root: Path) -> None:
    web = MemoryFetcher()
    seen(Source("path", "src/net.py"), ports(root, web))
    assert not web.asked
