"""What entries cover."""

from typing import Any

import pytest

from cairn.core.model.knowledge import Entry, EntryStatus
from cairn.observe.covered_topics import covered


def entry(name: str, **more: Any) -> Entry:
    return Entry(path=f"knowledge/{name}.md", kind="entry", name=name, title=name, summary="", **more)


CASES = [
    ("rate-limits", entry("rate-limits"), "name"),
    ("3d-rendering", entry("rendering", topics=("3D Rendering",)), "topics"),
    ("throttling", entry("rate-limits", extra={"aliases": ["Throttling"]}), "aliases"),
    ("throttling", entry("rate-limits", extra={"aliases": "throttling"}), "aliases"),
    ("na-ve-bayes", entry("bayes", topics=("naïve Bayes",)), "topics"),
    ("naïve-bayes", entry("bayes", topics=("na-ve-bayes",)), "topics"),
    ("rate-limit", entry("rate-limits"), None),
    ("rate-limits", entry("rate-limits", status=EntryStatus.QUARANTINED), None),
    ("rate-limits", entry("rate-limits", status=EntryStatus.DEPRECATED), "name"),
    ("caches", entry("rate-limits", extra={"aliases": [3, None, {"caches": 1}]}), None),
]


@pytest.mark.parametrize(("topic", "page", "by"), CASES)
def test_by_name_topics_and_aliases(topic: str, page: Entry, by: str | None) -> None:
    cover = covered([page]).cover(topic)
    assert (cover and cover.by) == by
    assert cover is None or page.path in cover.reason


def test_the_page_that_is_called_so_counts_first() -> None:
    pages = [entry("a", topics=("caches",)), entry("caches"), entry("b", topics=("caches",))]
    for order in (pages, pages[::-1]):
        cover = covered(order).cover("caches")
        assert cover is not None
        assert cover.path == "knowledge/caches.md"


def test_a_page_about_nearly_this_is_named() -> None:
    known = covered([entry("rate-limits"), entry("caches")])
    near = known.near(["rate-limit", "locks"])
    assert {topic: cover.path for topic, cover in near.items()} == {"rate-limit": "knowledge/rate-limits.md"}
    assert known.entries == 2
