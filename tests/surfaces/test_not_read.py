"""`bootstrap` and `import` name the documents that they did not read, and why."""

from pathlib import Path

from tests.program import cairn
from tests.repository import make

NODE = (
    "---\nschema_version: 2\nid: practice-{name}\ntitle: {name}\nkind: practice\ntags: []\nderived_from: []\n"
    "relates_to: []\ndepends_on: []\nconfidence: {sure}\nsummary: About {name}.\n---\nText.\n"
)
FILES = {
    "README.md": "# Shop\n\nWords about the shop, which only a reader can understand.\n",
    "CHANGELOG.md": "# Changes\n\n## 1.0\n\n- Began.\n",
    "LICENSE.md": "MIT License\n",
    "docs/adr/0001-make.md": "# 1. Use make\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use make.\n",
    "docs/big.md": "# Big\n" + "word " * 120_000,
    "AGENTS.md": "# Rules\n\n- Always lint\n",
    "sub/CLAUDE.md": "",
}
BASE = {
    ".ai/kenkeep/ENTRY.md": "---\nschema_version: 2\n---\n# kenkeep\n",
    ".ai/kenkeep/nodes/practice-good.md": NODE.format(name="good", sure="high"),
    ".ai/kenkeep/nodes/shop/practice-unsure.md": NODE.format(name="unsure", sure="perhaps"),
    ".ai/kenkeep/nodes/shop/notes.md": "# Notes\n",
}


def test_bootstrap_names_documents_that_it_left_out(tmp_path: Path) -> None:
    root = make(tmp_path, FILES)
    cairn("init", cwd=root)
    told = cairn("bootstrap", "--dry-run", cwd=root)
    for path, why in (("CHANGELOG.md", "about the past"), ("LICENSE.md", "a licence"), ("docs/big.md", "larger")):
        assert any(path in line and why in line for line in told.err.split("\n")), told.err
    assert any("README.md" in line and "tokens" in line for line in told.err.split("\n")), told.err
    assert "1 document needs a reader" in told.err


def test_import_memory_names_files_that_it_left_out(tmp_path: Path) -> None:
    root = make(tmp_path, FILES)
    cairn("init", cwd=root)
    told = cairn("import", "memory", "--dry-run", cwd=root)
    assert any("sub/CLAUDE.md" in line and "it is empty" in line for line in told.out.split("\n")), told.out


def test_import_base_names_nodes_that_it_did_not_read(tmp_path: Path) -> None:
    root = make(tmp_path, BASE)
    cairn("init", cwd=root)
    told = cairn("import", "base", cwd=root).err
    assert "nodes/shop/practice-unsure.md is not read: `confidence`" in told
    assert "nodes/shop/notes.md is not read: its name begins with neither" in told
    assert "practice-good.md" not in told
