"""The extensions that the "add an …" pages show really work."""

import os
import re
import types
from pathlib import Path

import pytest
import ryaml

from cairn.app.build import build_app
from cairn.core.extension_points import ExtensionRef, Plugin
from cairn.graph.run_scan import run_scan
from cairn.graph.subgraph import whole

DOCS = Path(__file__).parents[2] / "docs/how-to"
HEADINGS = ["What it finds", "Why it matters", "Example", "Fix"]


def example(page, mark):
    text = (DOCS / page).read_text()
    code = re.search(rf"<!-- {mark} -->\n```python\n(.*?)```", text, re.S)[1]
    module = types.ModuleType(f"example_{mark}")
    exec(compile(code, page, "exec"), module.__dict__)
    return module


@pytest.fixture
def scanned(tmp_path, monkeypatch):
    """Scans some files with the built-in plugins and one more."""

    def run(files, kind, id, module):
        import importlib
        import sys

        from cairn.extensions import BUILT_INS

        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        ours = Plugin("example", "1.0.0", "From the page.", (ExtensionRef(kind, id, module.__name__),))
        plugins = [ours, *(importlib.import_module(name).PLUGIN for name in BUILT_INS)]
        (tmp_path / ".cairn").mkdir()
        app = build_app(tmp_path, env=dict(os.environ), plugins=plugins)
        try:
            done = run_scan(app, app.scan_request(), remember=False)
            assert done.warnings == ()
            return whole(app.store)
        finally:
            app.close()

    return run


def test_the_analyzer(scanned):
    module = example("add-an-analyzer.md", "analyzer")
    files = {"README.md": "[a](docs/a.md)", "docs/a.md": "# A", "docs/b.md": "# B"}
    part = scanned(files, "analyzer", "lonely-page", module)
    found = [issue for issue in part.issues if issue.analyzer == "lonely-page"]
    assert [issue.path for issue in found] == ["docs/b.md"]
    doc = type(module.extension).__doc__
    assert [line.strip() for line in doc.splitlines() if line.strip() in HEADINGS] == HEADINGS


def test_the_read_analyzer_and_its_cases(tmp_path):
    from unit.extensions.test_read_analyzers import repository, shown

    page = (DOCS / "add-an-analyzer.md").read_text()
    module = example("add-an-analyzer.md", "read-analyzer")
    for number, case in enumerate(ryaml.loads(re.search(r"```yaml\n(.*?)```", page, re.S)[1])):
        found = module.extension.evaluate(repository(tmp_path / str(number), case["commits"]))
        wanted = case.get("findings", [])
        assert [shown(issue, one) for issue, one in zip(found, wanted, strict=True)] == wanted


def test_the_extractor(scanned):
    module = example("add-an-extractor.md", "extractor")
    files = {"a.md": "See ADR-12, not `ADR-13`.", "docs/adr/0012.md": "# Twelve"}
    part = scanned(files, "extractor", "decision-records", module)
    assert [(link.source, link.resolved) for link in part.links] == [("a.md", "docs/adr/0012.md")]


def test_the_lens(tmp_path, monkeypatch):
    import sys

    from cairn.observe.audit import AuditRequest, audit

    module = example("observe.md", "lens")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    (tmp_path / ".cairn").mkdir()
    (tmp_path / "a.md").write_text("# Quiet\n\n## LOUD ONE\n")
    ours = Plugin("example", "1.0.0", "From the page.", (ExtensionRef("lens", "shouting", module.__name__),))
    app = build_app(tmp_path, env=dict(os.environ), plugins=[ours])
    try:
        (finding,) = audit(app, AuditRequest(lenses=("example/shouting",))).findings
    finally:
        app.close()
    assert (finding.lens, finding.source_doc, finding.line, finding.severity) == ("example/shouting", "a.md", 3, "P3")
