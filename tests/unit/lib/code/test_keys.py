"""Paths to values, written and read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.code.keys import KeyPath, parse_key, render_key

steps = st.one_of(st.text(max_size=8), st.integers(0, 10**6))


@given(st.lists(steps, min_size=1, max_size=5).map(tuple))
def test_what_is_written_is_read_again(path: KeyPath) -> None:
    assert parse_key(render_key(path)) == path


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("project.version", ("project", "version")),
        ("a[0].b[12]", ("a", 0, "b", 12)),
        ("[0].a", (0, "a")),
        ("tool.'a.b'.c", ("tool", "a.b", "c")),
        ('"a b".c', ("a b", "c")),
        ("paths./users.get", ("paths", "/users", "get")),
        ("/a~1b/m~0n/0", ("a/b", "m~n", "0")),
        ("", None),
        (".a", None),
        ("a.", None),
        ("a..b", None),
        ("a.[0]", None),
        ("a[x]", None),
        ("a b", None),
    ],
)
def test_of_a_table(text: str, path: KeyPath | None) -> None:
    assert parse_key(text) == path
