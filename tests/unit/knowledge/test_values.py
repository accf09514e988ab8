from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model.knowledge import Source
from cairn.knowledge.values import (
    ValueRule,
    check_path,
    check_source,
    check_url,
    choice,
    count,
    digest,
    inside,
    nearest,
    parse_date,
    pattern,
    quoted,
    take_source,
    take_sources,
    text,
    texts,
)


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
FIXES: list[tuple[ValueRule, Any, str]] = [
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
def test_what_to_write_instead(rule: ValueRule, value: Any, fix: str) -> None:
    (wrong,) = rule.check(value)
    assert wrong.fix == fix


@pytest.mark.parametrize(
    ("written", "day"),
    [("2026-01-31", date(2026, 1, 31)), ("2026-02-30", None), ("2026-1-31", None), ("20260131", None), (None, None)],
)
def test_dates_are_written_in_one_way(written: str | None, day: date | None) -> None:
    assert parse_date(written) == day


# what is written, and what the model makes of it
TAKEN: dict[str, tuple[dict[str, Any], Source | None]] = {
    "a url": ({"url": " https://example.org/a "}, Source("url", "https://example.org/a")),
    "an anchor": ({"url": "https://a.example", "anchor": "#b"}, Source("url", "https://a.example", "#b")),
    "an anchor without mark": ({"url": "https://a.example", "anchor": "b"}, Source("url", "https://a.example", "#b")),
    "a fragment": ({"url": "https://a.example/#b"}, Source("url", "https://a.example/", "#b")),
    "a fragment and an anchor": (
        {"url": "https://a.example/#b", "anchor": "#c"},
        Source("url", "https://a.example/", "#c"),
    ),
    "a path": ({"path": "./src//app.py"}, Source("path", "src/app.py")),
    "a symbol": ({"path": "src/app.py#Client.connect"}, Source("path", "src/app.py", "Client.connect")),
    "lines": ({"path": "a.md#L10-L20"}, Source("path", "a.md", "L10-L20")),
    "a symbol beside": ({"path": "a.py", "anchor": "#b"}, Source("path", "a.py", "b")),
    "a path through a parent": ({"path": "a/../b.py"}, Source("path", "b.py")),
    "a path outside": ({"path": "a/../../b.py"}, None),
    "both": ({"url": "https://a.example", "path": "a.py"}, Source("url", "https://a.example")),
    "nothing": ({"url": "#b"}, None),
    "an unreadable hash is kept": ({"path": "a", "hash": "md5:1"}, Source("path", "a", hash="md5:1")),
}


@pytest.mark.parametrize(("item", "expected"), TAKEN.values(), ids=TAKEN)
def test_what_is_understood(item: dict[str, Any], expected: Source | None) -> None:
    assert take_source(item) == expected


@pytest.mark.parametrize("value", [None, "https://a.example", {"url": "https://a.example"}, 3])
def test_what_is_no_list_has_no_sources(value: Any) -> None:
    assert take_sources(value) == ()


@pytest.mark.parametrize(
    ("path", "expected"),
    [("a/b", "a/b"), ("a/./b/", "a/b"), ("a/../b", "b"), ("..", None), ("a/../..", None), (".", None), ("", None)],
)
def test_paths_inside_of_the_repository(path: str, expected: str | None) -> None:
    assert inside(path) == expected


PARTS = st.lists(st.sampled_from(["..", ".", "a", "", "b c", "#", "\\", "/", "~", "C:", "http:", "\n"]), max_size=6)


@given(PARTS.map("/".join) | st.text(max_size=20))
def test_a_path_that_passes_never_leaves_the_repository(path: str) -> None:
    taken = take_source({"path": path})
    if not list(check_path(path)):
        assert taken is not None
    if taken is not None:
        assert not taken.target.startswith("/")
        assert ".." not in taken.target.split("/")


@given(st.text(max_size=30) | st.sampled_from(["http://", "https://:80", "http://[::1", "https://\ud800"]))
def test_any_text_may_stand_where_a_url_should(text: str) -> None:
    assert all(wrong.said for wrong in check_url(text))


@given(st.dictionaries(st.sampled_from(["url", "path", "hash", "x", "anchor"]), st.none() | st.text() | st.integers()))
def test_what_is_no_source_at_all_is_told_so(item: dict[str, Any]) -> None:
    if not list(check_source(item, strict=True)):
        assert take_source(item) is not None
