"""What a reader sees of a source that changed."""

from cairn.core.model.change import Taint
from cairn.core.model.verdict import FACTUAL_ERROR, Verdict, VerdictFinding, VerdictOutcome
from cairn.freshness.extractive.claims import claims
from cairn.freshness.questions.still_true.about_entry import LONGEST_SOURCE, ComparedText, question_about
from cairn.freshness.questions.still_true.differing_passages import MOST_CHANGED, differing_passages
from verdicts import PAGE, entry_of

OLD = """# Client

The client waits for an answer as long as it takes to get one.

## Limits

Clients may call 100 times a minute. The window starts with the first call.

Wait a second between calls.

## History

The project began in 2019.
"""
NEW = OLD.replace("100 times", "60 times").replace("Wait a second between calls.", "").replace("2019", "2018")
BODY = "Clients may call 100 times a minute.\n\nWait a second between calls.\n"
ENTRY = entry_of()


def lines(sections):
    return [(section["heading"], one["mark"], one["text"]) for section in sections for one in section["passages"]]


def test_both_sides_stand_in_the_order_of_the_text_with_their_neighbours():
    shown = differing_passages(claims(ENTRY, BODY), OLD, NEW)
    assert shown.left_out == 0
    assert lines(shown.sections) == [
        ("Client", "kept", "The client waits for an answer as long as it takes to get one."),
        ("Limits", "gone", "Clients may call 100 times a minute."),
        ("Limits", "new", "Clients may call 60 times a minute."),
        ("Limits", "kept", "The window starts with the first call."),
        ("Limits", "gone", "Wait a second between calls."),
        ("History", "gone", "The project began in 2019."),
        ("History", "new", "The project began in 2018."),
    ]


def test_passages_that_may_still_state_it_are_shown():
    more = "\n## Quotas\n\nEvery client may call 100 times a minute, on every plan.\n"
    shown = differing_passages(claims(ENTRY, BODY), OLD + more, NEW + more)
    assert ("Quotas", "kept", "Every client may call 100 times a minute, on every plan.") in lines(shown.sections)


def test_of_very_many_changes_those_about_the_entry_are_shown():
    noise = "\n".join(
        f"\nChapter {n} of the manual is about gardens and their {n} kinds of flowers." for n in range(600)
    )
    old, new = OLD + noise, NEW + noise.replace("gardens", "houses and gardens")
    shown = differing_passages(claims(ENTRY, BODY), old, new)
    assert ("Limits", "new", "Clients may call 60 times a minute.") in lines(shown.sections)
    assert shown.left_out > 0 and sum(len(text) for *_, text in lines(shown.sections)) < MOST_CHANGED * 2


def verdict_with(*claims_lost):
    found = tuple(VerdictFinding(claim, "u", "d", "e", "P2", FACTUAL_ERROR) for claim in claims_lost)
    return Verdict(ENTRY.name, "2026-03-01", "extractive/2", VerdictOutcome.MINOR_DRIFT, (), found)


def test_a_source_is_shown_whole_where_nobody_kept_its_old_text():
    texts = [
        ComparedText("https://a.example/", None, "x" * (LONGEST_SOURCE + 1)),
        ComparedText("b.md", OLD, OLD, False),
    ]
    asked = question_about(ENTRY, BODY, texts, verdict_with("Wait a second between calls.", "version-pin: 2024"))
    whole, same = asked.input["sources"]
    assert (whole["standing"], whole["cut"], len(whole["text"])) == ("whole", True, LONGEST_SOURCE)
    assert same["standing"] == "same" and ("Limits", "kept", "Wait a second between calls.") in lines(same["sections"])
    assert asked.input["lost"] == ["Wait a second between calls."]
    assert asked.taint is Taint.OUTSIDE and asked.subject == ENTRY.path


def test_a_page_that_was_rewritten_is_shown_whole():
    asked = question_about(
        ENTRY, BODY, [ComparedText("b.md", OLD, "Entirely different things. " * 40, False)], verdict_with()
    )
    assert asked.input["sources"][0]["standing"] == "whole" and asked.taint is Taint.REPOSITORY


def test_the_question_is_about_the_text_and_not_about_dates_and_hashes():
    texts = [ComparedText("b.md", OLD, NEW, False)]
    first = question_about(ENTRY, BODY, texts, verdict_with())
    assert (
        first.hash
        == question_about(entry_of(PAGE.replace("2026-01-01", "2026-02-02")), BODY, texts, verdict_with()).hash
    )
    assert first.hash != question_about(ENTRY, BODY + "More.\n", texts, verdict_with()).hash
    assert (
        first.hash != question_about(ENTRY, BODY, [texts[0]._replace(new=NEW + "\nMore of it.\n")], verdict_with()).hash
    )
