"""Texts of sources, now and before: pages by their hash, places in the repository by git."""

from pathlib import Path
from typing import NoReturn

import pytest

from cairn.adapters.files.local import LocalFiles
from cairn.adapters.vcs.git import Git
from cairn.core.model.knowledge import Source
from cairn.freshness.audit import SourceReader, SourceVersions, UnreadableSource, compared_with_baseline, gather
from cairn.freshness.drift import CodeIndex, DriftContext
from cairn.freshness.path_sources import look
from cairn.freshness.sources import SourceLook, SourceStanding
from cairn.lib.html.read import CANON
from repository import commit, make

CODE = "import os\n\n\ndef connect(host, timeout=30):\n    return host\n\n\nLIMIT = 3\n"
URL = "https://example.org/guide"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make(tmp_path / "repo", {"src/net.py": CODE})


def ports(root: Path, *sightings: SourceLook) -> SourceReader:
    known = {sighting.source: sighting for sighting in sightings}
    return SourceReader(lambda _: known, DriftContext(LocalFiles(root), Git(root), CodeIndex), lambda _: None)


def one(source: Source, around: SourceReader) -> SourceVersions | UnreadableSource:
    [found] = gather([source], around, page="docs/page.md")
    return found


def seen(source: Source, around: SourceReader) -> SourceVersions:
    found = one(source, around)
    assert isinstance(found, SourceVersions), found
    return found


def digest(root: Path, source: Source) -> str:
    place = look([source], {source.target: (root / source.target).read_bytes()})[source].place
    assert place is not None
    return place.digest


# --- the web --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("standing", "old"),
    [("same", "now"), ("changed", "before"), ("pending", None), ("baseline", None)],
)
def test_pages_now_and_before(root: Path, standing: str, old: str | None) -> None:
    sighting = SourceLook(Source("url", URL), SourceStanding(standing), "now", "before", "sha256:h", "sha256:r")
    assert seen(sighting.source, ports(root, sighting)) == SourceVersions(
        sighting.source, "now", "sha256:h", "sha256:r", old, CANON
    )


@pytest.mark.parametrize(("cause", "unusable"), [("unusable", True), ("timeout", False), ("status", False)])
def test_pages_that_say_nothing_and_pages_that_are_not_there(root: Path, cause: str, unusable: bool) -> None:
    sighting = SourceLook(Source("url", URL), SourceStanding.UNREACHABLE, cause=cause, reason="It took too long.")
    assert one(sighting.source, ports(root, sighting)) == UnreadableSource(
        sighting.source, "It took too long.", unusable
    )


@pytest.mark.parametrize(
    ("standing", "hash", "baseline", "expected"),
    [
        ("baseline", "sha256:old", None, ("baseline", None)),
        ("baseline", "sha256:old", "now", ("same", "now")),
        ("baseline", "sha256:old", "then", ("changed", "then")),
        ("same", None, None, ("baseline", None)),
        ("same", None, "then", ("changed", "then")),
        ("same", "sha256:known", None, ("same", None)),
        ("changed", "sha256:known", "then", ("changed", "before")),
        ("pending", None, "then", ("pending", "before")),
    ],
)
def test_what_a_hash_that_says_nothing_is_compared_with(
    standing: str, hash: str | None, baseline: str | None, expected: tuple[str, str | None]
) -> None:
    old = "before" if standing in ("changed", "pending") else None
    sighting = SourceLook(Source("url", URL, hash=hash), SourceStanding(standing), "now", old, "sha256:h")
    made = compared_with_baseline(sighting, baseline)
    assert (made.standing, made.old) == expected


def test_the_order_is_that_of_the_sources(root: Path) -> None:
    page = SourceLook(Source("url", URL), SourceStanding.SAME, "now", None, "sha256:h")
    place = Source("path", "src/net.py")
    assert [found.source for found in gather([page.source, place], ports(root, page), page="docs/page.md")] == [
        page.source,
        place,
    ]
    assert [found.source for found in gather([place, page.source], ports(root, page), page="docs/page.md")] == [
        place,
        page.source,
    ]


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


def test_without_a_hash_what_stood_there_when_the_page_was_written_counts(root: Path) -> None:
    source = Source("path", "src/net.py", "connect")
    assert seen(source, ports(root)).old is None
    commit(root, {"docs/page.md": "about connect\n"})
    commit(root, {"src/net.py": CODE.replace("30", "60")})
    assert "timeout=30" in (seen(source, ports(root)).old or "")
    commit(root, {"docs/page.md": "about connect, anew\n"})
    assert seen(source, ports(root)).old == seen(source, ports(root)).text


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
    assert isinstance(found, UnreadableSource) and found.reason == said and not found.unusable


def test_a_place_costs_no_network(root: Path) -> None:
    def fetch(sources: object) -> NoReturn:
        raise AssertionError(sources)

    assert isinstance(one(Source("path", "src/net.py"), ports(root)._replace(pages=fetch)), SourceVersions)
