"""Hostile files: an issue each, with file and line, and the other files are scanned as ever."""

import os
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from program import Ran, cairn, fits_schema

TIMEOUT = 60
"""Seconds, for what takes one: a hang is a failure, a slow machine is not."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / ".cairn").mkdir(parents=True)
    (root / ".cairn/settings.json").write_text("{}")
    (root / "good.md").write_text("# Good\n\n[other](other.md)\n")
    (root / "other.md").write_text("# Other\n")
    return root


def scan(project: Path, *args: str, **env: str) -> Ran:
    """A scan that must go well for the good files, whatever else is there."""
    ran = cairn("scan", "--json", *args, cwd=project, timeout=TIMEOUT, **env)
    assert ran.code in (0, 1), ran.err or ran.out
    assert "Traceback" not in ran.err
    body = ran.json()
    fits_schema(body, "scan")
    assert {"good.md", "other.md"} <= {node["path"] for node in body["nodes"]}
    assert ("good.md", "other.md") in {(link["source"], link.get("resolvedTarget")) for link in body["links"]}
    return ran


def told(ran: Ran) -> set[tuple[str, str, int | None]]:
    return {(i["analyzerId"], i["nodeIds"][0], i.get("line")) for i in ran.json()["issues"]}


def bomb() -> str:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [f"{c}: &{c} [{', '.join(['*' + p] * 9)}]" for p, c in zip("abcdefgh", "bcdefghi", strict=True)]
    return "\n".join(lines)


def front(yaml: str) -> bytes:
    return f"---\n{yaml}\n---\n# Body\n".encode()


PARSE = "frontmatter-parse-error"
# what is in bad.md, the rule, the line or None for any
CONTENTS: list[tuple[str, bytes, str | None, int | None]] = [
    ("a YAML bomb", front(bomb()), PARSE, None),
    ("an alias", front("a: &x 1\nb: *x"), None, None),
    ("a duplicate key", front("a: 1\nb: 2\na: 3"), PARSE, None),
    ("deep flow nesting", front("a: " + "[" * 50_000 + "]" * 50_000), PARSE, None),
    ("deep block nesting", front("\n".join(" " * n + "a:" for n in range(2_000))), PARSE, None),
    ("never closed", front("a: " + "[" * 50_000), PARSE, None),
    ("a tag that makes objects", front("a: !!python/object/apply:os.system ['true']"), PARSE, None),
    ("infinity", front("a: .inf"), None, None),
    ("a key that is a list", front("? [a, b]\n: c"), PARSE, None),
    ("half a letter", front('title: "\\uD800"'), PARSE, None),
    ("a tab for indentation", front("a:\n\tb: 1"), PARSE, None),
    ("a list for a mapping", front("- a\n- b"), PARSE, 2),
    ("an endless number", front("a: " + "9" * 5_000), None, None),
    ("frontmatter of 900 KB", front("a: |\n" + "  text of a line\n" * 53_000), None, None),
    ("a thousand keys", front("\n".join(f"k{n}: v" for n in range(20_000))), None, None),
    ("NUL", b"# One\n\ntwo\0three\n", "file-binary", 3),
    ("a byte order mark before frontmatter", b"\xef\xbb\xbf---\nname: x\n---\n", "frontmatter-malformed", 1),
    ("a byte order mark before text", b"\xef\xbb\xbf# Title\n", "file-encoding", 1),
    ("invalid UTF-8", b"# Fine\n\nnot \xff fine\n", "file-encoding", 3),
    ("invalid UTF-8 in frontmatter", b"---\na: \xff\xfe\n---\n", "file-encoding", 2),
    ("UTF-16", "\ufeff# Title\n".encode("utf-16-le"), "file-binary", None),
    ("half of a letter at the end", "ü".encode()[:1], "file-encoding", 1),
    ("frontmatter that is never closed", b"---\nname: x\n\n# Title\n", "frontmatter-malformed", 1),
    ("frontmatter that is indented", b"  ---\n  name: x\n  ---\n", "frontmatter-malformed", 1),
    ("a line of a million characters", b"# T\n" + b"x" * 1_000_100 + b"\n", "line-too-long", 2),
    ("CRLF", b"---\r\nname: x\r\n---\r\n# T\r\n\r\n[gone](gone.md)\r\n", "reference-broken", 6),
    ("old Mac line ends", b"---\rname: x\r---\r# T\r", None, None),
    ("empty", b"", None, None),
    ("one newline", b"\n", None, None),
    ("only frontmatter", b"---\nname: x\n---", None, None),
    ("only a rule", b"---", None, None),
    ("words of a tokenizer", b"<|endoftext|> <|im_start|>system\n", None, None),
    ("control characters", b"# \x01\x02\x1b[31m\x7f\n", None, None),
    ("text that turns around", "# \u202eevil\u2066\n".encode(), None, None),
    ("not a character", "# \uffff\ufdd0\U0010ffff\n".encode(), None, None),
    ("a fence that never ends", b"```" * 3_000, None, None),
    ("brackets without end", b"[" * 20_000, None, None),
    ("brackets and parentheses", b"[a](" * 10_000, None, None),
    ("a quote in a quote in a quote", b">" * 5_000 + b" deep\n", None, None),
    ("a list in a list in a list", b"".join(b" " * 2 * n + b"- x\n" for n in range(500)), None, None),
    ("mentions without end", b"@a/" * 300_000, "references-limit", 1),
    ("links without end", b"[a](b.md) " * 90_000, "references-limit", 1),
    ("stars", b"*a **a " * 5_000, None, None),
    ("ticks of every length", b" ".join(b"`" * n for n in range(1, 300)), None, None),
    ("a table of bars", b"|" * 20_000 + b"\n" + b"|-" * 20_000 + b"\n", None, None),
    ("half a tag", b"<a " * 10_000, None, None),
    ("references without end", b"".join(b"[%d]: /x%d\n" % (n, n) for n in range(5_000)), None, None),
    ("a link with a NUL in its address", b"[x](%00.md)\n", "reference-broken", 1),
    ("a link out of the project", b"[x](../../../../../../etc/passwd)\n", None, None),
    ("a link with a very long address", b"[x](" + b"a/" * 5_000 + b"b.md)\n", "reference-broken", 1),
]


@pytest.mark.parametrize(("content", "rule", "line"), [c[1:] for c in CONTENTS], ids=[c[0] for c in CONTENTS])
def test_what_may_be_in_a_file(project: Path, content: bytes, rule: str | None, line: int | None):
    (project / "bad.md").write_bytes(content)
    found = {
        (i, at) for i, path, at in told(scan(project, CAIRN_SCAN__MAX_FILE_SIZE_BYTES="4000000")) if path == "bad.md"
    }
    if rule is None:
        assert not any(name.startswith(("file-", "frontmatter-")) for name, _ in found)
    else:
        assert rule in {name for name, _ in found}
        if line is not None:
            assert (rule, line) in found
        if rule.startswith(("frontmatter", "file-", "line-")):
            assert all(at is not None and at >= 1 for name, at in found if name == rule)


TOML = [
    ("a date", b'name = "x"\nd = 1979-05-27T07:32:00Z\n', None),
    ("infinity", b"f = inf\n", PARSE),
    ("a huge number", b"i = 99999999999999999999999\n", PARSE),
    ("nesting", b"a = " + b"[" * 20_000 + b"]" * 20_000, PARSE),
    ("a duplicate key", b"a = 1\na = 2\n", PARSE),
    ("no TOML at all", b"---\nname: x\n---\n", PARSE),
    ("invalid UTF-8", b'a = "\xff"\n', "file-encoding"),
]


@pytest.mark.parametrize(("content", "rule"), [c[1:] for c in TOML], ids=[c[0] for c in TOML])
def test_toml_of_other_hosts(project: Path, content: bytes, rule: str | None):
    (project / ".codex/agents").mkdir(parents=True)
    (project / ".codex/agents/bad.toml").write_bytes(content)
    found = {name for name, path, _ in told(scan(project)) if path.endswith("bad.toml")}
    assert (rule in found) if rule else not found & {PARSE, "file-encoding"}


# --- size -------------------------------------------------------------------------------------------------------------


def test_a_line_of_50_megabytes(project: Path):
    """Passed over by its size; with the limit raised it is read like any other."""
    with (project / "bad.md").open("wb") as stream:
        for _ in range(50):
            stream.write(b"x" * 1_048_576)
    ran = scan(project)
    assert ("file-oversized", "bad.md", None) in told(ran)
    assert ran.code == 0
    raised = scan(project, CAIRN_SCAN__MAX_FILE_SIZE_BYTES=str(100 * 1_048_576))
    assert {(rule, path) for rule, path, _ in told(raised)} == {("line-too-long", "bad.md")}
    assert "bad.md" in {node["path"] for node in raised.json()["nodes"]}


def test_ten_thousand_links_and_addresses_in_one_file(project: Path):
    lines = [f"[l{n}](page-{n}.md) @name-{n} https://x{n}.example/@in-{n} `docs/p{n}.md`" for n in range(10_000)]
    (project / ".claude").mkdir()
    (project / "bad.md").write_text("\n".join(lines))
    ran = scan(project)
    assert len(ran.json()["links"]) > 20_000
    assert ran.code == 1
    assert ("reference-broken", "bad.md", 10_000) in told(ran)


# --- what may be there instead of a file ------------------------------------------------------------------------------


def symlink_in(root: Path) -> None:
    (root / "bad.md").symlink_to("good.md")


def symlink_out(root: Path) -> None:
    (root.parent / "secret.md").write_text("# Secret\n")
    (root / "bad.md").symlink_to("../secret.md")


def symlink_to_nothing(root: Path) -> None:
    (root / "bad.md").symlink_to("nowhere.md")


def symlink_to_itself(root: Path) -> None:
    (root / "bad.md").symlink_to("bad.md")


def symlink_to_zero(root: Path) -> None:
    (root / "bad.md").symlink_to("/dev/zero")


def fifo(root: Path) -> None:
    os.mkfifo(root / "bad.md")


def socket_file(root: Path) -> None:
    import socket

    here = os.getcwd()
    os.chdir(root)  # the name of a socket must be short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("bad.md")
    finally:
        os.chdir(here)


@pytest.mark.parametrize(
    ("plant", "rule"),
    [
        (symlink_out, "symlink-skipped"),
        (symlink_to_nothing, "symlink-skipped"),
        (symlink_to_itself, "symlink-skipped"),
        (symlink_to_zero, "symlink-skipped"),
        (fifo, "file-special"),
        (socket_file, "file-special"),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_what_may_be_in_the_place_of_a_file(project: Path, plant: Callable[[Path], None], rule: str):
    plant(project)
    ran = scan(project)
    assert told(ran) == {(rule, "bad.md", None)}
    assert "Secret" not in ran.out


def test_a_symlink_to_a_file_of_the_repository_is_no_finding(project: Path):
    symlink_in(project)
    assert told(scan(project)) == set()


def test_folders_that_lead_in_circles(project: Path):
    (project / "docs").mkdir()
    (project / "docs/up").symlink_to("..")
    (project / "docs/self").symlink_to("self")
    (project / "docs/page.md").write_text("[x](up/docs/up/good.md)\n")
    paths = {node["path"] for node in scan(project).json()["nodes"]}
    assert paths == {"good.md", "other.md", "docs/page.md"}


def test_a_folder_called_like_a_page(project: Path):
    (project / "bad.md").mkdir()
    (project / "bad.md/inside.md").write_text("# In\n")
    assert "bad.md/inside.md" in {node["path"] for node in scan(project).json()["nodes"]}


def test_an_ignore_file_that_is_a_fifo_or_huge_or_binary(project: Path):
    os.mkfifo(project / ".gitignore")
    (project / ".cairnignore").write_bytes(b"\xff\xfe\0[z-a]\n" + b"*a" * 40 + b"b\n" + b"(" * 50 + b"\n[\n")
    assert ("file-unreadable", ".gitignore") in {(rule, path) for rule, path, _ in told(scan(project))}


# --- names ------------------------------------------------------------------------------------------------------------

NAMES = [
    "---.md",
    "-rf.md",
    " .md",
    "a b.md",
    "\\.md",
    "*.md",
    "[x].md",
    "$(touch x).md",
    "`x`.md",
    "'\".md",
    "%00.md",
    "a#b?c.md",
    "\u202etxt.md",
    "\x1b[31mred\x1b[0m.md",
    "new\nline.md",
    "carriage\rreturn.md",
    "tab\t.md",
    "\x7f\x01.md",
    "\u200b.md",
    "日本語.md",
    "e\u0301.md",
    "😀.md",
    "x" * 252 + ".md",
    "COM1.md",
    "..md",
    "...md",
    "~.md",
    "|.md",
]


def test_names_are_kept_and_printed_safely(project: Path):
    for name in NAMES:
        (project / name).write_text("[gone](gone.md)\n")
    assert set(NAMES) <= {node["path"] for node in scan(project).json()["nodes"]}
    for name in NAMES:
        (project / name).write_text("[gone](gone.md) again\n")
    for args in (("scan", "-v"), ("check",), ("list",), ("orphans",), ("doctor",)):
        ran = cairn(*args, cwd=project)
        assert ran.code in (0, 1), ran.err
        shown = ran.out + ran.err
        unsafe = {c for c in shown if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs")} - {"\u200b"}
        assert not unsafe, args
        assert not any(line.startswith(("line.md", "return.md")) for line in shown.splitlines())
    lines = cairn("check", "--github", cwd=project).out.splitlines()
    assert sum("title=reference-broken" in line for line in lines) == len(NAMES)
    assert sum("title=name-deceptive" in line for line in lines) == sum(not name.isprintable() for name in NAMES) == 7
    assert all(line.startswith(("::error file=", "::warning file=")) for line in lines)


def test_names_that_are_no_unicode(project: Path):
    for name in (b"bad\xff.md", b"\xc3.md"):
        (Path(os.fsdecode(os.fsencode(project) + b"/" + name))).write_text("# x\n")
    (Path(os.fsdecode(os.fsencode(project) + b"/dir\xfe"))).mkdir()
    (Path(os.fsdecode(os.fsencode(project) + b"/dir\xfe/in.md"))).write_text("# x\n")
    found = [rule for rule, _, _ in told(scan(project))]
    assert set(found) == {"name-undecodable"}
    assert len(found) == 3
    assert cairn("check", cwd=project).code == 0


def test_names_that_differ_in_case_only(project: Path):
    (project / "Good.md").write_text("# Twin\n")
    (project / "sub").mkdir()
    (project / "sub/A.md").write_text("# A\n")
    (project / "sub/a.MD").write_text("# a\n")
    ran = scan(project)
    assert {(rule, path) for rule, path, _ in told(ran)} == {
        ("name-case-twin", "good.md"),
        ("name-case-twin", "sub/a.MD"),
    }
    assert len(ran.json()["nodes"]) == 5


def test_three_hundred_folders_deep(project: Path):
    deep = project
    for _ in range(300):
        deep = deep / "d"
    subprocess.run(["mkdir", "-p", str(deep)], check=True)
    (deep / "bottom.md").write_text("[top](" + "../" * 300 + "good.md)\n")
    resolved = {link["source"].count("/"): link.get("resolvedTarget") for link in scan(project).json()["links"]}
    assert resolved[300] == "good.md"


def test_deeper_than_a_path_may_be_long(project: Path):
    here = os.getcwd()
    os.chdir(project)
    try:
        for _ in range(30):
            os.mkdir("n" * 200)
            os.chdir("n" * 200)
        Path("bottom.md").write_text("# deep\n")
    finally:
        os.chdir(here)
    try:
        ran = scan(project)
        assert {rule for rule, _, _ in told(ran)} <= {"file-unreadable"}
        assert cairn("check", cwd=project).code in (0, 1)
    finally:
        subprocess.run(["rm", "-rf", str(project)], check=True)


# --- what moves while it is looked at ---------------------------------------------------------------------------------

WRITER = """
import itertools, sys
print("ready", flush=True)
for n in itertools.count():
    with open(sys.argv[1], "r+b") as stream:
        stream.write(b"%d " % n)
        stream.truncate(200_000 + n % 97)
"""


@pytest.fixture
def busy_file(project: Path) -> Iterator[Path]:
    path = project / "bad.md"
    path.write_bytes(b"# Busy\n" * 30_000)
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    yield path
    process.kill()
    process.wait()
    process.stdout.close()


def test_a_file_that_changes_while_it_is_read(project: Path, busy_file: Path):
    """It is read at rest or named; either way the scan ends and the others are there."""
    for _ in range(3):
        ran = scan(project)
        rules = {rule for rule, path, _ in told(ran) if path == "bad.md"}
        assert rules <= {"file-changing", "file-binary", "line-too-long"}
        assert rules or "bad.md" in {node["path"] for node in ran.json()["nodes"]}, (ran.err, told(ran))


SHUFFLER = """
import itertools, os, sys
root = sys.argv[1]
print("ready", flush=True)
for n in itertools.count():
    a, b = f"{root}/moving/a{n % 7}", f"{root}/moving/b{n % 5}"
    os.makedirs(a, exist_ok=True)
    open(f"{a}/x.md", "w").write("# x\\n")
    try:
        os.rename(a, b)
    except OSError:
        pass
    for name in (a, b):
        try:
            os.unlink(f"{name}/x.md"); os.rmdir(name)
        except OSError:
            pass
"""


def test_folders_that_come_and_go_during_the_walk(project: Path):
    (project / "moving").mkdir()
    process = subprocess.Popen([sys.executable, "-c", SHUFFLER, str(project)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    try:
        for _ in range(3):
            scan(project)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


# --- permissions ------------------------------------------------------------------------------------------------------


def test_a_file_and_a_folder_without_permission(project: Path):
    from cairn.adapters.files.local import LocalFiles
    from cairn.core.ports.runtime import FileWalk, FoundFile, ReadFailed, WalkProblem, WalkRequest
    from unit.graph.tiny import World

    class Forbidding(LocalFiles):
        """Root reads everything, so this one is told no."""

        def walk(self, request: WalkRequest) -> FileWalk:
            found = super().walk(request)
            problem = WalkProblem("locked", "file-unreadable", "locked cannot be read: permission denied.")
            return FileWalk([f for f in found.files if not f.path.startswith("locked/")], [*found.problems, problem])

        def read(self, path: str) -> tuple[bytes, FoundFile]:
            if path == "bad.md":
                raise ReadFailed("file-unreadable", "bad.md cannot be read: permission denied.")
            return super().read(path)

    (project / "locked").mkdir()
    (project / "locked/in.md").write_text("# in\n")
    (project / "bad.md").write_text("# bad\n")
    world = World(project)
    world.use({}, files=Forbidding(project))
    assert world.paths() == ["good.md", "other.md"]
    assert sorted((i.path, str(i.severity)) for i in world.store.issues()) == [("bad.md", "error"), ("locked", "warn")]


def test_nothing_below_git_or_cairn_is_a_node(project: Path):
    shutil.copytree(project, project / "nested")
    (project / ".git").mkdir()
    (project / ".git/x.md").write_text("# x\n")
    (project / ".cairn/x.md").write_text("# x\n")
    assert {node["path"] for node in scan(project).json()["nodes"]} == {"good.md", "other.md"}


def test_everything_at_once_and_again(project: Path):
    """All of it in one tree: two scans agree, a rebuild agrees, and the program never crashes."""
    for number, (_, content, _, _) in enumerate(CONTENTS):
        (project / f"{number:03}.md").write_bytes(content)
    for plant in (symlink_in, fifo):
        plant(project)
        (project / "bad.md").rename(project / f"{plant.__name__}.md")

    def graph(ran: Ran) -> Any:
        return {key: ran.json()[key] for key in ("nodes", "links", "issues")}

    first = graph(scan(project))
    assert graph(scan(project)) == first
    assert graph(scan(project, "--verify")) == first
    assert graph(scan(project, "--rebuild")) == first
