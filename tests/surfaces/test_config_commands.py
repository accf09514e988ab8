"""`cairn config` on real files, from outside."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from program import Ran, cairn, clean_env, fits_schema


@pytest.fixture
def workspace(tmp_path):
    root = tmp_path / "repo"
    (root / ".cairn").mkdir(parents=True)
    (root / "docs" / "deep").mkdir(parents=True)
    (root / ".cairn" / "settings.json").write_text('{\n  "scan": {\n    "strict": true\n  }\n}\n')
    return root


def committed(root):
    return json.loads((root / ".cairn" / "settings.json").read_text())


def local(root):
    return json.loads((root / ".cairn" / "settings.local.json").read_text())


def test_settings_are_listed_from_any_folder_below(workspace):
    ran = cairn("config", "list", cwd=workspace / "docs" / "deep")
    assert ran.code == 0
    assert re.search(r"^scan\.strict +true$", ran.out, re.M)
    assert ran.err.startswith("done in ")
    assert cairn("-C", str(workspace), "config", "list", cwd=workspace.parent).out == ran.out


def test_the_shapes_of_json(workspace):
    for args, schema in [
        (("list",), "config-list"),
        (("get", "scan.strict"), "config-get"),
        (("show",), "config-show"),
        (("show", "--source"), "config-show"),
        (("set", "scan.max_nodes", "5"), "config-set"),
        (("set", "plugins.core.enabled", "no"), "config-set"),
        (("get", "plugins.core.enabled"), "config-get"),
        (("get", "plugins.other.enabled"), "config-get"),
        (("reset", "scan.max_nodes"), "config-reset"),
    ]:
        ran = cairn("config", *args, "--json", cwd=workspace)
        assert (ran.code, ran.err) == (0, ""), args
        fits_schema(ran.json(), schema)


@pytest.mark.parametrize(
    ("key", "value"),
    [("scan.strict", "true"), ("scan.ignore", "[]"), ("scan.tokenizer", "cl100k_base"), ("activeProvider", "null")],
)
def test_one_value(workspace, key, value):
    assert cairn("config", "get", key, "-q", cwd=workspace) == (0, value + "\n", "")


def test_getting_an_unknown_key_is_not_found(workspace):
    ran = cairn("config", "get", "scan.strikt", cwd=workspace)
    assert (ran.code, ran.out) == (5, "")
    assert "did you mean 'scan.strict'?" in ran.err


def test_show_names_the_source_of_every_value(workspace):
    (workspace / ".cairn" / "settings.local.json").write_text('{"scan":\n{"ignore": ["x"]}}')
    ran = cairn("config", "show", "--source", cwd=workspace, CAIRN_SCAN__MAX_NODES="9")
    rows = {line.split()[0]: line.split()[-1] for line in ran.out.splitlines()}
    assert rows["scan.strict"] == ".cairn/settings.json:3"
    assert rows["scan.ignore"] == ".cairn/settings.local.json:2"
    assert rows["scan.max_nodes"] == "CAIRN_SCAN__MAX_NODES"
    assert rows["scan.tokenize"] == "default"
    sources = cairn("config", "show", "--source", "--json", "--db", "x.db", cwd=workspace).json()["sources"]
    assert sources["scan.strict"] == {"layer": "committed", "file": ".cairn/settings.json", "line": 3}
    assert sources["store.url"]["layer"] == "flag"


def test_what_is_shown_can_be_used_as_a_file(workspace):
    shown = cairn("config", "show", cwd=workspace).out
    (workspace / ".cairn" / "settings.json").write_text(shown)
    again = cairn("config", "show", cwd=workspace)
    assert (again.code, again.out) == (0, shown)


def test_set_and_reset(workspace):
    before = (workspace / ".cairn" / "settings.json").read_bytes()
    ran = cairn("config", "set", "scan.maxNodes", "100", cwd=workspace)
    assert ran.code == 0
    assert "scan.max_nodes = 100 (.cairn/settings.json)" in ran.err
    assert committed(workspace) == {"scan": {"strict": True, "max_nodes": 100}}
    assert "was so already" in cairn("config", "set", "scan.max_nodes", "100", cwd=workspace).err
    assert cairn("config", "reset", "scan.max_nodes", cwd=workspace).code == 0
    assert (workspace / ".cairn" / "settings.json").read_bytes() == before
    assert "was not set" in cairn("config", "reset", "scan.max_nodes", cwd=workspace).err


def test_local_settings_win_and_stay_local(workspace):
    assert cairn("config", "set", "scan.strict", "no", "--local", cwd=workspace).code == 0
    assert local(workspace) == {"scan": {"strict": False}}
    assert committed(workspace) == {"scan": {"strict": True}}
    assert cairn("config", "get", "scan.strict", cwd=workspace).out == "false\n"


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        (("scan.strikt", "true"), 2, "did you mean 'scan.strict'?"),
        (("scan.strict", "maybe"), 2, "expects true or false"),
        (("scan.roots", "../x"), 2, "outside the repository"),
        (("store.url", "x.db"), 2, "add --local"),
        (("allow_edit_sm_files", "true"), 2, "add --local"),
        (("allow_edit_sm_files", "true", "--local"), 1, "add --yes"),
    ],
)
def test_what_set_refuses(workspace, args, code, sentence):
    ran = cairn("config", "set", *args, cwd=workspace)
    assert ran.code == code
    assert sentence in ran.err
    assert committed(workspace) == {"scan": {"strict": True}}
    assert not (workspace / ".cairn" / "settings.local.json").exists()


def test_widening_with_consent(workspace):
    assert cairn("config", "set", "allow_edit_sm_files", "true", "--local", "--yes", cwd=workspace).code == 0
    assert local(workspace) == {"allow_edit_sm_files": True}


def test_switches_of_plugins_are_kept_locally_and_it_is_said(workspace):
    ran = cairn("config", "set", "plugins.core.enabled", "false", cwd=workspace)
    assert ran.code == 0
    assert "local file" in ran.err
    assert local(workspace) == {"plugins": {"core": {"enabled": False}}}


def test_a_negative_value_needs_no_tricks(workspace):
    assert cairn("config", "set", "scan.max_nodes", "--", "-1", cwd=workspace).code == 2


@pytest.mark.parametrize("args", [("list",), ("get", "scan.strict"), ("set", "scan.strict", "no"), ("show",)])
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"scan": {"strikt": 1}}', "settings.json:1: unknown key 'scan.strikt'; did you mean 'scan.strict'?"),
        ("{", "settings.json:1:2: this is not valid JSON"),
        ('{"a": 1, "a": 2}', "twice"),
    ],
)
def test_a_broken_file_is_named_by_every_command(workspace, args, text, sentence):
    (workspace / ".cairn" / "settings.json").write_text(text)
    ran = cairn("config", *args, cwd=workspace)
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert (workspace / ".cairn" / "settings.json").read_text() == text
    as_json = cairn("config", *args, "--json", cwd=workspace)
    fits_schema(as_json.json(), "error")
    assert as_json.json()["error"]["details"]["file"] == ".cairn/settings.json"


def test_a_warning_does_not_stop_the_command(workspace):
    (workspace / ".cairn" / "settings.json").write_text('{"store": {"url": "/evil.db"}}')
    ran = cairn("config", "get", "store.url", cwd=workspace)
    assert (ran.code, ran.out) == (0, "null\n")
    assert "warning: .cairn/settings.json:1: 'store.url' is ignored here" in ran.err


def test_a_password_is_never_shown(workspace):
    url = "postgresql://me:hush@localhost/x"
    set_ = cairn("config", "set", "store.url", url, "--local", cwd=workspace)
    shown = [cairn("config", *args, cwd=workspace) for args in (("list",), ("show",), ("get", "store.url"))]
    for ran in (set_, *shown, cairn("config", "list", "--json", cwd=workspace, CAIRN_DB=url)):
        assert ran.code == 0
        assert "hush" not in ran.out + ran.err
    assert local(workspace)["store"]["url"] == url
    assert (workspace / ".cairn" / "settings.local.json").stat().st_mode & 0o077 == 0


def test_a_local_file_that_git_tracks_is_not_trusted(workspace):
    (workspace / ".cairn" / "settings.local.json").write_text("{}")
    subprocess.run(["git", "init", "-q"], cwd=workspace, check=True)
    assert cairn("config", "list", cwd=workspace).code == 0
    subprocess.run(["git", "add", "-f", "."], cwd=workspace, check=True)
    ran = cairn("config", "list", cwd=workspace)
    assert (ran.code, ran.out) == (2, "")
    assert "git rm -r --cached -- .cairn/settings.local.json" in ran.err
    ran = cairn("config", "list", "--json", cwd=workspace)
    assert ran.json()["error"]["code"] == "local-file-tracked"


def without_rights(*args, cwd):
    """For root no folder is read-only, so the program gives its rights away, after it has imported what it needs."""
    if os.geteuid() != 0:
        return cairn(*args, cwd=cwd)
    program = (
        "import os, sys; from cairn.cli.boundary import run; run(['config', 'reset', 'active_provider', '-q']);"
        "run(['config', 'set', 'scan.strict', 'true', '-q']); os.setgid(65534); os.setuid(65534);"
        "sys.exit(run(sys.argv[1:]))"
    )
    done = subprocess.run([sys.executable, "-c", program, *args], cwd=cwd, env=clean_env(), capture_output=True)
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def test_a_read_only_folder_is_a_sentence(workspace):
    with tempfile.TemporaryDirectory() as folder:  # pytest's own folders are closed to other users
        root = Path(shutil.copytree(workspace, Path(folder) / "repo"))
        Path(folder).chmod(0o755)
        (root / ".cairn").chmod(0o555)
        ran = without_rights("config", "set", "scan.strict", "no", cwd=root)
        (root / ".cairn").chmod(0o755)
        assert committed(root) == {"scan": {"strict": True}}
        assert sorted(os.listdir(root / ".cairn")) == ["settings.json"]
    assert ran.code == 2
    assert ".cairn/settings.json" in ran.err
    assert "permission" in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(("key", "value"), [("judge.budget", "foo"), ("judge.with", "foo"), ("judge.with", "command:")])
def test_a_reader_or_a_budget_that_nobody_can_use_is_refused(workspace, key, value):
    ran = cairn("config", "set", "--local", key, value, "--yes", cwd=workspace)
    assert ran.code == 2 and f"`{value}`" in ran.err and not (workspace / ".cairn/settings.local.json").exists()


@pytest.mark.parametrize("value", ["claude", "auto", "null", "command:/opt/ask --json"])
def test_a_reader_need_not_be_installed(workspace, value):
    assert cairn("config", "set", "--local", "judge.with", value, "--yes", cwd=workspace).code == 0


def test_a_lower_budget_needs_no_question(workspace):
    def set_budget(value, *options):
        return cairn("config", "set", "--local", "judge.budget", value, *options, cwd=workspace).code

    assert [set_budget("500k"), set_budget("200k"), set_budget("100000")] == [0, 0, 0]
    assert local(workspace)["judge"]["budget"] == "100000"
    assert [set_budget("200k"), set_budget("$1"), set_budget("null")] == [1, 1, 1]
    assert set_budget("200k", "--yes") == 0
