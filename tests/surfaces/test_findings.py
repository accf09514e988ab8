"""What `check`, `scan` and `try` report about a repository, and what they leave out: through the program."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from commits import commit, git
from program import cairn, clean_env, command_line, fits_schema
from repository import put

GUIDE = "# Guide\n\nCall `fetch_next_page()` for each page.\n"
CODE = "def fetch_next_page(url):\n    return url\n"


def made(root: Path, *commits: dict[str, str | None]) -> Path:
    for day, files in enumerate(commits, 1):
        commit(root, files, f"commit {day}", day=day)
    return root


def checked(root: Path, *args: str, **env: str) -> dict[str, Any]:
    if not (root / ".cairn").exists():
        assert cairn("init", "-q", cwd=root, **env).code in (0, 1)
    ran = cairn("check", "--json", *args, cwd=root, **env)
    assert ran.code in (0, 1), ran.err
    return ran.json()  # type: ignore[no-any-return]


def rules(found: dict[str, Any]) -> list[str]:
    return [issue["analyzerId"] for issue in found["issues"] if issue["severity"] != "info"]


def test_check_and_scan_count_the_same_after_a_rename(tmp_path: Path):
    root = made(tmp_path / "r", {"a.md": "[b](b.md)\n", "b.md": "# B\n\nText.\n"})
    assert cairn("init", "-q", cwd=root).code == 0
    made(root, {"b.md": None, "docs/c.md": "# B\n\nText.\n"})
    scanned, found = cairn("scan", cwd=root), cairn("check", cwd=root)
    assert (scanned.code, found.code) == (1, 1)
    assert "1 error" in scanned.out and "1 error" in found.out
    assert "Broken link: the file `b.md` was moved to `docs/c.md` in " in found.out
    assert "Fix: Link to `docs/c.md`." in found.out
    again = cairn("scan", "--json", "--no-graph", cwd=root).json()["stats"]
    counts = checked(root)["counts"]
    assert (again["errorsCount"], again["warningsCount"]) == (counts["error"], counts["warn"])


def test_check_after_a_rename_that_is_not_committed(tmp_path: Path):
    root = made(tmp_path / "r", {"a.md": "[b](b.md)\n", "b.md": "# B\n"}, {"x.py": "x = 1\n"})
    assert cairn("init", "-q", cwd=root).code == 0
    (root / "b.md").unlink()
    assert "was deleted in the work tree, not committed yet" in cairn("check", cwd=root).out


def test_one_missing_file_is_one_finding_with_all_its_places(tmp_path: Path):
    root = made(tmp_path / "r", {"a.md": "[x](gone.md)\n\n[y](gone.md)\n", "d/b.md": "[z](../gone.md)\n"})
    [issue] = checked(root)["issues"]
    assert [(p["path"], p["line"]) for p in issue["data"]["places"]] == [("a.md", 1), ("a.md", 3), ("d/b.md", 1)]
    sarif = cairn("check", "--sarif", cwd=root).json()["runs"][0]["results"]
    assert len(sarif) == 1 and len(sarif[0]["relatedLocations"]) == 2


def test_an_image_link_names_both_its_image_and_its_target(tmp_path: Path):
    root = made(tmp_path / "r", {"README.md": "[![logo](logo.png)](docs/a.md)\n", "x.md": "# X\n"})
    targets = {issue["data"]["target"] for issue in checked(root)["issues"]}
    assert targets == {"logo.png", "docs/a.md"}
    (root / "logo.png").write_bytes(b"\x89PNG")
    made(root, {"docs/a.md": "# A\n"})
    assert checked(root)["issues"] == []


def test_a_dated_audit_report_may_name_removed_code(tmp_path: Path):
    audit = {"docs/audit-2024-03-01.md": GUIDE, "docs/adr/0001-x.md": GUIDE, "CHANGELOG.md": GUIDE}
    root = made(tmp_path / "r", {**audit, "docs/guide.md": GUIDE, "app.py": CODE}, {"app.py": "pass\n"})
    found = checked(root)
    assert [issue["scope"] for issue in found["issues"]] == ["current"]
    assert [place["path"] for issue in found["issues"] for place in issue["data"]["places"]] == ["docs/guide.md"]
    everything = checked(root, "--all")
    assert len(everything["issues"][0]["data"]["places"]) == 4


def test_documents_out_of_scope_are_in_the_json_with_their_scope(tmp_path: Path):
    broken = "[x](gone.md)\n"
    root = made(
        tmp_path / "r",
        {"tests/fixtures/a.md": broken, "vendor/b.md": broken, "docs/de/c.md": broken, "docs/old/d.md": broken},
    )
    found = checked(root)
    assert found["issues"] == []
    assert sorted((one["scope"], one["nodeIds"][0]) for one in found["aside"]) == [
        ("fixture", "tests/fixtures/a.md"),
        ("past", "docs/old/d.md"),
        ("translation", "docs/de/c.md"),
        ("vendored", "vendor/b.md"),
    ]
    told = cairn("check", cwd=root)
    assert told.code == 0
    assert "Left out: 1 in fixtures and templates, 1 in documents about the past, 1 in translations" in told.err
    for _ in range(2):  # computed, then from the cache
        everything = checked(root, "--all")
        assert sorted(one["scope"] for one in everything["issues"]) == ["fixture", "past", "translation", "vendored"]
        fits_schema(everything, "check")


def test_a_folder_of_planned_work_may_name_removed_code(tmp_path: Path):
    papers = {"work/login/spec.md": GUIDE, "work/login/plan.md": GUIDE, "work/login/briefs/one.md": GUIDE}
    root = made(tmp_path / "r", {**papers, "work/spec.md": GUIDE, "app.py": CODE}, {"app.py": "pass\n"})
    assert [place["path"] for issue in checked(root)["issues"] for place in issue["data"]["places"]] == ["work/spec.md"]


def test_an_abandoned_project_is_left_alone_unless_everything_is_wanted(tmp_path: Path):
    readme = "# Shop\n\nThis project is no longer maintained; the code here is kept for reference.\n\n[x](gone.md)\n"
    root = made(tmp_path / "r", {"README.md": readme, "docs/a.md": "[x](gone.md)\n"})
    assert checked(root)["issues"] == []
    told = cairn("check", cwd=root)
    assert told.code == 0
    assert "documents of an abandoned project (README.md calls it that; `--all` checks them)" in told.err + told.out
    assert len(checked(root, "--all")["issues"]) == 2


def test_a_project_with_one_deprecated_package_is_checked(tmp_path: Path):
    readme = "# Shop\n\nThe package `shop-old` is deprecated.\n\n[x](gone.md)\n"
    root = made(tmp_path / "r", {"README.md": readme})
    assert rules(checked(root)) == ["reference-broken"]


def test_a_missing_file_that_only_gitignore_explains_is_a_note(tmp_path: Path):
    root = made(tmp_path / "r", {".gitignore": "evals/\n", "README.md": "See [evals](evals/README.md).\n"})
    found = checked(root)
    assert rules(found) == []
    [note] = found["issues"]
    assert note["severity"] == "info" and "git ignores this path" in note["detail"]
    assert "evals" not in cairn("check", cwd=root).out
    assert "evals" in cairn("check", "-v", cwd=root).out


def test_a_shallow_clone_names_the_checks_that_were_not_made(tmp_path: Path):
    root = made(tmp_path / "r", {"docs/guide.md": GUIDE, "app.py": CODE}, {"app.py": "pass\n"})
    subprocess.run(
        ["git", "clone", "-q", "--depth=1", f"file://{root}", tmp_path / "shallow"], check=True, env=clean_env()
    )
    found = checked(tmp_path / "shallow")
    assert rules(found) == []
    assert found["notChecked"] == [
        "removals of code, files and commands, and outdated versions (this is a shallow clone of 1 commit)"
    ]
    assert "Not checked: removals of code" in cairn("check", cwd=tmp_path / "shallow").err
    assert rules(checked(root)) == ["code-removed"]


def test_a_linked_worktree_has_the_same_history(tmp_path: Path):
    root = made(tmp_path / "r", {"docs/guide.md": GUIDE, "app.py": CODE}, {"app.py": "pass\n"})
    git(root, "worktree", "add", "-q", str(tmp_path / "linked"), "-b", "other")
    assert rules(checked(tmp_path / "linked")) == ["code-removed"]


def test_a_folder_below_the_root_of_the_repository(tmp_path: Path):
    root = made(tmp_path / "r", {"sub/docs/guide.md": GUIDE, "sub/app.py": CODE}, {"sub/app.py": "pass\n"})
    assert rules(checked(root / "sub")) == ["code-removed"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a repository to somebody else")
def test_a_repository_that_git_refuses_to_read_is_named(tmp_path: Path):
    root = made(tmp_path / "r", {"docs/guide.md": GUIDE, "app.py": CODE}, {"app.py": "pass\n"})
    for path in [root, *root.rglob("*")]:
        os.chown(path, 12345, 12345)
    ran = cairn("try", "--json", cwd=root)
    assert ran.code == 0, ran.err
    assert any("safe.directory" in reason for reason in ran.json()["leftOut"])


def test_a_folder_without_git_names_the_checks_that_were_not_made(tmp_path: Path):
    (tmp_path / "a.md").write_text("[x](gone.md)\n")
    ran = cairn("try", "--json", cwd=tmp_path)
    assert [f["kind"] for f in ran.json()["findings"]] == ["reference-broken"]
    assert any("not in a git repository" in reason for reason in ran.json()["leftOut"])


def test_try_gives_the_same_result_on_a_loaded_machine(tmp_path: Path):
    """Limits are counts of work, so load changes how long it takes and nothing else."""
    pages = {f"docs/p{n}.md": f"# P{n}\n\nCall `do_thing_{n}()`. [x](../gone{n}.md)\n" for n in range(9)}
    code = {f"src/m{n}.py": f"def do_thing_{n}():\n    pass\n" for n in range(9)}
    root = made(tmp_path / "r", {**pages, **code}, dict.fromkeys(code, "pass\n"))
    idle = _without_seconds(cairn("try", "--all", "--json", cwd=root).json())
    spin = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(4)]
    try:
        loaded = _without_seconds(cairn("try", "--all", "--json", cwd=root).json())
    finally:
        for process in spin:
            process.kill()
            process.wait()
    assert len(idle["findings"]) == 18
    assert idle == loaded


def _without_seconds(found: dict[str, Any]) -> dict[str, Any]:
    found["looked"].pop("seconds")
    return json.loads(json.dumps(found))  # type: ignore[no-any-return]


def test_a_clone_that_lacks_blobs_is_checked_as_far_as_it_goes(tmp_path: Path):
    root = made(
        tmp_path / "r",
        {"docs/guide.md": GUIDE, "app.py": CODE, "lib.py": "def other_name():\n    pass\n"},
        {"app.py": "pass\n"},
    )
    blob = git(root, "rev-parse", "HEAD~1:app.py").strip()
    (root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    ran = cairn("try", "--json", cwd=root)
    assert ran.code == 0, ran.err
    assert (ran.json()["findings"], ran.json()["problems"]) == ([], [])
    shutil.rmtree(root / ".git")
    assert cairn("try", cwd=root).code == 0


def test_a_label_that_a_page_defined_once_is_an_error_and_an_unknown_one_a_note(tmp_path: Path):
    page = "Use\n===\n\nSee :ref:`old-name` and :ref:`of-python`.\n"
    root = made(
        tmp_path / "r",
        {"docs/conf.py": "", "docs/use.rst": page, "docs/a.rst": ".. _old-name:\n\nA\n=\n\nText.\n"},
        {"docs/a.rst": ".. _new-name:\n\nA\n=\n\nText.\n"},
    )
    found = checked(root)
    [issue] = [one for one in found["issues"] if one["severity"] == "error"]
    assert issue["message"] == "Broken reference: no page defines the label `old-name`."
    assert issue["data"]["evidence"][0]["path"] == "docs/a.rst"
    assert "of-python" in str([one for one in found["issues"] if one["severity"] == "info"])


def test_a_page_of_another_project_is_a_note_for_sphinx(tmp_path: Path):
    page = "Use\n===\n\nSee :doc:`library/re` and :doc:`missing`.\n"
    root = made(tmp_path / "r", {"docs/conf.py": "", "docs/use.rst": page, "docs/other.rst": "Other\n=====\n"})
    errors = [one["data"]["target"] for one in checked(root)["issues"] if one["severity"] == "error"]
    assert errors == ["docs/missing"]


def test_exdoc_finds_pages_by_their_name(tmp_path: Path):
    guide = "# A\n\nSee [contexts](contexts.md) and [none](none.md).\n"
    files = {"mix.exs": 'extras: ["guides/a.md"]\n', "guides/a.md": guide, "guides/data/contexts.md": "# Contexts\n"}
    assert [one for one in checked(made(tmp_path / "r", files))["issues"] if one["severity"] != "info"] == []


def test_instructions_for_agents_name_files_that_exist(tmp_path: Path):
    told = "Read `docs/missing.md` first, and `docs/here.md`.\n"
    files = {
        "AGENTS.md": told,
        "skills/x/SKILL.md": f"---\nname: x\ndescription: y\n---\n{told}",
        "docs/here.md": "# H\n",
    }
    warned = [one for one in checked(made(tmp_path / "r", files))["issues"] if one["severity"] != "info"]
    assert [(one["nodeIds"][0], one["data"]["target"]) for one in warned] == [("AGENTS.md", "docs/missing.md")]


def test_links_into_one_missing_folder_are_one_finding(tmp_path: Path):
    root = made(tmp_path / "r", {"a.md": "[1](gone/one.md) [2](gone/two.md)\n\n[3](gone/deep/three.md)\n"})
    [issue] = checked(root)["issues"]
    assert issue["message"] == "Broken link: the folder `gone/` does not exist."
    assert [place["line"] for place in issue["data"]["places"]] == [1, 3]


def test_every_place_is_annotated_on_github(tmp_path: Path):
    root = made(tmp_path / "r", {"a.md": "[x](gone.md)\n", "b.md": "[y](gone.md)\n"})
    assert cairn("init", "-q", cwd=root).code == 0
    lines = cairn("check", "--github", cwd=root).out.splitlines()
    assert [line.split(",")[0] for line in lines] == ["::error file=a.md", "::error file=b.md"]


def test_nothing_is_called_free_of_problems_that_was_not_read(tmp_path: Path):
    root = made(tmp_path / "r", {"docs/a.adoc": "= A\n"})
    for command in ("init", "scan", "check", "try"):
        ran = cairn(command, cwd=root)
        assert "No documents were read" in ran.out + ran.err, command
        assert "No problems" not in ran.out + ran.err, command
    made(root, {"README.md": "# A\n"})
    assert "No problems found in the documents that were read" in cairn("check", cwd=root).out


def test_the_second_check_answers_from_the_cache_until_something_changes(tmp_path: Path):
    root = made(tmp_path / "r", {"docs/guide.md": GUIDE, "app.py": CODE}, {"app.py": "pass\n"})
    assert rules(checked(root)) == ["code-removed"]
    assert "code-removed" not in cairn("check", "-vv", cwd=root).err, "nothing is computed again"
    (root / "app.py").write_text(CODE)
    assert rules(checked(root)) == []


LINK = "[x](nope.md)\n"
THREE = "[1](one.md)\n\n[2](two.md)\n\n[3](three.md)\n"
REWRITTEN = "".join(f"[{n}](a.md#heading-{n})\n\n" for n in range(4))
BASELINES: list[tuple[str, dict[str, str], dict[str, str], list[tuple[str, int]]]] = [
    ("another page is new", {"a.md": LINK, "b.md": LINK}, {"z.md": LINK}, [("z.md", 1)]),
    ("a page above is new", {"b.md": LINK, "c.md": LINK}, {"a.md": LINK}, [("a.md", 1)]),
    ("a page that is fixed makes nothing new", {"a.md": LINK, "b.md": LINK}, {"a.md": "# A\n"}, []),
    ("nothing changes", {"a.md": THREE}, {"a.md": f"# A\n\n{THREE}"}, []),
    ("a fourth link of a page is new", {"a.md": THREE}, {"a.md": f"{THREE}\n[4](four.md)\n"}, [("a.md", 7)]),
    (
        "a third link makes a group of which two are known",
        {"a.md": "[1](one.md)\n\n[2](two.md)\n"},
        {"a.md": THREE},
        [("a.md", 5)],
    ),
    ("a group falls apart", {"a.md": THREE}, {"a.md": "[3](three.md)\n"}, []),
    ("a second file of a missing folder", {"a.md": "[1](d/1.md)\n"}, {"b.md": "[2](d/2.md)\n"}, [("b.md", 1)]),
    (
        "a fifth heading of a page",
        {"a.md": "# A\n", "b.md": f"{'[x](a.md#a) ' * 50}\n\n{REWRITTEN}"},
        {"b.md": f"{'[x](a.md#a) ' * 50}\n\n{REWRITTEN}[x](a.md#other)\n"},
        [("b.md", 11)],
    ),
]


@pytest.mark.parametrize(("before", "after", "new"), [case[1:] for case in BASELINES], ids=[c[0] for c in BASELINES])
def test_a_baseline_knows_each_place(
    tmp_path: Path, before: dict[str, str], after: dict[str, str], new: list[tuple[str, int]]
):
    root = made(tmp_path / "r", before)
    args = ("--baseline", "known.json", "--fail-on", "warn")
    assert rules(checked(root)), "there is something to know"
    assert cairn("check", *args, cwd=root).code == 0
    for name, text in after.items():
        (root / name).write_text(text)
    ran = cairn("check", "--json", *args, cwd=root)
    found = [(p["path"], p["line"]) for issue in ran.json()["issues"] for p in issue["data"]["places"]]
    assert (found, ran.code) == (new, int(bool(new)))


def test_a_baseline_of_an_earlier_version_is_still_read(tmp_path: Path):
    """It has an entry for each file and target, as findings had one place each."""
    root = made(tmp_path / "r", {"a.md": LINK, "b.md": LINK, "c.md": THREE})
    old = [f"reference-broken {path} nope.md" for path in ("a.md", "b.md")]
    old += [f"reference-broken c.md {target}.md" for target in ("one", "two", "three")]
    (root / "known.json").write_text(json.dumps({"version": 1, "issues": dict.fromkeys(old, 1)}))
    found = checked(root, "--baseline", "known.json")
    assert (found["issues"], found["baseline"]) == ([], {"known": 5, "mended": 0})


def test_a_finding_belongs_to_the_owners_of_all_its_places(tmp_path: Path):
    root = made(tmp_path / "r", {"a.md": LINK, "b.md": LINK, "CODEOWNERS": "* @alice\n/b.md @bob\n"})
    for owner, path in (("@alice", "a.md"), ("@bob", "b.md")):
        [issue] = checked(root, "--owner", owner)["issues"]
        assert [place["path"] for place in issue["data"]["places"]] == issue["nodeIds"] == [path]
        assert issue["owners"] == [owner]
    assert cairn("check", "--owner", "@bob", cwd=root).code == 1


PEOPLE = [("graph",), ("graph", "--format", "html"), ("export", "--format", "md")]


def test_every_command_prints_the_findings_of_check(tmp_path: Path):
    """Not the issues that the scan stored: those are in JSON."""
    twice = "[b](b.md) and `./b.md`, [evals](evals/x.md)\n"
    root = made(tmp_path / "r", {".gitignore": "evals/\n", "a.md": f"{LINK}{twice}", "b.md": f"# B\n\n{LINK}"})
    [issue] = [one for one in checked(root)["issues"] if one["severity"] != "info"]
    for args in PEOPLE:
        ran = cairn(*args, cwd=root)
        assert ran.out.count(issue["message"].replace("`", "\\`" if args[0] == "export" else "`")) == 1, args
        for other in ("reference-redundant", "evals/x.md` does not exist"):
            assert other not in ran.out, args
    assert "issues: 1" in cairn("graph", cwd=root).out
    assert "issues: 2" in cairn("graph", "-v", cwd=root).out, "the note, too"
    counts = {line.split()[0]: line.split()[-1] for line in cairn("list", cwd=root).out.splitlines()[1:]}
    assert counts == {"a.md": "1", "b.md": "1"}
    stored = {one["analyzerId"] for one in cairn("graph", "--json", cwd=root).json()["issues"]}
    assert stored == {"reference-broken", "reference-redundant"}
    assert cairn("list", "--json", cwd=root).json()["issuesCounts"] == {"a.md": 3, "b.md": 1}


@pytest.mark.parametrize(
    ("args", "paths"),
    [
        (("--issue", "code-removed"), ["docs/guide.md"]),
        (("--issue",), ["docs/guide.md", "docs/more.md"]),
        (("--issue", "reference-redundant"), []),
        (("--sort-by", "issues", "--limit", "1"), ["docs/more.md"]),
        (("--sort-by", "issues", "--offset", "2"), ["docs/plain.md"]),
    ],
)
def test_nodes_are_listed_by_the_findings_of_check(tmp_path: Path, args: tuple[str, ...], paths: list[str]):
    pages = {"docs/guide.md": GUIDE, "docs/more.md": "[x](gone.md)\n[y](other.md)\n", "docs/plain.md": "# P\n\nText.\n"}
    root = made(tmp_path / "r", {**pages, "app.py": CODE}, {"app.py": "pass\n"})
    checked(root)
    assert [line.split()[0] for line in cairn("list", *args, cwd=root).out.splitlines()[1:]] == paths


def test_json_and_sarif_name_documents_that_were_not_read_and_checks_that_were_not_made(tmp_path: Path):
    root = made(tmp_path / "r", {"docs/a.adoc": "= A\n", "docs/b.adoc": "= B\n"})
    unread = ["not read: 2 .adoc files"]
    assert checked(root)["unread"] == unread
    for command, args in (("check", ()), ("try", ()), ("check-diff", ("--diff", "HEAD"))):
        found = cairn(command.partition("-")[0], "--json", *args, cwd=root).json()
        assert found["unread"] == unread, command
        fits_schema(found, command)
    subprocess.run(["git", "clone", "-q", "--depth=1", f"file://{root}", tmp_path / "s"], check=True, env=clean_env())
    assert cairn("init", "-q", cwd=tmp_path / "s").code == 0
    log = cairn("check", "--sarif", cwd=tmp_path / "s").json()["runs"][0]
    [invocation] = log["invocations"]
    told = [one["message"]["text"] for one in invocation["toolExecutionNotifications"]]
    assert invocation["executionSuccessful"] is True
    assert [told[0].partition(":")[0], *told[1:]] == ["Not checked", *unread]
    assert "not read: 2 .adoc files" in cairn("check", "--github", cwd=root).err


def test_notes_are_annotated_on_github_with_v_only(tmp_path: Path):
    root = made(tmp_path / "r", {".gitignore": "evals/\n", "README.md": f"See [evals](evals/README.md).\n\n{LINK}"})
    checked(root)
    for args, words in (((), ["::error"]), (("-v",), ["::error", "::notice"])):
        lines = cairn("check", "--github", *args, cwd=root).out.splitlines()
        assert sorted(line.split()[0] for line in lines) == words


AGENT = "---\nname: {}\ndescription: d\n---\n"
EVIDENCE: list[tuple[str, str, dict[str, str], str, list[str]]] = [
    (
        "a path that instructions name",
        "reference-broken",
        {"AGENTS.md": "Read `docs/none.md` first.\n", "docs/a.md": "# A\n"},
        "Read `docs/none.md` first.",
        ["`docs/none.md` is not in the repository"],
    ),
    (
        "a path that nested instructions name",
        "reference-broken",
        {"sub/CLAUDE.md": "Read `docs/none.md` first.\n", "sub/docs/a.md": "# A\n"},
        "Read `docs/none.md` first.",
        ["`sub/docs/none.md` and `docs/none.md` are not in the repository"],
    ),
    (
        "frontmatter that is not YAML",
        "frontmatter-parse-error",
        {".claude/agents/a.md": "---\nname: a\ndescription: [x\n---\n"},
        "description: [x",
        [],
    ),
    (
        "a value that the schema refuses",
        "frontmatter-invalid",
        {".claude/agents/a.md": "---\nname: a\ndescription: d\ntools: 3\n---\n"},
        "",
        [".claude/agents/a.md:4: tools: 3"],
    ),
    (
        "a key that is missing",
        "schema-violation",
        {".claude/skills/x/SKILL.md": "---\nname: x\n---\n"},
        "",
        [".claude/skills/x/SKILL.md:1: the frontmatter has only `name`"],
    ),
    (
        "a key without a value",
        "schema-violation",
        {".claude/skills/x/SKILL.md": "---\nname: x\ndescription:\n---\n"},
        "",
        [".claude/skills/x/SKILL.md:3: description:"],
    ),
    (
        "a name that two files have",
        "name-collision",
        {".claude/agents/a.md": AGENT.format("a-b"), ".claude/agents/b.md": AGENT.format("A B")},
        "",
        [".claude/agents/a.md:2: name: a-b", ".claude/agents/b.md:2: name: A B"],
    ),
]


@pytest.mark.parametrize(
    ("rule", "files", "quote", "evidence"), [case[1:] for case in EVIDENCE], ids=[case[0] for case in EVIDENCE]
)
def test_findings_of_the_scan_have_a_quote_or_evidence_and_a_fix(
    tmp_path: Path, rule: str, files: dict[str, str], quote: str, evidence: list[str]
):
    root = made(tmp_path / "r", files)
    checked(root)
    out = cairn("check", "-v", "--analyzers", rule, cwd=root).out
    told = [line.strip() for line in out.splitlines()]
    assert [line.removeprefix("> ") for line in told if line.startswith("> ")] == ([quote] if quote else [])
    assert [line.removeprefix("Evidence: ") for line in told if line.startswith("Evidence: ")] == evidence
    assert sum(line.startswith("Fix: ") for line in told) == 1


WORK_TREE = [
    ({"a.md": "[b](b.md)\n"}, None, "b.md (not committed yet): deleted in the work tree"),
    ({"a.md": "[b](b.md)\n"}, "c.md", "b.md (not committed yet): moved to `c.md` in the work tree"),
    ({"docs/a.md": "See `src/b.md`.\n"}, None, "src/b.md (not committed yet): deleted in the work tree"),
]


@pytest.mark.parametrize(("pages", "to", "evidence"), WORK_TREE, ids=["deleted", "moved", "named"])
def test_changes_that_are_not_committed_are_evidence(
    tmp_path: Path, pages: dict[str, str], to: str | None, evidence: str
):
    target = evidence.partition(" ")[0]
    root = made(tmp_path / "r", {**pages, target: "# B\n\nText that stays.\n"}, {"x.py": "x = 1\n"})
    checked(root)
    git(root, *(["mv", target, to] if to else ["rm", "-q", target]))
    [issue] = [one for one in checked(root)["issues"] if one["severity"] != "info"]
    assert issue["data"]["evidence"] != []
    assert f"Evidence: {evidence}\n" in cairn("check", cwd=root).out


def test_files_that_are_deleted_and_not_committed_keep_their_own_finding(tmp_path: Path):
    root = made(tmp_path / "r", {"a.md": THREE, **dict.fromkeys(("one.md", "two.md", "three.md"), "# X\n")}, {})
    checked(root)
    git(root, "rm", "-q", "one.md", "two.md", "three.md")
    assert cairn("check", cwd=root).out.count("was deleted in the work tree") == 3


def test_a_link_in_the_root_whose_text_names_the_file_is_one_finding(tmp_path: Path):
    page = {"README.md": "[`docs/b.md`](docs/b.md)\n", "docs/b.md": "# B\n"}
    root = made(tmp_path / "r", page, {"docs/b.md": None, "docs/c.md": "# C\n\nOther.\n"})
    assert rules(checked(root)) == ["reference-broken"]


def test_a_note_states_why_it_is_one(tmp_path: Path):
    root = made(tmp_path / "r", {".gitignore": "evals/\n", "README.md": "See [evals](evals/README.md).\n"})
    checked(root)
    reason = "A note, because git ignores this path, so it may exist elsewhere"
    assert reason in cairn("check", "-v", cwd=root).out
    assert reason in " ".join(cairn("show", "README.md", cwd=root).out.split())
    [result] = cairn("check", "--sarif", cwd=root).json()["runs"][0]["results"]
    assert reason in result["message"]["text"]


def test_show_gives_a_finding_with_its_line_on_this_page_and_its_evidence(tmp_path: Path):
    root = made(tmp_path / "r", {"a.md": LINK, "b.md": f"# B\n\n{LINK}"})
    checked(root)
    out = cairn("show", "b.md", cwd=root).out
    assert "error  reference-broken  line 3\n" in out
    assert "Evidence: `nope.md` is not in the repository" in out


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("check", "--analyzers", "code-removed"), "No problems found by code-removed (2 documents"),
        (("check", "--owner", "@bob"), "No problems found in files of @bob ("),
        (("check", "--node", "b.md"), "No problems found in b.md ("),
        (("try", "--kind", "code-removed"), "No problems found by code-removed (2 documents"),
        (("check",), "1 error ("),
    ],
)
def test_the_last_line_names_what_the_question_was_limited_to(tmp_path: Path, args: tuple[str, ...], sentence: str):
    root = made(tmp_path / "r", {"a.md": LINK, "b.md": "# B\n", "CODEOWNERS": "* @alice\n/b.md @bob\n"})
    checked(root)
    ran = cairn(*args, cwd=root)
    assert sentence in ran.out + ran.err


@pytest.mark.parametrize("args", [("check",), ("check", "--json"), ("check", "--sarif"), ("scan",), ("scan", "--json")])
def test_a_reader_that_closes_the_pipe_does_not_change_the_exit_code(tmp_path: Path, args: tuple[str, ...]):
    root = made(tmp_path / "r", {"a.md": LINK})
    checked(root)
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(command_line(*args), cwd=root, env=clean_env(), stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, b"Traceback" in done.stderr) == (1, False)


def test_vv_states_that_findings_come_from_the_cache(tmp_path: Path):
    root = made(tmp_path / "r", {"a.md": LINK})
    checked(root)
    assert "findings from the cache" in cairn("check", "-vv", cwd=root).err
    (root / "a.md").write_text("# A\n")
    told = cairn("check", "-vv", cwd=root).err
    assert "findings from the cache" not in told and " s  history (" in told


def test_files_that_cairn_writes_are_not_changed_files(tmp_path: Path):
    root = made(tmp_path / "r", {"a.md": "# A\n"})
    assert cairn("init", "-q", cwd=root).code == 0
    for files, number in (({}, 0), ({".cairn/plugins/x.py": "x = 1\n"}, 1), ({"b.py": "y = 2\n"}, 2)):
        put(root, files)
        assert cairn("check", "--diff", "HEAD", "--json", cwd=root).json()["counts"]["changedFiles"] == number


def test_check_after_init_answers_from_the_cache_although_it_remembers_the_host(tmp_path: Path):
    hosts = {".claude/commands/a.md": "# A\n", ".agents/skills/b/SKILL.md": "---\nname: b\ndescription: B.\n---\n# B\n"}
    root = made(tmp_path / "r", {"docs/guide.md": GUIDE, "app.py": CODE, **hosts}, {"app.py": "pass\n"})
    assert cairn("init", "-q", cwd=root).code == 0
    before = (root / ".cairn/settings.json").read_text()
    ran = cairn("check", "--yes", "-vv", cwd=root)
    assert (root / ".cairn/settings.json").read_text() != before, "the case is about a command that writes settings"
    assert "code-removed" in ran.out
    assert "s  code-removed" not in ran.err, "nothing is computed again"


@pytest.mark.parametrize("where", ["shallow", "linked"])
def test_the_cache_knows_when_git_knows_more(tmp_path: Path, where: str):
    """Neither `git fetch --unshallow` nor `info/exclude` changes the work tree."""
    made(
        tmp_path / "r",
        {"docs/guide.md": GUIDE, "app.py": CODE},
        {"app.py": "pass\n", "docs/a.md": "[x](out/x.md)\n"},
    )
    root = tmp_path / "shallow"
    subprocess.run(["git", "clone", "-q", "--depth=1", f"file://{tmp_path}/r", root], check=True, env=clean_env())
    common = root / ".git"
    if where == "linked":
        git(root, "worktree", "add", "-q", str(tmp_path / "linked"), "-b", "other")
        root = tmp_path / "linked"
    assert rules(checked(root)) == ["reference-broken"]
    git(root, "fetch", "-q", "--unshallow", "origin")
    assert sorted(rules(checked(root))) == ["code-removed", "reference-broken"]
    (common / "info/exclude").write_text("out/\n")
    assert rules(checked(root)) == ["code-removed"], "a path that git ignores may exist elsewhere"


def partial(tmp_path: Path, filter: str) -> Path:
    root = made(tmp_path / "r", {"docs/guide.md": GUIDE, "app.py": CODE}, {"app.py": "pass\n"})
    git(root, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "partial"
    command = ["git", "clone", "-q", "--no-local", f"--filter={filter}", f"file://{root}", clone]
    subprocess.run(command, check=True, env=clean_env(), capture_output=True)
    return clone


@pytest.mark.parametrize(
    ("filter", "reason"),
    [
        ("blob:none", "some {} (this clone lacks 1 old version of files)"),
        ("tree:0", "{} (this is a partial clone that lacks old folders)"),
    ],
)
def test_a_partial_clone_names_what_it_lacks_and_fetches_nothing(tmp_path: Path, filter: str, reason: str):
    root = partial(tmp_path, filter)
    packs = sorted((root / ".git/objects/pack").iterdir())
    found = cairn("try", "--json", cwd=root).json()
    assert found["leftOut"] == [reason.format("removals of code, files and commands, and outdated versions")]
    assert sorted((root / ".git/objects/pack").iterdir()) == packs


def test_the_cache_knows_what_a_partial_clone_fetched_later(tmp_path: Path):
    root = partial(tmp_path, "blob:none")
    assert rules(checked(root)) == []
    git(root, "show", "HEAD~1:app.py")
    found = checked(root)
    assert (rules(found), found["notChecked"]) == (["code-removed"], [])


def test_a_history_that_git_cannot_read_is_named(tmp_path: Path):
    root = made(tmp_path / "r", {"docs/guide.md": GUIDE, "app.py": CODE}, {"app.py": "pass\n"})
    tree = git(root, "rev-parse", "HEAD~1^{tree}").strip()
    (root / ".git/objects" / tree[:2] / tree[2:]).unlink()
    assert any("git could not read the history" in reason for reason in checked(root)["notChecked"])


def test_any_byte_may_stand_in_a_subject_or_a_path(tmp_path: Path):
    root = made(tmp_path / "r", {"docs/guide.md": GUIDE, "app.py": CODE})
    commit(root, {"app.py": "pass\n", "a\x01b.txt": "x", ":100644 b": "x", "0" * 40: "x"}, "odd\x01subject", day=2)
    commit(root, {"x.txt": "x"}, ":100644 100644 1 2 M", day=3)
    assert rules(checked(root)) == ["code-removed"]


@pytest.mark.parametrize("seconds", ["253402300800", "99999999999999"])
def test_a_commit_of_a_year_that_no_calendar_has(tmp_path: Path, seconds: str):
    root = made(tmp_path / "r", {"docs/guide.md": GUIDE, "app.py": CODE})
    (root / "app.py").write_text("pass\n")
    at = {"GIT_AUTHOR_DATE": f"@{seconds} +0000", "GIT_COMMITTER_DATE": f"@{seconds} +0000"}
    git(root, "commit", "-qam", "far", **at)
    [issue] = checked(root)["issues"]
    assert issue["message"].endswith("(unknown date).")


def test_uncommitted_code_is_left_to_the_diff_whether_or_not_it_is_staged(tmp_path: Path):
    root = made(tmp_path / "r", {"docs/guide.md": GUIDE, "app.py": CODE})
    (root / "app.py").write_text(CODE.replace("fetch_next_page", "load_page"))
    assert rules(checked(root)) == [], "not staged"
    git(root, "add", "app.py")
    assert rules(checked(root)) == [], "staged"
    os.utime(root / "app.py", (1_000_000_000, 1_000_000_000))
    assert rules(checked(root)) == [], "touched"
    assert cairn("check", "--diff", "HEAD", "--json", cwd=root).json()["doubts"]


@pytest.mark.parametrize("args", [("check",), ("try",)])
def test_documents_that_could_not_be_read_are_not_called_fine(tmp_path: Path, args: tuple[str, ...]):
    root = made(tmp_path / "r", {"a.md": "# A\0\n"})
    assert cairn("init", "-q", cwd=root).code == 0
    ran = cairn(*args, cwd=root)
    assert "No documents were read" in ran.out + ran.err and "No problems" not in ran.out + ran.err
    made(root, {"b.md": "# B\n"})
    assert "(1 document" in (ran := cairn(*args, cwd=root)).out + ran.err
