"""`cairn check --diff`: which sentences a change puts in doubt, through the real program."""

import json
from pathlib import Path

import pytest

from program import Ran, cairn, fits_schema
from repository import commit, git, make, put

CODE = "def connect(host, timeout=30):\n    return host\n"
SLOWER = CODE.replace("30", "60")
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
FILES = {
    "src/net.py": CODE,
    "docs/guide.md": "# Guide\n\nHello. The `timeout` of `connect()` is 30 seconds.\n",
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
    assert (ran.code, ran.out) == (0, "No sentence in doubt (0 changed files)\n")


def test_a_sentence_in_doubt_is_named_before_the_commit(root: Path) -> None:
    put(root, {"src/net.py": SLOWER})
    ran = check(root, "--diff", "HEAD")
    assert ran.code == 1
    assert ran.out.splitlines() == [
        "docs/guide.md",
        "    3  error    `timeout` is no longer `30`: it is `60`.  sentence-in-doubt",
        "                > Hello. The `timeout` of `connect()` is 30 seconds.",
        f"{'':16}Evidence: src/net.py:1: def connect(host, timeout=30): → def connect(host, timeout=60):",
        "                Fix: Write `60`.",
        "",
        "1 sentence of 1 document in doubt (1 changed file)",
    ]
    assert check(root, "--diff", "HEAD", "--fail-on", "never").code == 0


def test_once_the_sentence_is_mended_all_is_well(root: Path) -> None:
    put(root, {"src/net.py": SLOWER})
    put(root, {"docs/guide.md": FILES["docs/guide.md"].replace("30", "60")})
    assert check(root, "--diff", "HEAD").code == 0


def test_only_what_is_staged(root: Path) -> None:
    put(root, {"src/net.py": SLOWER})
    assert check(root, "--staged").code == 0
    git(root, "add", "src/net.py")
    put(root, {"src/net.py": CODE})
    assert check(root, "--staged").code == 1
    assert check(root, "--diff", "HEAD").code == 0


def test_since_a_branch_parted(root: Path) -> None:
    git(root, "checkout", "-qb", "work")
    commit(root, {"src/net.py": CODE.replace("connect", "dial")})
    assert "`connect` no longer exists: renamed to `dial`." in check(root, "--diff", "main...").out


def test_as_json(root: Path) -> None:
    put(root, {"src/net.py": SLOWER})
    found = check(root, "--diff", "HEAD", "--json").json()
    fits_schema(found, "check-diff")
    counts = {"doubts": 1, "sentences": 1, "certain": 1, "documents": 1, "changedFiles": 1, "causes": 1}
    assert found["counts"] == counts
    (doubt,) = found["doubts"]
    assert (doubt["line"], doubt["name"], doubt["reason"], doubt["certain"]) == (3, "30", "value", True)
    assert (doubt["before"], doubt["after"]) == tuple(code.splitlines()[0] for code in (CODE, SLOWER))
    assert found["mentions"] == []


def test_for_other_tools(root: Path) -> None:
    put(root, {"src/net.py": None})
    assert check(root, "--diff", "HEAD", "--github").out.startswith(
        "::error file=docs/guide.md,line=3,title=sentence-in-doubt::"
        "`connect` no longer exists: removed from src/net.py."
    )
    (run,) = json.loads(check(root, "--diff", "HEAD", "--sarif").out)["runs"]
    assert [result["ruleId"] for result in run["results"]] == ["sentence-in-doubt"]


def test_only_one_document(root: Path) -> None:
    commit(root, {"docs/other.md": "The `timeout` is 30.\n"})
    put(root, {"src/net.py": SLOWER})
    found = check(root, "--diff", "HEAD", "--node", "docs/other.md", "--json").json()
    assert [doubt["document"] for doubt in found["doubts"]] == ["docs/other.md"]


def test_half_edited_file_puts_nothing_in_doubt(root: Path) -> None:
    put(root, {"src/net.py": "def connect(timeout\n"})
    assert check(root, "--diff", "HEAD").code == 0


def test_note_is_shown_with_v_and_never_fails(root: Path) -> None:
    commit(root, {"docs/guide.md": "# Guide\n\nCall `connect()`.\n"})
    put(root, {"src/net.py": SLOWER})
    assert check(root, "--diff", "HEAD").out == "No sentence in doubt (1 changed file)\n"
    ran = cairn("check", "-v", "--diff", "HEAD", cwd=root)
    assert ran.code == 0 and "note     `connect` has `timeout=60` instead of `timeout=30`." in ran.out
    assert ran.out.endswith("No sentence in doubt, 1 note (1 changed file)\n")
    assert check(root, "--diff", "HEAD", "--json").json()["mentions"] == []
    (note,) = cairn("check", "-v", "--diff", "HEAD", "--json", cwd=root).json()["mentions"]
    assert (note["name"], note["reason"]) == ("connect", "changed")


def test_range_reads_the_documents_of_its_end(root: Path) -> None:
    commit(root, {"src/net.py": CODE.replace("connect", "dial")})
    put(root, {"docs/guide.md": None})
    ran = check(root, "--diff", "HEAD~..HEAD")
    assert ran.code == 1 and "docs/guide.md" in ran.out


def test_diff_needs_no_scan_that_could_refuse(root: Path) -> None:
    commit(root, {f"docs/page{n}.md": f"# Page {n}\n" for n in range(30)})
    assert cairn("scan", "-q", cwd=root).code == 0
    gone = dict.fromkeys([*(f"docs/page{n}.md" for n in range(30)), "docs/guide.md", "src/net.py"])
    put(root, gone)
    assert check(root, "--diff", "HEAD").code == 0
    assert check(root, "--diff", "HEAD~..HEAD").code == 0


def test_one_finding_for_each_cause(root: Path) -> None:
    commit(root, {f"docs/page{n}.md": "# Page\n\nCall `connect()`.\n" for n in range(3)})
    put(root, {"src/net.py": CODE.replace("connect", "dial")})
    out = check(root, "--diff", "HEAD").out
    assert out.count("no longer exists") == 1
    assert "also docs/page0.md:3, docs/page1.md:3, docs/page2.md:3" in out
    assert out.endswith("4 sentences of 4 documents in doubt (1 changed file)\n")


def test_each_removed_name_has_its_own_places(root: Path) -> None:
    names = ("open_all", "close_all", "read_all", "send_all", "stop_all", "wait_all")
    code = "".join(f"def {name}(): ...\n" for name in names)
    many = page_with(*(f"`{names[0]}()`" for _ in range(9)))
    commit(root, {"src/all.py": code, "docs/all.md": page_with(*(f"`{name}()`" for name in names)), "docs/b.md": many})
    put(root, {"src/all.py": None})
    out = check(root, "--diff", "HEAD").out
    for name, at in zip(names, range(3, 15, 2), strict=True):
        assert f"{at:>5}  error    `{name}` no longer exists: removed from src/all.py." in out
        assert f"Evidence: src/all.py:{names.index(name) + 1}: def {name}(): ..." in out
    assert out.count("no longer exist") == 6 and "and 3 more (listed with -v and --json)" in out
    every = cairn("check", "-v", "--diff", "HEAD", cwd=root).out
    assert " more" not in every and "docs/b.md:19" in every
    counts = check(root, "--diff", "HEAD", "--json").json()["counts"]
    assert (counts["causes"], counts["sentences"], counts["doubts"]) == (6, 15, 15)


def page_with(*lines: str) -> str:
    return "# Page\n\n" + "\n\n".join(lines) + "\n"


def test_counts_of_text_and_json_agree(root: Path) -> None:
    commit(root, {"docs/guide.md": "# Guide\n\nThe `timeout` of `connect()` is 30, as in src/net.py.\n"})
    git(root, "mv", "src/net.py", "src/dial.py")
    put(root, {"src/dial.py": SLOWER.replace("connect", "dial")})
    assert check(root, "--diff", "HEAD").out.endswith("1 sentence of 1 document in doubt (1 changed file)\n")
    counts = check(root, "--diff", "HEAD", "--json").json()["counts"]
    assert (counts["sentences"], counts["doubts"], counts["changedFiles"]) == (1, 2, 1)


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


@pytest.mark.parametrize("rev", ["HEAD~..HEAD", "HEAD^..HEAD", "HEAD^!", f"{EMPTY_TREE}..HEAD", EMPTY_TREE])
def test_first_commit_puts_nothing_in_doubt(root: Path, rev: str) -> None:
    ran = check(root, "--diff", rev)
    assert (ran.code, ran.out) == (0, "No sentence in doubt (2 changed files)\n")


def test_one_commit_and_what_it_put_in_doubt(root: Path) -> None:
    commit(root, {"src/net.py": SLOWER})
    commit(root, {"src/net.py": SLOWER.replace("connect", "dial")})
    assert "`connect` no longer exists" in check(root, "--diff", "HEAD^!").out
    assert "`timeout` is no longer `30`" in check(root, "--diff", "HEAD~^!").out


def test_shallow_clone_says_how_to_fetch_more(root: Path, tmp_path: Path) -> None:
    git(root, "checkout", "-qb", "work")
    commit(root, {"src/net.py": SLOWER})
    git(root, "checkout", "-q", "main")
    commit(root, {"src/other.py": "x = 1\n"})
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth=1", "--no-single-branch", "-b", "work", root.as_uri(), str(clone))
    put(clone, {".cairn/settings.json": "{}"})
    ran = check(clone, "--diff", "origin/main...")
    assert ran.code == 2 and "shallow clone" in ran.err and "git fetch --unshallow" in ran.err
    ran = check(clone, "--diff", "HEAD~..HEAD")
    assert ran.code == 2 and "shallow clone" in ran.err
    git(clone, "fetch", "-q", "--unshallow")
    assert check(clone, "--diff", "origin/main...").code == 1


def test_clone_without_a_workspace_is_only_read(root: Path, tmp_path: Path) -> None:
    commit(root, {"src/net.py": SLOWER})
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(root), str(clone))
    assert not (clone / ".cairn").exists()
    for place in (clone, clone / "docs"):
        ran = check(place, "--diff", "HEAD~..HEAD")
        assert ran.code == 1 and "`timeout` is no longer `30`: it is `60`." in ran.out
    put(clone, {"src/net.py": CODE.replace("connect", "dial")})
    assert "`connect` no longer exists" in check(clone, "--diff", "HEAD").out
    assert git(clone, "status", "--short", "--ignored") == "M src/net.py"


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
    assert check(root, "--diff", "HEAD").out.endswith("1 sentence of 1 document in doubt (1 changed file)\n")
    everything = check(root, "--diff", "HEAD", "--all").out
    assert everything.endswith("7 sentences of 7 documents in doubt (1 changed file)\n")
    assert "docs/adr/0001-net.md" in check(root, "--diff", "HEAD", "--node", "docs/adr/0001-net.md").out
