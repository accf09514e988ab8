"""Declared sources that are no longer what they were, in real repositories."""

from collections.abc import Collection
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.adapters.files.local import LocalFiles
from cairn.adapters.process.workers import ForkWorkers
from cairn.adapters.storage.sqlite.store import open_memory
from cairn.adapters.vcs.git import Git
from cairn.core.model.issue import Issue
from cairn.core.model.knowledge import Source
from cairn.core.ports.graph import OutlineRow
from cairn.freshness.drift import CodeIndex, CodeReader, DriftContext, build_index, drift, is_code, pack, unpack
from cairn.freshness.path_sources import declared_in, line_of, look
from cairn.freshness.states import WorkTree
from cairn.lib.code.model import Outline, Symbol
from cairn.lib.markdown.frontmatter import parse
from repository import commit, git, make, put

CODE = "def connect(host, timeout=30):\n    print(host)\n    return timeout\n\n\ndef other():\n    return 1\n"


def digest(root: Path, path: str, anchor: str | None) -> str:
    source = Source("path", path, anchor)
    place = look([source], WorkTree(LocalFiles(root)).read([path]))[source].place
    assert place is not None
    return place.digest


def entry(*sources: tuple[str, str | None]) -> str:
    lines = [f"  - path: {path}" + (f"\n    hash: {found}" if found else "") for path, found in sources]
    return "---\nname: k\nsources:\n" + "\n".join(lines) + "\n---\nText.\n"


def issues(root: Path, *, index: CodeIndex | None = None) -> list[Issue]:
    declared = [
        one for path in root.glob("*.md") for one in declared_in(path.name, parse(path.read_text()).frontmatter)
    ]
    work = WorkTree(LocalFiles(root))
    return drift(declared, DriftContext(LocalFiles(root), Git(root), lambda: index or build_index(work)))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = make(tmp_path / "repo", {"src/a.py": CODE, "conf.toml": "[server]\nport = 80\nname = 'x'\n"})
    connect, port = digest(folder, "src/a.py", "connect"), digest(folder, "conf.toml", "server.port")
    commit(folder, {"k.md": entry(("src/a.py#connect", connect), ("conf.toml#server.port", port))})
    return folder


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"src/a.py": CODE.replace("print(host)", "print( host )  # say it")}, []),
        ({"src/a.py": CODE.replace("return 1", "return 2")}, []),
        ({"conf.toml": "[server]\nname = 'y'\nport=80\n"}, []),
        (
            {"src/a.py": CODE.replace("30", "60")},
            [("source-changed", 4, "`connect(host, timeout=30)` is now `connect(host, timeout=60)`")],
        ),
        (
            {"src/a.py": CODE.replace("print(host)", "log(host)")},
            [("source-changed", 4, "src/a.py#connect is not what it was at ")],
        ),
        ({"conf.toml": "[server]\nport = 81\n"}, [("source-changed", 6, "conf.toml#server.port is not what it was")]),
        (
            {"src/a.py": CODE.replace("def connect", "def dial")},
            [("source-missing", 4, "There is no `connect` in src/a.py; it is now src/a.py#dial.")],
        ),
        (
            {"src/a.py": "", "src/b.py": CODE},
            [("source-missing", 4, "There is no `connect` in src/a.py; it is now src/b.py#connect.")],
        ),
        (
            {"src/a.py": None, "lib/a.py": CODE},
            [("source-missing", 4, "The source src/a.py is gone; it may be lib/a.py#connect now.")],
        ),
        ({"src/a.py": None}, [("source-missing", 4, "The source src/a.py is gone.")]),
        ({"src/a.py": "x = 1\n"}, [("source-missing", 4, "There is no `connect` in src/a.py.")]),
        (
            {"src/a.py": CODE.replace("timeout=30", "timeout=")},
            [("source-unread", 4, "was not compared. Line 1 is not valid Python, so it was read as text.")],
        ),
        ({"conf.toml": "[server]\nport = = 81\n"}, [("source-unread", 6, "It could not be read as TOML")]),
    ],
    ids=lambda value: str(value)[:50],
)
def test_what_is_said(root: Path, change: dict[str, str | None], told: list[tuple[str, int, str]]) -> None:
    put(root, change)
    found = issues(root)
    assert [(issue.analyzer, issue.line) for issue in found] == [(rule, line) for rule, line, _ in told]
    for issue, (_, _, part) in zip(found, told, strict=True):
        assert part in issue.message
        assert issue.fix is not None and issue.data is not None


def test_a_source_that_nobody_stamped(root: Path) -> None:
    put(root, {"k.md": entry(("src/a.py", None))})
    (found,) = issues(root)
    assert (found.analyzer, found.severity, found.line) == ("source-unhashed", "info", 4)


def test_the_whole_repository_is_looked_at_only_when_something_is_gone(root: Path) -> None:
    put(root, {"src/a.py": CODE.replace("30", "60")})
    unread = CodeIndex({}, ())
    assert [issue.analyzer for issue in issues(root, index=unread)] == ["source-changed"]


def test_a_hash_of_another_reading_says_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root, {"a.ts": "export const A = 1;\n", "k.md": entry(("a.ts", "sha256:" + "0" * 64))})
    monkeypatch.setattr("cairn.lib.code.grammar._parser", lambda language: None)
    (found,) = issues(root)
    assert (found.analyzer, found.severity) == ("source-unread", "warn")
    assert "needs the extra `code`" in found.message


def test_without_a_repository(tmp_path: Path) -> None:
    put(tmp_path, {"a.py": CODE, "k.md": entry(("a.py#connect", "sha256:" + "0" * 64), ("gone.py", None))})
    assert [issue.analyzer for issue in issues(tmp_path)] == ["source-changed", "source-missing"]


def test_a_commit_is_named_by_its_day(root: Path) -> None:
    put(root, {"src/a.py": CODE.replace("30", "60")})
    (found,) = issues(root)
    first = git(root, "rev-list", "--max-parents=0", "HEAD")
    day = git(root, "log", "-1", "--format=%cs", "HEAD")
    assert first[:9] in found.message and day[:7] in found.message


@pytest.mark.parametrize(
    ("reference", "line"), [("a.py", 3), ("a.py#f", 2), ("src/a.py", 4), ("b.py", 1), ("a.py#g", 3)]
)
def test_the_line_that_names_a_source(reference: str, line: int) -> None:
    path, _, anchor = reference.partition("#")
    text = "sources:\n  - path: a.py#f\n  - path: a.py\n  - path: src/a.py#x\n  - path: ./src/a.py\n"
    text = text.replace("src/a.py#x", "src/a.py")
    assert line_of(text, Source("path", path, anchor or None)) == line


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
    assert build_index(state, reading=CodeReader(workers=ForkWorkers(2))).outlines == build_index(state).outlines


texts = st.text(max_size=20)
symbols = st.builds(
    Symbol, st.just("p"), texts, st.just("key"), st.integers(1, 9), st.integers(1, 9), texts, texts, texts
)


@given(st.builds(Outline, st.just("p"), texts, st.lists(symbols, max_size=4).map(tuple), texts, texts))
def test_packing_loses_nothing(outline: Outline) -> None:
    assert unpack(pack(outline)) == outline
