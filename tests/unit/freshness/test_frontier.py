"""The frontier: what counts as a sign of a newer edition, and the near misses that do not."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from cairn.freshness.frontier import Ahead, Kept, ahead_of, with_frontier
from cairn.freshness.signs import named_statements
from cairn.kernel.knowledge.entry import Entry, Source
from cairn.kernel.model.verdict import Outcome, Verdict
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


@given(st.text(max_size=400), st.sampled_from(["text/html", "text/markdown"]))
def test_no_page_can_break_it(text: str, kind: str) -> None:
    url = "https://a.test/3.11/x"
    page = show(Page(url, url, 200, kind, text.encode("utf-8", "replace"), None, None))
    entry = Entry("k/a.md", "entry", "a", "About Lantern 3.11", "", sources=(Source("url", url),))
    for edition in (None, "Lantern 3.11", "RFC 7231", "draft-ietf-oauth-v2-1-13", "((("):
        if page is not None:
            ahead_of(replace(entry, edition=edition), str, lambda _, kept=page: Kept(kept, SEEN))  # type: ignore[misc]


def test_a_page_that_says_it_ten_thousand_times_is_read_in_part() -> None:
    lines = "\n".join(f"The latest version of Pebble {at} is {at}." for at in range(10_000))
    url = "https://a.test/x"
    shown = show(Page(url, url, 200, "text/markdown", lines.encode(), None, None))
    assert shown is not None and len(list(named_statements(shown))) <= 400


VERDICT = Verdict("a", "2026-03-01", "extractive/2", Outcome.CURRENT, ())


@pytest.mark.parametrize(
    ("pin", "before", "outcome", "proposed"),
    [
        ("Lantern 3.11", VERDICT, Outcome.SUPERSEDED, "Lantern 3.14"),
        (None, VERDICT, Outcome.MINOR_DRIFT, None),
        ("Lantern 3.11", VERDICT._replace(outcome=Outcome.MAJOR_DRIFT), Outcome.MAJOR_DRIFT, "Lantern 3.14"),
        ("Lantern 3.11", VERDICT._replace(source_unverifiable=True), Outcome.CURRENT, None),
    ],
)
def test_in_a_verdict(pin: str | None, before: Verdict, outcome: Outcome, proposed: str | None) -> None:
    page = "# Home\n\nThe latest version of Lantern is 3.14.\n"
    found = look({"url": "https://lantern.test/", "page": page, "pin": pin, "title": "Lantern 3.11"})
    assert found is not None
    entry = Entry("k/a.md", "entry", "a", "a", "", edition=pin)
    after = with_frontier(before, entry, found, today="2026-03-02")
    assert (after.outcome, after.proposed_version_pin) == (outcome, proposed)
    assert with_frontier(after, entry, found, today="2026-03-02") == after, "once is enough"
    if not before.source_unverifiable:
        [finding] = after.findings
        assert finding.source_excerpt == "The latest version of Lantern is 3.14." and finding.severity == "P1"
