import pytest

from cairn.config.nearest import did_you_mean, nearest

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
