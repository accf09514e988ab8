import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cairn.changes.write import write_file
from cairn.config.edit import set_value, unset_value
from cairn.config.settings import from_file
from cairn.errors import ConfigError


class Folder:
    """A workspace of the test."""

    def __init__(self, root):
        self.root = root
        (root / ".cairn").mkdir(exist_ok=True)

    def put(self, text, name="settings.json"):
        (self.root / ".cairn" / name).write_bytes(text.encode())

    def text(self, name="settings.json"):
        return (self.root / ".cairn" / name).read_bytes().decode()

    def set(self, key, value, local=False):
        return set_value(self.root, key, value, local, write_file=write_file)

    def unset(self, key, local=False):
        return unset_value(self.root, key, local, write_file=write_file)


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)


SET = [
    ("{}\n", "scan.strict", "true", '{\n  "scan": {\n    "strict": true\n  }\n}\n'),
    ("{ }", "active_provider", "claude", '{\n  "active_provider": "claude"\n}'),
    ('{"scan": {"strict": true}}', "scan.strict", "no", '{"scan": {"strict": false}}'),
    ('{"scan": {"strict": true}}', "scan.max_nodes", "9", '{"scan": {"strict": true, "max_nodes": 9}}'),
    (
        '{\n\t"scan": {\n\t\t"strict" :  true\n\t}\n}\n',
        "scan.ignore",
        "a, b",
        '{\n\t"scan": {\n\t\t"strict" :  true,\n\t\t"ignore": ["a", "b"]\n\t}\n}\n',
    ),
    (
        '{\n    "activeProvider": "x",\n    "scan": {}\n}',
        "active_provider",
        "é",
        '{\n    "activeProvider": "é",\n    "scan": {}\n}',
    ),
    (
        '{\n    "scan": {}\n}',
        "scan.watch.debounce_ms",
        "0",
        '{\n    "scan": {\n        "watch": {\n            "debounce_ms": 0\n        }\n    }\n}',
    ),
    ('{"scan": {"ignore": ["}", "{\\"x\\": 1}"]}}', "scan.ignore", "[]", '{"scan": {"ignore": []}}'),
    (
        '{\r\n  "scan": {"strict": true}\r\n}\r\n',
        "active_provider",
        "x",
        '{\r\n  "scan": {"strict": true},\r\n  "active_provider": "x"\r\n}\r\n',
    ),
    ('{"scan": {"max_nodes": 3}}', "scan.maxNodes", "null", '{"scan": {"max_nodes": null}}'),
]


@pytest.mark.parametrize(("before", "key", "value", "after"), SET)
def test_setting_a_value_leaves_the_rest_alone(folder, before, key, value, after):
    folder.put(before)
    assert folder.set(key, value).changed is True
    assert folder.text() == after


UNSET = [
    ('{"scan": {"strict": true, "max_nodes": 9}}', "scan.strict", '{"scan": {"max_nodes": 9}}'),
    ('{"scan": {"strict": true, "max_nodes": 9}}', "scan.max_nodes", '{"scan": {"strict": true}}'),
    ('{\n  "scan": {\n    "strict": true\n  }\n}\n', "scan.strict", "{}\n"),
    (
        '{\n  "activeProvider": "x",\n  "scan": {\n    "strict": true\n  }\n}\n',
        "scan.strict",
        '{\n  "activeProvider": "x"\n}\n',
    ),
    ('{\n  "activeProvider": "x",\n  "scan": {}\n}\n', "active_provider", '{\n  "scan": {}\n}\n'),
]


@pytest.mark.parametrize(("before", "key", "after"), UNSET)
def test_a_value_can_be_taken_out(folder, before, key, after):
    folder.put(before)
    assert folder.unset(key).changed is True
    assert folder.text() == after


def test_taking_out_what_is_not_there_changes_nothing(folder):
    assert folder.unset("scan.strict").changed is False
    folder.put('{"scan": {"max_nodes": 1}}')
    assert folder.unset("scan.strict").changed is False
    assert not (folder.root / ".cairn" / "settings.local.json").exists()


def test_a_missing_file_is_made(folder):
    edit = folder.set("scan.strict", "true", local=True)
    assert edit.file == ".cairn/settings.local.json"
    assert json.loads(folder.text("settings.local.json")) == {"scan": {"strict": True}}
    assert (folder.root / edit.file).stat().st_mode & 0o777 == 0o600


def test_the_same_value_again_is_no_change(folder):
    folder.set("scan.strict", "true")
    assert folder.set("scan.strict", "true").changed is False


def test_switches_of_plugins_go_to_the_local_file(folder):
    assert folder.set("plugins.core.enabled", "false").file == ".cairn/settings.local.json"


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("scan.strikt", "true", "did you mean 'scan.strict'"),
        ("scan", "true", "unknown key 'scan'"),
        ("", "true", "unknown key ''"),
        ("scan.strict.more", "true", "unknown key"),
        ("plugins..enabled", "true", "unknown key"),
        ("scan.strict", "maybe", "expects true or false"),
        ("scan.max_nodes", "-1", "at least 1"),
        ("scan.max_nodes", "many", "whole number"),
        ("scan.roots", "../x", "outside the repository"),
        ("allow_edit_sm_files", "true", "add --local"),
        ("store.url", "x.db", "add --local"),
    ],
)
def test_what_cannot_be_set_is_refused_and_nothing_is_written(folder, key, value, sentence):
    folder.put("{}")
    with pytest.raises(ConfigError) as raised:
        folder.set(key, value)
    assert sentence in raised.value.message
    assert folder.text() == "{}"


def test_a_broken_file_is_not_edited(folder):
    folder.put('{"nonsense": 1}')
    with pytest.raises(ConfigError, match="unknown key 'nonsense'"):
        folder.set("scan.strict", "true")
    assert folder.text() == '{"nonsense": 1}'


FILES = st.fixed_dictionaries(
    {},
    optional={
        "active_provider": st.text('aé"\\{}漢', min_size=1),
        "allowSidecarWriters": st.booleans(),
        "plugins": st.dictionaries(
            st.text("ab-", min_size=1), st.fixed_dictionaries({}, optional={"enabled": st.booleans()}), max_size=3
        ),
        "scan": st.fixed_dictionaries(
            {},
            optional={
                "strict": st.booleans(),
                "ignore": st.lists(st.text('a"}{\\,', min_size=1), max_size=3),
                "max_nodes": st.none() | st.integers(1, 10**6),
                "watch": st.fixed_dictionaries({}, optional={"debounce_ms": st.integers(0, 99)}),
            },
        ),
    },
)
WAYS = st.sampled_from(
    [{}, {"indent": 2}, {"indent": "\t"}, {"separators": (",", ":")}, {"ensure_ascii": False, "indent": 1}]
)
EDITS = st.sampled_from(
    [
        ("scan.strict", "true"),
        ("scan.ignore", "x, y"),
        ("scan.max_nodes", "7"),
        ("scan.watch.debounce_ms", "5"),
        ("active_provider", "claude"),
        ("allow_sidecar_writers", "false"),
        ("scan.gitignore", "false"),
    ]
)


@settings(max_examples=80, deadline=None)
@given(tree=FILES, way=WAYS, edit=EDITS)
def test_setting_then_resetting_changes_only_that_key(tmp_path_factory, tree, way, edit):
    folder = Folder(tmp_path_factory.mktemp("w"))
    folder.put(json.dumps(tree, **way))
    before = dict(values(folder))
    key, value = edit
    folder.set(key, value)
    after = values(folder)
    assert {k: v for k, v in after.items() if k != key} == {k: v for k, v in before.items() if k != key}
    assert key in after
    folder.unset(key)
    assert values(folder) == {k: v for k, v in before.items() if k != key}


def values(folder):
    return from_file("local", "settings.json", folder.text()).values
