"""Names for files out of titles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.errors import Conflict
from cairn.lib.text.file_slug import LONGEST, NAME, slug, unused

TITLES = [
    ("Retry with backoff", "retry-with-backoff"),
    ("  What's   new?! ", "what-s-new"),
    ("Größe & Maß", "grosse-mass"),
    ("Crème brûlée – ½ litre", "creme-brulee-1-2-litre"),
    ("Æther øl łódź", "aether-ol-lodz"),
    ("Борьба с ошибками", "borba-s-oshibkami"),
    ("Ελληνική γλώσσα", "elliniki-glossa"),
    ("ＦＵＬＬ width", "full-width"),
    ("3 ways", "entry-3-ways"),
    ("", "untitled"),
    ("???", "untitled"),
]


@pytest.mark.parametrize(("title", "name"), TITLES)
def test_what_a_title_becomes(title, name):
    assert slug(title) == name


def test_other_scripts_are_told_apart_by_a_hash():
    names = {slug("知識"), slug("智慧"), slug("معرفة"), slug("REST 知識"), slug("REST 智慧")}
    assert len(names) == 5
    assert all(NAME.fullmatch(name) for name in names)
    assert slug("REST 知識").startswith("rest-")
    assert slug("知識").startswith("entry-")


@given(st.text())
def test_any_title_becomes_a_name_and_always_the_same(title):
    name = slug(title)
    assert NAME.fullmatch(name)
    assert not name.endswith("-")
    assert "--" not in name
    assert len(name) <= LONGEST + len("entry-")
    assert slug(title) == name


@pytest.mark.parametrize(
    ("taken", "name"), [("", "a"), ("a", "a-2"), ("a a-2", "a-3"), ("a a-2 a-3", "a-4"), ("a a-3", "a-2")]
)
def test_a_name_that_is_taken_gets_a_number(taken, name):
    assert unused("a", taken.split().__contains__) == name


def test_four_of_one_name_are_enough():
    with pytest.raises(Conflict, match="--name"):
        unused("a", ["a", "a-2", "a-3", "a-4"].__contains__)
