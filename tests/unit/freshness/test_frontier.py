"""Signs of newer editions, near misses, and that a sign is never more than a reason to read."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from cairn.core.model.knowledge import Entry, Source
from cairn.core.model.verdict import TO_BE_READ, Verdict, VerdictFinding, VerdictOutcome
from cairn.freshness.frontier import EditionAhead, StoredPage, ahead_of, with_frontier
from cairn.lib.html.charset import FetchedPage
from cairn.lib.html.shown import show

CASES: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).with_name("frontier.yaml").read_text("utf-8"))
SEEN = date(2026, 3, 1)


def look(case: dict[str, Any]) -> EditionAhead | None:
    source = Source("url", case["url"])
    kind = "text/html" if "html" in case else "text/markdown"
    page = FetchedPage(
        case["url"], case["url"], 200, kind, str(case.get("html", case.get("page"))).encode(), None, None
    )
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
    return ahead_of(entry, lambda _: StoredPage(shown, SEEN))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_signs_and_near_misses(case: dict[str, Any]) -> None:
    found = look(case)
    assert (None if found is None else found.sign.version) == case["newer"], found


@given(st.text(max_size=400), st.sampled_from(["text/html", "text/markdown"]))
def test_no_page_can_break_it(text: str, kind: str) -> None:
    url = "https://a.test/3.11/x"
    page = show(FetchedPage(url, url, 200, kind, text.encode("utf-8", "replace"), None, None))
    entry = Entry("k/a.md", "entry", "a", "About Lantern 3.11", "", sources=(Source("url", url),))
    for edition in (None, "Lantern 3.11", "RFC 7231", "draft-ietf-oauth-v2-1-13", "((("):
        if page is not None:
            ahead_of(replace(entry, edition=edition), lambda _, kept=page: StoredPage(kept, SEEN))  # type: ignore[misc]


VERDICT = Verdict("a", "2026-03-01", "extractive/2", VerdictOutcome.CURRENT, ())
TO_READ = VerdictFinding("A stream is read once.", "https://a.test/", "2026-03-01", "Twice.", "P3", TO_BE_READ, "Once.")
MENU = '<nav><a href="/3.14/x">3.14</a> <a href="/3.11/x">3.11</a></nav><main><h1>Streams</h1><p>Text.</p></main>'


DRIFT = VERDICT._replace(outcome=VerdictOutcome.MAJOR_DRIFT, proposed_version_pin="Lantern 3.13")
UNREAD = VERDICT._replace(outcome=VerdictOutcome.MINOR_DRIFT, source_unverifiable=True, findings=(TO_READ,))


@pytest.mark.parametrize(
    ("pin", "before", "outcome", "unread"),
    [
        ("Lantern 3.11", VERDICT, VerdictOutcome.MINOR_DRIFT, True),
        (None, VERDICT, VerdictOutcome.MINOR_DRIFT, True),
        ("Lantern 3.11", DRIFT, VerdictOutcome.MAJOR_DRIFT, False),
        ("Lantern 3.11", UNREAD, VerdictOutcome.MINOR_DRIFT, True),
    ],
    ids=["pinned", "without a pin", "beside drift", "beside passages to be read"],
)
def test_a_sign_joins_a_verdict_once_and_is_to_be_read(
    pin: str | None, before: Verdict, outcome: VerdictOutcome, unread: bool
) -> None:
    found = look({"url": "https://lantern.test/3.11/x", "html": MENU, "pin": pin})
    assert found is not None
    entry = Entry("k/a.md", "entry", "a", "a", "", edition=pin)
    after = with_frontier(before, entry, found, today="2026-03-02")
    assert (after.outcome, after.to_be_read) == (outcome, unread)
    assert after.proposed_version_pin == before.proposed_version_pin
    assert with_frontier(after, entry, found, today="2026-03-03") == after
    assert after.findings[:-1] == before.findings
    sign = after.findings[-1]
    assert (sign.severity, sign.drift_kind) == ("P3", "to-be-read")
    assert sign.source_excerpt == "3.14 https://lantern.test/3.14/x"


CHANGES = "https://tern.test/changelog"
WITHDRAWN = {
    "a title about something else": ("https://tern.test/spec/2.0/", "# Tern 3.0: why it was cancelled\n"),
    "a release that was withdrawn": (CHANGES, "# Tern changelog\n\n## 6.0.0 (yanked)\n\n## 2.0.1\n"),
    "a release to come": (CHANGES, "# Tern changelog\n\n## 6.0.0 - planned for autumn\n\n## 2.0.1\n"),
}


@pytest.mark.parametrize(("url", "page"), WITHDRAWN.values(), ids=WITHDRAWN)
def test_a_number_that_is_no_newer_edition_proposes_no_pin(url: str, page: str) -> None:
    found = look({"url": url, "page": page, "pin": "Tern 2.0"})
    entry = Entry("k/a.md", "entry", "a", "a", "", edition="Tern 2.0")
    after = with_frontier(VERDICT, entry, found, today="2026-03-02")
    assert after.to_be_read
    assert after.proposed_version_pin is None
    assert [finding.severity for finding in after.findings] == ["P3"]


def test_a_verdict_that_names_the_edition_has_no_second_finding_about_it() -> None:
    found = look({"url": "https://lantern.test/3.11/x", "html": MENU, "pin": "Lantern 3.11"})
    entry = Entry("k/a.md", "entry", "a", "a", "", edition="Lantern 3.11")
    gone = VerdictFinding(
        "version-pin: Lantern 3.11", "https://a.test/", "2026-03-01", "3.14", "P2", "factual-error", "3.11"
    )
    before = VERDICT._replace(outcome=VerdictOutcome.MINOR_DRIFT, findings=(gone,))
    assert with_frontier(before, entry, found, today="2026-03-02") == before


@pytest.mark.parametrize(("reviewed", "seen"), [("2026-02-28", True), ("2026-03-01", False), ("2026-04-01", False)])
@pytest.mark.parametrize("pin", ["Lantern 3.11", None])
def test_a_review_since_the_page_changed_settles_a_sign(pin: str | None, reviewed: str, seen: bool) -> None:
    found = look({"url": "https://lantern.test/3.11/x", "html": MENU, "pin": pin, "reviewed": reviewed})
    assert (found is not None) == seen


def test_a_source_that_could_not_be_compared_comes_before_a_newer_edition() -> None:
    found = look({"url": "https://lantern.test/3.11/x", "html": MENU, "pin": "Lantern 3.11"})
    entry = Entry("k/a.md", "entry", "a", "a", "", edition="Lantern 3.11")
    before = VERDICT._replace(source_unverifiable=True)
    assert with_frontier(before, entry, found, today="2026-03-02") == before
