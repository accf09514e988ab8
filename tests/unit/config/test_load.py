import json
import re
from pathlib import Path

import pytest

from cairn.config.load import load
from cairn.config.settings import LayeredSettings
from cairn.errors import ConfigError, LocalFileTracked


def nothing(paths):
    return ()


def workspace(root: Path, committed: object = None, local: object = None) -> Path:
    (root / ".cairn").mkdir()
    for name, content in (("settings.json", committed), ("settings.local.json", local)):
        if content is not None:
            text = content if isinstance(content, str) else json.dumps(content)
            (root / ".cairn" / name).write_text(text)
    return root


def loaded(root: Path, env=None, flags=None) -> LayeredSettings:
    return load(root, env=env or {}, flags=flags or {}, tracked=nothing)


def test_an_empty_workspace_has_the_defaults(tmp_path):
    settings = loaded(workspace(tmp_path, {}))
    assert settings.flag("scan.strict") is False
    assert settings.integer("scan.max_file_size_bytes") == 1_048_576
    assert settings.optional_integer("scan.max_nodes") is None
    assert settings.text("scan.tokenizer") == "cl100k_base"
    assert settings.optional_text("active_provider") is None
    assert settings.texts("scan.roots") == ()
    assert settings.mapping("plugins") == {}
    assert str(settings.source("scan.strict")) == "default"


def test_each_layer_wins_over_the_one_before(tmp_path):
    root = workspace(tmp_path, {"scan": {"max_nodes": 1}}, {"scan": {"max_nodes": 2}})
    assert loaded(root).optional_integer("scan.max_nodes") == 2
    env = {"CAIRN_SCAN__MAX_NODES": "3"}
    assert loaded(root, env).optional_integer("scan.max_nodes") == 3
    assert loaded(root, env, {"scan.max_nodes": 4}).optional_integer("scan.max_nodes") == 4
    assert loaded(root, env, {"scan.max_nodes": None}).optional_integer("scan.max_nodes") == 3


def test_the_source_of_every_layer_is_remembered(tmp_path):
    root = workspace(
        tmp_path, '{\n  "scan": {\n    "strict": true,\n    "tokenize": false}}', {"scan": {"ignore": ["x"]}}
    )
    settings = loaded(root, {"CAIRN_DB": "/x.db"}, {"scan.max_nodes": 5})
    assert {key: str(settings.source(key)) for key in settings.values if settings.source(key).layer != "default"} == {
        "scan.strict": ".cairn/settings.json:3",
        "scan.tokenize": ".cairn/settings.json:4",
        "scan.ignore": ".cairn/settings.local.json:1",
        "store.url": "CAIRN_DB",
        "scan.max_nodes": "flag",
    }


def test_merging_is_deep_but_lists_replace(tmp_path):
    root = workspace(
        tmp_path,
        {"scan": {"ignore": ["a", "b"], "strict": True}, "plugins": {"core": {"enabled": False}}},
        {"scan": {"ignore": ["c"]}, "plugins": {"core": {"extensions": {"slash": {"settings": {"depth": 2}}}}}},
    )
    settings = loaded(root)
    assert settings.texts("scan.ignore") == ("c",)
    assert settings.flag("scan.strict") is True
    assert settings.mapping("plugins") == {
        "core": {"enabled": False, "extensions": {"slash": {"settings": {"depth": 2}}}}
    }


def test_camel_case_is_read_as_snake_case(tmp_path):
    root = workspace(
        tmp_path, {"activeProvider": "claude", "scan": {"maxFileSizeBytes": 7, "watch": {"debounceMs": 1}}}
    )
    settings = loaded(root)
    assert settings.optional_text("active_provider") == "claude"
    assert settings.integer("scan.max_file_size_bytes") == 7
    assert settings.integer("scan.watch.debounce_ms") == 1
    assert settings.source("active_provider").line == 1


def test_names_of_plugins_keep_their_spelling(tmp_path):
    root = workspace(tmp_path, local={"plugins": {"myPlugin": {"enabled": True}}})
    assert loaded(root).mapping("plugins") == {"myPlugin": {"enabled": True}}


def test_a_schema_reference_for_editors_is_no_setting(tmp_path):
    assert loaded(workspace(tmp_path, {"$schema": "settings.schema.json"})).warnings == ()


def test_local_only_keys_in_the_committed_file_are_dropped_with_a_warning(tmp_path):
    root = workspace(
        tmp_path, {"allow_edit_sm_files": True, "store": {"url": "/evil"}, "scan": {"referencePaths": ["/etc"]}}
    )
    settings = loaded(root)
    assert settings.flag("allow_edit_sm_files") is False
    assert settings.optional_text("store.url") is None
    assert settings.texts("scan.reference_paths") == ()
    assert len(settings.warnings) == 3
    assert all(".cairn/settings.json:1" in w and "settings.local.json" in w for w in settings.warnings)


def test_local_only_keys_work_in_the_local_file(tmp_path):
    settings = loaded(workspace(tmp_path, {}, {"allow_edit_sm_files": True}))
    assert settings.flag("allow_edit_sm_files") is True
    assert settings.warnings == ()


BAD = [
    ('{\n "scan": {"strikt": true}}', "settings.json:2: unknown key 'scan.strikt'; did you mean 'scan.strict'?"),
    ('{"tokenizer": "x"}', "did you mean 'scan.tokenizer'"),
    ('{"zzzzqq": 1}', "cairn config list"),
    ('{"scna": {"strict": true}}', "unknown key 'scna'; did you mean 'scan'?"),
    ('{"plugin": {}}', "unknown key 'plugin'; did you mean 'plugins'?"),
    ('{"corpus": {"a": {}}}', "unknown key 'corpus'; did you mean 'corpora'?"),
    ('{"scan": {"wach": {"debounce_ms": 1}}}', "unknown key 'scan.wach'; did you mean 'scan.watch'?"),
    ('{"plugins": {"core": {"extension": {}}}}', "did you mean 'plugins.core.extensions'?"),
    ('{"scan": {"strict": "yes"}}', "'scan.strict' expects true or false, not \"yes\""),
    ('{"scan": {"max_nodes": 0}}', "a whole number of at least 1 or null, not 0"),
    ('{"scan": {"max_nodes": true}}', "a whole number of at least 1 or null, not true"),
    ('{"scan": {"max_nodes": 1.5}}', "a whole number"),
    ('{"scan": {"max_nodes": 99999999999999999999}}', "a whole number"),
    ('{"scan": {"strict": null}}', "true or false, not null"),
    ('{"scan": {"ignore": "x"}}', "a list of texts"),
    ('{"scan": {"ignore": [1]}}', "a list of texts"),
    ('{"scan": {"ignore": [""]}}', "a list of texts"),
    ('{"scan": {"tokenizer": "gpt2"}}', "one of cl100k_base, o200k_base"),
    ('{"scan": {"ignore": ["a\\u0000b"]}}', "a list of texts"),
    ('{"active_provider": "\\ud800"}', "a text or null"),
    ('{"scan": []}', "'scan' is a group of settings and must be an object"),
    ('{"scan.strict": true}', "write 'scan.strict' as nested objects"),
    ('{"scan": {"max_nodes": 1, "maxNodes": 2}}', "two spellings"),
    ('{"scan": {"strict": true, "strict": false}}', "settings.json:1: 'strict' stands here twice"),
    ('{"scan": {},\n "scan": {}}', "settings.json:2: 'scan' stands here twice"),
    ('{"plugins": {"a": {"enabeld": true}}}', "did you mean 'plugins.a.enabled'?"),
    ('{"plugins": {"a": {"enabled": 1}}}', "'plugins.a.enabled' expects true or false"),
    ('{"scan": {"roots": ["../other"]}}', "'../other', which is outside the repository"),
    ('{"scan": {"roots": ["a/../../b"]}}', "outside the repository"),
    ('{"scan": {"roots": ["/etc"]}}', "outside the repository"),
    ('{"scan": {"roots": ["~/x"]}}', "outside the repository"),
    ('{"scan": {"roots": ["C:\\\\x"]}}', "outside the repository"),
    ("[]", "must start with {"),
    ("", "settings.json:1:1: this is not valid JSON"),
    ('{"scan":\n  oops}', "settings.json:2:3: this is not valid JSON"),
    ('{"scan": {"max_nodes": NaN}}', "NaN is not JSON"),
    ('{"scan": {"max_nodes": ' + "9" * 5000 + "}}", "settings.json"),
    ('{"a":' * 100_000, "nested too deeply"),
]


@pytest.mark.parametrize(("text", "sentence"), BAD, ids=range(len(BAD)))
def test_a_bad_file_is_refused_with_its_place(tmp_path, text, sentence):
    with pytest.raises(ConfigError) as raised:
        loaded(workspace(tmp_path, text))
    assert raised.value.exit_code == 2
    assert sentence in raised.value.message
    assert raised.value.message.startswith(".cairn/settings.json")
    assert "\n" not in raised.value.message


def test_the_local_file_is_named_too(tmp_path):
    with pytest.raises(ConfigError, match=r"settings\.local\.json:1: unknown key 'x'"):
        loaded(workspace(tmp_path, {}, {"x": 1}))


@pytest.mark.parametrize(
    "present",
    [
        ".cairn/settings.local.json",
        ".cairn/cairn.db",
        ".cairn/cairn.db-wal",
        ".cairn/cairn.db-shm",
        ".cairn/cairn.db-journal",
        ".cairn/Cairn.db-wal",
        ".cairn/ledger/main.jsonl",
        ".cairn/sessions/a.md",
        ".cairn/curate/plan.json",
        ".cairn/snapshots/a",
        ".cairn/spool/a",
        ".cairn/briefing.json",
    ],
)
def test_a_tracked_local_file_is_not_trusted(tmp_path, present):
    root = workspace(tmp_path, {})
    (root / present).parent.mkdir(exist_ok=True)
    (root / present).write_text("{}")
    named = "/".join(present.split("/")[:2])
    with pytest.raises(LocalFileTracked, match=re.escape(named)) as raised:
        load(root, env={}, flags={}, tracked=lambda paths: tuple(paths))
    assert raised.value.details["files"] == [named]


def test_git_is_not_asked_when_no_local_file_exists(tmp_path):
    def never(paths):
        raise AssertionError(paths)

    load(workspace(tmp_path, {}), env={}, flags={}, tracked=never)


def test_settings_cannot_be_changed(tmp_path):
    with pytest.raises(AttributeError):
        loaded(workspace(tmp_path, {})).values = {}


def test_a_key_that_is_not_in_the_table_is_a_mistake_of_the_program(tmp_path):
    settings = loaded(workspace(tmp_path, {}))
    with pytest.raises(KeyError):
        settings.flag("scan.nope")
    with pytest.raises(KeyError):
        loaded(tmp_path, flags={"scan.nope": 1})


def test_loading_imports_nothing_heavy(tmp_path):
    import subprocess
    import sys

    code = (
        "import sys; from pathlib import Path; from cairn.config.load import load;"
        f"load(Path({str(workspace(tmp_path, {}))!r}), env={{}}, flags={{}}, tracked=lambda p: ());"
        "print([m for m in ('jsonschema_rs', 'tomllib', 'click', 'subprocess', 'difflib') if m in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"
