"""`cairn change check`: a branch as data, judged by the gates of the base branch, through the program."""

import subprocess
from pathlib import Path
from random import Random

import pytest

from drawn_secrets import TOKENS
from judging import page
from program import cairn, clean_env, command_line, fits_schema
from repository import commit, git, make

PAGE = "knowledge/api/limits.md"
LINES = "## Deep Guidance\n\n" + "".join(f"line {number}\n" for number in range(18))
GOOD = page(LINES, volatility="stable")
REWRITTEN = page("## Deep Guidance\n\nall new\n", volatility="stable")
SETTINGS = '{"corpora": {"k": {"root": "knowledge", "layout": "entries"}}}'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {PAGE: GOOD, "README.md": "# Bakery\n", ".cairn/settings.json": SETTINGS, ".gitignore": ".cairn/*.db*\n"}
    return make(tmp_path / "work", files)


def branch(root: Path, name: str, files: dict[str, str | None]) -> None:
    git(root, "checkout", "-q", "-b", name)
    commit(root, files)
    git(root, "checkout", "-q", "main")


def test_a_sound_change_passes_and_a_rewrite_does_not(root: Path) -> None:
    branch(root, "small", {PAGE: GOOD.replace("line 3", "line three"), "src/a.py": "print(1)\n"})
    branch(root, "large", {PAGE: REWRITTEN})
    fine = cairn("change", "check", "small", "--json", cwd=root)
    assert fine.code == 0 and fine.json()["paths"] == [PAGE], fine.err
    fits_schema(fine.json(), "change-check")
    blocked = cairn("change", "check", "large", cwd=root)
    assert blocked.code == 1 and "anti-over-rewrite" in blocked.out and "the gates say block" in blocked.err
    assert git(root, "status", "--porcelain") == "" and git(root, "branch", "--show-current") == "main"


def test_a_branch_cannot_soften_what_judges_it(root: Path) -> None:
    softer = {PAGE: REWRITTEN, ".cairn/settings.json": '{"corpora": {"k": {"root": "other", "layout": "plain"}}}'}
    branch(root, "sly", softer)
    assert cairn("change", "check", "sly", cwd=root).code == 1
    git(root, "checkout", "-q", "sly")
    assert cairn("change", "check", "sly", "--base", "main", cwd=root).code == 1


def test_labels_come_from_people(root: Path) -> None:
    branch(root, "large", {PAGE: REWRITTEN})
    label = "override:anti-over-rewrite"
    assert cairn("change", "check", "large", "--label", label, cwd=root).code == 0
    given = f'["{label}"]'.encode()
    line = command_line("change", "check", "large", "--labels-from", "-")
    assert subprocess.run(line, input=given, cwd=root, env=clean_env(), capture_output=True).returncode == 0
    line = command_line("change", "check", "large", "--labels-from", "-")
    assert subprocess.run(line, input=b"[]", cwd=root, env=clean_env(), capture_output=True).returncode == 1


def test_annotations_sarif_and_the_page_of_the_job(root: Path, tmp_path: Path) -> None:
    branch(root, "large", {PAGE: REWRITTEN.replace("all new", "It must | never <b>fail</b>.")})
    summary = tmp_path / "summary.md"
    ran = cairn("change", "check", "large", "--github", cwd=root, GITHUB_STEP_SUMMARY=str(summary))
    assert ran.code == 1 and f"::error file={PAGE}" in ran.out
    text = summary.read_text()
    assert text.startswith("### Cairn: gates say block") and "| anti-over-rewrite | block |" in text
    sarif = cairn("change", "check", "large", "--sarif", cwd=root, GITHUB_STEP_SUMMARY=str(summary))
    assert sarif.code == 1 and sarif.json()["version"] == "2.1.0" and summary.read_text() == text
    odd = cairn("change", "check", "large", "--github", cwd=root, GITHUB_STEP_SUMMARY=str(tmp_path))
    assert odd.code == 1 and "could not be written" in odd.err


LEAKS = {
    "token": ("github-token", TOKENS["github-token"](Random(2))),
    "two entries": ("password", "Harbor-1987!x"),
    "personal number": ("national-number-cz", "398205091"),
}
FRAMES = {"token": "use {}", "two entries": "- name: DB_PASSWORD\n  value: {}", "personal number": "rod. č. {}"}


@pytest.mark.parametrize("leak", LEAKS)
def test_the_gate_names_rule_and_line_and_never_echoes_a_secret(root: Path, tmp_path: Path, leak: str) -> None:
    rule, secret = LEAKS[leak]
    branch(root, "leaky", {PAGE: GOOD.replace("line 3", FRAMES[leak].format(secret))})
    summary = tmp_path / "summary.md"
    for args in ((), ("--json",), ("--sarif",), ("--github",), ("-v",)):
        ran = cairn("change", "check", "leaky", *args, cwd=root, GITHUB_STEP_SUMMARY=str(summary))
        assert ran.code == 1 and secret not in ran.out + ran.err, args
        assert rule in ran.out or rule.replace("-", " ") in ran.out, args
    assert secret not in summary.read_text()
    kept = [path for path in (root / ".cairn").rglob("*") if path.is_file()]
    assert not [path for path in kept if secret.encode() in path.read_bytes()]


@pytest.mark.parametrize(
    ("files", "args", "code", "says"),
    [
        ({"README.md": "# New\n"}, ("other",), 0, "no page of knowledge would be different"),
        ({PAGE: GOOD}, ("nowhere",), 2, "no revision `nowhere`"),
        ({PAGE: GOOD}, ("other", "--sarif", "--github"), 2, "Choose one"),
        ({PAGE: GOOD.replace("line 3", "line 3b")}, ("other", "--base", "clash"), 3, "both changed " + PAGE),
    ],
)
def test_what_it_says(root: Path, files: dict[str, str | None], args: tuple[str, ...], code: int, says: str) -> None:
    branch(root, "clash", {PAGE: GOOD.replace("line 3", "line 3a")})
    branch(root, "other", files)
    ran = cairn("change", "check", *args, cwd=root)
    assert ran.code == code and says in ran.err


def test_a_link_among_the_pages_is_refused(root: Path) -> None:
    git(root, "checkout", "-q", "-b", "linked")
    (root / "knowledge/api/secrets.md").symlink_to("/etc/passwd")
    commit(root)
    git(root, "checkout", "-q", "main")
    ran = cairn("change", "check", "linked", cwd=root)
    assert ran.code == 1 and "regular files only" in ran.err
