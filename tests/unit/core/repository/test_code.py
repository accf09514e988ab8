"""Which files count as code: a name that only prose has no longer exists."""

from pathlib import Path

import pytest

from cairn.adapters.files.local import LocalFiles
from cairn.core.ports.files import WalkRequest
from cairn.core.repository.code import Code
from cairn.core.repository.tree import Tree

PROSE = [
    "docs/a.md",
    "docs/a.rst",
    "docs/a.adoc",
    "README",
    ".cursor/rules/a.mdc",
    ".cursorrules",
    "CHANGES.txt",
    "ChangeLog",
    "NEWS",
    "docs/release-notes.txt",
    "newsfragments/12.removal",
]
CODE = ["src/a.py", "src/news.py", "requirements.txt", "CMakeLists.txt", "history/list", "Makefile", "a.mdc"]


@pytest.mark.parametrize(("path", "is_code"), [*((path, False) for path in PROSE), *((path, True) for path in CODE)])
def test_words_of_the_code(path: str, is_code: bool, tmp_path: Path) -> None:
    file = tmp_path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("run_it was removed\n")
    assert Code(Tree(LocalFiles(tmp_path), WalkRequest())).has("run_it") is is_code


def test_rules_of_cursor_are_documents(tmp_path: Path) -> None:
    for path in PROSE:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("words\n")
    documents = Tree(LocalFiles(tmp_path), WalkRequest()).documents
    assert documents == (".cursor/rules/a.mdc", ".cursorrules", "README", "docs/a.md", "docs/a.rst")
