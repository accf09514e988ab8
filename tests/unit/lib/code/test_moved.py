"""Where a symbol went."""

import pytest

from cairn.lib.code.model import Outline, Symbol
from cairn.lib.code.moved import same_elsewhere
from cairn.lib.code.read import outline

LONG = "def {name}(a):\n    b = a + 1\n    return {call}\n"


def symbol(found: Outline, name: str) -> Symbol:
    return next(one for one in found.symbols if one.name == name)


@pytest.mark.parametrize(
    ("before", "name", "after", "expected"),
    [
        pytest.param("X = 1\n", "X", {"b.py": "X = 1\n"}, "b.py#X", id="to another file"),
        pytest.param("X = 1\n", "X", {"b.py": "X = 2\n"}, "b.py#X", id="to another file, with another value"),
        pytest.param("X = 1\n", "X", {"a.py": "Y = 1\n"}, "a.py#Y", id="a new name"),
        pytest.param("X = 1\n", "X", {"b.py": "Y = 1\n"}, None, id="a short one in another file is an accident"),
        pytest.param("X = 1\n", "X", {"a.py": "Y = 1\nZ = 1\n"}, None, id="two that look alike"),
        pytest.param("X = 1\n", "X", {"b.py": "X = 1\n", "c.py": "X = 1\n"}, None, id="two of the name"),
        pytest.param("X = 1\n", "X", {"b.py": "X = 1\n", "c.py": "X = 2\n"}, "b.py#X", id="of two the same"),
        pytest.param("X = 1\n", "X", {"b.py": "def X(): ...\n"}, None, id="another kind"),
        pytest.param(
            LONG.format(name="f", call="b"), "f", {"b.py": LONG.format(name="g", call="b")}, "b.py#g", id="both new"
        ),
        pytest.param(
            LONG.format(name="f", call="f(b)"),
            "f",
            {"a.py": LONG.format(name="g", call="g(b)")},
            "a.py#g",
            id="recursion",
        ),
        pytest.param(
            "class A:\n    def m(self, a): return 1\n",
            "A.m",
            {"a.py": "class B:\n    def m(self, a): return 2\n"},
            "a.py#B.m",
            id="in a class with a new name",
        ),
        pytest.param("p.add_argument('--x')\n", "--x", {"b.py": "p.add_argument('--x')\n"}, "b.py#--x", id="a flag"),
        pytest.param("def f(a=1): ...\n", "f.a", {"a.py": "def f(b=1): ...\n"}, "a.py#f.b", id="a parameter"),
        pytest.param("X = 1\n", "X", {}, None, id="nowhere"),
    ],
)
def test_where_it_went(before: str, name: str, after: dict[str, str], expected: str | None) -> None:
    gone = symbol(outline("a.py", before.encode()), name)
    found = same_elsewhere(gone, [outline(path, text.encode()) for path, text in after.items()])
    assert (found.reference if found else None) == expected


def test_a_key_of_the_same_name_is_no_sign_but_one_of_the_same_value_is() -> None:
    gone = symbol(outline("a.json", b'{"version": 1}'), "version")
    assert same_elsewhere(gone, [outline("b.json", b'{"version": 2}')]) is None
    assert same_elsewhere(gone, [outline("b.json", b'{"version": 1}')]) is not None
