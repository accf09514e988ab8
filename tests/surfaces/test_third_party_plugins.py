"""Plugins of other distributions: found by their entry points like anybody's, named when they misbehave."""

import json
from pathlib import Path
from textwrap import dedent

import pytest

from program import Ran, cairn, fits_schema

PLUGIN = """
from cairn.plugin import Plugin
PLUGIN = Plugin.of("{name}", "{name}", "1.5", "A plugin.", {extensions!r})
"""
EXTRACTOR = """
from cairn.plugin import ExtractorManifest, View
class Extension:
    manifest = ExtractorManifest(version="1.5", description="d", ui={{"chip": View("card.footer.left")}})
    def extract(self, ctx):
        {body}
extension = Extension()
"""
ANALYZER = """
from cairn.plugin import AnalyzerManifest, Issue, Severity, View
class Extension:
    manifest = AnalyzerManifest(version="1.5", description="d", {manifest})
    def evaluate(self, ctx):
        {body}
extension = Extension()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / ".cairn").mkdir(parents=True)
    (root / ".cairn/settings.json").write_text("{}")
    (root / "a.md").write_text("# A\n\n[b](b.md)\n")
    (root / "b.md").write_text("# B\n\n[gone](gone.md)\n")
    return root


def install(
    site: Path, name: str, extensions: dict[str, str], *, version: str = "1.5", entry: str | None = None
) -> None:
    """What pip would leave behind."""
    package = site / name
    for extension, source in extensions.items():
        kind, _, short = extension.partition("/")
        (package / f"{kind}s").mkdir(parents=True, exist_ok=True)
        (package / f"{kind}s/{short.replace('-', '_')}.py").write_text(source)
    package.mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").write_text(PLUGIN.format(name=name, extensions=list(extensions)))
    metadata = site / f"{name}-{version}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (metadata / "entry_points.txt").write_text(
        f"[console_scripts]\nx = y:z\n\n[cairn.plugins]\n{name} = {entry or name}\n"
    )


def scan(project: Path, site: Path) -> Ran:
    ran = cairn("scan", "--json", cwd=project, PYTHONPATH=str(site))
    assert ran.code in (0, 1), ran.err
    fits_schema(ran.json(), "scan")
    return ran


def test_an_installed_plugin_takes_part(project: Path, tmp_path: Path):
    issue = 'return [Issue("x", Severity.ERROR, (n.path,), "I saw it", 1) for n in ctx.nodes()]'
    link = 'ctx.emit_link("points", "b.md", 0.5, start=0, end=1, raw="#", original="b", normalized="b.md")'
    found = {
        "analyzer/my-rule": ANALYZER.format(manifest="", body=issue),
        "extractor/mine": EXTRACTOR.format(body=link),
    }
    install(tmp_path / "site", "good", found)
    ran = scan(project, tmp_path / "site")
    assert [i["nodeIds"] for i in ran.json()["issues"] if i["analyzerId"] == "my-rule"] == [["a.md"], ["b.md"]]
    assert ("a.md", "points") in {(link["source"], link["kind"]) for link in ran.json()["links"]}
    without = cairn("scan", "--json", "--no-plugins", cwd=project, PYTHONPATH=str(tmp_path / "site"))
    assert "my-rule" not in {i["analyzerId"] for i in without.json()["issues"]}
    assert "points" not in {link["kind"] for link in without.json()["links"]}


def test_a_check_that_fails_is_named_by_every_command(project: Path, tmp_path: Path):
    source = ANALYZER.format(manifest='phase="read", reach="graph"', body='raise ValueError("broken inside")')
    install(tmp_path / "site", "odd", {"analyzer/x": source})
    site = str(tmp_path / "site")
    failed = "odd/x (it failed: ValueError: broken inside)"
    assert "odd/x" in cairn("scan", cwd=project, PYTHONPATH=site).err
    assert cairn("check", "--json", cwd=project, PYTHONPATH=site).json()["notChecked"][0] == failed
    [invocation] = cairn("check", "--sarif", cwd=project, PYTHONPATH=site).json()["runs"][0]["invocations"]
    assert not invocation["executionSuccessful"]
    said = {"level": "error", "message": {"text": f"Not checked: {failed}."}}
    assert said in invocation["toolExecutionNotifications"]
    assert f"not checked: {failed}" in cairn("status", cwd=project, PYTHONPATH=site).out
    (project / "gone.md").write_text("# Found\n")
    for command in ("check", "try"):
        ran = cairn(command, cwd=project, PYTHONPATH=site)
        assert "No problems found by the checks that did not fail" in ran.out + ran.err
    [invocation] = cairn("check", "--sarif", cwd=project).json()["runs"][0]["invocations"]
    assert invocation["executionSuccessful"]


FAILS_ON_A = 'if ctx.document.path == "a.md": raise ValueError("not\\x1b[31m this\\none")'
COPY = 'import copy; ctx.emit_contribution(copy.copy(self.manifest.ui["chip"]), {})'
OTHER_KIND = 'ctx.emit_link("likes", "b.md", 0.5, start=0, end=1, raw="#", original="b", normalized="b.md")'
CONFIDENCE = 'for link in ctx.links(): ctx.adjust_confidence(link, "delta", -0.1)\n        return []'
# name of the extension, its source, what is said on stderr
MISBEHAVING = [
    (
        "extractor/x",
        EXTRACTOR.format(body=FAILS_ON_A),
        "plugin odd/x 1.5 (extension-error), skipped on `a.md`: ValueError",
    ),
    ("extractor/x", EXTRACTOR.format(body=COPY), "whose object is not one declared in its `ui` map"),
    ("extractor/x", EXTRACTOR.format(body=OTHER_KIND), "`likes` is not a kind of link"),
    ("extractor/x", EXTRACTOR.format(body="raise SystemExit(0)"), "SystemExit: 0"),
    (
        "analyzer/x",
        ANALYZER.format(manifest="", body="return 1 / 0"),
        "plugin odd/x 1.5 (extension-error), skipped: Zero",
    ),
    ("analyzer/x", ANALYZER.format(manifest="", body=CONFIDENCE), "in the score phase only"),
    (
        "analyzer/x",
        ANALYZER.format(manifest='phase="dawn"', body="return []"),
        "(invalid-manifest), skipped: /phase must be",
    ),
    (
        "analyzer/x",
        ANALYZER.format(manifest='ui={"chip": View("card.nowhere")}', body="return []"),
        "/ui/chip/slot is not a valid value",
    ),
    ("analyzer/x", "import not_installed_anywhere", "plugin odd/x 1.5 (load-error), skipped: ModuleNotFoundError"),
    ("analyzer/x", "def broken(:", "plugin odd/x 1.5 (load-error), skipped: SyntaxError"),
    ("analyzer/x", "raise SystemExit(0)", "plugin odd/x 1.5 (load-error), skipped: SystemExit"),
    ("analyzer/x", "extension = 3", "(invalid-manifest), skipped: `manifest` must be a AnalyzerManifest"),
]


@pytest.mark.parametrize(("extension", "source", "sentence"), MISBEHAVING, ids=range(len(MISBEHAVING)))
def test_one_that_misbehaves_is_one_sentence_and_the_scan_finishes(
    project: Path, tmp_path: Path, extension: str, source: str, sentence: str
):
    install(tmp_path / "site", "odd", {extension: source})
    ran = scan(project, tmp_path / "site")
    assert len(ran.json()["nodes"]) == 2
    assert {i["analyzerId"] for i in ran.json()["issues"]} == {"reference-broken"}
    assert sentence in ran.err
    assert ran.err.count("\n") == 1, ran.err
    assert "\x1b" not in ran.err


NOISY = dedent(
    """
    import sys
    print("while it is imported")
    from cairn.plugin import ExtractorManifest
    class Extension:
        manifest = ExtractorManifest(version="1", description="d")
        def extract(self, ctx):
            print("while it works")
            sys.stdout.write("and directly")
    extension = Extension()
    """
)


def test_what_a_plugin_prints_is_never_in_the_data(project: Path, tmp_path: Path):
    install(tmp_path / "site", "noisy", {"extractor/x": NOISY})
    ran = scan(project, tmp_path / "site")
    assert ran.out.startswith("{")
    assert json.loads(ran.out)
    assert "while it works" in ran.err


def test_two_plugins_with_one_id(project: Path, tmp_path: Path):
    nothing = ANALYZER.format(manifest="", body="return []")
    install(tmp_path / "site", "first", {"analyzer/x": nothing})
    install(tmp_path / "site", "second", {"analyzer/x": nothing})
    (tmp_path / "site/second/__init__.py").write_text(PLUGIN.format(name="first", extensions=["analyzer/x"]))
    assert (
        "plugin first 1.5 (id-collision), all extensions skipped: its id is already taken"
        in scan(project, tmp_path / "site").err
    )


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ("nowhere_at_all", "plugin odd 1.5 (load-error), all extensions skipped: ModuleNotFoundError"),
        ("odd:missing", "(load-error), all extensions skipped: AttributeError"),
        ("json:dumps", "TypeError: json:dumps is not a cairn.plugin.Plugin"),
    ],
)
def test_an_entry_point_that_leads_nowhere(project: Path, tmp_path: Path, entry: str, sentence: str):
    install(tmp_path / "site", "odd", {}, entry=entry)
    assert sentence in scan(project, tmp_path / "site").err


def test_metadata_that_is_damaged_stops_nobody(project: Path, tmp_path: Path):
    site = tmp_path / "site"
    for name, content in (
        ("a", b"\xff\xfe[cairn.plugins]\n"),
        ("b", b"[cairn.plugins\nx"),
        ("c", b"[cairn.plugins]\n=\n"),
    ):
        (site / f"{name}-1.dist-info").mkdir(parents=True)
        (site / f"{name}-1.dist-info/entry_points.txt").write_bytes(content)
    (site / "d-1.dist-info").mkdir()
    (site / "d-1.dist-info/entry_points.txt").mkdir()
    assert len(scan(project, site).json()["nodes"]) == 2


def test_a_plugin_that_lists_a_kind_that_does_not_exist(project: Path, tmp_path: Path):
    install(tmp_path / "site", "odd", {"gadget/x": ""})
    assert "`gadget/x` is not `kind/id`; the kinds are provider" in scan(project, tmp_path / "site").err


def test_plugins_of_the_project_are_not_run(project: Path):
    folder = project / ".cairn/plugins/evil/extractors/x"
    folder.mkdir(parents=True)
    (folder / "extension.py").write_text("raise SystemExit('it ran')")
    manifest = {"version": "1", "specCompat": "*", "catalogCompat": "*", "description": "d"}
    (project / ".cairn/plugins/evil/plugin.json").write_text(json.dumps(manifest))
    ran = cairn("scan", cwd=project)
    assert "it ran" not in ran.out + ran.err
