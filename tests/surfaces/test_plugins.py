"""`cairn plugins`, with built-in, installed and project plugins."""

import json

import pytest

import garden
from program import cairn, fits_schema

PLUGIN = """
from cairn.plugin import Plugin
print("imported")
PLUGIN = Plugin.of("shed", "shed_plugin", "2.1", "Things from the shed.", ("analyzer/rake", "analyzer/broken"))
"""
RAKE = """
import os
from cairn.plugin import AnalyzerManifest, Precondition, Setting
from shed_plugin.tools import fetch

class Rake:
    '''Rakes.'''

    manifest = AnalyzerManifest(
        version="2.1",
        description="Rakes leaves.",
        precondition=Precondition(kind=("claude/robot",)),
        settings={"teeth": Setting(type="integer", label="Teeth", default=9)},
    )

    def evaluate(self, ctx):
        os.system("rm leaves")
        return ()

extension = Rake()
"""
TOOLS = "import urllib.request\n\ndef fetch(): ...\n"
MANIFEST = {"version": "1.0", "specCompat": "^0.54", "catalogCompat": "^1", "description": "From the repository."}


@pytest.fixture
def workspace(tmp_path):
    root = tmp_path / "garden"
    garden.write(root, {".cairn/settings.json": "{}", "README.md": "# Garden\n"})
    return root


@pytest.fixture
def installed(tmp_path):
    """An installed distribution, found by its entry point like any."""
    site = tmp_path / "site"
    garden.write(
        site,
        {
            "shed_plugin/__init__.py": PLUGIN,
            "shed_plugin/tools.py": TOOLS,
            "shed_plugin/analyzers/__init__.py": "",
            "shed_plugin/analyzers/rake.py": RAKE,
            "shed_plugin/analyzers/broken.py": "1 / 0\n",
            "shed-2.1.dist-info/entry_points.txt": "[cairn.plugins]\nshed = shed_plugin:PLUGIN\n",
        },
    )
    return {"PYTHONPATH": str(site)}


def project_plugin(root, manifest, code="import subprocess\n"):
    text = manifest if isinstance(manifest, str) else json.dumps(manifest)
    folder = ".cairn/plugins/mole"
    garden.write(root, {f"{folder}/plugin.json": text, f"{folder}/analyzers/digs/extension.py": code})


def local(root):
    file = root / ".cairn" / "settings.local.json"
    return json.loads(file.read_text()) if file.exists() else {}


def plugins(root, **env):
    ran = cairn("plugins", "list", "--json", cwd=root, **env)
    fits_schema(ran.json(), "plugins-list")
    return {plugin["id"]: plugin for plugin in ran.json()["plugins"]}


# --- list and show --------------------------------------------------------------------------------------------------


def test_the_list(workspace):
    ran = cairn("plugins", "list", cwd=workspace)
    assert ran.code == 0
    assert garden.first_column(ran) == ["claude", "antigravity", "openai", "knowledge", "agent-skills", "hosts", "core"]
    assert "built-in" in ran.out
    detailed = cairn("plugins", "list", "-v", cwd=workspace)
    assert "  reference-broken" in detailed.out
    assert plugins(workspace)["core"]["status"] == "enabled"


def test_where_plugins_come_from(workspace, installed):
    project_plugin(workspace, MANIFEST)
    found = plugins(workspace, **installed)
    assert {id: (p["origin"], p["status"]) for id, p in found.items() if id not in ("claude", "openai")} == {
        "antigravity": ("built-in", "enabled"),
        "knowledge": ("built-in", "idle"),
        "agent-skills": ("built-in", "enabled"),
        "hosts": ("built-in", "enabled"),
        "core": ("built-in", "enabled"),
        "shed": ("installed", "enabled"),
        "mole": ("project", "untrusted"),
    }
    assert [(e["id"], e["status"]) for e in found["shed"]["extensions"]] == [
        ("shed/rake", "enabled"),
        ("shed/broken", "load-error"),
    ]
    assert "ZeroDivisionError" in found["shed"]["extensions"][1]["message"]


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("core", ["core 1.0.0 (built-in, enabled)", "reference-broken", "formatter"]),
        ("core/reference-broken", ["core/reference-broken (analyzer 1.0.0", "phase: score", "Why it matters"]),
        ("tools-counter", ["claude/tools-counter (extractor", "precondition", "kind: claude/agent"]),
        ("external-url-counter", ["settings.ignored-domains = []", "Ignored domains, string-list."]),
    ],
)
def test_show(workspace, name, texts):
    ran = cairn("plugins", "show", name, cwd=workspace)
    assert ran.code == 0
    for text in texts:
        assert text in ran.out
    fits_schema(cairn("plugins", "show", name, "--json", cwd=workspace).json(), "plugins-show")


def test_show_gives_values_of_settings(workspace):
    cairn("config", "set", "plugins.core.extensions.external-url-counter.settings.ignored-domains", "a.org, b.org",
          cwd=workspace)  # fmt: skip
    shown = cairn("plugins", "show", "core/external-url-counter", "--json", cwd=workspace).json()
    assert shown["extension"]["settings"][0]["default"] == []
    assert shown["extension"]["settings"][0]["value"] != []


def test_show_a_plugin_that_does_not_run(workspace):
    project_plugin(workspace, MANIFEST)
    assert "it came with the repository" in cairn("plugins", "show", "mole/digs", cwd=workspace).out
    shown = cairn("plugins", "show", "mole/digs", "--json", cwd=workspace).json()
    fits_schema(shown, "plugins-show")
    assert shown["extension"]["manifest"] is None


@pytest.mark.parametrize("verb", ["show", "enable", "disable"])
def test_unknown(workspace, verb):
    ran = cairn("plugins", verb, "core/reference-brocken", cwd=workspace)
    assert (ran.code, ran.out) == (5, "")
    assert "did you mean `core/reference-broken`?" in ran.err


# --- on and off -----------------------------------------------------------------------------------------------------


def test_one_extension(workspace):
    ran = cairn("plugins", "disable", "core/reference-broken", cwd=workspace)
    assert (ran.code, ran.out) == (0, "core/reference-broken is off\n")
    assert local(workspace) == {"plugins": {"core": {"extensions": {"reference-broken": {"enabled": False}}}}}
    assert json.loads((workspace / ".cairn" / "settings.json").read_text()) == {}
    again = cairn("plugins", "disable", "core/reference-broken", cwd=workspace)
    assert again.out == "core/reference-broken is off already\n"
    back = cairn("plugins", "enable", "core/reference-broken", "--json", cwd=workspace)
    fits_schema(back.json(), "plugins-enable")
    assert back.json()["switched"] == [{"id": "core/reference-broken", "enabled": True, "changed": True}]


def test_a_switch_is_heard_by_the_scan(workspace):
    (workspace / "README.md").write_text("[gone](gone.md)\n")
    assert cairn("scan", "-q", cwd=workspace).code == 1
    cairn("plugins", "disable", "core/reference-broken", cwd=workspace)
    assert cairn("scan", "-q", cwd=workspace).code == 0


def test_a_whole_plugin_needs_a_word(workspace):
    refused = cairn("plugins", "disable", "core", cwd=workspace)
    assert (refused.code, local(workspace)) == (1, {})
    assert "add --yes" in refused.err
    assert cairn("plugins", "disable", "antigravity", cwd=workspace).code == 0  # it has one extension only
    assert cairn("plugins", "disable", "core", "--yes", cwd=workspace).code == 0
    assert not any(e["enabled"] for e in plugins(workspace)["core"]["extensions"])
    assert plugins(workspace)["core"]["status"] == "disabled"


def test_a_whole_plugin_overrules_its_extensions(workspace):
    committed = {"plugins": {"core": {"extensions": {"reference-broken": {"enabled": False}}}}}
    (workspace / ".cairn" / "settings.json").write_text(json.dumps(committed))
    assert cairn("plugins", "enable", "core", "--yes", cwd=workspace).code == 0
    assert all(e["enabled"] for e in plugins(workspace)["core"]["extensions"])


def test_all(workspace):
    assert cairn("plugins", "disable", "--all", cwd=workspace).code == 1
    ran = cairn("plugins", "disable", "--all", "--yes", "--json", cwd=workspace)
    fits_schema(ran.json(), "plugins-disable")
    assert {plugin["status"] for plugin in plugins(workspace).values()} == {"disabled", "idle"}
    (workspace / "README.md").write_text("# Garden\n")
    assert "0 documents" in cairn("scan", cwd=workspace).out
    assert cairn("graph", cwd=workspace).code == 2


@pytest.mark.parametrize("args", [(), ("core", "--all")])
def test_bad_usage(workspace, args):
    assert cairn("plugins", "enable", *args, cwd=workspace).code == 2


def test_a_plugin_of_the_project_is_not_switched_on(workspace):
    project_plugin(workspace, MANIFEST)
    ran = cairn("plugins", "enable", "mole", cwd=workspace)
    assert (ran.code, local(workspace)) == (1, {})
    assert "came with the repository" in ran.err


# --- doctor ---------------------------------------------------------------------------------------------------------


def findings(root, code, **env):
    ran = cairn("plugins", "doctor", "--json", cwd=root, **env)
    fits_schema(ran.json(), "plugins-doctor")
    assert ran.code == code, ran.out
    return {(f["level"], f["subject"], f["code"], f["line"]) for f in ran.json()["findings"]}


def test_the_built_in_ones_are_sound(workspace):
    assert findings(workspace, 0) == set()
    ran = cairn("plugins", "doctor", cwd=workspace)
    assert (ran.code, ran.out) == (0, "")
    assert "are sound" in ran.err


def test_what_an_installed_plugin_does_is_named(workspace, installed):
    assert findings(workspace, 1, **installed) == {
        ("problem", "shed/broken", "load-error", None),
        ("problem", "shed/rake", "spawns", 17),
        ("problem", "shed/rake", "connects", 1),
        ("warning", "shed/rake", "applicable-kind-unknown", None),
    }
    ran = cairn("plugins", "doctor", cwd=workspace, **installed)
    assert "uses os.system" in ran.out
    assert "shed_plugin/tools.py:1: imports urllib.request" in ran.out
    assert "imported\n" not in ran.out


def test_a_plugin_of_the_project_is_read_and_not_run(workspace, tmp_path):
    trace = tmp_path / "trace"
    project_plugin(workspace, MANIFEST, f"open({str(trace)!r}, 'w')\n")
    assert findings(workspace, 1) == {
        ("problem", "mole", "writes", 1),
        ("warning", "mole", "untrusted", None),
    }
    assert not trace.exists()


@pytest.mark.parametrize(
    ("manifest", "code", "found"),
    [
        (MANIFEST, 0, {("warning", "mole", "untrusted", None)}),
        (
            {k: v for k, v in MANIFEST.items() if k != "catalogCompat"},
            0,
            {("warning", "mole", "untrusted", None), ("warning", "mole", "catalog-compat-missing", None)},
        ),
        ({**MANIFEST, "id": "mole"}, 1, {("problem", "mole", "invalid-manifest", None)}),
        ("{", 1, {("problem", "mole", "invalid-manifest", None)}),
        ("[" * 100_000, 1, {("problem", "mole", "invalid-manifest", None)}),
    ],
)
def test_manifests_of_the_project(workspace, manifest, code, found):
    project_plugin(workspace, manifest, "extension = 1\n")
    assert findings(workspace, code) == found


def test_settings_for_nobody(workspace):
    settings = {"plugins": {"gone": {"enabled": True}, "core": {"extensions": {"ascii": {"settings": {"x": 1}}}}}}
    (workspace / ".cairn" / "settings.json").write_text(json.dumps(settings))
    assert findings(workspace, 0) == {
        ("warning", "gone", "settings-unknown", None),
        ("warning", "core/ascii", "settings-unknown", None),
    }
