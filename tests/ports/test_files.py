"""The files port, on real folders with everything unpleasant in them."""

import os
import socket
import stat
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from cairn.adapters.files.local import LocalFiles
from cairn.core.ports.runtime import FileWalk, ReadFailed, WalkRequest
from cairn.errors import CairnError, NotFound, UsageError

Tree = dict[str, str]


def grow(root: Path, tree: Tree) -> None:
    for path, text in tree.items():
        target = root / path
        if path.endswith("/"):
            target.mkdir(parents=True, exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)


def walked(root: Path, **request: object) -> list[str]:
    return [file.path for file in LocalFiles(root).walk(WalkRequest(**request)).files]  # type: ignore[arg-type]


def rules(walk: FileWalk) -> list[tuple[str, str]]:
    return [(problem.path, problem.rule) for problem in walk.problems]


# Each: what it shows, the tree, the request, the files found.
WALKS: list[tuple[str, Tree, dict[str, object], list[str]]] = [
    ("nothing there", {}, {}, []),
    ("only the suffixes, in any case", {"a.md": "", "b.MD": "", "c.txt": "", "d.mdx": ""}, {}, ["a.md", "b.MD"]),
    ("other suffixes", {"a.md": "", "b.toml": ""}, {"suffixes": (".toml",)}, ["b.toml"]),
    ("sorted by code point", {"a/x.md": "", "a.md": "", "B.md": ""}, {}, ["B.md", "a.md", "a/x.md"]),
    ("a folder that is named like a file", {"x.md/a.md": "", "x.md/b.txt": ""}, {}, ["x.md/a.md"]),
    (
        "a rule for such a folder alone",
        {"x.md/a.txt.md": "", "b.md": "", ".gitignore": "/*.md\n!x.md/"},
        {},
        ["x.md/a.txt.md"],
    ),
    ("hidden folders are folders", {".claude/agents/a.md": ""}, {}, [".claude/agents/a.md"]),
    (
        "the bundled rules",
        {
            "node_modules/a.md": "",
            "x/dist/a.md": "",
            ".venv/a.md": "",
            "a/target/b.md": "",
            "p.egg-info/a.md": "",
            "k.md": "",
        },
        {},
        ["k.md"],
    ),
    ("a bundled rule is for folders", {"build.md": "", "out/a.md": ""}, {}, ["build.md"]),
    ("a bundled rule taken back", {"build/a.md": "", ".cairnignore": "!build/"}, {}, ["build/a.md"]),
    (
        "never git's or Cairn's own folder",
        {".git/a.md": "", ".cairn/a.md": "", ".cairnignore": "!.git/\n!.cairn/"},
        {},
        [],
    ),
    ("from the settings", {"a.md": "", "drafts/b.md": ""}, {"ignore": ("drafts/",)}, ["a.md"]),
    (".cairnignore over the settings", {"a/b.md": "", ".cairnignore": "!a/"}, {"ignore": ("a/",)}, ["a/b.md"]),
    (".gitignore", {"a.md": "", "b.md": "", ".gitignore": "b.md"}, {}, ["a.md"]),
    (".gitignore not wanted", {"b.md": "", ".gitignore": "b.md"}, {"gitignore": False}, ["b.md"]),
    (".gitignore below", {"a.md": "", "s/a.md": "", "s/t/a.md": "", "s/.gitignore": "/a.md"}, {}, ["a.md", "s/t/a.md"]),
    (
        ".cairnignore at the root over a .gitignore below",
        {"s/a.md": "", "s/.gitignore": "*.md", ".cairnignore": "!s/a.md"},
        {},
        ["s/a.md"],
    ),
    (".cairnignore below", {"s/a.md": "", "t/a.md": "", "t/.cairnignore": "*"}, {}, ["s/a.md"]),
    ("info/exclude", {"a.md": "", "b.md": "", ".git/info/exclude": "b.md"}, {}, ["a.md"]),
    ("info/exclude not wanted", {"b.md": "", ".git/info/exclude": "b.md"}, {"gitignore": False}, ["b.md"]),
    ("a path rule", {"d/gen/a.md": "", "gen/a.md": "", ".gitignore": "/d/gen/"}, {}, ["gen/a.md"]),
    ("a rule with wildcards", {"a1.md": "", "b1.md": "", "d/a2.md": "", ".gitignore": "a[0-9].md"}, {}, ["b1.md"]),
    ("a submodule", {"sub/.git": "gitdir: x", "sub/a.md": "", "b.md": ""}, {}, ["b.md"]),
    ("a repository inside", {"sub/.git/HEAD": "", "sub/deep/a.md": ""}, {}, []),
    ("a workspace inside", {"sub/.cairn/settings.json": "{}", "sub/a.md": ""}, {}, []),
    ("a .cairn folder without settings", {"sub/.cairn/x": "", "sub/a.md": ""}, {}, ["sub/a.md"]),
    ("one root", {"a/x.md": "", "b/x.md": ""}, {"roots": ("a",)}, ["a/x.md"]),
    ("roots in many spellings", {"a/x.md": "", "b/x.md": ""}, {"roots": ("./a/", "a", "b/../a")}, ["a/x.md"]),
    ("overlapping roots", {"a/b/x.md": "", "a/y.md": ""}, {"roots": ("a/b", "a")}, ["a/b/x.md", "a/y.md"]),
    ("a file as root", {"a/x.md": "", "a/y.md": ""}, {"roots": ("a/x.md",)}, ["a/x.md"]),
    (
        "ignore files above a root",
        {"a/b/x.md": "", "a/b/y.md": "", "a/.gitignore": "y.md"},
        {"roots": ("a/b",)},
        ["a/b/x.md"],
    ),
    (
        "odd but valid names",
        {"a b.md": "", "\u202egnirts.md": "", "日本.md": "", "x\ny.md": ""},
        {},
        ["a b.md", "x\ny.md", "\u202egnirts.md", "日本.md"],
    ),
]


@pytest.mark.parametrize(
    ("tree", "request_", "expected"), [case[1:] for case in WALKS], ids=[case[0] for case in WALKS]
)
def test_walk(tmp_path: Path, tree: Tree, request_: dict[str, object], expected: list[str]) -> None:
    grow(tmp_path, tree)
    assert walked(tmp_path, **request_) == expected


@pytest.mark.parametrize(
    ("tree", "request_", "expected"), [case[1:] for case in WALKS], ids=[case[0] for case in WALKS]
)
def test_ignored_says_what_a_walk_does(
    tmp_path: Path, tree: Tree, request_: dict[str, object], expected: list[str]
) -> None:
    grow(tmp_path, tree)
    files = LocalFiles(tmp_path)
    request = WalkRequest(**{**request_, "roots": ()})  # type: ignore[arg-type]
    seen = {file.path for file in files.walk(request).files}
    for path in (path for path in tree if path.lower().endswith(request.suffixes)):
        assert files.ignored(path, request) == (path not in seen), path


def test_the_facts_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("four")
    os.utime(tmp_path / "a.md", ns=(0, 1_234_567_890))
    (file,) = LocalFiles(tmp_path).walk(WalkRequest()).files
    assert (file.path, file.size, file.mtime_ns) == ("a.md", 4, 1_234_567_890)
    assert file.inode == (tmp_path / "a.md").stat().st_ino
    assert LocalFiles(tmp_path).read("a.md") == (b"four", file)


def test_rules_of_the_repository_above(tmp_path: Path) -> None:
    grow(tmp_path, {".git/info/exclude": "/pkg/app/no1.md", ".gitignore": "/pkg/app/no2.md\nno3.md", "no4.md": ""})
    grow(tmp_path, {"pkg/.gitignore": "app/no4.md\n!no3.md"})
    grow(tmp_path / "pkg/app", {"no1.md": "", "no2.md": "", "no3.md": "", "no4.md": "", "yes.md": ""})
    assert walked(tmp_path / "pkg/app") == ["no3.md", "yes.md"]
    assert walked(tmp_path / "pkg/app", ignore=("/yes.md",)) == ["no3.md"]


def test_exclude_file_of_a_linked_work_tree(tmp_path: Path) -> None:
    main, other = tmp_path / "main", tmp_path / "other"
    git = ["git", "-C", os.fspath(main), "-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", "init", "-q", os.fspath(main)], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", os.fspath(other)], check=True)
    grow(main, {".git/info/exclude": "b.md"})
    grow(other, {"a.md": "", "b.md": ""})
    assert walked(other) == ["a.md"]


# Each: what it shows, how to make it, the problems.
def _fifo(root: Path) -> None:
    os.mkfifo(root / "pipe.md")
    os.mkfifo(root / "pipe.txt")


def _socket(root: Path) -> None:
    before = os.getcwd()
    os.chdir(root)  # a socket's path may not be long
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("s.md")
    finally:
        os.chdir(before)


def _symlinks(root: Path) -> None:
    (root / "real.md").write_text("")
    (root / "link.md").symlink_to("real.md")
    (root / "broken.md").symlink_to("nowhere")
    (root / "away.md").symlink_to("/etc/passwd")
    (root / "other.txt").symlink_to("real.md")
    (root / "loop").symlink_to(".")


def _undecodable(root: Path) -> None:
    top = os.fsencode(root)
    os.mkdir(top + b"/caf\xe9")
    for name in (b"/b\xff.md", b"/b\xff.txt", b"/caf\xe9/in.md"):
        os.close(os.open(top + name, os.O_CREAT | os.O_WRONLY))


def _twins(root: Path) -> None:
    grow(root, {"README.md": "", "readme.md": "", "d/a.md": "", "D.md": "", "x.txt": "", "X.txt": ""})


def _deceptive(root: Path) -> None:
    (root / "\u202etxt.md").write_text("")


def _ignored_oddities(root: Path) -> None:
    os.mkfifo(root / "pipe.md")
    (root / "link.md").symlink_to("x")
    (root / ".cairnignore").write_text("pipe.md\nlink.md")


def _odd_ignore_files(root: Path) -> None:
    grow(root, {"a/x.md": "", "b/x.md": "", "c/x.md": "", "c/.gitignore": "#" * (1 << 20) + "\nx.md"})
    (root / "a/.gitignore").symlink_to("../c/.gitignore")
    os.mkfifo(root / "b/.cairnignore")


ODDITIES: list[tuple[Callable[[Path], None], list[str], list[tuple[str, str]]]] = [
    (_fifo, [], [("pipe.md", "file-special")]),
    (_socket, [], [("s.md", "file-special")]),
    (
        _symlinks,
        ["real.md"],
        [("away.md", "symlink-skipped"), ("broken.md", "symlink-skipped")],
    ),
    (_undecodable, [], [("b\ufffd.md", "name-undecodable"), ("caf\ufffd", "name-undecodable")]),
    (_twins, ["D.md", "README.md", "d/a.md", "readme.md"], [("readme.md", "name-case-twin")]),
    (_deceptive, ["\u202etxt.md"], [("\u202etxt.md", "name-deceptive")]),
    (_ignored_oddities, [], []),
    (
        _odd_ignore_files,
        ["a/x.md", "b/x.md", "c/x.md"],
        [(f"{path}", "file-unreadable") for path in ("a/.gitignore", "b/.cairnignore", "c/.gitignore")],
    ),
]


@pytest.mark.parametrize(("make", "files", "problems"), ODDITIES, ids=[case[0].__name__ for case in ODDITIES])
def test_what_is_passed_over(
    tmp_path: Path, make: Callable[[Path], None], files: list[str], problems: list[tuple[str, str]]
) -> None:
    make(tmp_path)
    walk = LocalFiles(tmp_path).walk(WalkRequest())
    assert [file.path for file in walk.files] == files
    assert rules(walk) == problems
    assert all(problem.message.endswith(".") for problem in walk.problems)


def test_a_folder_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grow(tmp_path, {"open/a.md": "", "shut/a.md": ""})
    real = os.scandir

    def scandir(path: str) -> object:
        if path.endswith("shut"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    walk = LocalFiles(tmp_path).walk(WalkRequest())
    assert [file.path for file in walk.files] == ["open/a.md"]
    assert rules(walk) == [("shut", "file-unreadable")]


def test_deeper_than_a_path_may_be_long(tmp_path: Path) -> None:
    here = os.getcwd()
    os.chdir(tmp_path)
    try:
        for _ in range(20):
            os.mkdir("d" * 250)
            os.chdir("d" * 250)
    finally:
        os.chdir(here)
    walk = LocalFiles(tmp_path).walk(WalkRequest())
    assert [problem.rule for problem in walk.problems] == ["file-unreadable"]


@pytest.mark.parametrize(
    ("root", "error", "words"),
    [
        ("nowhere", NotFound, "nowhere"),
        ("a/nowhere.md", NotFound, "a/nowhere.md"),
        ("..", UsageError, "outside"),
        ("a/../../x", UsageError, "outside"),
        ("/etc", UsageError, "outside"),
        ("link", UsageError, "symbolic link"),
        ("link/x.md", UsageError, "symbolic link"),
        ("build", UsageError, "!build"),
        ("sub", UsageError, "another repository"),
        ("sub/x.md", UsageError, "another repository"),
        ("nul\0", NotFound, "nul"),
    ],
)
def test_roots_that_cannot_be_walked(tmp_path: Path, root: str, error: type[CairnError], words: str) -> None:
    grow(tmp_path, {"a/x.md": "", "build/x.md": "", "sub/.git": "", "sub/x.md": ""})
    (tmp_path / "link").symlink_to("a")
    with pytest.raises(error) as caught:
        walked(tmp_path, roots=("a", root))
    assert words in caught.value.message


def test_an_absolute_root_inside(tmp_path: Path) -> None:
    grow(tmp_path, {"a/x.md": "", "b/x.md": ""})
    assert walked(tmp_path, roots=(os.fspath(tmp_path / "a"),)) == ["a/x.md"]


# --- read -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("nowhere.md", "file-vanished"),
        ("a.md/b.md", "file-vanished"),
        ("link.md", "file-unreadable"),
        ("pipe.md", "file-unreadable"),
        ("folder", "file-unreadable"),
        ("../outside.md", "file-unreadable"),
        ("/etc/passwd", "file-unreadable"),
        ("nul\0.md", "file-unreadable"),
        ("", "file-unreadable"),
        ("x" * 300, "file-unreadable"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, path: str, rule: str) -> None:
    root = tmp_path / "root"
    grow(root, {"a.md": "a", "folder/": "", "../outside.md": ""})
    (root / "link.md").symlink_to("a.md")
    os.mkfifo(root / "pipe.md")
    with pytest.raises(ReadFailed) as caught:
        LocalFiles(root).read(path)
    assert caught.value.rule == rule


def test_a_file_that_grows_is_read_again_until_it_rests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.md").write_bytes(b"")
    growth = iter([b"one", b"two", b"three", b""])
    _while_reading(monkeypatch, lambda: _append(tmp_path / "a.md", next(growth)))
    with pytest.raises(ReadFailed) as caught:
        LocalFiles(tmp_path).read("a.md")
    assert caught.value.rule == "file-changing"
    content, facts = LocalFiles(tmp_path).read("a.md")
    assert (content, facts.size) == (b"onetwothree", 11)


def test_a_file_that_changes_once_is_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.md").write_bytes(b"old text")
    growth = iter([b", new text", b""])
    _while_reading(monkeypatch, lambda: _append(tmp_path / "a.md", next(growth)))
    assert LocalFiles(tmp_path).read("a.md")[0] == b"old text, new text"


def _while_reading(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    """Let `act` happen after each pass over a file."""
    real = os.lseek

    def lseek(fd: int, position: int, how: int) -> int:
        act()
        return real(fd, position, how)

    monkeypatch.setattr(os, "lseek", lseek)


def _append(path: Path, content: bytes) -> None:
    if content:
        with path.open("ab") as file:
            file.write(content)
        now = path.stat().st_mtime_ns
        os.utime(path, ns=(now, now + 1_000_000))


def test_readers_and_a_writer_at_once_never_see_a_mixture(tmp_path: Path) -> None:
    """A file that is replaced by rename is either the old one or the new one."""
    path, done = tmp_path / "a.md", threading.Event()
    path.write_bytes(b"0" * 5000)

    def write() -> None:
        for turn in range(200):
            (tmp_path / "new").write_bytes(str(turn % 10).encode() * 5000)
            os.replace(tmp_path / "new", path)
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    files, seen = LocalFiles(tmp_path), []
    while not done.is_set():
        seen.append(files.read("a.md")[0])
    writer.join()
    assert all(len(set(content)) == 1 and len(content) == 5000 for content in seen)


def test_a_file_of_the_proc_kind(tmp_path: Path) -> None:
    """Size zero and yet text in it would be read for ever; it is refused instead."""
    assert stat.S_ISREG(os.stat("/proc/self/status").st_mode)
    with pytest.raises(ReadFailed) as caught:
        LocalFiles(Path("/proc/self")).read("status")
    assert caught.value.rule == "file-changing"


# --- exists ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "there"),
    [
        ("a.md", True),
        ("folder", True),
        ("folder/", True),
        ("folder/../a.md", True),
        ("./a.md", True),
        (".", True),
        ("a..md", True),
        ("broken", True),
        ("nowhere", False),
        ("a.md/x", False),
        ("", False),
        ("..", False),
        ("../outside.md", False),
        ("folder/../../outside.md", False),
        ("/etc/passwd", False),
        ("//etc/passwd", False),
        ("nul\0", False),
        ("\ud800", False),
        ("x" * 5000, False),
    ],
)
def test_exists(tmp_path: Path, path: str, there: bool) -> None:
    root = tmp_path / "root"
    grow(root, {"a.md": "", "a..md": "", "folder/": "", "../outside.md": ""})
    (root / "broken").symlink_to("nowhere")
    assert LocalFiles(root).exists(path) is there
