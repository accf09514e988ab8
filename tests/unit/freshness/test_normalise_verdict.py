"""What a model says is put right where that is ours to say, and refused where it rests on words that nobody wrote."""

from typing import Any

import pytest

from cairn.core.model.knowledge import Source
from cairn.core.model.verdict import VerdictOutcome
from cairn.errors import Refused
from cairn.freshness.normalise_verdict import NormalisedVerdict, covers, settle
from cairn.freshness.verdict_json import verdict_of
from verdicts import GUIDE, HASH, SOURCES, SPEC, change, checked, entry_of, finding, verdict


def settled(**changes: Any) -> NormalisedVerdict:
    said = verdict_of(verdict(**changes))
    return settle(said, entry_of(), SOURCES, today="2026-03-01", model="deepseek/deepseek-v4-flash")


def test_dates_hashes_and_the_model_are_ours() -> None:
    made, notes = settled(findings=[finding()], verdict="minor-drift")
    assert made.model == "deepseek/deepseek-v4-flash" and made.audit_date == "2026-03-01"
    assert {one.retrieved_at for one in made.sources_checked} == {"2026-03-01"}
    assert made.sources_checked[0].content_hash == HASH
    assert made.findings[0].evidence_date == "2026-02-01"
    assert notes == ()


@pytest.mark.parametrize("outcome", ["current", "minor-drift"])
def test_edits_of_a_page_that_is_right_become_remarks(outcome: str) -> None:
    made, notes = settled(verdict=outcome, proposed_changes=[change()], preserve_warnings=["old"])
    assert made.proposed_changes == ()
    assert made.preserve_warnings == (
        "old",
        f"[demoted from proposed_changes — {outcome} carries no edits] ## Rules: the limit is lower now",
    )
    assert notes == (f"1 proposed edit became remarks: `{outcome}` carries none.",)


def test_a_verdict_about_another_entry_is_refused() -> None:
    with pytest.raises(Refused, match="about `other`, not about `rate-limits`"):
        settled(entry_name="other")


def test_a_source_that_was_not_looked_at_is_missed() -> None:
    with pytest.raises(Refused, match="did not look at https://example"):
        settled(sources_checked=[checked(GUIDE)])


def test_a_source_that_nobody_declared_was_not_looked_at() -> None:
    made, notes = settled(sources_checked=[checked(u) for u in (GUIDE, SPEC, "https://evil.example/", SPEC)])
    assert [one.url for one in made.sources_checked] == [GUIDE, SPEC]
    assert notes == ("`https://evil.example/` is no source of this entry and was taken out of the verdict.",)


def test_an_anchor_that_was_left_out_is_the_one_that_was_sent() -> None:
    made, _ = settled(sources_checked=[checked(GUIDE + "#x"), checked("https://example.org/spec")])
    assert [one.url for one in made.sources_checked] == [GUIDE, SPEC]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (
            finding("The limit is 61 calls"),
            "the quote “The limit is 61 calls” is not in https://example.org/spec#limits",
        ),
        (finding(url="https://evil.example/x"), "`https://evil.example/x` is no source of this entry"),
        (finding(""), "is not in"),
        (finding("a"), "is not in"),
    ],
)
def test_a_quote_that_is_not_there(bad: dict[str, str], said: str) -> None:
    with pytest.raises(Refused, match="The verdict was refused") as caught:
        settled(verdict="major-drift", findings=[finding(), bad], proposed_changes=[change()])
    assert said in str(caught.value)
    with pytest.raises(Refused, match="The verdict was refused"):
        settled(verdict="minor-drift", findings=[bad])
    made, notes = settled(verdict="minor-drift", findings=[finding(), bad])
    assert len(made.findings) == 1 and made.outcome is VerdictOutcome.MINOR_DRIFT
    assert made.preserve_warnings[0].startswith("[not verified: ") and said in notes[0]


def test_a_verdict_that_changes_nothing_survives_a_bad_quote() -> None:
    made, notes = settled(findings=[finding("nowhere to be found")])
    assert made.outcome is VerdictOutcome.CURRENT and made.findings == () and len(notes) == 1


@pytest.mark.parametrize(
    ("source", "looked_at", "expected"),
    [
        (Source("url", "https://e.org/a"), ["https://e.org/a"], True),
        (Source("url", "https://e.org/a"), ["https://e.org/a#x"], True),
        (Source("url", "https://e.org/a"), ["https://e.org/ab"], False),
        (Source("url", "https://e.org/a", "#x"), ["https://e.org/a"], False),
        (Source("url", "https://e.org/a", "#x"), ["https://e.org/a#x"], True),
        (Source("path", "src/a.py", "run"), ["src/a.py#run"], True),
        (Source("path", "src/a.py"), ["src/a.py#run"], False),
    ],
)
def test_coverage(source: Source, looked_at: list[str], expected: bool) -> None:
    assert covers(source, looked_at) is expected
