"""`cairn freshness lint-unsourced|anti-over-rewrite|deep-guidance-check`: one gate, through the program."""

import json
import subprocess
from pathlib import Path

import pytest

from judging import page
from program import Ran, cairn, clean_env, command_line, fits_schema
from repository import commit, git, make, put

PAGE = "knowledge/api/limits.md"
LINES = "## Deep Guidance\n\n" + "".join(f"line {number}\n" for number in range(18))
GOOD = page(LINES, volatility="stable")
REWRITTEN = page("## Deep Guidance\n\nall new\n", volatility="stable")
COMMANDS = ("lint-unsourced", "anti-over-rewrite", "deep-guidance-check")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make(tmp_path / "work", {PAGE: GOOD, "README.md": "# Bakery\n"})
    git(root, "checkout", "-q", "-b", "feature")
    return root


def gate(root: Path, name: str, *args: str) -> Ran:
    return cairn("freshness", name, *args, cwd=root)


def piped(root: Path, data: bytes, *args: str) -> tuple[int, str]:
    line = command_line("freshness", *args)
    done = subprocess.run(line, input=data, cwd=root, env=clean_env(), capture_output=True)
    return done.returncode, done.stdout.decode()


@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_to_say_leaves_no_trace(root: Path, name: str) -> None:
    ran = gate(root, name)
    assert (ran.code, ran.out[:5]) == (0, "pass ")
    assert git(root, "status", "--porcelain") == ""
    assert not (root / ".cairn").exists()


def test_edits_and_commits_of_the_branch_are_one_change(root: Path) -> None:
    commit(root, {PAGE: GOOD.replace("line 3\n", "line three\n").replace("line 5\n", "line five\n")})
    assert gate(root, "anti-over-rewrite").code == 0
    put(root, {PAGE: GOOD.replace("line 3\n", "").replace("line 5\n", "").replace("line 7\nline 8\nline 9\n", "")})
    ran = gate(root, "anti-over-rewrite")
    assert ran.code == 1
    assert ran.out.startswith(f"block anti-over-rewrite: {PAGE} loses 24% of its lines, and 31% of the new text")


def test_a_label_of_a_person_lets_it_through(root: Path) -> None:
    put(root, {PAGE: REWRITTEN})
    ran = gate(root, "anti-over-rewrite", "--label", "override:anti-over-rewrite")
    assert (ran.code, ran.out[:5]) == (0, "note ")


def test_a_diff_from_elsewhere(root: Path) -> None:
    put(root, {PAGE: REWRITTEN})
    diff = git(root, "diff").encode() + b"\n"
    put(root, {PAGE: GOOD})
    assert piped(root, diff, "anti-over-rewrite", "--diff", "-")[0] == 1
    (root / "d.patch").write_bytes(diff)
    assert gate(root, "anti-over-rewrite", "--diff", "d.patch").code == 1
    assert gate(root, "deep-guidance-check", "--diff", "d.patch").code == 0


def test_a_diff_of_edits_on_a_branch_that_has_commits(root: Path) -> None:
    commit(root, {PAGE: GOOD.replace("line 3\n", "line three\n")})
    put(root, {PAGE: GOOD.replace("line 3\n", "You must.\n")})
    code, out = piped(root, git(root, "diff").encode() + b"\n", "lint-unsourced", "--diff", "-")
    assert (code, out.splitlines()[0][:5]) == (0, "warn ")


def test_lines_that_look_like_headers(root: Path) -> None:
    """A deleted line `-- a` shows as `--- a` in a diff, an added `++ b` as `+++ b`; both are counted."""
    commit(root, {PAGE: page("## Deep Guidance\n\n-- a\n-- b\nlast\n", volatility="stable")})
    git(root, "branch", "-f", "main", "HEAD")
    put(root, {PAGE: page("## Deep Guidance\n\n++ a\n++ b\nlast\nYou must.\n", volatility="stable")})
    diff = git(root, "diff").encode() + b"\n"
    put(root, {PAGE: page("## Deep Guidance\n\n-- a\n-- b\nlast\n", volatility="stable")})
    _, out = piped(root, diff, "anti-over-rewrite", "--diff", "-", "--json")
    [fact] = json.loads(out)["evidence"]
    assert (fact["added"], fact["removed"]) == (3, 2)
    _, out = piped(root, diff, "lint-unsourced", "--diff", "-", "--json")
    assert [fact["line"] for fact in json.loads(out)["evidence"]] == [11]


@pytest.mark.parametrize("listed", [json.dumps([PAGE]), f"{PAGE}\n"])
def test_pages_that_a_list_names(root: Path, listed: str) -> None:
    put(root, {PAGE: page("Text.\n")})
    (root / "changed.json").write_text(listed)
    ran = gate(root, "deep-guidance-check", "--files-from", "changed.json")
    assert (ran.code, ran.out.splitlines()[0][:6]) == (1, "block ")
    assert piped(root, listed.encode(), "deep-guidance-check", "--files-from", "-")[0] == 1


def test_without_a_repository_pages_can_be_named(tmp_path: Path) -> None:
    put(tmp_path, {PAGE: page("Text.\n"), "knowledge/api/keys.md": page("## Deep Guidance\n", name="keys")})
    assert gate(tmp_path, "deep-guidance-check", "knowledge/api/keys.md").code == 0
    assert gate(tmp_path, "deep-guidance-check", PAGE).code == 1
    ran = gate(tmp_path, "deep-guidance-check")
    assert (ran.code, "name the pages to look at" in ran.err) == (2, True)


def test_for_other_tools(root: Path) -> None:
    put(root, {PAGE: page(f"{LINES}You must.\n", volatility="stable")})
    value = gate(root, "lint-unsourced", "--json").json()
    fits_schema(value, "freshness-lint-unsourced")
    assert (value["level"], value["paths"]) == ("warn", [PAGE])
    line = value["evidence"][0]["line"]
    said = gate(root, "lint-unsourced", "--github").out
    assert said.startswith(f"::warning file={PAGE},line={line},title=unsourced::Which source backs this line?")
    log = gate(root, "lint-unsourced", "--sarif").json()
    assert [result["level"] for result in log["runs"][0]["results"]] == ["warning"]
    assert log["runs"][0]["tool"]["driver"]["rules"][0]["shortDescription"]["text"].startswith("Added lines")


@pytest.mark.parametrize("name", COMMANDS)
def test_schemas(root: Path, name: str) -> None:
    fits_schema(gate(root, name, "--json").json(), f"freshness-{name}")


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("README.md",), 2, "`README.md` is no page of knowledge"),
        (("../x.md",), 2, "is outside of the repository"),
        (("knowledge/gone.md",), 2, "There is no file `knowledge/gone.md`"),
        (("--files-from", "gone"), 5, "There is no file `gone`"),
        (("--files-from", "bad.json"), 2, "holds no list of paths"),
        (("--files-from", "empty"), 2, "names no page"),
        (("--diff", "empty", PAGE), 2, "one of them"),
        (("--diff", "bad.json"), 2, "no unified diff"),
        (("--json", "--github"), 2, "Choose one of"),
    ],
)
def test_what_cannot_be_asked(root: Path, args: tuple[str, ...], code: int, said: str) -> None:
    put(root, {"bad.json": '["a", 1]', "empty": ""})
    ran = gate(root, "deep-guidance-check", *args)
    assert ran.code == code
    assert said in ran.err + ran.out
