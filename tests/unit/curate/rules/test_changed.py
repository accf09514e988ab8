"""What was changed is told as it is since."""

import pytest

from cairn.curate.rules.changed import changed


@pytest.mark.parametrize(
    ("said", "kind", "statement", "reason"),
    [
        ("we switched from npm to pnpm last month", "practice", "Use pnpm, not npm", ""),
        ("we moved to pnpm, please use it", "practice", "Use pnpm", ""),
        ("We've replaced moment with date-fns.", "practice", "Use date-fns, not moment", ""),
        (
            "we dropped celery in favour of arq, nobody could debug it",
            "practice",
            "Use arq, not celery",
            "nobody could debug it",
        ),
        ("we no longer use celery", "practice", "Don't use celery", ""),
        ("we don't use redux anymore, it's zustand now", "practice", "Use zustand, not redux", ""),
        ("we migrated the queue to nats", "practice", "Use nats for the queue", ""),
        ("jenkins is gone, we use `buildkite`", "practice", "Use `buildkite`, not jenkins", ""),
        ("the limit went up to 500 requests a minute", "map", "The limit is 500 requests a minute", ""),
        ("our retention is 90 days now, legal asked for it", "map", "Our retention is 90 days", "legal asked for it"),
    ],
)
def test_how_it_is_since(said, kind, statement, reason):
    assert changed(said) == (kind, statement, reason)


@pytest.mark.parametrize(
    "said",
    [
        "we switched to the next ticket",
        "we moved to main and pulled",
        "maybe we switched to pnpm",
        "we switched to pnpm in this branch",
        "we stopped using feature flags for that",
        "the retention is 90 days",
        "the build is green now",
        "use pnpm",
        "",
    ],
)
def test_what_tells_of_no_change(said):
    assert changed(said) is None


@pytest.mark.parametrize(
    "said", ["we switched from " + "a " * 300, "the " + "b " * 300 + "is now", "we moved the " + "x-" * 300]
)
def test_long_sentences_come_to_an_end(said):
    assert changed(said) is None
