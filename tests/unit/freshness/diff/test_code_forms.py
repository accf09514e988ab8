"""What a name in a code block belongs to."""

import pytest

from cairn.freshness.diff.code_forms import call_of, object_of


@pytest.mark.parametrize(
    ("before", "callee"),
    [
        ("f(", "f"),
        ("client.open(path, ", "client"),
        ("g(f(a), ", "g"),
        ("f(a, {b: 1}, ", "f"),
        ("f(a, [b], ", "f"),
        ("f({", ""),
        ("x = [", ""),
        ("f(a)", ""),
        ("", ""),
    ],
)
def test_call_of_names_the_callee_whose_brackets_are_open(before: str, callee: str) -> None:
    assert call_of(before) == callee


@pytest.mark.parametrize("before", ["}", "f(x}", "a }", "}}}}", "f(a) }", ")", "]", "((("])
def test_call_of_ends_on_brackets_that_do_not_match(before: str) -> None:
    assert call_of(before) == ""


@pytest.mark.parametrize(("before", "name"), [("df.filter(a).", "df"), ("a->b->", "a"), ("a", ""), ("}.", "")])
def test_object_of_names_the_start_of_the_chain(before: str, name: str) -> None:
    assert object_of(before) == name
