import pytest

from cairn.config.keys import KEYS, find_key, known_names
from cairn.config.settings import checked


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_every_key_explains_itself_and_has_a_default_that_fits(key):
    assert key.description.endswith(".")
    assert key.name == key.name.lower()
    if not key.open:
        assert checked(key, key.default) == key.default


@pytest.mark.parametrize(
    ("name", "normal"),
    [
        ("scan.strict", "scan.strict"),
        ("scan.maxFileSizeBytes", "scan.max_file_size_bytes"),
        ("activeProvider", "active_provider"),
        ("plugins.core.enabled", "plugins.core.enabled"),
        ("plugins.a.extensions.bC.settings.dE", "plugins.a.extensions.bC.settings.dE"),
        ("scan", None),
        ("plugins.*", None),
        ("scan.strict.x", None),
        ("Scan.strict.", None),
        ("*", None),
    ],
)
def test_names_are_found_in_either_spelling(name, normal):
    found = find_key(name)
    assert (found and found[0]) == normal


def test_suggestions_can_be_used_as_they_are():
    assert "plugins.mine.enabled" in list(known_names("plugins.mine.x"))
