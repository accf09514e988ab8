"""Which passages are worth comparing."""

import pytest

from cairn.observe.lens import LensDocument
from cairn.observe.lens_contradictions.pairs import candidate_pairs, passages_of

LIMIT = "The ingestion gateway accepts 100 requests per second."


def pairs(*texts: str) -> list[tuple[str, str]]:
    documents = [LensDocument(f"{name}.md", text) for name, text in zip("abcdefgh", texts, strict=False)]
    return [(pair.a.text, pair.b.text) for pair in candidate_pairs(documents)]


@pytest.mark.parametrize(
    "other",
    [
        "Each second the ingestion gateway takes 60 requests.",
        "- The gateway of the ingestion: 250 requests per second",
        "| ingestion gateway | 60 requests per second |",
    ],
)
def test_another_value_of_the_same_thing(other: str) -> None:
    assert pairs(f"# A\n\n{LIMIT}\n", f"# B\n\n{other}\n") == [(LIMIT, other)]


@pytest.mark.parametrize(
    "other",
    [
        LIMIT,
        "The bakery opens at 7 and closes at 18.",
        "```\nThe ingestion gateway accepts 60 requests per second.\n```",
        "<!-- -->",
    ],
    ids=["the same words", "another subject", "code", "nothing"],
)
def test_nothing_to_compare(other: str) -> None:
    assert pairs(f"# A\n\n{LIMIT}\n", f"# B\n\n{other}\n") == []


def test_names_that_differ() -> None:
    one, two = "Staging is deployed nightly from `develop`.", "A nightly job deploys `main` to staging."
    assert pairs(one, two) == [(one, two)]


def test_one_pair_for_each_cause() -> None:
    low = "The ingestion gateway accepts 60 requests per second."
    assert len(pairs(LIMIT, low, low, low)) == 1


def test_what_differs_in_no_value_comes_last() -> None:
    vague = "The ingestion gateway refuses requests by the second."
    found = pairs(LIMIT, "The ingestion gateway accepts 60 requests per second.", vague)
    assert vague not in found[0] and any(vague in pair for pair in found[1:])


def test_a_value_comes_before_a_name() -> None:
    found = pairs(
        f"{LIMIT}\n\nStaging is deployed nightly from `develop`.",
        "The ingestion gateway accepts 60 requests per second.\n\nA nightly job deploys `main` to staging.",
    )
    assert found[0][0] == LIMIT and len(found) == 2


def test_a_passage_knows_its_place() -> None:
    text = "---\nname: a\n---\n# A\n\n## B\n\nOne\ntwo.\n\n- three\n- four\n\n# C\n\nfive\n"
    found = [(one.line, one.headings, one.text) for one in passages_of(LensDocument("a.md", text))]
    assert found == [
        (8, ("A", "B"), "One\ntwo."),
        (11, ("A", "B"), "- three"),
        (12, ("A", "B"), "- four"),
        (16, ("C",), "five"),
    ]
