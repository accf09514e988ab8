import pytest

from cairn.config.keys import BY_NAME
from cairn.config.settings import VARIABLES, from_environment, from_flags, variable_of
from cairn.errors import ConfigError


@pytest.mark.parametrize(
    ("variable", "raw", "key", "value"),
    [
        ("CAIRN_SCAN__STRICT", "true", "scan.strict", True),
        ("CAIRN_SCAN__STRICT", "1", "scan.strict", True),
        ("CAIRN_SCAN__STRICT", "off", "scan.strict", False),
        ("CAIRN_SCAN__MAX_NODES", "1_000", "scan.max_nodes", 1000),
        ("CAIRN_SCAN__MAX_NODES", "null", "scan.max_nodes", None),
        ("CAIRN_SCAN__WATCH__DEBOUNCE_MS", "5", "scan.watch.debounce_ms", 5),
        ("CAIRN_SCAN__IGNORE", "a, b/", "scan.ignore", ("a", "b/")),
        ("CAIRN_SCAN__IGNORE", '["a,b"]', "scan.ignore", ("a,b",)),
        ("CAIRN_ACTIVE_PROVIDER", "claude", "active_provider", "claude"),
        ("CAIRN_DB", "postgresql://h/db", "store.url", "postgresql://h/db"),
        ("CAIRN_STORE__URL", "x.db", "store.url", "x.db"),
    ],
)
def test_the_environment_sets_any_key(variable, raw, key, value):
    assert from_environment({variable: raw}).values == {key: value}


def test_every_plain_key_has_a_variable():
    assert {variable_of(key) for key in BY_NAME.values()} <= set(VARIABLES)


def test_the_short_name_of_the_database_wins():
    layer = from_environment({"CAIRN_DB": "short", "CAIRN_STORE__URL": "long"})
    assert layer.values == {"store.url": "short"}
    assert layer.source("store.url").file == "CAIRN_DB"


def test_an_empty_variable_is_unset():
    assert from_environment({"CAIRN_SCAN__STRICT": ""}).values == {}


def test_a_bad_variable_is_named():
    with pytest.raises(ConfigError, match=r"CAIRN_SCAN__STRICT \('scan.strict'\) expects true or false"):
        from_environment({"CAIRN_SCAN__STRICT": "perhaps"})


def test_an_unknown_variable_warns_with_the_nearest():
    layer = from_environment({"CAIRN_SCAN__STRIKT": "1", "CAIRN_OFF": "1", "CAIRN_FETCH_ALLOW": "x"})
    assert len(layer.warnings) == 1
    assert "did you mean 'CAIRN_SCAN__STRICT'?" in layer.warnings[0]


def test_flags_are_checked_like_everything_else():
    with pytest.raises(ConfigError, match=r"the option for 'scan\.roots' names '\.\.'"):
        from_flags({"scan.roots": [".."]})
