"""What `check`, `scan` and `try` report about a repository, and what they leave out: through the program."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from commits import commit, git
from program import cairn, clean_env, fits_schema

GUIDE = "# Guide\n\nCall `fetch_page()` for each page.\n"
CODE = "def fetch_page(url):\n    return url\n"


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
        {"app.py": "pass\n", "docs/a.md": "[x](../out/x.md)\n"},
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
    (root / "app.py").write_text(CODE.replace("fetch_page", "load_page"))
    assert rules(checked(root)) == [], "not staged"
    git(root, "add", "app.py")
    assert rules(checked(root)) == [], "staged"
    os.utime(root / "app.py", (1_000_000_000, 1_000_000_000))
    assert rules(checked(root)) == [], "touched"
    assert cairn("check", "--diff", "HEAD", "--json", cwd=root).json()["doubts"]
