"""Which differences a reader would notice."""

import pytest

from cairn.freshness.signature import Interface, difference, only_adds, signature
from cairn.kernel.code.model import Symbol


def interface(shown: str, **parts: str) -> Interface:
    return Interface(Symbol("a.py", "f", "function", 1, 1, shown, shown, shown), parts)


@pytest.mark.parametrize(
    ("old", "new", "adds"),
    [
        ("f(a)", "f(a, b=1)", True),
        ("f(a)", "f(a, *, b=1)", True),
        ("f(a)", "f(a, **options)", True),
        ("f(a)", "f(a: int) -> str", True),
        ("f(a: int = 3)", "f(a: float = 3)", True),
        ("f(a, *, c=1)", "f(a, *, b=2, c=1)", True),
        ("f(a, **more)", "f(a, b=1, **more)", False),
        ("f(a)", "f(a, b)", False),
        ("f(a, b=1)", "f(a, b=2)", False),
        ("f(a, b=1)", "f(a)", False),
        ("f(a, b)", "f(b, a)", False),
        ("f(a)", "f(b=1, a=2)", False),
        ("f(a)", "async f(a)", False),
        ("f(a=(1, 2), b='x, y')", "f(a=(1, 2), b='x, y', c={1: 2})", True),
        ("f(a=(1, 2))", "f(a=(1, 3))", False),
        ("f(a, b…", "f(a, b, c=1…", True),
        ("f(a, b…", "f(b, c)", False),
        ("f(a, b)", "f(a, b, c, d…", False),
    ],
)
def test_what_only_adds(old: str, new: str, adds: bool) -> None:
    assert only_adds(interface(old), interface(new)) is adds


def test_values_only_add_nothing() -> None:
    assert not only_adds(interface("A = 1"), interface("A = 1"))


def test_a_default_that_is_out_of_sight() -> None:
    assert not only_adds(interface("f(a, …", b="b=1"), interface("f(a, …", b="b=2"))
    assert not only_adds(interface("f(a, …", b="b=1"), interface("f(a, …"))
    assert only_adds(interface("f(a: int, …", b="b=1"), interface("f(a: str, …", b="b=1", c="c=2"))


def test_parameters() -> None:
    found = signature("async f(a, /, b: dict[str, int] = {}, *rest, c='(')")
    assert found is not None
    assert found.asynchronous
    assert [parameter.name for parameter in found.parameters] == ["a", "/", "b", "*rest", "c"]
    assert [parameter.default for parameter in found.parameters] == [None, None, "{}", None, "'('"]
    assert signature("X = 3") is None


@pytest.mark.parametrize(
    ("text", "old_stands", "new_said"),
    [
        ("It waits 30 seconds.", True, False),
        ("It waits 60 seconds.", False, True),
        ("From 30 to 60.", True, False),
        ("It waits 300 seconds, or 1.30.", False, False),
        ("`timeout=30`", True, False),
    ],
)
def test_what_a_sentence_says_of_a_change(text: str, old_stands: bool, new_said: bool) -> None:
    apart = difference("f(host, timeout=30)", "f(host, timeout=60)")
    assert (apart.stands_in(text), apart.is_said_by(text)) == (old_stands, new_said)
