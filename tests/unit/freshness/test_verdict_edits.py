"""A verdict changes what it names, and nothing else of the page."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cairn.core.model.knowledge import Source
from cairn.errors import CairnError, Refused
from cairn.freshness.sections import sentence_replaced
from cairn.freshness.verdict_edits import apply_verdict, covers
from cairn.freshness.verdict_json import verdict_of
from cairn.lib.markdown.frontmatter import parse
from verdicts import GUIDE, PAGE, SPEC, TRUSTED, change, checked, entry_of, finding, verdict

TODAY = "2026-03-01"


def applied(text: str = PAGE, trusted: dict[str, str] = TRUSTED, **changes: Any) -> str:
    said = verdict_of(verdict(audit_date=TODAY, **changes))
    return apply_verdict(text, entry_of(text), said, trusted=trusted)


def differing(before: str, after: str) -> tuple[list[str], list[str]]:
    """Lines that went and lines that came."""
    old, new = before.splitlines(), after.splitlines()
    return [line for line in old if line not in new], [line for line in new if line not in old]


def test_a_confirmation_touches_dates_and_hashes_only() -> None:
    gone, came = differing(PAGE, applied())
    assert gone == ["last-reviewed: 2026-01-01", "    hash: sha256:" + "a" * 64]
    assert sorted(set(came)) == sorted(
        {
            "last-reviewed: 2026-03-01",
            f"    hash: {TRUSTED[GUIDE]}",
            f"    hash: {TRUSTED[SPEC]}",
            "    retrieved: 2026-03-01",
        }
    )
    assert parse(applied()).body == parse(PAGE).body


def test_a_page_that_cannot_be_verified_stays_as_it_is() -> None:
    assert applied(source_unverifiable=True, verdict="major-drift", proposed_changes=[change()], trusted={}) == PAGE


def test_superseded_takes_pin_and_edits_and_leaves_the_review_open() -> None:
    made = applied(verdict="superseded", proposed_version_pin=" 2025 ", proposed_changes=[change()])
    assert "last-reviewed: 2026-01-01" in made and "version-pin: '2025'" in made
    assert made.endswith("## Rules\n\n- Wait.\n")
    assert TRUSTED[SPEC] in made


@pytest.mark.parametrize(
    ("outcome", "pin", "kept"),
    [
        ("major-drift", "2025", False),
        ("major-drift", "", True),
        ("major-drift", " NULL ", True),
        ("superseded", "Undefined", True),
        ("minor-drift", "2025", True),
        ("current", "2025", True),
        ("major-drift", None, True),
    ],
)
def test_when_the_edition_moves(outcome: str, pin: str | None, kept: bool) -> None:
    assert ("version-pin: '2024'" in applied(verdict=outcome, proposed_version_pin=pin)) is kept


def test_edits_follow_one_another() -> None:
    made = applied(
        verdict="major-drift",
        proposed_changes=[
            change("insert", "## Rules", "## Limits\n\nSixty."),
            change("delete", "## Rules", None),
            change("replace", "## Limits", "## Limits\n\n60."),
        ],
    )
    assert made.endswith("```\n\n## Limits\n\n60.\n")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"entry_name": "other"}, "about `other`, but knowledge/http/rate-limits.md is `rate-limits`"),
        ({"proposed_changes": [change()]}, "`current` and yet proposes edits"),
        ({"verdict": "minor-drift", "proposed_changes": [change()]}, "`minor-drift` and yet proposes edits"),
        ({"sources_checked": [checked(GUIDE)]}, f"says nothing about the source {SPEC}"),
        ({"sources_checked": [checked(GUIDE), checked("https://example.org/spec")]}, "says nothing about the source"),
        ({"trusted": {GUIDE: TRUSTED[GUIDE]}}, f"Nobody fetched the source {SPEC}"),
        ({"proposed_changes": [change(location="## Gone")]}, "may have been edited since it was audited"),
        ({"proposed_changes": [change(location="## Not a heading")]}, "There is no section"),
        ({"proposed_changes": [change("delete", location="### Retries")]}, "no heading of the second level"),
        ({"proposed_changes": [change(location="Somebody's sentence.")]}, "is not in the page"),
        ({"proposed_changes": [change(location="Three times.", new_text="## Three")]}, "changes the headings"),
        ({"proposed_changes": [change(new_text=None)]}, "would replace at `## Rules` without saying what with"),
        ({"proposed_changes": [change("insert", new_text=" \n")]}, "would insert at"),
        ({"proposed_changes": [change("delete", "## Summary")]}, "would delete `## Summary`"),
        ({"proposed_changes": [change("delete", "## Deep Guidance")]}, "would delete `## Deep Guidance`"),
        ({"proposed_changes": [change("insert", "## Rules", "## Rules\n\nx")]}, "`rules` 2 times"),
        ({"proposed_changes": [change("insert", "## Rules", "## Rules (2026)\n\nx")]}, "adding an edition"),
    ],
)
def test_refused(changes: dict[str, Any], said: str) -> None:
    edits = changes.get("proposed_changes")
    outcome = {"verdict": "major-drift"} if edits and "yet proposes" not in said else {}
    with pytest.raises(Refused) as caught:
        applied(**outcome, **changes)
    assert said in str(caught.value)


def test_a_date_that_is_none() -> None:
    with pytest.raises(Refused, match="`audit_date` is `PENDING` and no day"):
        apply_verdict(PAGE, entry_of(), verdict_of(verdict()), trusted=TRUSTED)


def test_one_address_may_serve_several_anchors() -> None:
    by_address = {GUIDE: TRUSTED[GUIDE], "https://example.org/spec": TRUSTED[SPEC]}
    assert applied(trusted=by_address) == applied()


def test_what_is_no_source_keeps_its_place() -> None:
    odd = PAGE.replace("sources:\n", "sources:\n  - just words\n")
    assert applied(odd).replace("  - just words\n", "") == applied()


def test_byte_order_mark_and_line_ends_stay() -> None:
    windows = "\ufeff" + PAGE.replace("\n", "\r\n")
    made = apply_verdict(
        windows,
        entry_of(PAGE),
        verdict_of(verdict(audit_date=TODAY, verdict="major-drift", proposed_changes=[change()])),
        trusted=TRUSTED,
    )
    assert made == "\ufeff" + applied(verdict="major-drift", proposed_changes=[change()]).replace("\n", "\r\n")


def test_both_hashes_and_the_version_of_the_text() -> None:
    said = verdict_of(verdict(audit_date=TODAY))
    made = apply_verdict(PAGE, entry_of(), said, trusted=TRUSTED, raw={GUIDE: "sha256:" + "e" * 64}, canon=1)
    sources = parse(made).frontmatter["sources"]
    assert sources[0]["raw"] == "sha256:" + "e" * 64 and "raw" not in sources[1]
    assert [source["canon"] for source in sources] == [1, 1]


def test_places_in_the_repository() -> None:
    page = PAGE.replace("url: https://example.org/guide", "path: src/limits.py#per_minute")
    said = verdict_of(verdict(audit_date=TODAY, sources_checked=[checked("src/limits.py#per_minute"), checked(SPEC)]))
    trusted = {"src/limits.py#per_minute": TRUSTED[GUIDE], SPEC: TRUSTED[SPEC]}
    made = apply_verdict(page, entry_of(page), said, trusted=trusted, canon=1)
    assert parse(made).frontmatter["sources"][0] == {
        "path": "src/limits.py#per_minute",
        "hash": TRUSTED[GUIDE],
        "retrieved": TODAY,
    }


def test_applied_twice_is_applied_once() -> None:
    once = applied(verdict="major-drift", proposed_changes=[change()], proposed_version_pin="2025")
    assert applied(once, verdict="major-drift", proposed_changes=[change()], proposed_version_pin="2025") == once


SECTIONS = ["## Summary", "## Deep Guidance", "## Rules", "## Extra", "## More"]
LINES = st.lists(
    st.sampled_from(["words", "", "```\n## Rules\n```", "- item", "    ## code", "~~~~\n~~~\n## More\n~~~~", "é"]),
    max_size=6,
)


@settings(deadline=None)
@given(
    st.lists(LINES, min_size=5, max_size=5),
    st.lists(st.tuples(st.sampled_from(SECTIONS), st.sampled_from(["replace", "insert", "delete"])), max_size=3),
    st.sampled_from(["current", "minor-drift", "major-drift", "superseded"]),
)
def test_only_what_the_verdict_names_changes(
    texts: list[list[str]], edits: list[tuple[str, str]], outcome: str
) -> None:
    body = "".join(
        f"{title}\n\n" + "".join(f"{line}\n" for line in text) + "\n"
        for title, text in zip(SECTIONS, texts, strict=True)
    )
    page = PAGE[: PAGE.index("## Summary")] + body
    texts_of = {
        "replace": lambda at: f"{at}\n\nnew",
        "insert": lambda at: f"## New after {at[3:]}\n\nnew",
        "delete": lambda at: None,
    }
    proposed = [change(kind, at, texts_of[kind](at)) for at, kind in edits]
    try:
        made = applied(page, verdict=outcome, proposed_changes=proposed)
    except CairnError:
        assert proposed
        return
    before, after = parse(page), parse(made)
    for key in before.frontmatter.keys() - {"last-reviewed", "sources"}:
        assert before.frontmatter[key] == after.frontmatter[key]
    assert "# do not rename" in made and "# the one with the numbers" in made
    named = {at for at, _ in edits}
    assert after.body.startswith(before.body[: before.body.index("## Summary")])
    for title, text in zip(SECTIONS, texts, strict=True):
        if title not in named:
            assert (f"{title}\n\n" + "".join(f"{line}\n" for line in text)).rstrip() in made
    if not edits:
        assert before.body == after.body


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


LIMIT, LOWER = "Clients may call 100 times a minute.", "Clients may call 60 times a minute."


def replaced(old: str = LIMIT, new: str = LOWER, **more: Any) -> dict[str, Any]:
    given = {"verdict": "major-drift", "findings": [{**finding(url=GUIDE), "claim_in_entry": old}]}
    return {**given, "proposed_changes": [change(location=old, new_text=new)], **more}


def test_a_sentence_is_replaced_and_nothing_else() -> None:
    gone, came = differing(PAGE, applied(**replaced()))
    assert [line for line in gone if "hash" not in line and "last-reviewed" not in line] == [LIMIT]
    assert LOWER in came and f"last-reviewed: {TODAY}" in came, "its finding is answered"


def test_a_sentence_of_the_summary_is_replaced_there() -> None:
    made = applied(**replaced("How often clients may call.", "How often clients may call a day."))
    assert 'description: "How often clients may call a day."' in made


def test_a_sentence_that_holds_the_old_one_is_answered_all_the_same() -> None:
    assert f"last-reviewed: {TODAY}" in applied(**replaced(new=f"{LIMIT[:-1]}, and 10 times a second."))


def test_a_sentence_that_nobody_replaced_stays_open() -> None:
    more = {**finding(url=SPEC), "claim_in_entry": "Wait a second between calls."}
    made = applied(**replaced(findings=[{**finding(url=GUIDE), "claim_in_entry": LIMIT}, more]))
    assert LOWER in made and "last-reviewed: 2026-01-01" in made and f"drifted: {TODAY}" in made


@pytest.mark.parametrize(
    ("text", "sentence", "new", "made"),
    [
        ("It is 10. It is 100.", "It is 10", "It is 20", "It is 20. It is 100."),
        ("Twice: a b.\n\nTwice: a b.", "Twice: a b.", "Once.", "Once.\n\nOnce."),
        ("| a | 10 |", "| a | 10 |", "| a | 20 |", "| a | 20 |"),
        ("resend", "send", "get", None),
        (r"a\1b", r"a\1b", r"\g<0>", r"\g<0>"),
        ("", "x", "y", None),
    ],
)
def test_sentence_replaced(text: str, sentence: str, new: str, made: str | None) -> None:
    assert sentence_replaced(text, sentence, new) == made
