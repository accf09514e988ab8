"""Workflows in a repository: put there, looked after, taken away; and their scripts, run as GitHub would."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cairn.lib.yaml.parse import load_yaml
from cairn.workspace.workflows.texts import ACTION, FRESHNESS, GATES, PATHS, VERSION
from github_stand_in import Hub, serve
from program import Ran, cairn, clean_env, fits_schema
from repository import commit, git, make
from website import Website, serving

PAGE = """---
name: limits
description: How often a client may call.
topics: [http]
volatility: stable
sources:
  - url: {url}
---
# Limits

## Summary

Clients may call 100 times a minute.

## Deep Guidance

{guidance}
"""
SITE = """<html><head><title>Guide</title></head><body><main><h1>Guide</h1>
<p>Clients may call {} times a minute.</p><p>The rest tells who answers, and where.</p></main></body></html>"""
ENTRY = "knowledge/http/limits.md"
SETTINGS = '{"corpora": {"k": {"root": "knowledge", "layout": "entries"}}}'
IGNORED = ".cairn/*\n!.cairn/settings.json\n"
LONG = "\n".join(f"Wait {number} seconds." for number in range(20))


def files(url: str = "https://example.org/limits") -> dict[str, str]:
    return {
        ENTRY: PAGE.format(url=url, guidance=LONG),
        "knowledge/VERSION": "0.1.0\n",
        ".cairn/settings.json": SETTINGS,
        ".gitignore": IGNORED,
    }


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make(tmp_path / "work", files())


def install(root: Path, *options: str, code: int = 0) -> Ran:
    ran = cairn("freshness", "install-workflow", *options, cwd=root)
    assert ran.code == code, (ran.out, ran.err)
    return ran


def doctor(root: Path) -> dict[str, Any]:
    ran = cairn("doctor", "--ci", "--json", cwd=root)
    fits_schema(ran.json(), "doctor")
    assert ran.code == int(not ran.json()["ok"])
    value: dict[str, Any] = ran.json()
    return value


def tree(root: Path) -> dict[str, bytes | None]:
    found = {path.relative_to(root).as_posix(): path for path in root.rglob("*") if ".git" not in path.parts}
    return {name: path.read_bytes() if path.is_file() else None for name, path in found.items()}


# --- there and away ---------------------------------------------------------------------------------------------------


def test_it_shows_writes_and_then_has_nothing_to_do(root: Path) -> None:
    before = tree(root)
    shown = install(root, "--dry-run", "--json").json()
    fits_schema(shown, "freshness-install-workflow")
    assert not shown["written"] and {file["state"] for file in shown["files"]} == {"create"} and tree(root) == before
    ran = install(root)
    assert f"+++ {GATES}" in ran.out and "created" in ran.out and "commit these" in ran.err
    assert set(PATHS) <= set(tree(root))
    again = install(root)
    assert "+++" not in again.out and "unchanged" in again.out and "commit these" not in again.err
    assert doctor(root)["ok"]


def test_what_was_said_stays_said(root: Path) -> None:
    install(root, "--schedule", "30 4 * * 1-5", "--with", "zai")
    assert 'cron: "30 4 * * 1-5"' in (root / FRESHNESS).read_text()
    again = install(root, "--json").json()
    assert (again["schedule"], again["reader"]) == ("30 4 * * 1-5", "zai")
    assert {file["state"] for file in again["files"]} == {"keep"}
    other = install(root, "--schedule", "0 3 * * *", "--json").json()
    assert [file["path"] for file in other["files"] if file["state"] == "update"] == [FRESHNESS]


@pytest.mark.parametrize(
    ("path", "text", "says"),
    [
        (GATES, "on: push\n", f"{GATES} was not written by Cairn"),
        (FRESHNESS, "edit", "was edited since Cairn wrote it (line"),
    ],
)
def test_what_is_somebody_elses_stays(root: Path, path: str, text: str, says: str) -> None:
    install(root)
    target = root / path
    target.write_text(target.read_text().replace("ubuntu-latest", "our-own") if text == "edit" else text)
    kept = tree(root)
    ran = install(root, "--schedule", "0 3 * * *", code=1)
    assert says in ran.err and "Nothing was written" in ran.err and f"+++ {path}" in ran.out and tree(root) == kept
    install(root, "--schedule", "0 3 * * *", "--force")
    assert doctor(root)["ok"]


def test_leaving_leaves_the_tree_as_it_was(root: Path) -> None:
    (root / ".github/workflows").mkdir(parents=True)
    (root / ".github/workflows/own.yml").write_text("on: push\n")
    before = {name: data for name, data in tree(root).items() if not name.startswith(".cairn")}
    install(root)
    dry = cairn("uninstall", "--dry-run", "--json", cwd=root).json()
    assert set(PATHS) <= set(dry["paths"])
    assert cairn("uninstall", "--yes", cwd=root).code == 0
    assert tree(root) == before


def test_leaving_keeps_what_somebody_edited(root: Path) -> None:
    install(root)
    (root / GATES).write_text((root / GATES).read_text() + "# mine\n")
    ran = cairn("uninstall", "--yes", cwd=root)
    assert ran.code == 0 and f"{GATES} was edited, so it stays" in ran.err
    assert sorted(path.name for path in (root / ".github").rglob("*") if path.is_file()) == ["cairn-gates.yml"]


def test_a_workspace_below_the_top(tmp_path: Path) -> None:
    top = make(tmp_path / "work", {f"team kb/{name}": text for name, text in files().items()})
    install(top / "team kb")
    gates: Any = load_yaml((top / GATES).read_text())
    assert gates["on"]["pull_request_target"]["paths"] == ["team kb/knowledge/**"]
    assert gates["jobs"]["gates"]["defaults"]["run"]["working-directory"] == "team kb"
    (top / ".cairn").mkdir()
    (top / ".cairn/settings.json").write_text('{"corpora": {"k": {"root": "team kb", "layout": "plain"}}}')
    ran = install(top, code=1)
    assert "looks after the workspace in `team kb`" in ran.err
    assert "cairn-gates" not in cairn("uninstall", "--dry-run", cwd=top).out


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        (("--schedule", "at noon"), 2, "five fields"),
        (("--with", "claude"), 2, "not a reader that GitHub's machines have"),
        (("--provider", "zai"), 2, "write `--with zai`"),
        (("--with", "nobody"), 2, "choose one of anthropic, deepseek"),
    ],
)
def test_bad_wishes(root: Path, options: tuple[str, ...], code: int, says: str) -> None:
    assert says in install(root, *options, code=code).err and not (root / ".github").exists()


def test_bad_places(root: Path, tmp_path: Path) -> None:
    (root / ".github").symlink_to(tmp_path)
    assert "cannot be written" in install(root, code=2).err
    bare = tmp_path / "no-repository"
    (bare / ".cairn").mkdir(parents=True)
    (bare / ".cairn/settings.json").write_text(SETTINGS)
    assert "git init" in install(bare, code=2).err and cairn("doctor", "--ci", cwd=bare).code == 2


# --- looked after -----------------------------------------------------------------------------------------------------

HEAD = "${{ github.event.pull_request.head.sha }}"
CASES: list[tuple[str, str, str, str]] = [
    (GATES, "pull_request_target:", "pull_request:", "gates do not run on `pull_request_target`"),
    (GATES, "fetch-depth: 0", f"ref: {HEAD}", "checks out what is proposed"),
    (GATES, "fetch-depth: 0", "ref: refs/pull/1/merge", "checks out what is proposed"),
    (GATES, "git cat-file -e", "git checkout", "puts what is proposed into the checkout"),
    (GATES, "git cat-file -e", "git -c a.b=c merge", "puts what is proposed into the checkout"),
    (GATES, '"$PROPOSED^{commit}"', HEAD, "stands in a script"),
    (GATES, "contents: read", "contents: write", "may write `contents`"),
    (GATES, "permissions: {}", "permissions: write-all", "it may do everything"),
    (GATES, "permissions: {}\n", "", "does not say what it may do"),
    (GATES, "@11bd71901bbe5b1630ceea73d27597364c9af683", "@v4", "`actions/checkout@v4` is not pinned"),
    (FRESHNESS, "  schedule:\n", "  push:\n", "it has no schedule"),
    (FRESHNESS, "      issues: write", "      packages: write", "may write `packages`"),
    (ACTION, "cairn-kb[code]==$WANTED", "cairn-kb[code]", "whatever version of cairn-kb"),
    (ACTION, "@a26af69be951a213d495a4c3e4e4022e16d87065", "@v5", "is not pinned"),
    (VERSION, "on:\n", "on: [\n", "is no YAML"),
]


@pytest.mark.parametrize(("path", "old", "new", "says"), CASES, ids=[says for *_, says in CASES])
def test_each_problem_is_named_with_what_to_do(root: Path, path: str, old: str, new: str, says: str) -> None:
    install(root)
    text = (root / path).read_text()
    assert old in text
    (root / path).write_text(text.replace(old, new))
    found = doctor(root)
    problems = [finding for finding in found["findings"] if finding["state"] == "error"]
    assert not found["ok"] and any(says in finding["message"] and finding["fix"] for finding in problems), found


def test_what_is_missing_outdated_or_somebody_elses(root: Path) -> None:
    assert sum("is not there" in one["message"] for one in doctor(root)["findings"]) == 4
    install(root)
    (root / FRESHNESS).write_text("# cairn\non: push\npermissions: {}\njobs: {}\n")
    messages = [one["message"] for one in doctor(root)["findings"]]
    assert f"{FRESHNESS} was not written by Cairn" in messages
    install(root, "--force")
    (root / ".cairn/settings.json").write_text('{"corpora": {"k": {"root": "docs", "layout": "entries"}}}')
    found = doctor(root)
    assert found["ok"] and any("does not fit the settings" in one["message"] for one in found["findings"])
    (root / ".github/workflows/own.yml").write_text("on: push\njobs: {a: {steps: [{run: pip install cairn-kb}]}}\n")
    assert any("own.yml: it installs whatever" in one["message"] for one in doctor(root)["findings"])


# --- their scripts, run for real --------------------------------------------------------------------------------------


class Runner:
    """A machine of GitHub's, as far as our scripts can tell."""

    def __init__(self, folder: Path, hub: Hub, site: Website) -> None:
        self.folder, self.hub = folder, hub
        self.summary = folder / "summary.md"
        program = folder / "bin/cairn"
        program.parent.mkdir(parents=True)
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -m cairn "$@"\n')
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        self.env = clean_env(
            PATH=f"{program.parent}:{os.environ['PATH']}",
            RUNNER_TEMP=str(folder),
            GITHUB_STEP_SUMMARY=str(self.summary),
            GITHUB_PATH=str(folder / "path"),
            CAIRN_FETCH_ALLOW=f"127.0.0.1:{site.port}",
            GIT_CONFIG_GLOBAL=os.devnull,
            **hub.environment(),
        )

    def clone(self, name: str) -> Path:
        git(self.folder, "clone", "-q", os.fspath(self.hub.root), name)
        return self.folder / name

    def job(self, root: Path, path: str, **facts: str) -> list[subprocess.CompletedProcess[str]]:
        """Every script of a workflow in its order, until one fails; what `${{ … }}` stands for is given."""
        value: Any = load_yaml((root / path).read_text())
        [job] = value["jobs"].values()
        ran: list[subprocess.CompletedProcess[str]] = []
        for step in (step for step in job["steps"] if "run" in step):
            ran.append(self.script(root, step, job.get("env", {}), facts))
            if ran[-1].returncode:
                break
        return ran

    def script(
        self, root: Path, step: dict[str, Any], env: dict[str, str], facts: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        said = {name: facts.get(str(value), str(value)) for name, value in {**env, **step.get("env", {})}.items()}
        said.pop("GITHUB_TOKEN", None)
        line = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
        return subprocess.run(line, cwd=root, env={**self.env, **said}, capture_output=True, text=True)


@pytest.fixture
def site() -> Iterator[Website]:
    with serving() as running:
        running["/limits"] = SITE.format(100)
        yield running


@pytest.fixture
def runner(tmp_path: Path, site: Website) -> Iterator[Runner]:
    root = make(tmp_path / "hub", files(f"{site.url}/limits"))
    install(root)
    commit(root)
    with serve(Hub(root)) as hub:
        yield Runner(tmp_path / "machine", hub, site)


def fine(ran: list[subprocess.CompletedProcess[str]]) -> None:
    assert all(one.returncode == 0 for one in ran), [(one.args[-1], one.stdout, one.stderr) for one in ran]


def test_nights_on_machines_that_remember_nothing(runner: Runner, site: Website) -> None:
    fine(runner.job(runner.clone("monday"), FRESHNESS))
    assert "seen for the first time" in runner.summary.read_text() and not runner.hub.pulls
    fine(runner.job(runner.clone("tuesday"), FRESHNESS))
    [confirmation] = runner.hub.pulls.values()
    assert "confirm" in confirmation["title"] or "refresh" in confirmation["title"]
    env = {**runner.hub.environment(), "CAIRN_CHANGE__FORGE": "github", "CAIRN_FETCH_ALLOW": f"127.0.0.1:{site.port}"}
    number = str(confirmation["number"])
    assert cairn("change", "merge", number, cwd=runner.clone("desk"), **env).code == 0
    site["/limits"] = SITE.format(60)
    fine(runner.job(runner.clone("wednesday"), FRESHNESS))
    drift = list(runner.hub.pulls.values())[-1]
    assert drift["number"] != confirmation["number"] and "limits" in drift["title"]
    assert int(git(runner.hub.root, "rev-list", "--count", "refs/cairn/state")) >= 3
    assert "| In doubt | Why |" in runner.summary.read_text()


@pytest.mark.parametrize("labels", [(), ("override:anti-over-rewrite",)])
def test_gates_judge_a_pull_request_from_its_base(runner: Runner, labels: tuple[str, ...]) -> None:
    author = runner.clone("author")
    text = (author / ENTRY).read_text()
    (author / ENTRY).write_text(text.replace(LONG, "All of this is new."))
    (author / GATES).write_text("on: push\n")
    git(author, "checkout", "-q", "-b", "patch")
    proposed = commit(author)
    git(author, "push", "-q", "origin", "patch:refs/pull/7/head")
    facts = {
        "${{ github.event.pull_request.number }}": "7",
        "${{ github.event.pull_request.head.sha }}": proposed,
        "${{ toJSON(github.event.pull_request.labels.*.name) }}": json.dumps(["a b", "$(id)", *labels]),
    }
    base = runner.clone("base")
    *_, gates = runner.job(base, GATES, **facts)
    assert gates.returncode == (0 if labels else 1), (gates.stdout, gates.stderr)
    assert ("::error file=" + ENTRY in gates.stdout) is not bool(labels)
    sarif = json.loads((runner.folder / "cairn.sarif").read_text())
    assert sarif["version"] == "2.1.0" and "gates say" in runner.summary.read_text()
    assert git(base, "status", "--porcelain") == "" and git(base, "rev-parse", "HEAD") != proposed


def test_a_version_follows_each_merge_and_none_is_lost(runner: Runner, site: Website) -> None:
    fine(runner.job(runner.clone("monday"), FRESHNESS))
    fine(runner.job(runner.clone("tuesday"), FRESHNESS))
    fine(runner.job(runner.clone("before"), VERSION))
    assert len(runner.hub.pulls) == 1, "nothing was merged yet"
    [number] = runner.hub.pulls
    env = {**runner.hub.environment(), "CAIRN_CHANGE__FORGE": "github", "CAIRN_FETCH_ALLOW": f"127.0.0.1:{site.port}"}
    assert cairn("change", "merge", str(number), cwd=runner.clone("desk"), **env).code == 0
    for name in ("after", "again"):
        fine(runner.job(runner.clone(name), VERSION))
    bumps = [pull for pull in runner.hub.pulls.values() if "bump" in pull["title"]]
    assert [pull["title"] for pull in bumps] == ["chore(knowledge): bump knowledge/VERSION to 0.1.1"]


def test_the_action_refuses_a_version_that_is_not_exact_and_runs_what_it_is_told(runner: Runner) -> None:
    root = runner.clone("any")
    action: Any = load_yaml((root / ACTION).read_text())
    _, installs, runs = action["runs"]["steps"]
    for version in ("", "latest; rm -rf /", ">=1"):
        refused = runner.script(root, installs, {}, {"${{ inputs.version }}": version})
        assert refused.returncode == 2 and "exact" in refused.stdout
    facts = {"${{ inputs.command }}": "freshness validate", "${{ inputs.args }}": "--json\nknowledge\n"}
    ran = runner.script(root, runs, {}, facts)
    assert ran.returncode == 0 and json.loads(ran.stdout)["pages"] == 1
