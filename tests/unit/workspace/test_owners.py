"""CODEOWNERS: who owns a file."""

import re
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.errors import NotFound
from cairn.workspace.owners import MAX_RULES, broken_lines, find_owners, owned_by, parse_owners, path_regex

FILE = r"""
# Everything that nobody else has.
*            @all @org/base   # in the end
*.js         @js
/build/logs/ @builders
docs/*       docs@example.org
apps/        @apps
/docs/api/   @api
**/notes     @notes
/src/a\ b.md @spaced
/lib/*.py    @lib
/deep/**/x.md @deep
/nobody/
"""


@pytest.mark.parametrize(
    ("path", "owners"),
    [
        ("README.md", ("@all", "@org/base")),
        ("a/b/c.txt", ("@all", "@org/base")),
        ("web/x.js", ("@js",)),
        ("x.js", ("@js",)),
        ("x.js/readme.md", ("@js",)),
        ("build/logs/1.txt", ("@builders",)),
        ("build/logs/a/1.txt", ("@builders",)),
        ("x/build/logs/1.txt", ("@all", "@org/base")),
        ("docs/start.md", ("docs@example.org",)),
        ("docs/more/start.md", ("@all", "@org/base")),
        ("x/docs/start.md", ("@all", "@org/base")),
        ("docs/api/a.md", ("@api",)),
        ("docs/api/b/a.md", ("@api",)),
        ("apps/a", ("@apps",)),
        ("x/apps/a/b.js", ("@apps",)),
        ("apps", ("@all", "@org/base")),
        ("notes", ("@notes",)),
        ("a/b/notes/c.md", ("@notes",)),
        ("src/a b.md", ("@spaced",)),
        ("lib/a.py", ("@lib",)),
        ("lib/b/a.py", ("@all", "@org/base")),
        ("deep/x.md", ("@deep",)),
        ("deep/a/b/x.md", ("@deep",)),
        ("nobody/x.md", ()),
    ],
)
def test_the_last_line_that_fits_decides(path, owners):
    found = parse_owners(FILE)
    assert found.of(path) == owners
    assert found.notes == ()


SECTIONS = """
* @first

[Documentation][2] @docs-team
docs/
*.md @writers

^[Database] @dba @dba2
/db/
/db/legacy @old

[documentation]
docs/api/ @api
"""


@pytest.mark.parametrize(
    ("path", "owners"),
    [
        ("x.py", ("@first",)),
        ("x.md", ("@first", "@writers")),
        ("docs/x.py", ("@first", "@docs-team")),
        ("docs/api/x.py", ("@first", "@api")),
        ("db/x.sql", ("@first", "@dba", "@dba2")),
        ("db/legacy/x.sql", ("@first", "@old")),
        ("db/readme.md", ("@first", "@dba", "@dba2", "@writers")),
    ],
)
def test_sections_add_up(path, owners):
    assert set(parse_owners(SECTIONS).of(path)) == set(owners)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("!*.md @a", "cannot start with `!`"),
        ("*.md a", "`a` is no owner"),
        ("*.md @", "is no owner"),
        ("*.md @a @b@c", "is no owner"),
        ("/ @a", "is no pattern"),
        ("[a-z].md @a", "is no pattern"),
        ("x\\ @a", None),
        ("file\\", "is no pattern"),
        ("*.md @" + "x" * 5_000 + "/!", "is no owner"),
    ],
)
def test_a_broken_line_is_passed_over_and_noted(line, reason):
    owners = parse_owners(f"* @all\n{line}\n")
    assert owners.of("a.md") == ("@all",)
    assert [note.line for note in owners.notes] == ([] if reason is None else [2])
    if reason:
        (sentence,) = broken_lines(owners)
        assert sentence.startswith("CODEOWNERS:2: ") and reason in sentence and len(sentence) < 250


def test_many_broken_lines_are_one_sentence():
    assert list(broken_lines(parse_owners("!a @x\n!b @x\n!c @x"))) == [
        "CODEOWNERS:1: a pattern cannot start with `!` here; name an owner in a later line instead, "
        "and 2 more lines like it"
    ]


def test_a_file_of_a_million_lines_is_cut():
    owners = parse_owners("/some/folder/ @a\n" * (MAX_RULES + 5))
    assert len(owners.notes) == 5
    assert owners.of("some/folder/x") == ("@a",)


def test_a_workspace_below_the_repository_asks_with_its_folder():
    owners = parse_owners("/packages/one/ @one\n/docs/ @docs", base="packages/one/")
    assert owners.of("docs/x.md") == ("@one",)


@pytest.mark.parametrize(
    ("there", "expected"),
    [
        ({"CODEOWNERS": b"* @root", ".github/CODEOWNERS": b"* @github"}, "@github"),
        ({"docs/CODEOWNERS": b"* @docs", "CODEOWNERS": b"* @root"}, "@root"),
        ({"docs/CODEOWNERS": "\ufeff* @docs\r\n".encode()}, "@docs"),
        ({".gitlab/CODEOWNERS": b"* @lab # \xff"}, "@lab"),
    ],
)
def test_where_it_is_looked_for(there, expected):
    assert find_owners(there.get).of("x.md") == (expected,)


def test_without_a_file_nobody_owns_anything():
    owners = find_owners(lambda path: None)
    assert not owners and owners.of("x.md") == () and not list(broken_lines(owners))
    with pytest.raises(NotFound, match="no CODEOWNERS file"):
        owned_by(owners, "@a")


def test_a_file_that_is_too_large_is_not_read():
    owners = find_owners(lambda path: b"* @a\n" * 1_000_000)
    assert owners.of("x") == ()
    assert "larger than 3 MB" in next(broken_lines(owners))


@pytest.mark.parametrize("wanted", ["@Org/Team", "org/team", "@ORG/TEAM"])
def test_asking_for_an_owner(wanted):
    fits = owned_by(parse_owners("* @all\n*.md @org/team"), wanted)
    assert fits("a.md") and not fits("a.py")


def test_an_owner_that_nobody_knows():
    with pytest.raises(NotFound, match="did you mean `@org/team`"):
        owned_by(parse_owners("* @org/team"), "@org/taem")


def test_patterns_agree_with_git_where_the_two_mean_the_same(tmp_path):
    """Ignore files differ in `folder/*` only, so git itself is the judge of the rest."""
    paths = ["a.md", "a/a.md", "a/b/a.md", "b/a.md", "a/b.md", "ab/c.md", "a/x/y/b.md", "*.md", "a b.md", "b/a/x.md"]
    patterns = [
        "a",
        "a/",
        "/a",
        "/a/",
        "a.md",
        "*.md",
        "/a/b",
        "a/b",
        "**/b",
        "a/**",
        "a/**/b.md",
        "a?/c.md",
        "\\*.md",
        "b*",
        "a\\ b.md",
    ]
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    for pattern in patterns:
        (tmp_path / ".gitignore").write_text(pattern + "\n")
        asked = "\0".join(paths).encode() + b"\0"
        done = subprocess.run(
            ["git", "check-ignore", "--no-index", "-z", "--stdin"], cwd=tmp_path, input=asked, capture_output=True
        )
        ignored = {path for path in done.stdout.decode().split("\0") if path}
        assert ignored == {path for path in paths if re.fullmatch(path_regex(pattern), path)}, pattern


@given(st.text("ab*?/\\!#[]@ .\t^", max_size=30), st.text("ab/.", max_size=12))
def test_no_line_is_a_failure(line, path):
    owners = parse_owners(f"{line} @x")
    assert set(owners.of(path)) <= {"@x"}
