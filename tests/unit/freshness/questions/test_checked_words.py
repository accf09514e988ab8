"""Words of a new sentence that stand in nothing that a reader was shown."""

import pytest

from cairn.freshness.questions.checked_words import strange_words

BLOCK = '"packageRules": [\n  {\n    "matchCategories": ["python"],\n    "enabled": false\n  }\n]'


@pytest.mark.parametrize(
    ("new", "shown", "expected"),
    [
        ("Set `retries` to 3.", "`retries` is 3 now.", []),
        ("Set `attempts` to 3.", "`retries` is 3 now.", ["attempts"]),
        # A block on one line.
        ('Use `"packageRules": [{"matchCategories": ["python"], "enabled": false}]`.', BLOCK, []),
        ('Use `"packageRules": [{"matchCategories": ["ruby"], "enabled": false}]`.', BLOCK, None),
        # A command whose words stand apart in a diff.
        ("Run `pnpm dedupe --lockfile-only`.", "cmd = `pnpm dedupe ${args}`; args = '--lockfile-only'", []),
        (
            "Run `pnpm dedupe --force`.",
            "cmd = `pnpm dedupe ${args}`; args = '--lockfile-only'",
            ["pnpm dedupe --force"],
        ),
        # One sign as code does not shift the pairs behind it.
        ("With `*`, or no `header`; without it, `auto` decides.", "`*` `header` `auto`", []),
        # Two backticks around one.
        ("Write `` a`b `` there.", "a`b", []),
    ],
)
def test_strange_words_of_code(new: str, shown: str, expected: list[str] | None) -> None:
    found = list(strange_words(new, [shown]))
    assert found == expected if expected is not None else found
