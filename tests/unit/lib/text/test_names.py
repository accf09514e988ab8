import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.errors import Conflict
from cairn.lib.text.names import LONGEST, NAME, did_you_mean, hint, nearest, normalize_trigger, slug, unused

KNOWN = ("scan.strict", "scan.tokenizer", "active_provider", "--json", "config")


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("scan.strikt", "scan.strict"),
        ("strict", "scan.strict"),
        ("Tokenizer", "scan.tokenizer"),
        ("active_providr", "active_provider"),
        ("--jsn", "--json"),
        ("conifg", "config"),
        ("zzz", None),
        ("", None),
    ],
)
def test_the_nearest_name(word, name):
    assert nearest(word, KNOWN) == name


def test_nothing_known_means_nothing_meant():
    assert nearest("x", ()) is None
    assert did_you_mean("x", ()) == ""


def test_an_ending_that_all_files_share_makes_none_of_them_the_nearest():
    assert nearest("nosuch.md", ["README.md", "docs/a.md"]) is None


def test_the_end_of_a_sentence():
    assert hint("conifg", KNOWN, "look.") == "did you mean `config`?"
    assert hint("zzz", KNOWN, "look.") == "look."
    assert hint("konfigurat", ["config"], "look.", at_least=0.5) == "did you mean `config`?"


CASES = [
    ("Clúster", "cluster"),
    ("skill-map:explore", "skill map:explore"),
    ("code_review", "code review"),
    ("Code - _ Review", "code review"),
    ("  -a-  ", "a"),
    ("/My-Command", "/my command"),
    ("@agent.name", "@agent.name"),
    ("a\tb\nc", "a b c"),
    ("a\u00a0b\u3000c", "a b c"),
    ("\ufeffname", "name"),
    ("Straße", "straße"),
    ("İstanbul", "istanbul"),
    ("ÅNGSTRÖM", "angstrom"),
    ("日本語", "日本語"),
    ("한국", unicodedata.normalize("NFD", "한국")),
    ("a\x1fb", "a\x1fb"),
    ("", ""),
    ("---", ""),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_names_that_mean_the_same_are_written_the_same(text: str, expected: str) -> None:
    assert normalize_trigger(text) == expected


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalize_trigger(text)
    assert normalize_trigger(once) == once


@given(st.text(alphabet=st.characters(min_codepoint=9, max_codepoint=126)))
def test_the_short_way_for_ascii_gives_what_the_steps_give(text: str) -> None:
    steps = re.sub("[-_\t-\r ]+", " ", text.lower()).strip(" ")
    assert normalize_trigger(text) == steps


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
