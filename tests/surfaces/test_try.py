"""`cairn try`: in any folder, and nothing is written anywhere."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from commits import commit, git
from folder_contents import everything_below
from program import Ran, cairn, clean_env, command_line, fits_schema

CODE = "def fetch_page(url):\n    return url\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "stranger"
    pages = {
        "README.md": "# Stranger\n\nRead [the guide](docs/gide.md).\n",
        "docs/guide.md": "# Guide\n\nCall `fetch_page()` for each page.\n",
        ".claude/skills/brew/SKILL.md": "---\nname: brew\n---\n# Brew\n",
    }
    commit(root, {**pages, "src/app.py": CODE}, "begin", day=1)
    commit(root, {"src/app.py": CODE.replace("fetch_page", "load_page")}, "rename", day=2)
    return root


def homes(tmp_path: Path) -> dict[str, str]:
    """A home, a cache and a place for temporary files that we can look into afterwards."""
    for name in ("home", "cache", "state", "config", "tmp"):
        (tmp_path / name).mkdir()
    return {
        "HOME": str(tmp_path / "home"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "TMPDIR": str(tmp_path / "tmp"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def test_the_findings_come_with_evidence(repository: Path):
    ran = cairn("try", cwd=repository)
    assert ran.code == 0, ran.err
    assert "docs/guide.md:3  code-removed" in ran.out
    assert "`fetch_page` no longer exists: renamed to `load_page` in " in " ".join(ran.out.split())
    assert "> Call `fetch_page()` for each page." in ran.out
    assert "Evidence: src/app.py:1 (" in ran.out
    assert "Fix: Link to `docs/guide.md`." in ran.out
    assert "Nothing was written. Next: `cairn init`" in ran.err
    assert "findings (3 documents, 4 files, 2 commits)" in ran.err


def test_try_finds_what_check_finds(repository: Path):
    tried = cairn("try", "--all", "--json", cwd=repository).json()["findings"]
    assert cairn("init", "-q", cwd=repository).code == 0
    checked = [one for one in cairn("check", "--json", cwd=repository).json()["issues"] if one["severity"] != "info"]
    assert sorted((f["kind"], f["path"], f["line"], f["message"]) for f in tried) == sorted(
        (i["analyzerId"], i["nodeIds"][0], i["line"], i["message"]) for i in checked
    )


def test_who_has_a_workspace_is_not_told_to_make_one(repository: Path):
    assert cairn("init", "--quiet", cwd=repository).code == 0
    ran = cairn("try", cwd=repository)
    assert "Next: `cairn check --diff HEAD`" in ran.err and "cairn init" not in ran.err


def test_nothing_is_written_anywhere(repository: Path, tmp_path: Path):
    env = homes(tmp_path)
    before = everything_below(tmp_path)
    ran = cairn("try", "--all", cwd=repository, **env)
    assert ran.code == 0
    assert len(ran.out.splitlines()) > 5
    assert everything_below(tmp_path) == before


def test_a_folder_that_cannot_be_written(repository: Path, tmp_path: Path):
    """A user who may only read, as root may write anywhere."""
    for path in [repository, *repository.rglob("*")]:
        path.chmod(path.stat().st_mode & 0o555 | 0o444)
    if os.getuid() == 0:
        ran = as_nobody(repository)
    else:
        ran = cairn("try", "--json", cwd=repository)
    for path in [repository, *repository.rglob("*")]:
        path.chmod(path.stat().st_mode | 0o200)
    assert ran.code == 0, ran.err
    assert ran.json()["total"] >= 2


def as_nobody(root: Path) -> Ran:
    """Root without its capabilities obeys the modes of files; where there is no `setpriv`, it has them still."""
    setpriv = shutil.which("setpriv")
    command = command_line("try", "--json")
    if setpriv:
        command = [setpriv, "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs", *command]
    done = subprocess.run(command, cwd=root, env=clean_env(), capture_output=True, timeout=60)
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def test_as_json(repository: Path):
    ran = cairn("try", "--json", cwd=repository)
    fits_schema(ran.json(), "try")
    first = ran.json()["findings"][0]
    assert (first["kind"], first["path"], first["line"]) == ("reference-broken", "README.md", 3)
    assert [f["score"] for f in ran.json()["findings"]] == sorted(
        (f["score"] for f in ran.json()["findings"]), reverse=True
    )
    assert ran.json()["looked"]["commits"] == 2


def test_one_kind_and_another_folder(repository: Path, tmp_path: Path):
    ran = cairn("try", str(repository), "--kind", "code-removed", "--json", cwd=tmp_path)
    assert [f["kind"] for f in ran.json()["findings"]] == ["code-removed"]


def test_a_plain_folder_with_nothing_to_say(tmp_path: Path):
    ran = cairn("try", cwd=tmp_path)
    assert (ran.code, ran.out) == (0, "")
    assert "No documents found (0 files, 0 commits)" in ran.err


def test_inside_a_workspace_its_own_files_stay(repository: Path):
    assert cairn("init", "-q", cwd=repository).code == 0
    before = everything_below(repository / ".cairn")
    assert cairn("try", cwd=repository).code == 0
    assert everything_below(repository / ".cairn") == before


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        (("nowhere",), 2, "there is no folder nowhere"),
        (("--kind", "nonsense"), 5, "There is no kind `nonsense`; here are"),
        (("a", "b"), 2, "takes no argument 'b'"),
    ],
)
def test_what_is_refused(repository: Path, args: tuple[str, ...], code: int, sentence: str):
    ran = cairn("try", *args, cwd=repository)
    assert ran.code == code
    assert sentence in ran.err


def test_without_git(repository: Path):
    ran = cairn("try", "--json", cwd=repository, PATH="/nowhere")
    assert ran.code == 0, ran.err
    assert {f["kind"] for f in ran.json()["findings"]} == {"reference-broken"}


def test_hostile_files(tmp_path: Path):
    (tmp_path / "a.md").write_bytes(b"\xff\xfe\x00bad\n")
    (tmp_path / "long.md").write_text("`" * 200_000 + "[x](gone.md)\n")
    (tmp_path / "deep.md").write_text("[" * 50_000 + "\n\n" + "> " * 5_000 + "x\n" + "<!--" * 10_000)
    (tmp_path / "esc.md").write_text("[\x1b[31mred](gone-\x1b[0m.md)\n[ok](gone.md) \x1b[31m\n")
    (tmp_path / "loop.md").symlink_to("loop.md")
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "package.json").write_text("[" * 100_000)
    (tmp_path / "Makefile").write_text("a" * 100_000)
    ran = cairn("try", cwd=tmp_path, timeout=50)
    assert ran.code == 0, ran.err
    assert "\x1b" not in ran.out
    assert "failed" not in ran.err


# --- languages that need the extra `code` -----------------------------------------------------------------------------


@pytest.fixture
def without_grammars(tmp_path):
    """An environment in which the extra is not installed."""
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "sitecustomize.py").write_text(
        "import sys\nsys.modules['tree_sitter_language_pack'] = None\n"
    )
    return {"PYTHONPATH": str(tmp_path / "hidden")}


def project(folder, files):
    folder.mkdir()
    for name, text in {"README.md": "# A project\n", **files}.items():
        (folder / name).write_text(text)
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    return folder


GO = {f"file{n}.go": "package a\n" for n in range(4)}
RUBY = {f"file{n}.rb": "class A; end\n" for n in range(3)}


@pytest.mark.parametrize(
    ("files", "reported"),
    [
        (GO, "definitions in Go (4 files; they need the extra `code`: `pip install 'cairn-kb[code]'`)"),
        ({**GO, **RUBY}, "definitions in Go and Ruby (7 files;"),
        ({"go.mod": "module a\n", "main.go": "package a\n"}, "definitions in Go (1 file; they need"),
        ({"pyproject.toml": "", "one.go": "package a\n", "app.py": "x = 1\n"}, None),
        ({"one.sh": "echo\n", "app.py": "x = 1\n"}, None),
        ({}, None),
    ],
    ids=[
        "one language",
        "two languages",
        "one file and a manifest",
        "one file beside Python",
        "a script and Python",
        "no code",
    ],
)
def test_missing_grammars_are_reported_once_by_try_and_check(tmp_path, without_grammars, files, reported):
    folder = project(tmp_path / "project", files)
    assert cairn("init", "--no-scan", cwd=folder).code == 0
    for command in ("try", "check", "check"):  # the second check is answered from the cache
        ran = cairn(command, cwd=folder, **without_grammars)
        assert ran.err.count("the extra `code`") == (1 if reported else 0)
        assert reported is None or f"Not checked: {reported}" in ran.err


def test_installed_grammars_are_not_mentioned_even_after_a_check_without_them(tmp_path, without_grammars):
    folder = project(tmp_path / "project", GO)
    assert cairn("init", "--no-scan", cwd=folder).code == 0
    assert "[code]" in cairn("check", cwd=folder, **without_grammars).err
    assert "[code]" not in cairn("check", cwd=folder).err + cairn("try", cwd=folder).err


def test_commits_that_came_with_a_merge_count(tmp_path):
    commit(tmp_path, {"a.md": "# A\n"}, "first", day=1)
    git(tmp_path, "checkout", "-qb", "side")
    commit(tmp_path, {"b.md": "# B\n"}, "second", day=2)
    commit(tmp_path, {"c.md": "# C\n"}, "third", day=3)
    git(tmp_path, "checkout", "-q", "-")
    git(tmp_path, "merge", "-q", "--no-ff", "-m", "merge", "side")
    assert "3 documents, 3 files, 4 commits" in cairn("try", cwd=tmp_path).err
