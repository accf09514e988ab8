"""Which files count as code: a name that only prose has no longer exists."""

import random
from pathlib import Path

import pytest

from cairn.adapters.files.local import LocalFiles
from cairn.core.ports.runtime import WalkRequest
from cairn.core.repository.code import Code, announces_a_change, as_token, is_record, mentions, name_in, tokens_in
from cairn.core.repository.tree import RepositoryTree
from cairn.lib.document.document import outline

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


SPANS = [
    ("fetch_page", "fetch_page"),
    ("fetch_page()", "fetch_page"),
    ("client.fetch(url)", "fetch"),
    (".full_path", "full_path"),
    ("server.fs.strict", "strict"),
    ("Store::open", "open"),
    ("DiskStore", "DiskStore"),
    ("UNPROCESSED", "UNPROCESSED"),
    ("--dry-run", "--dry-run"),
    ("--jobs=4", "--jobs"),
    ("simple", None),
    ("README.md", None),
    ("src/app.py", None),
    ("pip install x", None),
    ("a" * 100 + "_b", None),
    ("True", None),
]


@pytest.mark.parametrize(("span", "name"), SPANS, ids=[span[:20] for span, _ in SPANS])
def test_the_name_in_a_span(span: str, name: str | None) -> None:
    assert name_in(span) == name


def named(text: str, *packages: str) -> list[tuple[int, str]]:
    return [(mention.line, mention.name) for mention in mentions(outline("a.md", text), packages)]


def test_names_in_code_blocks_have_their_own_lines() -> None:
    assert named("# A\n\n```py\nload_page(x)\n\nsave_page(y)\n```\n") == [(4, "load_page"), (6, "save_page")]


def test_names_that_the_page_defines_are_left_out() -> None:
    assert named("```py\ndef my_view(): ...\n```\n\nThen `my_view` runs.\n") == []


@pytest.mark.parametrize("package", ["shop", "@acme/shop"])
def test_imports_of_this_project_are_mentions(package: str) -> None:
    text = f"```ts\nimport {{ OldThing }} from '{package}'\nnew OldThing()\n```\n"
    assert named(text, package) == [(2, "OldThing"), (3, "OldThing")]
    assert named(text, "other") == []


def test_output_blocks_are_not_code() -> None:
    assert named("```text\nload_page done\n```\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "The suite was 4,564 lines; it is now five files.",
        "The parser is now part of the reader.",
        "`fetch` was removed in the last release.",
    ],
)
def test_announces_a_change(text: str):
    assert announces_a_change(text)


@pytest.mark.parametrize("text", ["The parser knows how to read a file.", "Call `removed()` first.", "It was easy."])
def test_ordinary_sentences_announce_nothing(text: str):
    assert not announces_a_change(text)


@pytest.mark.parametrize(
    "line",
    [
        "- **[0.1.27](https://example.com)**: added a cache",
        "- 0.1.27: added a cache",
        "* v2.0 – a new reader",
        "- **Jul 2023**: a new reader",
        "2024-03-01 a new reader",
        "[2024/03] a new reader",
    ],
)
def test_entries_of_a_list_of_news(line: str):
    assert is_record(line)


@pytest.mark.parametrize(
    "line",
    [
        "- Python 3.8 or newer",
        "1. Install the [cache](src/cache.py)",
        "- May the force be with you",
    ],
)
def test_other_lines_are_not_news(line: str):
    assert not is_record(line)
