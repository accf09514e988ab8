"""Stamping: only the day and the hashes differ afterwards, and what is gone cannot be stamped."""

from collections.abc import Collection, Mapping

import pytest

from cairn.core.model.knowledge import Source
from cairn.errors import NotFound, Refused
from cairn.freshness.mark_reviewed import LockedPage, stamp_in_lock, stamp_page
from cairn.freshness.path_sources import SourcePlace, look
from cairn.knowledge.lockfile import parse_lock

FILES = {"a.py": b"def connect(host):\n    return host\n", "b.py": b"LIMIT = 3\n"}
PAGE = """---
name: k  # the name
sources:
  - path: a.py#connect
    hash: 'sha256:0000000000000000000000000000000000000000000000000000000000000000'
  - {path: b.py}
  - url: https://example.org/x
last-reviewed: "2020-01-01"
---
Text.
"""
TODAY = "2026-05-04"


def seen(sources: Collection[Source]) -> Mapping[Source, SourcePlace]:
    return look(sources, FILES)


def test_a_page_is_stamped_in_place() -> None:
    stamped = stamp_page("k.md", PAGE, look=seen, today=TODAY)
    connect, limit = stamped.sources
    assert stamped.changed and stamped.left == ("https://example.org/x",)
    after = stamped.after.splitlines()
    assert [line for line in PAGE.splitlines() if line not in after] == [
        "    hash: 'sha256:0000000000000000000000000000000000000000000000000000000000000000'",
        "  - {path: b.py}",
        'last-reviewed: "2020-01-01"',
    ]
    assert connect.hash in stamped.after and limit.hash in stamped.after
    assert stamp_page("k.md", stamped.after, look=seen, today=TODAY).changed is False


def test_one_source_of_several() -> None:
    stamped = stamp_page("k.md", PAGE, look=seen, today=TODAY, only=["b.py"])
    assert [source.reference for source in stamped.sources] == ["b.py"]
    assert "sha256:" + "0" * 64 in stamped.after


def test_a_source_that_the_page_does_not_have() -> None:
    with pytest.raises(NotFound, match=r"no source `c.py`.*a.py#connect, b.py"):
        stamp_page("k.md", PAGE, look=seen, today=TODAY, only=["c.py"])


@pytest.mark.parametrize(
    ("written", "sentence"), [("a.py#gone", "`gone` is not in a.py"), ("c.py#connect", "there is no file c.py")]
)
def test_what_is_gone_cannot_be_stamped(written: str, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        stamp_page("k.md", PAGE.replace("a.py#connect", written), look=seen, today=TODAY)


def test_a_page_without_sources_gets_the_day() -> None:
    page = "---\nname: k\nlast_reviewed: null\n---\nText.\n"
    assert stamp_page("k.md", page, look=seen, today=TODAY).after == page.replace("null", TODAY)


def test_a_page_that_is_not_ours_is_stamped_in_the_lock_file() -> None:
    page = LockedPage("docs/k.md", "k.md", "docs/cairn.lock", {"sources": [{"path": "b.py"}]})
    first = stamp_in_lock(page, "", look=seen, today=TODAY, only=["a.py#connect", "b.py"])
    record = parse_lock(first.after).pages["k.md"]
    assert (record.last_reviewed, [source.reference for source in record.sources]) == (TODAY, ["a.py#connect", "b.py"])
    assert first.file == "docs/cairn.lock"
    again = stamp_in_lock(page, first.after, look=seen, today="2026-06-01")
    record = parse_lock(again.after).pages["k.md"]
    assert [(source.reference, source.retrieved) for source in record.sources] == [
        ("a.py#connect", "2026-06-01"),
        ("b.py", "2026-06-01"),
    ]
