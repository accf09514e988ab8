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
from cairn.kernel.knowledge.entry import Entry, Source
from cairn.kernel.model.verdict import TO_BE_READ, Finding, Outcome, Verdict
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
    return ahead_of(entry, lambda _: Kept(shown, SEEN))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_signs_and_near_misses(case: dict[str, Any]) -> None:
    found = look(case)
    assert (None if found is None else found.sign.version) == case["newer"], found


def test_the_table_is_large_enough() -> None:
    misses = [case for case in CASES if case["newer"] is None]
    assert len(CASES) - len(misses) >= 25 and len(misses) >= 40
    assert len({case["id"] for case in CASES}) == len(CASES)


@given(st.text(max_size=400), st.sampled_from(["text/html", "text/markdown"]))
def test_no_page_can_break_it(text: str, kind: str) -> None:
    url = "https://a.test/3.11/x"
    page = show(Page(url, url, 200, kind, text.encode("utf-8", "replace"), None, None))
    entry = Entry("k/a.md", "entry", "a", "About Lantern 3.11", "", sources=(Source("url", url),))
    for edition in (None, "Lantern 3.11", "RFC 7231", "draft-ietf-oauth-v2-1-13", "((("):
        if page is not None:
            ahead_of(replace(entry, edition=edition), lambda _, kept=page: Kept(kept, SEEN))  # type: ignore[misc]


VERDICT = Verdict("a", "2026-03-01", "extractive/2", Outcome.CURRENT, ())
TO_READ = Finding("A stream is read once.", "https://a.test/", "2026-03-01", "Twice.", "P3", TO_BE_READ, "Once.")
MENU = '<nav><a href="/3.14/x">3.14</a> <a href="/3.11/x">3.11</a></nav><main><h1>Streams</h1><p>Text.</p></main>'


@pytest.mark.parametrize(
    ("pin", "before", "outcome", "proposed"),
    [
        ("Lantern 3.11", VERDICT, Outcome.SUPERSEDED, "Lantern 3.14"),
        (None, VERDICT, Outcome.MINOR_DRIFT, None),
        ("Lantern 3.11", VERDICT._replace(outcome=Outcome.MAJOR_DRIFT), Outcome.MAJOR_DRIFT, "Lantern 3.14"),
    ],
)
def test_a_newer_edition_becomes_part_of_a_verdict_once(
    pin: str | None, before: Verdict, outcome: Outcome, proposed: str | None
) -> None:
    found = look({"url": "https://lantern.test/3.11/x", "html": MENU, "pin": pin})
    assert found is not None
    entry = Entry("k/a.md", "entry", "a", "a", "", edition=pin)
    after = with_frontier(before, entry, found, today="2026-03-02")
    assert (after.outcome, after.proposed_version_pin) == (outcome, proposed)
    assert with_frontier(after, entry, found, today="2026-03-02") == after
    [finding] = after.findings
    assert finding.source_excerpt == "3.14 https://lantern.test/3.14/x" and finding.severity == "P1"


def test_a_source_that_could_not_be_compared_comes_before_a_newer_edition() -> None:
    found = look({"url": "https://lantern.test/3.11/x", "html": MENU, "pin": "Lantern 3.11"})
    entry = Entry("k/a.md", "entry", "a", "a", "", edition="Lantern 3.11")
    before = VERDICT._replace(source_unverifiable=True)
    assert with_frontier(before, entry, found, today="2026-03-02") == before


def test_a_newer_edition_is_shown_also_while_passages_wait_to_be_read() -> None:
    found = look({"url": "https://lantern.test/3.11/x", "html": MENU, "pin": "Lantern 3.11"})
    entry = Entry("k/a.md", "entry", "a", "a", "", edition="Lantern 3.11")
    before = VERDICT._replace(source_unverifiable=True, findings=(TO_READ,))
    after = with_frontier(before, entry, found, today="2026-03-02")
    assert after.outcome is Outcome.SUPERSEDED
    assert [finding.drift_kind for finding in after.findings] == ["edition-upgrade", "to-be-read"]
