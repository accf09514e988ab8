"""The frontier: what counts as a sign of a newer edition, and the near misses that do not."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from cairn.freshness.frontier import Ahead, Kept, ahead_of
from cairn.kernel.knowledge.entry import Entry, Source
from cairn.kernel.page.shown import show
from cairn.kernel.ports.fetch import Page

CASES: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).with_name("frontier.yaml").read_text("utf-8"))
SEEN = date(2026, 3, 1)


def look(case: dict[str, Any]) -> Ahead | None:
    source = Source("url", case["url"])
    kind = "text/html" if "html" in case else "text/markdown"
    page = Page(case["url"], case["url"], 200, kind, str(case.get("html", case.get("page"))).encode(), None, None)
    entry = Entry(
        "k/a.md",
        "entry",
        case.get("name", "some-page"),
        case.get("title", "Some page"),
        case.get("summary", ""),
        edition=case.get("pin"),
        last_reviewed=case.get("reviewed", "2026-01-01"),
        sources=(source,),
    )
    shown = show(page)
    assert shown is not None
    return ahead_of(entry, lambda: str(case.get("body", "")), lambda _: Kept(shown, SEEN))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_signs_and_near_misses(case: dict[str, Any]) -> None:
    found = look(case)
    assert (None if found is None else found.sign.version) == case["newer"], found


def test_the_table_is_large_enough() -> None:
    misses = [case for case in CASES if case["newer"] is None]
    assert len(CASES) >= 60 and len(misses) >= 40
    assert len({case["id"] for case in CASES}) == len(CASES)
