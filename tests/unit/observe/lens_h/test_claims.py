"""What a sentence claims, in parts."""

import pytest

from cairn.observe.lens import Document
from cairn.observe.lens_h.claims import Claim, claims
from cairn.observe.lens_h.passages import passages


def read(text: str) -> list[Claim]:
    return [claim for passage in passages(Document("docs/setup.md", text)) for claim in claims(passage)]


FORCES = {
    "Workers retry deliveries.": "plain",
    "Workers must retry deliveries.": "must",
    "Workers have to retry deliveries.": "must",
    "Workers should retry deliveries.": "should",
    "Workers may retry deliveries.": "may",
    "Workers must not retry deliveries.": "deny",
    "Never retry deliveries.": "deny",
    "Avoid retried deliveries.": "deny",
    "Workers don't retry deliveries.": "deny",
    "Workers do not have to retry deliveries.": "free",
    "Retried deliveries are optional.": "free",
    "Retried deliveries are not required.": "free",
    "Required deliveries are retried.": "plain",
}


@pytest.mark.parametrize(("text", "force"), FORCES.items())
def test_force(text: str, force: str):
    assert {claim.force for claim in read(text)} == {force}


VALUES = {
    "Tokens last 15 minutes.": ("900 s",),
    "Tokens last 900 seconds.": ("900 s",),
    "The queue holds 5 GB.": ("5000000000 B",),
    "Builds need Python 3.10.": ("3.10",),
    "A merge needs one approval.": ("1",),
    "`every` defaults to `5m`.": ("300 s",),
    "`strict` is off by default.": ("is false",),
}


@pytest.mark.parametrize(("text", "values"), VALUES.items())
def test_values(text: str, values: tuple[str, ...]):
    assert values in {claim.values for claim in read(text)}


HEDGED = [
    "A build takes about 5 minutes.",
    "A build takes 5 to 10 minutes.",
    "See step 4 of the build.",
    "Builds fail 3 or 4 times.",
    "404 is for pages that are gone.",
]


@pytest.mark.parametrize("text", HEDGED)
def test_numbers_that_hold_nobody(text: str):
    assert all(claim.hedged for claim in read(text) if claim.kind == "statement")


NOTHING = [
    "Is the cache shared?",
    "We used to share the cache.",
    "Imagine a shared cache.",
    "> The cache is shared.",
    "```\nthe cache is shared\n```",
    "## Common mistakes\n\nShare the cache.",
    "Wrong: share the cache.",
    "It is shared.",
]


@pytest.mark.parametrize("text", NOTHING)
def test_sentences_that_claim_nothing(text: str):
    assert read(text) == []


def test_clauses_stand_for_themselves():
    first = read("Backups are kept for 30 days, and are encrypted at rest.")[0]
    assert first.subject == read("Backups are kept for 30 days.")[0].subject


def test_a_row_of_a_table_gives_a_default():
    [claim] = read("| Key | Type | Default |\n|---|---|---|\n| `pool_size` | int | 9 |\n")
    assert (claim.kind, claim.values, claim.line) == ("default", ("9",), 3)
