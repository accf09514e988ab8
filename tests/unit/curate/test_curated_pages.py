"""What curated pages are called, and what they say."""

from dataclasses import replace

import pytest

from cairn.core.model.candidate import ProposedNode
from cairn.core.model.knowledge import Corpus
from cairn.curate.curated_pages import id_in, new_page


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Hold wedding orders for 48 hours with `place_order`", "hold-wedding-orders-with-place-order"),
        ("Cap uploads at 10 MB", "cap-uploads"),
        ("Deploy on Fridays after 16:00", "deploy-on-fridays"),
        ("Keep lines under 100 characters", "keep-lines-under-100-characters"),  # what is counted is part of it
        ("Use pnpm, not npm", "use-pnpm-not-npm"),
        ("Never retry more than three times", "never-retry-more-than-three-times"),
        ("Wait no longer than 30 seconds for a lock", "wait-no-longer-than-30-seconds-for-a-lock"),
        ("Python 3.11", "python-3-11"),  # hardly anything would be left
        ("3", "practice-3"),
    ],
)
def test_a_name_outlasts_the_value_in_the_title(title, name):
    node = ProposedNode(title, "practice", (), "", "", "high")
    assert id_in(Corpus("knowledge", "knowledge", "entries"), node) == name
    whole = id_in(Corpus("base", "base", "nodes"), node)
    assert whole.startswith("practice-") and ("48" in title) == ("48" in whole)


def test_a_page_says_what_it_says_once():
    node = ProposedNode("Never log payloads", "practice", ("logging",), "Never log payloads. Why: cards.", "", "high")
    text = new_page(
        Corpus("knowledge", "knowledge", "entries"),
        replace(node, body="Never log payloads.\n\nWhy: cards."),
        "never-log-payloads",
        ("log.md",),
    ).text
    assert text.partition("\n---\n")[2] == (
        "\n# Never log payloads\n\n## Deep Guidance\n\nNever log payloads.\n\nWhy: cards.\n"
    )
