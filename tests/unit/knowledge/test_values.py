from datetime import date
from typing import Any

import pytest

from cairn.knowledge.values import Rule, choice, count, digest, nearest, parse_date, pattern, quoted, text, texts


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("a", "`a`"),
        (3, "`3`"),
        (None, "`null`"),
        (["a", 1], '`["a", 1]`'),
        ("a\n b", "`a b`"),
        ("x" * 61, f"`{'x' * 57}…`"),
    ],
)
def test_values_are_shown_on_one_short_line(value: object, shown: str) -> None:
    assert quoted(value) == shown


@pytest.mark.parametrize(
    ("word", "meant"),
    [("fast_moving", "fast-moving"), ("Fast Moving", "fast-moving"), ("stabel", "stable"), ("xyz", ""), (3, "")],
)
def test_what_was_probably_meant(word: object, meant: str) -> None:
    assert nearest(word, ("stable", "evolving", "fast-moving")) == meant


# a rule, a wrong value, what to write instead
FIXES: list[tuple[Rule, Any, str]] = [
    (text(), 3, "'3'"),
    (text(5), "too long", "shorten to 5 characters"),
    (pattern(r"[a-z][a-z0-9-]*", "be a slug"), "Python 3", "python-3"),
    (pattern(r"[a-z][a-z0-9-]*", "be a slug"), "3D Maps!", "d-maps"),
    (choice(("low", "high")), "hgih", "high"),
    (choice(("low", "high")), None, "low"),
    (texts(), "web", "[web]"),
    (texts(), None, "[]"),
    (digest(), "A" * 64, "sha256:" + "a" * 64),
    (digest(), "SHA256:" + "A" * 64, "sha256:" + "a" * 64),
    (digest(), "nonsense", "remove it"),
    (count(), 0, "1"),
]


@pytest.mark.parametrize(("rule", "value", "fix"), FIXES)
def test_what_to_write_instead(rule: Rule, value: Any, fix: str) -> None:
    (wrong,) = rule.check(value)
    assert wrong.fix == fix


@pytest.mark.parametrize(
    ("written", "day"),
    [("2026-01-31", date(2026, 1, 31)), ("2026-02-30", None), ("2026-1-31", None), ("20260131", None), (None, None)],
)
def test_dates_are_written_in_one_way(written: str | None, day: date | None) -> None:
    assert parse_date(written) == day
