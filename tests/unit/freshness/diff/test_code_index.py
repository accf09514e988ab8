"""The index of names: which files count, what is remembered, and what two moments have in common."""

from collections.abc import Collection
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.adapters.files.local import LocalFiles
from cairn.adapters.process.workers import ForkWorkers
from cairn.adapters.storage.memory import open_memory
from cairn.core.ports.rows import OutlineRow
from cairn.freshness.diff.code_index import (
    CodeIndex,
    Reading,
    build_index,
    is_code,
    pack,
    unpack,
)
from cairn.freshness.states import WorkTree
from cairn.lib.code.model import Outline, Symbol
from repository import put

COUNTS = [
    "a.py",
    "src/a.ts",
    "Makefile",
    "conf/x.toml",
    "src/contest/a.py",
    "examples/a.py",
    "package.json",
    "lib/a.go",
]
DOES_NOT = [
    *("a.md", "a.png", "tests/a.py", "src/tests/a.py", "test_a.py", "a_test.go", "a.spec.ts", "conftest.py"),
    *("vendor/a.js", "node_modules/x/a.js", "dist/a.js", ".github/a.yml", "a.min.js", "package-lock.json", "uv.lock"),
    *("app_pb2.py", "db/migrations/0001.py", "third_party/a.c", "a.js.map"),
]


@pytest.mark.parametrize("path", COUNTS)
def test_files_that_define_something(path: str) -> None:
    assert is_code(path)


@pytest.mark.parametrize("path", DOES_NOT)
def test_files_that_define_nothing_here(path: str) -> None:
    assert not is_code(path)


class Counting(WorkTree):
    """Remembers what was read."""

    def __init__(self, root: Path) -> None:
        super().__init__(LocalFiles(root))
        self.seen: list[str] = []

    def read(self, paths: Collection[str]) -> dict[str, bytes]:
        self.seen += paths
        return super().read(paths)


def names(index: CodeIndex) -> set[str]:
    return {symbol.name for outline in index.outlines.values() for symbol in outline.symbols if symbol.kind != "module"}


def test_only_what_changed_is_parsed_again(tmp_path: Path) -> None:
    put(tmp_path, {"a.py": "def one(): ...\n", "b.py": "def two(): ...\n", "c.py": "def three(): ...\n", "d.md": ""})
    store = open_memory()
    first = Counting(tmp_path)
    assert names(build_index(first, store=store)) == {"one", "two", "three"}
    put(tmp_path, {"b.py": "def another(): ...\n", "c.py": None})
    second = Counting(tmp_path)
    index = build_index(second, store=store)
    assert (sorted(first.seen), second.seen) == (["a.py", "b.py", "c.py"], ["b.py"])
    assert names(index) == {"one", "another"}
    assert index.paths == {"a.py", "b.py", "d.md"}
    assert sorted(row.path for row in store.outlines()) == ["a.py", "b.py"]
    assert names(build_index(Counting(tmp_path))) == names(index)
    store.close()


def test_what_another_version_remembered_is_not_believed(tmp_path: Path) -> None:
    put(tmp_path, {"a.py": "def one(): ...\n"})
    store = open_memory()
    (fact,) = WorkTree(LocalFiles(tmp_path)).facts().values()
    assert fact is not None
    for nonsense in ("", "[]", '[0,"x","a.py","python","d","",[]]', "{", "[1,2,3,4,5,6,7]"):
        store.keep_outlines([OutlineRow(*fact[:4], nonsense)])
        assert names(build_index(WorkTree(LocalFiles(tmp_path)), store=store)) == {"one"}
    store.close()


def test_a_grammar_that_comes_later_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, {"a.go": "package a\n\nfunc Serve() {}\n"})
    store = open_memory()
    with monkeypatch.context() as without:
        without.setattr("cairn.lib.code.grammar._parser", lambda language: None)
        assert names(build_index(WorkTree(LocalFiles(tmp_path)), store=store)) == set()
    assert names(build_index(WorkTree(LocalFiles(tmp_path)), store=store)) == {"Serve"}
    store.close()


def test_many_files_are_parsed_by_several_processes(tmp_path: Path) -> None:
    put(tmp_path, {f"m{number}.py": f"def f{number}(): ...\n" for number in range(200)})
    state = WorkTree(LocalFiles(tmp_path))
    assert build_index(state, reading=Reading(workers=ForkWorkers(2))).outlines == build_index(state).outlines


texts = st.text(max_size=20)
symbols = st.builds(
    Symbol, st.just("p"), texts, st.just("key"), st.integers(1, 9), st.integers(1, 9), texts, texts, texts
)


@given(st.builds(Outline, st.just("p"), texts, st.lists(symbols, max_size=4).map(tuple), texts, texts))
def test_packing_loses_nothing(outline: Outline) -> None:
    assert unpack(pack(outline)) == outline
