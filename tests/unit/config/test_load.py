import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from cairn.config.load import by_git, find_root, load, may_be_tracked, read_text
from cairn.config.settings import LayeredSettings
from cairn.core.paths import COMMITTED
from cairn.errors import ConfigError, LocalFileTracked, NotInitialised
from cairn.lib.text.json_splice import parse_object


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


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "repo" / COMMITTED
    path.parent.mkdir(parents=True)
    return path


def read(file):
    return read_text(file.parent.parent, COMMITTED)


def test_a_missing_file_is_no_file(file):
    assert read(file) is None


def test_a_byte_order_mark_is_passed_over(file):
    file.write_bytes(b"\xef\xbb\xbf{}")
    assert read(file) == "{}"


def test_line_ends_are_kept(file):
    file.write_bytes(b"{\r\n}")
    assert read(file) == "{\r\n}"


def test_a_fifo_does_not_block(file):
    os.mkfifo(file)
    with pytest.raises(ConfigError, match="not a regular file"):
        read(file)


def test_a_folder_is_refused(file):
    file.mkdir()
    with pytest.raises(ConfigError, match="not a regular file"):
        read(file)


def test_a_link_out_of_the_repository_is_refused(file, tmp_path):
    (tmp_path / "secret").write_text("{}")
    file.symlink_to(tmp_path / "secret")
    with pytest.raises(ConfigError, match="outside the repository"):
        read(file)


def test_a_folder_that_links_out_of_the_repository_is_refused(file, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "settings.json").write_text("{}")
    file.parent.rmdir()
    file.parent.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfigError, match="outside the repository"):
        read(file)


def test_a_link_inside_the_repository_is_fine(file):
    (file.parent / "real.json").write_text("{}")
    file.symlink_to("real.json")
    assert read(file) == "{}"


@pytest.mark.parametrize("target", ["nowhere", "settings.json"])
def test_a_dangling_or_circular_link_is_named(file, target):
    file.symlink_to(target)
    with pytest.raises(ConfigError, match=r"settings\.json"):
        read(file)


def test_a_huge_file_is_refused(file):
    file.write_bytes(b" " * 1_048_577)
    with pytest.raises(ConfigError, match="larger than 1 MB"):
        read(file)


def test_the_largest_file_is_read(file):
    file.write_bytes(b"{}" + b" " * 1_048_574)
    assert parse_object(read(file), COMMITTED) == {}


def test_bytes_that_are_no_text_are_named_with_their_line(file):
    file.write_bytes(b'{\n"a": "\xff"}')
    with pytest.raises(ConfigError, match=r"settings\.json:2: this is not UTF-8"):
        read(file)


def test_a_duplicate_inside_a_list_is_refused_too():
    with pytest.raises(ConfigError, match="'x' stands here twice"):
        parse_object('{"plugins": {"a": {"extensions": {"b": {"settings": {"c": [{"x": 1, "x": 2}]}}}}}}', COMMITTED)


def make(folder):
    (folder / ".cairn").mkdir(parents=True)
    (folder / ".cairn" / "settings.json").write_text("{}")
    return folder


def test_a_workspace_is_found_from_any_folder_below(tmp_path):
    root = make(tmp_path / "repo")
    deep = root / "a" / "b"
    deep.mkdir(parents=True)
    assert find_root(root) == find_root(deep) == root


def test_a_nested_workspace_belongs_to_itself(tmp_path):
    make(tmp_path / "repo")
    inner = make(tmp_path / "repo" / "packages" / "inner")
    assert find_root(inner) == inner


def test_a_folder_without_settings_is_no_workspace(tmp_path):
    root = make(tmp_path / "repo")
    (root / "sub" / ".cairn").mkdir(parents=True)
    assert find_root(root / "sub") == root


def test_no_workspace_says_what_to_do(tmp_path):
    with pytest.raises(NotInitialised, match="cairn init") as raised:
        find_root(tmp_path)
    assert raised.value.exit_code == 2
    assert str(tmp_path) in raised.value.message


LOCAL = ".cairn/settings.local.json"


@pytest.fixture
def repository(tmp_path, monkeypatch):
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    root = tmp_path / "repo"
    (root / ".cairn").mkdir(parents=True)
    for name in (".cairn/settings.json", LOCAL):
        (root / name).write_text("{}")
    git(root, "init", "-q")
    return root


def git(root, *args):
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", *identity, *args], cwd=root, check=True, capture_output=True)


def test_an_untracked_file_is_fine_and_git_is_not_started(repository, monkeypatch):
    git(repository, "add", ".cairn/settings.json")
    monkeypatch.setenv("PATH", "/nowhere")
    assert may_be_tracked(repository) is False
    assert by_git(repository)([LOCAL]) == ()


def test_a_tracked_file_is_found(repository):
    git(repository, "add", "-f", LOCAL)
    assert by_git(repository)([LOCAL, ".cairn/cairn.db"]) == (LOCAL,)


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_every_version_of_the_index_is_understood(repository, version):
    git(repository, "add", "-f", LOCAL)
    git(repository, "update-index", "--index-version", version)
    assert by_git(repository)([LOCAL]) == (LOCAL,)


def test_a_split_index_is_understood(repository):
    git(repository, "add", "-f", LOCAL)
    git(repository, "update-index", "--split-index")
    assert by_git(repository)([LOCAL]) == (LOCAL,)


def test_another_spelling_of_the_folder_does_not_help(repository):
    (repository / ".Cairn").mkdir()
    (repository / ".Cairn" / "cairn.db").write_text("")
    git(repository, "add", "-f", ".Cairn/cairn.db")
    assert by_git(repository)([".cairn/cairn.db"]) == (".Cairn/cairn.db",)


def test_a_workspace_below_the_repository(repository):
    inner = repository / "packages" / "inner"
    (inner / ".cairn").mkdir(parents=True)
    (inner / LOCAL).write_text("{}")
    assert by_git(inner)([LOCAL]) == ()
    git(repository, "add", "-f", f"packages/inner/{LOCAL}")
    assert by_git(inner)([LOCAL]) == (LOCAL,)
    assert by_git(repository)([LOCAL]) == ()


def test_a_second_work_tree_has_an_index_of_its_own(repository, tmp_path):
    git(repository, "add", "-f", LOCAL)
    git(repository, "commit", "-qm", "x")
    git(repository, "worktree", "add", "-q", str(tmp_path / "tree"))
    git(repository, "rm", "-q", "--cached", LOCAL)
    assert by_git(tmp_path / "tree")([LOCAL]) == (LOCAL,)
    assert by_git(repository)([LOCAL]) == ()


def test_outside_of_any_repository_nothing_is_tracked(tmp_path):
    assert may_be_tracked(tmp_path) is False
    assert by_git(tmp_path)([LOCAL]) == ()
