"""What is declared once, by keyword, and then only looked at."""

import pytest

from cairn.core.frozen_record import FrozenRecord


class Base(FrozenRecord):
    version: str
    order: int = 100


class More(Base):
    roots: tuple[str, ...] = ()
    order: int = 7
    must: bool


def test_what_is_not_said_has_its_default():
    made = More(version="1", must=True)
    assert (made.version, made.order, made.roots, made.must) == ("1", 7, (), True)


def test_names_come_in_the_order_in_which_they_are_declared():
    assert Base.names == ("version", "order")
    assert More.names == ("version", "order", "roots", "must")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"version": "1"}, "More needs `must`"),
        ({"must": True}, "More needs `version`"),
        ({"version": "1", "must": True, "wrong": 1}, "More has no `wrong`"),
    ],
)
def test_what_is_missing_or_unknown_is_named(given, said):
    with pytest.raises(TypeError, match=said):
        More(**given)


def test_it_stays_as_it_is():
    made = Base(version="1")
    with pytest.raises(AttributeError, match="a Base cannot be changed"):
        made.order = 3
    with pytest.raises(AttributeError, match="a Base cannot be changed"):
        del made.version
    assert made.but(order=3).order == 3
    assert (made.order, made.but(order=3).version) == (100, "1")
