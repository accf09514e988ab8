"""Verdicts of the default auditor."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model.knowledge import Entry, Source
from cairn.core.model.verdict import Verdict, VerdictOutcome
from cairn.freshness.extractive import BASELINE, MODEL, SourceTexts, audit

SOURCE = Source("url", "https://example.org/limits", "#limits")
BODY = """
Each key gets 120 requests per minute. Uploads must not be larger than 8 MB.

Retries are on by default, and `retry_after` says when. Archives are kept in the region `eu-west-1`.
"""
PAGE = """
# Limits

Every key may send 120 requests per minute. Bulk keys may send 10 requests per minute.

Uploads must not exceed 8 MB. Downloads must not exceed 900 MB.

Retries are enabled by default. The field `retry_after` holds the seconds to wait.

Archives are stored in the region `eu-west-1`. Invoices are sent on the first day of a month.

Last updated: 3 May 2025
"""


def _verdict(old: str | None, new: str | None, *, body: str = BODY, pin: str | None = None) -> Verdict:
    entry = Entry("knowledge/limits.md", "entry", "limits", "Limits", "", edition=pin, sources=(SOURCE,))
    return audit(entry, body, [SourceTexts(SOURCE, old, new, "2026-02-03")], today="2026-02-04")


DRIFT = {
    "value": ("may send 120 requests", "may send 60 requests"),
    "value with a unit": ("Uploads must not exceed 8 MB", "Uploads must not exceed 4 MB"),
    "unit": ("Uploads must not exceed 8 MB", "Uploads must not exceed 8 KB"),
    "name": ("The field `retry_after` holds", "The field `wait_for` holds"),
    "place": ("region `eu-west-1`", "region `eu-north-2`"),
}


@pytest.mark.parametrize(("before", "after"), DRIFT.values(), ids=DRIFT)
def test_a_fact_that_the_passage_lost_is_drift_with_both_passages(before: str, after: str) -> None:
    verdict = _verdict(PAGE, PAGE.replace(before, after))
    assert verdict.outcome is VerdictOutcome.MINOR_DRIFT
    assert not verdict.source_unverifiable
    finding = verdict.findings[0]
    assert (finding.severity, finding.drift_kind) == ("P2", "factual-error")
    assert after in finding.source_excerpt
    assert before in finding.previous_excerpt
    assert finding.evidence_url == "https://example.org/limits#limits"
    assert finding.evidence_date == "2026-02-03"


SHORT = {
    "value": ("Max is 5.", "Max is 7.", "factual-error"),
    "negation": ("Windows is supported.", "Windows is unsupported.", "to-be-read"),
    "adjective": ("The API is stable.", "The API is experimental.", "to-be-read"),
    "no word that is about something": ("It is free.", "It is paid.", "to-be-read"),
    "removed": ("Ask first.", "", "to-be-read"),
}


@pytest.mark.parametrize(("before", "after", "kind"), SHORT.values(), ids=SHORT)
def test_a_short_sentence_of_the_entry_that_the_source_changed_is_never_current(
    before: str, after: str, kind: str
) -> None:
    verdict = _verdict(PAGE + f"\n{before}\n", PAGE + f"\n{after}\n", body=f"{BODY}\n{before}\n")
    (finding,) = verdict.findings
    assert (finding.claim_in_entry, finding.drift_kind) == (before, kind)
    assert (finding.previous_excerpt, finding.source_excerpt) == (before, after)


def test_a_value_that_the_source_still_states_elsewhere_is_not_lost() -> None:
    page = f"{PAGE}\nMax is 5.\n\n## Clients\n\nMax is 5.\n"
    verdict = _verdict(page, page[: page.rindex("Max")] + "Max is 7.\n", body=f"{BODY}\nMax is 5.\n")
    assert "factual-error" not in {finding.drift_kind for finding in verdict.findings}


TO_READ = {
    "negation": ("Uploads must not exceed 8 MB", "Uploads may exceed 8 MB"),
    "opposite": ("Retries are enabled by default", "Retries are disabled by default"),
    "the end": ("The field `retry_after` holds the seconds", "The field `retry_after` is deprecated; seconds"),
    "a synonym": ("Archives are stored in the region", "Archives are kept in the region"),
    "the same value in another unit": ("8 MB", "8,000 KB"),
}


@pytest.mark.parametrize(("before", "after"), TO_READ.values(), ids=TO_READ)
def test_a_passage_in_other_words_is_to_be_read_with_both_passages(before: str, after: str) -> None:
    verdict = _verdict(PAGE, PAGE.replace(before, after))
    assert verdict.to_be_read
    assert verdict.outcome is not VerdictOutcome.CURRENT
    assert verdict.source_unverifiable, "nothing is applied, and the entry stays due"
    (finding,) = verdict.findings
    assert (finding.severity, finding.drift_kind) == ("P3", "to-be-read")
    assert before in finding.previous_excerpt
    assert after in finding.source_excerpt
    assert "read" in verdict.preserve_warnings[0]


EXACT = {
    "a sign": ("The worker retries while `attempts < 5` holds.", "<", ">"),
    "a negative number": ("The freezer keeps dough at -10 degrees.", "-10", "10"),
    "case in code": ("The variable `Path` lists the folders of programs.", "Path", "PATH"),
    "case in prose": ("Clients must retry uploads with the same token.", "must", "MUST"),
    "an underscore": ("Call `get_user` to load an account.", "get_user", "getuser"),
    "a glob": ("The linter reads all `src/*.py` files.", "src/*.py", "src/**/*.py"),
    "a hash": (
        "The action `setup-uv` is pinned to 0c5e2b8115b80b4c7c5d.",
        "0c5e2b8115b80b4c7c5d",
        "9c5e2b8115b80b4c7c5d",
    ),
    "a version of one digit": ("Jobs run on the image `worker`, 1 per queue.", "1 per", "2 per"),
    "a full stop": ("Ask the on-call baker before the oven restarts.", "restarts.", "restarts?"),
}


@pytest.mark.parametrize(("sentence", "before", "after"), EXACT.values(), ids=EXACT)
def test_an_aligned_passage_that_differs_in_a_character_is_never_current(
    sentence: str, before: str, after: str
) -> None:
    old = f"{PAGE}\n## Workers\n\n{sentence}\n"
    verdict = _verdict(old, old.replace(sentence, sentence.replace(before, after)), body=sentence)
    (finding,) = verdict.findings
    assert (finding.previous_excerpt, finding.source_excerpt) == (sentence, sentence.replace(before, after))
    assert verdict.outcome is VerdictOutcome.MINOR_DRIFT
    assert verdict.sources_checked[0].summary.startswith("1 passage changed, 0 removed, 0 added; ")


RESTART = "Interns may restart the oven controller."
SILO = "Nobody smokes near the flour silo."
MOVED = {
    "to another section": (f"## Allowed\n\n{SILO}\n\n## Forbidden\n\n{RESTART}\n", "Forbidden"),
    "below a renamed heading": (f"## Refused\n\n{RESTART}\n\n## Forbidden\n\n{SILO}\n", "Refused"),
}


@pytest.mark.parametrize(("now", "heading"), MOVED.values(), ids=MOVED)
def test_a_passage_below_another_heading_is_to_be_read_with_both_headings(now: str, heading: str) -> None:
    old = f"# Oven\n\n## Allowed\n\n{RESTART}\n\n## Forbidden\n\n{SILO}\n"
    verdict = _verdict(old, f"# Oven\n\n{now}", body=RESTART)
    assert verdict.to_be_read
    assert verdict.findings[0].previous_excerpt == f"## Allowed\n\n{RESTART}"
    assert verdict.findings[0].source_excerpt == f"## {heading}\n\n{RESTART}"


def test_a_passage_that_begins_with_a_name_is_to_be_read_by_claims_about_others() -> None:
    body = "Keys expire after 30 days; call `rotate_keys` before that."
    old = "# Keys\n\nAPI keys expire after 30 days.\n\nOther things are on this page as well.\n"
    verdict = _verdict(old, old.replace("30", "10"), body=body)
    assert verdict.to_be_read
    assert verdict.findings[0].source_excerpt == "API keys expire after 10 days."


def test_an_unchanged_passage_about_the_same_does_not_hide_one_that_changed() -> None:
    old = PAGE + "\n## More\n\nFor uploads to exceed 8 MB is an error.\n"
    assert _verdict(old, old.replace("must not exceed 8 MB", "may exceed 8 MB")).to_be_read


def test_findings_that_are_not_shown_are_counted() -> None:
    lines = [f"The shelf `s{number}` in the cellar holds flour." for number in range(23)]
    old = "# Shelves\n\n" + "\n\n".join(lines)
    verdict = _verdict(old, old.replace("flour", "rye"), body="\n\n".join(lines))
    assert len(verdict.findings) == 20
    assert verdict.preserve_warnings[-1].endswith(": 3 more changed passages are not shown")
    assert "0 lost something that the entry states, 23 have to be read" in verdict.sources_checked[0].summary


def test_a_lost_fact_and_a_reworded_passage_are_drift_and_both_are_shown() -> None:
    new = PAGE.replace("120", "60").replace("Retries are enabled", "Retries are disabled")
    verdict = _verdict(PAGE, new)
    assert verdict.outcome is VerdictOutcome.MINOR_DRIFT
    assert not verdict.source_unverifiable
    assert [finding.drift_kind for finding in verdict.findings] == ["factual-error", "to-be-read"]


def test_an_added_passage_about_a_claim_is_to_be_read() -> None:
    added = "\nThe field `retry_after`, which says when retries happen, is off by default.\n"
    verdict = _verdict(PAGE, PAGE + added)
    assert verdict.to_be_read
    assert verdict.findings[0].previous_excerpt == ""
    assert verdict.findings[0].source_excerpt == added.strip()


UNTOUCHED = {
    "a stamp": ("3 May 2025", "9 June 2026"),
    "markup": ("`", ""),
    "the level of a heading": ("# Limits", "## Limits"),
    "emphasis": ("Every key", "**Every key**"),
    "wrapping": (" per minute", "\nper minute"),
}


@pytest.mark.parametrize(("before", "after"), UNTOUCHED.values(), ids=UNTOUCHED)
def test_a_change_beside_the_passages_of_the_entry_leaves_it_current(before: str, after: str) -> None:
    verdict = _verdict(PAGE, PAGE.replace(before, after))
    assert verdict.findings == ()
    assert verdict.outcome is VerdictOutcome.CURRENT
    assert not verdict.source_unverifiable


UNALIGNED = {
    "another passage": ("Invoices are sent on the first day", "Invoices are not sent on the last day"),
    "a banner": ("# Limits", "# Limits\n\nAll of the following was replaced by quotas.\n"),
}


@pytest.mark.parametrize(("before", "after"), UNALIGNED.values(), ids=UNALIGNED)
def test_a_change_that_is_aligned_with_nothing_is_to_be_read(before: str, after: str) -> None:
    verdict = _verdict(PAGE, PAGE.replace(before, after, 1))
    assert verdict.to_be_read
    assert all(finding.drift_kind == "to-be-read" for finding in verdict.findings)


def test_a_change_in_another_language_than_the_entry_is_to_be_read() -> None:
    old = "# 制限\n\n- 一分間に呼び出せるのは百回までです。\n- 請求書は月初に送られます。\n"
    verdict = _verdict(old, old.replace("百回", "五十回"))
    assert verdict.to_be_read and "五十回" in verdict.findings[0].source_excerpt


NEAR = {
    "another value": ("Bulk keys may send 10 requests", "Bulk keys may send 5 requests", ["to-be-read"]),
    "the same unit elsewhere": ("Downloads must not exceed 900 MB", "Downloads must not exceed 500 MB", []),
}


@pytest.mark.parametrize(("before", "after", "kinds"), NEAR.values(), ids=NEAR)
def test_a_value_that_the_entry_does_not_state_is_never_drift(before: str, after: str, kinds: list[str]) -> None:
    verdict = _verdict(PAGE, PAGE.replace(before, after))
    assert [finding.drift_kind for finding in verdict.findings] == kinds


def test_a_pinned_version_that_is_gone_is_drift_without_a_new_pin() -> None:
    old = PAGE + "\nThis is Limits 2.1.\n"
    verdict = _verdict(old, old.replace("2.1", "2.2"), pin="Limits 2.1")
    assert verdict.outcome is VerdictOutcome.MINOR_DRIFT
    assert verdict.proposed_version_pin is None
    finding = verdict.findings[0]
    assert (finding.claim_in_entry, finding.drift_kind) == ("version-pin: Limits 2.1", "factual-error")
    assert (finding.severity, finding.previous_excerpt) == ("P2", "This is Limits 2.1.")
    assert finding.source_excerpt == "This is Limits 2.2."
    assert "; none is aligned with the entry." in verdict.sources_checked[0].summary


def test_a_newer_number_beside_the_pinned_one_is_to_be_read() -> None:
    old = PAGE + "\nThis is Limits 2.1.\n"
    verdict = _verdict(old, old + "\nThere is a Limits 2.2.\n", pin="Limits 2.1")
    assert verdict.to_be_read
    assert verdict.proposed_version_pin is None
    assert verdict.findings[0].source_excerpt == "There is a Limits 2.2."


def test_a_name_that_the_source_contains_nowhere_any_more_is_drift() -> None:
    gone = "Archives are stored in the region `eu-west-1`. "
    verdict = _verdict(PAGE, PAGE.replace(gone, ""))
    (finding,) = verdict.findings
    assert finding.drift_kind == "removed"
    assert finding.source_excerpt == ""
    assert finding.previous_excerpt == gone.strip()


def test_a_passage_that_is_gone_without_a_fact_is_to_be_read() -> None:
    gone = "Retries are enabled by default. "
    verdict = _verdict(PAGE, PAGE.replace(gone, ""))
    assert verdict.to_be_read
    assert (verdict.findings[0].previous_excerpt, verdict.findings[0].source_excerpt) == (gone.strip(), "")


def test_without_an_old_text_a_baseline_is_taken() -> None:
    verdict = _verdict(None, PAGE)
    assert verdict.source_unverifiable
    assert verdict.outcome is VerdictOutcome.CURRENT
    assert verdict.findings == ()
    assert BASELINE in verdict.preserve_warnings[0]


CANT_TELL = {
    "unreadable": None,
    "empty": "",
    "a line": "Please sign in to continue.",
    "another subject": "Roses want sun. Cut them back in spring, water them in summer and leave them alone in winter. "
    * 5,
}


@pytest.mark.parametrize("new", CANT_TELL.values(), ids=CANT_TELL)
def test_texts_that_cannot_be_compared_are_unverifiable(new: str | None) -> None:
    verdict = _verdict(PAGE, new)
    assert verdict.source_unverifiable
    assert verdict.findings == ()
    assert verdict.preserve_warnings[0].startswith("https://example.org/limits#limits: ")


def test_an_entry_without_sources_is_unverifiable() -> None:
    entry = Entry("knowledge/limits.md", "entry", "limits", "Limits", "")
    assert audit(entry, BODY, [], today="2026-02-04").source_unverifiable


def test_each_source_is_compared_with_its_own_text() -> None:
    path = Source("path", "docs/limits.md")
    texts = [
        SourceTexts(SOURCE, PAGE, PAGE, "2026-02-03"),
        SourceTexts(path, PAGE, PAGE.replace("120", "60"), "2026-02-03"),
    ]
    entry = Entry("knowledge/limits.md", "entry", "limits", "Limits", "", sources=(SOURCE, path))
    verdict = audit(entry, BODY, texts, today="2026-02-04")
    assert [finding.evidence_url for finding in verdict.findings] == ["docs/limits.md"]
    assert [checked.url for checked in verdict.sources_checked] == [
        "https://example.org/limits#limits",
        "docs/limits.md",
    ]
    assert verdict.sources_checked[0].summary == "Unchanged."


def test_the_verdict_has_name_day_and_model() -> None:
    verdict = _verdict(PAGE, PAGE.replace("120", "60"))
    assert (verdict.entry_name, verdict.audit_date, verdict.model) == ("limits", "2026-02-04", MODEL)
    assert verdict.proposed_changes == ()


def test_an_entry_that_states_the_new_value_too_is_to_be_read() -> None:
    body = "Each key gets 60 requests per minute, 120 until last year."
    assert _verdict(PAGE, PAGE.replace("120", "60"), body=body).to_be_read


LINES = st.lists(st.sampled_from([*PAGE.splitlines(), "`", "| a | 5 |", "```", "no", "ß 東京"]) | st.text(max_size=40))


@given(LINES, LINES)
def test_quotes_occur_in_any_two_texts(old: list[str], new: list[str]) -> None:
    before, after = "\n".join(old), "\n".join(new)
    verdict = _verdict(before, after)
    assert verdict == _verdict(before, after)
    assert all(finding.source_excerpt in after for finding in verdict.findings)
    assert all(finding.previous_excerpt in before for finding in verdict.findings)


@given(st.text(max_size=400), st.text(max_size=400))
def test_the_same_text_is_current(text: str, body: str) -> None:
    verdict = _verdict(text, text, body=body)
    assert verdict.outcome is VerdictOutcome.CURRENT
    assert verdict.findings == ()


# --- by rank ----------------------------------------------------------------------------------------------------------

SHOPS = "\n\n".join(
    f"Chapter {number} explains how a {what} is packed, weighed and sent to the shops of the town."
    for number, what in enumerate(
        ["crate", "tray", "sack", "barrel", "bottle", "jar", "tin", "bucket", "basket", "pallet"]
    )
)
TOWED = "A van that breaks down on the way is towed by the garage in Mill Lane, and the driver calls the office."
LIST = "Drivers carry a telephone list with the number of the {}, two blankets and a torch."
SHAPED = "The dough rests in the cold room over night, covered with a cloth, and is shaped by the early shift."
EARLY = "Early birds come at {} and find {} prepared by those who stayed late, cloth and all."


def ranked(body: str, old: str, new: str, *others: str) -> Verdict:
    page = Entry("k/a.md", "entry", "night-shift", "Night shift", "", sources=(Source("url", "https://a.test/"),))
    texts = [SourceTexts(page.sources[0], *(f"# Guide\n\n{text}\n\n{SHOPS}\n" for text in (old, new)), "2026-01-01")]
    for number, other in enumerate(others):
        source = Source("url", f"https://b{number}.test/")
        texts.append(SourceTexts(source, f"# Other\n\n{other}\n", f"# Other\n\n{other}\n", "2026-01-01"))
    return audit(page, body, texts, today="2026-01-01")


@pytest.mark.parametrize(
    "claim, old, new",
    [
        (TOWED, LIST.format("garage"), LIST.format("insurer")),
        (SHAPED, EARLY.format("four", "everything"), EARLY.format("six", "nothing")),
    ],
)
def test_the_passage_of_a_claim_is_the_one_that_ranks_first(claim: str, old: str, new: str) -> None:
    verdict = ranked(claim, old, new)
    assert verdict.to_be_read and [one.claim_in_entry for one in verdict.findings] == [claim]
    assert verdict.findings[0].previous_excerpt == old and verdict.findings[0].source_excerpt == new


def test_a_weak_bond_gives_way_to_a_passage_that_stayed() -> None:
    old, new = LIST.format("garage"), LIST.format("insurer")
    better = "The garage in Mill Lane tows a van that breaks down."
    for found in (ranked(TOWED, f"{old}\n\n{better}", f"{new}\n\n{better}"), ranked(TOWED, old, new, better)):
        assert found.to_be_read and [one.claim_in_entry for one in found.findings] != [TOWED], "nothing is aligned"


def test_a_difference_at_the_end_of_a_long_passage_is_shown() -> None:
    long = "The oven of the night shift is heated with " + "birch and beech and " * 40 + "wood, and the door {} open."
    verdict = ranked(
        "The oven of the night shift is heated with wood.", long.format("stays"), long.format("is never left")
    )
    [finding] = verdict.findings
    assert "stays open" in finding.previous_excerpt and "is never left open" in finding.source_excerpt
    assert finding.source_excerpt in long.format("is never left") and len(finding.source_excerpt) <= 400
