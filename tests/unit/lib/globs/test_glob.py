"""The matcher against git itself, on a tree with folders, files, odd names and nested ignore files."""

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cairn.lib.globs.glob import Ignore, compile_rules, pattern_lines


def compile_ignore(layers):
    """A matcher for (folder, patterns) pairs, the least important first."""
    return Ignore([rule for base, patterns in layers for rule in compile_rules(base, patterns)])


FILES = (
    "a",
    "b.md",
    "foobar",
    "foo/bar",
    "foo/b.md",
    "foo/x/bar",
    "foox/y/bar",
    "a.b/c/d/e.md",
    "d/a/b/c.md",
    "d/b",
    "x y.md",
    "trail ",
    "#hash",
    "!bang",
    "[b]",
    "a-b",
    "a]b",
    "A.MD",
    "back\\slash",
    "d/x/foo/a/b",
    "new\nline",
)

# Each: the root's ignore file, and optionally the one in `d/`.
CASES = (
    "b.md",
    "/b.md",
    "*.md\n!/foo/b.md",
    "foo/\n!foo/b.md",
    "foo/*\n!foo/b.md",
    "bar/",
    "d/**",
    "d/**/c.md",
    "**/b",
    "**/foo/bar",
    "foo**/bar",
    "foo**",
    "d/b**",
    "a/**/b",
    "d/**/**/b",
    "***/b",
    "d/***/b",
    "**",
    "/**",
    "*",
    "*\n!*/\n!*.md",
    "/*\n!/d/\n/d/*\n!/d/a",
    "?",
    "foo?bar",
    "foo[/]bar",
    "foo[!x]bar",
    "[a-c]",
    "[!a-c]",
    "[^a-c]",
    "[[:upper:]].MD",
    "[[:nope:]]",
    "[[:alpha:]-]*",
    "a[]-]b",
    "a[]b",
    "a[",
    "[[]b[]]",
    "\\[b\\]",
    "[b]",
    "[\\[]b]",
    "a[a-]b",
    "a[+--]b",
    "a[z-a]b",
    "\\#hash",
    "#hash",
    "\\!bang",
    "!bang",
    "*\n!\\!bang",
    "trail\\ ",
    "trail ",
    "trail",
    "x y.md   ",
    "x\\ y.md",
    "x\ty.md\t",
    "b.md\r\nfoobar\r",
    "\ufeffb.md",
    "back\\\\slash",
    "back\\slash",
    "b.md\\",
    "foo\\/bar",
    "foo/\\bar",
    "d/**\\/b",
    "d\\/",
    "/",
    "//",
    "!",
    "d//",
    "/d/",
    "d/a/",
    "a.b/*/d",
    "a.b/*/*.md",
    "*a*b*",
    "*o*o*r",
    "*/bar",
    "*/*/bar",
    "foo/x*r",
    "foo/",
    "./b.md",
    "d/../b.md",
    "new?line",
    "new*",
    "  b.md",
    ("*.md", "!c.md"),
    ("/d/b", "!b"),
    ("d/", "!b"),
    ("!c.md", "*.md"),
    ("b", "/a/b/"),
    ("", "a/**/c.md"),
    ("", "/b\n!/b"),
    ("*", "!*"),
)

GIT = ("git", "-c", "core.excludesFile=/dev/null")


class Repository:
    """A folder with `FILES`, whose ignore files are rewritten for every question."""

    def __init__(self, root: Path) -> None:
        self.root = root
        subprocess.run(["git", "init", "-q", os.fspath(root)], check=True)
        for file in FILES:
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).write_text("")
        self.paths = {
            os.path.relpath(os.path.join(folder, name), root): name in folders
            for folder, folders, names in os.walk(root)
            for name in [*folders, *names]
            if ".git" not in os.path.relpath(os.path.join(folder, name), root).split("/")[0]
        }

    def git_says(self, top: str, below: str) -> set[str]:
        (self.root / ".gitignore").write_bytes(top.encode())
        (self.root / "d/.gitignore").write_bytes(below.encode())
        asked = subprocess.run(
            [*GIT, "-C", os.fspath(self.root), "check-ignore", "--no-index", "--stdin", "-z"],
            input="\0".join(self.paths).encode() + b"\0",
            capture_output=True,
        )
        assert asked.returncode in (0, 1), asked.stderr
        return set(asked.stdout.decode().split("\0")[:-1])

    def we_say(self, top: str, below: str) -> set[str]:
        matcher = compile_ignore([("", pattern_lines(top)), ("d", pattern_lines(below))])
        files = [path for path in FILES if "/" not in path]
        assert matcher.kept_files("", files) == [path for path in files if not matcher.file(path, path)]
        return {path for path, is_folder in self.paths.items() if matcher.ignored(path, is_folder=is_folder)}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return Repository(tmp_path_factory.mktemp("ignore"))


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_answers_like_git(repository: Repository, case: str | tuple[str, str]) -> None:
    top, below = case if isinstance(case, tuple) else (case, "")
    assert repository.we_say(top, below) == repository.git_says(top, below)


WILD = ["*", "**", "/", "/**/", "**/", "?", "[a-c]", "[!a]", "[[:alpha:]]", "[", "]", "-", "\\", "\\*", "!", " "]
PLAIN = ["a", "b", "c", "d", "x", "y", "o", "foo", "bar", ".md"]
PIECES = st.sampled_from(WILD + PLAIN)
PATTERN = st.lists(PIECES, min_size=1, max_size=6).map("".join)
IGNORE_FILE = st.lists(st.one_of(PATTERN, PATTERN.map("!{}".format)), max_size=4).map("\n".join)


@settings(max_examples=250, deadline=None)
@given(top=IGNORE_FILE, below=st.one_of(st.just(""), IGNORE_FILE))
def test_answers_like_git_for_any_patterns(repository: Repository, top: str, below: str) -> None:
    assert repository.we_say(top, below) == repository.git_says(top, below)


@pytest.mark.parametrize(
    "pattern", ["*a" * 40 + "b", "**/" + "a/**/" * 40 + "b", "x/" + "*a*/" * 40, "?*" * 60 + "b", "**\\/" * 60 + "b"]
)
def test_hostile_patterns_come_to_an_end(pattern: str) -> None:
    matcher = compile_ignore([("", (pattern,))])
    assert not matcher.ignored("a" * 250)
    assert not matcher.ignored("a/" * 1000 + "c")


def test_characters_not_bytes() -> None:
    matcher = compile_ignore([("", ("?.md", "[é].txt"))])
    assert matcher.ignored("é.md")
    assert matcher.ignored("é.txt")


def test_a_folder_rule_says_nothing_about_a_file() -> None:
    matcher = compile_ignore([("", ("build/",))])
    assert matcher.ignored("build", is_folder=True)
    assert not matcher.ignored("build")
    assert matcher.ignored("x/build/y.md")
