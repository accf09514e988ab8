"""What no reader knows the form of, and is told all the same; and what only looks like it."""

import pytest

from cairn.curate.rules.signs import WEIGHTS, Around, may_last, signs, telling

REACTS = Around(reacts=True)
CORRECTS = Around(corrects=True, reacts=True)


@pytest.mark.parametrize(
    ("sentence", "around", "kind", "statement", "reason"),
    [
        (
            "tenants without a `region` land in eu-west, billing depends on that order",
            REACTS,
            "practice",
            "Tenants without a `region` land in eu-west, billing depends on that order",
            "",
        ),
        (
            "retries past 3 go straight to the dead letter queue, because the broker bills by message",
            CORRECTS,
            "practice",
            "Retries past 3 go straight to the dead letter queue",
            "the broker bills by message",
        ),
        (
            "the exporter lives in `tools/export` next to the schema it reads",
            REACTS,
            "map",
            "The exporter lives in `tools/export` next to the schema it reads",
            "",
        ),
    ],
)
def test_more_speaks_for_it(sentence, around, kind, statement, reason):
    assert telling(sentence, around) == (kind, statement, reason)


@pytest.mark.parametrize(
    ("sentence", "around"),
    [
        ("why do tenants without a `region` land in eu-west?", REACTS),
        ("for now tenants without a `region` land in eu-west", REACTS),
        ("we moved tenants without a `region` to eu-west yesterday", REACTS),
        ("otherwise tenants without a `region` land in eu-west, because of billing", CORRECTS),
        ("rename the tenants without a `region`, because billing depends on it", CORRECTS),
        ("it lands in `eu-west`, because billing depends on the order", CORRECTS),
        ("tenants without a `region` land in eu-west, billing depends on that order", Around(in_task=True)),
        ("looks good", REACTS),
        ("maybe tenants land in `eu-west`", REACTS),
        ("tenants without a `region` land in eu-west, move them", CORRECTS),
        ("we decided to keep it so: tenants land in eu-west, because billing depends on it", CORRECTS),
    ],
)
def test_more_speaks_against_it(sentence, around):
    assert telling(sentence, around) is None


def test_every_weight_is_of_a_sign_that_can_be_seen():
    texts = [
        "Please don't; I think this must not fail, because if it lives in `a` or `b/c` we never see 3 errors - ok?",
        "use `a`",
        "move it, from now on",
        "tests must wait",
        "we prefer one name over another",
        "it is a sentence of some seven words",
    ]
    around = Around(True, True, True, True, True)
    seen = frozenset().union(*(signs(text, around, corrects=True, rule=True) for text in texts))
    assert {"base", *seen} >= set(WEIGHTS)
    assert not may_last(frozenset())
