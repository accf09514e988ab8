"""`cairn check --diff`: which sentences a change puts in doubt, through the real program."""

import json
from pathlib import Path

import pytest

from program import Ran, cairn, fits_schema
from repository import commit, git, make, put

CODE = "def connect(host, timeout=30):\n    return host\n"
FILES = {
    "src/net.py": CODE,
    "docs/guide.md": "# Guide\n\nHello. Without more, `connect()` waits 30 seconds.\n",
    ".cairn/settings.json": "{}",
    ".cairn/.gitignore": "*\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make(tmp_path / "repo", FILES)


def check(root: Path, *options: str) -> Ran:
    return cairn("check", "-q", *options, cwd=root)


def test_nothing_changed(root: Path) -> None:
    ran = check(root, "--diff", "HEAD")
    assert (ran.code, ran.out) == (0, "0 changed files; nothing that a document says is in doubt\n")


def test_a_sentence_in_doubt_is_named_before_the_commit(root: Path) -> None:
    put(root, {"src/net.py": CODE.replace("30", "60")})
    ran = check(root, "--diff", "HEAD")
    assert ran.code == 1
    assert ran.out.splitlines() == [
        "docs/guide.md",
        "    3  Without more, `connect()` waits 30 seconds.",
        "       changed  `connect` changed in src/net.py: `connect(host, timeout=30)` is now "
        "`connect(host, timeout=60)`.  src/net.py:1",
        "",
        "1 changed file; 1 sentence of 1 document in doubt",
    ]
    assert check(root, "--diff", "HEAD", "--fail-on", "never").code == 0


def test_once_the_sentence_is_mended_all_is_well(root: Path) -> None:
    put(root, {"src/net.py": CODE.replace("30", "60")})
    put(root, {"docs/guide.md": FILES["docs/guide.md"].replace("30", "60")})
    assert check(root, "--diff", "HEAD").code == 0


def test_only_what_is_staged(root: Path) -> None:
    put(root, {"src/net.py": CODE.replace("30", "60")})
    assert check(root, "--staged").code == 0
    git(root, "add", "src/net.py")
    put(root, {"src/net.py": CODE})
    assert check(root, "--staged").code == 1
    assert check(root, "--diff", "HEAD").code == 0


def test_since_a_branch_parted(root: Path) -> None:
    git(root, "checkout", "-qb", "work")
    commit(root, {"src/net.py": CODE.replace("connect", "dial")})
    assert "`connect` is now `dial` in src/net.py." in check(root, "--diff", "main...").out


def test_as_json(root: Path) -> None:
    put(root, {"src/net.py": CODE.replace("30", "60")})
    found = check(root, "--diff", "HEAD", "--json").json()
    fits_schema(found, "check-diff")
    assert found["counts"] == {"doubts": 1, "certain": 1, "documents": 1, "changedFiles": 1}
    (doubt,) = found["doubts"]
    assert (doubt["line"], doubt["name"], doubt["reason"], doubt["certain"]) == (3, "connect()", "changed", True)
    assert (doubt["before"], doubt["after"]) == ("connect(host, timeout=30)", "connect(host, timeout=60)")


def test_for_other_tools(root: Path) -> None:
    put(root, {"src/net.py": None})
    assert check(root, "--diff", "HEAD", "--github").out.startswith(
        "::error file=docs/guide.md,line=3,title=sentence-in-doubt::`connect` is gone from src/net.py"
    )
    (run,) = json.loads(check(root, "--diff", "HEAD", "--sarif").out)["runs"]
    assert [result["ruleId"] for result in run["results"]] == ["sentence-in-doubt"]


def test_only_one_document(root: Path) -> None:
    put(root, {"docs/other.md": "Call `connect()`.\n"})
    commit(root)
    put(root, {"src/net.py": CODE.replace("30", "60")})
    found = check(root, "--diff", "HEAD", "--node", "docs/other.md", "--json").json()
    assert [doubt["document"] for doubt in found["doubts"]] == ["docs/other.md"]


def test_a_file_that_is_half_edited_is_said_and_puts_nothing_in_doubt(root: Path) -> None:
    put(root, {"src/net.py": "def connect(\n"})
    ran = check(root, "--diff", "HEAD")
    assert ran.code == 0
    assert ran.err.count("is not valid Python") == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--diff", "nowhere"), "There is no revision `nowhere`"),
        (("--diff", "--all"), "There is no revision `--all`"),
        (("--diff", ""), "needs a revision"),
        (("--diff", "HEAD", "--staged"), "Choose one of --diff and --staged"),
        (("--diff", "HEAD", "--baseline", "x.json"), "for issues"),
    ],
)
def test_bad_usage(root: Path, options: tuple[str, ...], sentence: str) -> None:
    ran = check(root, *options)
    assert ran.code == 2 and sentence in ran.err and len(ran.err.splitlines()) == 1


def test_no_repository(tmp_path: Path) -> None:
    put(tmp_path / "plain", {".cairn/settings.json": "{}", "a.md": "# A\n"})
    ran = cairn("check", "-q", "--diff", "HEAD", cwd=tmp_path / "plain", GIT_CEILING_DIRECTORIES=str(tmp_path))
    assert ran.code == 2 and "in no git repository" in ran.err


def test_a_workspace_below_the_top_of_its_repository(tmp_path: Path) -> None:
    top = make(tmp_path / "repo", {f"part/{path}": text for path, text in FILES.items()})
    put(top, {"part/src/net.py": CODE.replace("30", "60"), "elsewhere.py": "x = 1\n"})
    found = check(top / "part", "--diff", "HEAD", "--json").json()
    assert [doubt["document"] for doubt in found["doubts"]] == ["docs/guide.md"]
    assert found["counts"]["changedFiles"] == 1


def test_only_documents_about_today_are_in_doubt(root: Path) -> None:
    sentence = "# Page\n\nCall `connect()` first.\n"
    left_out = ("tests/fixtures/guide.md", "docs/adr/0001-net.md", "docs/migration-guide.md", "docs/2025-03-02-net.md")
    commit(root, dict.fromkeys((*left_out, "docs/fr/guide.md", "CHANGELOG.md"), sentence))
    put(root, {"src/net.py": CODE.replace("connect", "dial")})
    assert check(root, "--diff", "HEAD").out.endswith("1 changed file; 1 sentence of 1 document in doubt\n")
    everything = check(root, "--diff", "HEAD", "--all").out
    assert everything.endswith("1 changed file; 7 sentences of 7 documents in doubt\n")
    assert "docs/adr/0001-net.md" in check(root, "--diff", "HEAD", "--node", "docs/adr/0001-net.md").out
