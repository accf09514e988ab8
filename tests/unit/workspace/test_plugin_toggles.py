"""Which settings switch what."""

import pytest

from cairn.errors import NotFound, Refused, UsageError
from cairn.workspace.plugin_catalogue import (
    ExtensionEntry,
    PluginEntry,
    check_switchable,
    find_named,
    keys_for,
    name_of,
    sweeping,
)


def plugin(id: str, *extensions: str, origin: str = "installed") -> PluginEntry:
    entries = tuple(ExtensionEntry(id, e, "analyzer", "1", "", "stable", True, "enabled") for e in extensions)
    return PluginEntry(id, "1", "", origin, "enabled", entries)


SHED, TOOL, MOLE = plugin("shed", "rake", "hoe"), plugin("tool", "rake"), plugin("mole", "digs", origin="project")
ALL = (SHED, TOOL, MOLE)


@pytest.mark.parametrize(
    ("name", "found"), [("shed", "shed"), ("shed/rake", "shed/rake"), ("hoe", "shed/hoe"), ("tool/rake", "tool/rake")]
)
def test_names(name, found):
    assert name_of(find_named(ALL, name)) == found


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("shet", "did you mean `shed`?"),
        ("shed/hoo", "did you mean `shed/hoe`?"),
        ("xyzzy", "`cairn plugins list` shows"),
    ],
)
def test_unclear_names(name, sentence):
    with pytest.raises(NotFound, match=sentence):
        find_named(ALL, name)


def test_a_name_that_is_several():
    with pytest.raises(UsageError, match="`rake` may be `shed/rake`, `tool/rake`"):
        find_named(ALL, "rake")


@pytest.mark.parametrize(
    ("name", "wanted", "values", "keys"),
    [
        ("shed/hoe", True, {}, ["plugins.shed.extensions.hoe.enabled"]),
        ("shed", True, {}, ["plugins.shed.enabled"]),
        ("shed", True, {"plugins.shed.extensions.hoe.enabled": True}, ["plugins.shed.enabled"]),
        (
            "shed",
            False,
            {"plugins.shed.extensions.hoe.enabled": True, "plugins.tool.extensions.rake.enabled": True},
            ["plugins.shed.enabled", "plugins.shed.extensions.hoe.enabled"],
        ),
    ],
)
def test_keys(name, wanted, values, keys):
    assert keys_for(find_named(ALL, name), wanted, values) == keys


def test_only_a_plugin_with_several_extensions_is_sweeping():
    assert sweeping([find_named(ALL, name) for name in ("shed", "tool", "shed/hoe")]) == ["shed"]


def test_a_plugin_of_the_project_cannot_be_switched():
    check_switchable([find_named(ALL, "shed")])
    with pytest.raises(Refused, match="came with the repository"):
        check_switchable([find_named(ALL, "mole/digs")])
