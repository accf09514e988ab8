"""The import rules bite: a copy of the package with faults planted in it is refused, contract by contract."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent

PLANTED = [
    ("core/planted.py", "from cairn.app.build import App", "Imports point down"),
    ("knowledge/planted.py", "from cairn.changes import __doc__", "Imports point down"),
    ("capture/planted.py", "from cairn.retrieve import __doc__", "Imports point down"),
    ("freshness/planted.py", "from cairn.workspace.doctor import __doc__", "Imports point down"),
    ("stranger/__init__.py", "", "Imports point down"),
    ("extensions/core/planted.py", "import cairn.graph.scan", "Extensions come in by the public door only"),
    ("lib/planted2.py", "import socket", "Core, libraries and features do no input or output of their own"),
    ("workspace/planted2.py", "import sqlite3", "Core, libraries and features do no input or output of their own"),
    ("mcp/planted.py", "import cairn.extensions.core", "Surfaces never import an adapter or an extension"),
    ("app/planted.py", "import cairn.mcp.request_handler", "Imports point down"),
    ("cli/planted.py", "import cairn.adapters.clock.system", "Surfaces never import an adapter or an extension"),
]


@pytest.fixture(scope="module")
def lint(tmp_path_factory):
    """Runs the linter over a copy, with or without one fault."""
    home = tmp_path_factory.mktemp("copy")
    package = home / "src" / "cairn"
    shutil.copytree(ROOT / "src" / "cairn", package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / ".importlinter", home)

    def run(file: str = "", line: str = "") -> subprocess.CompletedProcess[str]:
        if file:
            (package / file).parent.mkdir(exist_ok=True)
            (package / file).write_text(f'"""Planted."""\n\n{line}\n')
        try:
            return subprocess.run(
                [Path(sys.executable).parent / "lint-imports", "--no-cache"],
                cwd=home,
                env={**os.environ, "PYTHONPATH": str(home / "src")},
                capture_output=True,
                text=True,
            )
        finally:
            if file:
                (package / file).unlink()

    return run


def test_the_package_keeps_them(lint):
    done = lint()
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("file", "line", "contract"), PLANTED)
def test_a_planted_fault_is_found(lint, file, line, contract):
    done = lint(file, line)
    assert done.returncode == 1
    assert f"{contract} BROKEN" in " ".join(done.stdout.split())
