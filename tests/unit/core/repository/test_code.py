"""Which files count as code: a name that only prose has no longer exists."""

import random
from pathlib import Path

import pytest

from cairn.adapters.files.local import LocalFiles
from cairn.core.ports.files import WalkRequest
from cairn.core.repository.code import Code, as_token, tokens_in
from cairn.core.repository.tree import RepositoryTree

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
    assert Code(RepositoryTree(LocalFiles(tmp_path), WalkRequest())).has("run_it") is is_code


def test_rules_of_cursor_are_documents(tmp_path: Path) -> None:
    for path in PROSE:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("words\n")
    documents = RepositoryTree(LocalFiles(tmp_path), WalkRequest()).documents
    assert documents == (".cursor/rules/a.mdc", ".cursorrules", "README", "docs/a.md", "docs/a.rst")


TEXTS = [
    (b"app --dry-run now", {b"app", b"--dry-run", b"dry", b"run", b"now"}),
    (b"3fold max-age- a_b", {b"fold", b"max", b"age", b"max-age", b"a_b"}),
    (b"-x --- --", {b"x"}),
]


@pytest.mark.parametrize(("text", "tokens"), TEXTS)
def test_tokens_of_a_text(text: bytes, tokens: set[bytes]) -> None:
    assert tokens_in(text) == tokens


def test_pattern_of_a_word_finds_exactly_the_tokens() -> None:
    dice = random.Random(1)
    for _ in range(20_000):
        text = "".join(dice.choices("ab1_-. \n", k=dice.randint(1, 14))).encode()
        word = "".join(dice.choices("ab1_--", k=dice.randint(1, 5))).encode()
        assert (word in tokens_in(text)) == (as_token(word).search(text) is not None), (text, word)
