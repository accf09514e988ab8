"""The recipes of docs/reference/troubleshooting.md: each error is brought about, and what the page says mends it."""

import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from cairn.knowledge.allowlist import parse_allowlist
from program import cairn, clean_env

PAGE = (Path(__file__).parents[2] / "docs/reference/troubleshooting.md").read_text()


def recipe(title):
    """The shell lines of a section."""
    section = PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    return re.search(r"```sh\n(.*?)```", section, re.S)[1]


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "place"
    place.mkdir()
    (place / "a.md").write_text("# A\n")
    git(place, "init", "--quiet")
    return place


def git(place, *args):
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.example")
    subprocess.run(["git", *identity, *args], cwd=place, env=clean_env(), check=True, capture_output=True)


@pytest.fixture
def shell(tmp_path):
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "cairn").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cairn "$@"\n')
    (programs / "cairn").chmod(0o755)
    names = {f"GIT_{who}_{what}": "a" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    env = clean_env(PATH=f"{programs}:{os.environ['PATH']}", **names)

    def run(lines, cwd):
        done = subprocess.run(["sh", "-e", "-c", lines], cwd=cwd, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    return run


def fresh(folder):
    """No workspace at all."""


def tracked(folder):
    cairn("init", cwd=folder)
    (folder / ".cairn/settings.local.json").write_text("{}")
    git(folder, "add", "--force", ".cairn/settings.local.json")
    git(folder, "commit", "--message", "Share everything")


def newer(folder):
    cairn("init", cwd=folder)
    with sqlite3.connect(folder / ".cairn/cairn.db") as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()


def damaged(folder):
    cairn("init", cwd=folder)
    (folder / ".cairn/cairn.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 8000)


BROKEN = [
    ("not-initialised", fresh),
    ("local-file-tracked", tracked),
    ("store-newer", newer),
    ("store-corrupt", damaged),
]


@pytest.mark.parametrize(("code", "bring_about"), BROKEN, ids=[code for code, _ in BROKEN])
def test_the_recipe_mends_it(folder, shell, code, bring_about):
    bring_about(folder)
    assert cairn("check", "--json", cwd=folder).json()["error"]["code"] == code
    shell(recipe(code), folder)
    assert cairn("check", cwd=folder).code == 0


@pytest.mark.parametrize("title", ["usage", "extension", "The graph seems outdated"])
def test_the_recipe_can_be_run(folder, shell, title):
    cairn("init", cwd=folder)
    shell(recipe(title), folder)


CAUSES = [
    ("usage", ("scna",)),
    ("config", ("check", "--baseline", "a.md")),
    ("refused", ("uninstall",)),
    ("conflict", ("demo", "--to", ".")),
    ("not-found", ("show", "nobody.md")),
    ("cannot-write", ("graph", "-o", "a.md/map.html")),
]


@pytest.mark.parametrize(("code", "args"), CAUSES, ids=[code for code, _ in CAUSES])
def test_what_causes_it_has_that_code(folder, code, args):
    cairn("init", cwd=folder)
    ran = cairn(*args, "--json", cwd=folder)
    assert ran.json()["error"]["code"] == code
    section = PAGE.partition(f"\n## {code}\n")[2].partition("\n## ")[0]
    assert f"exit code {ran.code}" in section


def test_what_readers_of_jobs_meet_has_that_code(folder):
    cairn("init", cwd=folder)
    cairn("job", "submit", "tag", "-n", "a.md", cwd=folder)
    job = cairn("job", "list", "--json", cwd=folder).json()[0]["id"]
    answer = ("record", "--id", job, "--status", "completed", "--report", "-", "--json")
    nonce = cairn(*answer, "--nonce", "0", cwd=folder, stdin=b"{}")
    claimed = cairn("job", "claim", "--json", cwd=folder).json()
    invalid, late = (cairn(*answer, "--nonce", claimed["nonce"], cwd=folder, stdin=b"{}") for _ in range(2))
    for code, ran in (("nonce", nonce), ("report-invalid", invalid), ("job-state", late)):
        assert ran.json()["error"]["code"] == code
        assert f"exit code {ran.code}" in PAGE.partition(f"\n## {code}\n")[2].partition("\n## ")[0]


def test_the_list_of_hosts_is_one():
    allowlist = parse_allowlist(re.search(r"```yaml\n(.*?)```", PAGE, re.S)[1])
    assert allowlist.category("https://www.ietf.org/rfc/rfc9110.txt") == "standards"
    assert allowlist.allows("https://cheatsheetseries.owasp.org/")
    assert allowlist.allows("https://github.com/modelcontextprotocol/specification")
    assert not allowlist.allows("https://ietf.org/about")
