import pytest

from cairn.lib.text.nearest import did_you_mean, hint, nearest

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
