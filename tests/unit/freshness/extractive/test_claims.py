"""Facts that a claim states, and whether a passage lost them."""

import pytest

from cairn.core.model.knowledge import Entry
from cairn.freshness.extractive.claims import Claim, claims, facts_of, lost
from cairn.freshness.extractive.passages import Passage, passages


def claim(text: str) -> Claim:
    return claims(Entry("k/a.md", "entry", "a", "A", ""), text)[0]


def passage(text: str) -> Passage:
    return passages(text, shortest=0)[0]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Wait 30 seconds, then call `retry`.", ["30 seconds", "retry"]),
        ("Set max_size in config/app.yaml to 1.2.3.", ["max_size", "config/app.yaml", "1.2.3"]),
        ("It is a real-time, built-in and WELL KNOWN thing.", []),
        ("Pass --dry-run to fooBar.", ["--dry-run", "fooBar"]),
    ],
)
def test_facts_are_values_code_like_names_and_words_in_backticks(text: str, facts: list[str]) -> None:
    assert [fact.text for fact in facts_of(claim(text))] == facts


LOST = {
    "another value": ("Wait 30 seconds.", "You wait 30 seconds.", "You wait 60 seconds.", ["30 seconds"]),
    "the value in another unit": ("Wait 5 minutes.", "You wait 5 minutes.", "You wait 300 s.", []),
    "a renamed word in backticks": (
        "Set `retries`.",
        "The field retries counts.",
        "The field tries counts.",
        ["retries"],
    ),
    "a name in another spelling": ("Use `node.js`.", "Runs on node.js.", "Runs on Node JS.", []),
    "a longer name": ("Set `max_conn`.", "max_conn is 5.", "max_connections is 5.", ["max_conn"]),
    "another currency": ("It costs $20.", "The price is $20.", "The price is €18.", []),
    "a fact that the old passage had not": ("Wait 30 seconds.", "You wait.", "You wait long.", []),
}


@pytest.mark.parametrize(("said", "old", "new", "expected"), LOST.values(), ids=LOST)
def test_a_fact_is_lost_when_only_the_old_passage_states_it(said: str, old: str, new: str, expected: list[str]) -> None:
    one = claim(said)
    pair = (passage(old), passage(new))
    assert [fact.text for fact in facts_of(one) if lost(fact, pair, (), one)] == expected


def test_a_fact_that_moved_into_the_next_sentence_is_not_lost() -> None:
    one = claim("Wait 30 seconds.")
    pair = (passage("You wait 30 seconds."), passage("You wait."))
    assert not any(lost(fact, pair, (passage("It takes 30 seconds."),), one) for fact in facts_of(one))
