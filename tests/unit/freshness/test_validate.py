"""Sources inside a house are fine where the operator of the machine says so, and nowhere else."""

import pytest

from cairn.core.model.knowledge import Corpus
from cairn.freshness.validate import validate_page
from cairn.lib.urls.url import Place, parse_places

CORPUS = Corpus("k", "k", "entries")
PAGE = """---
name: wiki
description: What the wiki says.
volatility: {volatility}
sources:
  - url: http://10.0.0.7:8080/page
  - url: https://example.org/page
---

## Deep Guidance

Read it.
"""


def rules(text: str, *places: Place) -> list[str]:
    reading, issues = validate_page("k/wiki.md", text.encode(), CORPUS, allowlist=None, vouched=places)
    assert reading is not None and (reading.entry is None) == bool(reading.errors)
    return [issue.message.split("`")[1] for issue in issues]


@pytest.mark.parametrize(
    ("places", "volatility", "expected"),
    [
        ("", "stable", ["sources[0].url"]),
        ("10.0.0.7:8080", "stable", []),
        ("10.0.0.7:80,10.0.0.8:8080", "stable", ["sources[0].url"]),
        ("10.0.0.7:8080", "sometimes", ["volatility"]),
    ],
)
def test_vouched_places(places: str, volatility: str, expected: list[str]) -> None:
    assert rules(PAGE.format(volatility=volatility), *parse_places(places)) == expected
