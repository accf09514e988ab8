"""Lessons of past sessions, from transcripts as hosts write them to what is told."""

from pathlib import Path

import pytest

from cairn.app.capture.forgotten import NEVER, bar
from cairn.app.trying import lessons
from cairn.app.trying.looking import look_around
from past_sessions import claude_session, codex_session

PNPM = ("user", "No, use pnpm, not npm.")
PNPM_TOO = ("user", "Please use pnpm instead of npm here.")
BEGIN = ("user", "Add the lint package."), ("assistant", "I run npm install.")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    root.mkdir()
    (root / "README.md").write_text("# Garden\n")
    return root


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def told(repo: Path, home: Path):
    tried = look_around(repo, env={"HOME": str(home)}, kind="lesson", transcripts=True)
    assert tried.problems == ()
    return tried.findings


def test_a_correction_that_two_hosts_heard(repo: Path, home: Path) -> None:
    claude_session(home, repo, "aaaa1111-claude", *BEGIN, PNPM, ("assistant", "Done."), day=1)
    codex_session(home, repo, "bbbb2222-codex", ("user", "Upgrade vite."), ("assistant", "npm update"), PNPM_TOO, day=3)
    (finding,) = told(repo, home)
    assert finding.message == "A person told agents in 2 sessions: Use pnpm instead of npm."
    assert [(one.shown, one.text) for one in finding.evidence] == [
        ("codex session bbbb2222, 2026-05-03", "Please use pnpm instead of npm here."),
        ("claude session aaaa1111, 2026-05-01", "No, use pnpm, not npm."),
    ]
    assert "AGENTS.md" in finding.fix


def test_a_failure_that_was_mended_the_same_way(repo: Path, home: Path) -> None:
    mended = ("fails", "pytest -q"), ("assistant", "The tests need `DATABASE_URL` to be set."), ("works", "pytest -q")
    claude_session(home, repo, "one", ("user", "Run the tests"), *mended, day=1)
    codex_session(home, repo, "two", ("user", "Is the suite green?"), *mended, ("assistant", "Yes."), day=2)
    (finding,) = told(repo, home)
    assert finding.message == "Agents found out in 2 sessions: The tests need `DATABASE_URL` to be set."


NEAR_MISSES = {
    "one session only": [(*BEGIN, PNPM)],
    "about another thing": [(*BEGIN, PNPM), (("user", "Hi."), ("user", "Use pnpm, not yarn."))],
    "taken back": [(*BEGIN, PNPM), (("user", "Again."), PNPM_TOO), (("user", "Well."), ("user", "Use npm, not pnpm."))],
    "a question": [(*BEGIN, PNPM), (("user", "Fix the build."), ("user", "Should we use pnpm, not npm?"))],
    "an agent's own idea": [(*BEGIN, PNPM), (("user", "Fix the build."), ("assistant", "Use pnpm, not npm."))],
    "somebody is quoted": [(*BEGIN, PNPM), (("user", "Fix it."), ("user", "The docs say: use pnpm, not npm."))],
    "private": [(*BEGIN, PNPM), (("user", "Fix it."), ("user", "<private>Use pnpm, not npm.</private> Go on."))],
}


@pytest.mark.parametrize("talks", NEAR_MISSES.values(), ids=NEAR_MISSES)
def test_near_misses(repo: Path, home: Path, talks) -> None:
    for number, talk in enumerate(talks, 1):
        claude_session(home, repo, f"session-{number}", *talk, day=number)
    assert told(repo, home) == ()


def test_a_session_that_was_resumed_is_not_another_one(repo: Path, home: Path) -> None:
    claude_session(home, repo, "first", *BEGIN, PNPM, day=1)
    claude_session(home, repo, "resumed", *BEGIN, PNPM, ("user", "And now the docs."), day=1, uuids="first")
    assert told(repo, home) == ()


def test_sessions_of_other_folders_are_not_read(repo: Path, home: Path, tmp_path: Path) -> None:
    claude_session(home, repo, "here", *BEGIN, PNPM, day=1)
    codex_session(home, tmp_path / "elsewhere", "there", *BEGIN, PNPM_TOO, day=2)
    tried = look_around(repo, env={"HOME": str(home)}, transcripts=True)
    assert (tried.findings, tried.looked["sessions"]) == ((), 1)


def test_without_a_word_nothing_is_read(repo: Path, home: Path) -> None:
    for number in (1, 2):
        claude_session(home, repo, f"s-{number}", *BEGIN, PNPM, day=number)
    tried = look_around(repo, env={"HOME": str(home)})
    assert tried.findings == ()
    assert "sessions" not in tried.looked


def test_no_secret_is_shown(repo: Path, home: Path) -> None:
    secret = "AKIAQ3EGRPLNXW5ZK7TY"
    for number in (1, 2):
        talk = (("user", f"Task {number}."), ("user", f"Use pnpm, not npm. Always deploy with {secret} in the shell."))
        claude_session(home, repo, f"s-{number}", *talk, day=number)
    (finding,) = told(repo, home)
    assert "pnpm" in finding.message
    assert secret not in str(finding)


def test_what_was_forgotten_does_not_come_back(repo: Path, home: Path) -> None:
    for number in (1, 2):
        claude_session(home, repo, f"s-{number}", ("user", f"Task {number}."), PNPM, day=number)
    assert len(told(repo, home)) == 1
    bar(repo, {"s-1": NEVER})
    assert told(repo, home) == ()


def test_a_page_that_says_it_already_is_named(repo: Path, home: Path) -> None:
    (repo / "AGENTS.md").write_text("# Agents\n\n- Packages: we use `pnpm`, not `npm`.\n")
    for number in (1, 2):
        claude_session(home, repo, f"s-{number}", ("user", f"Task {number}."), PNPM, day=number)
    (finding,) = told(repo, home)
    assert finding.fix.startswith("`AGENTS.md:3` seems to say it")


def test_broken_transcripts_are_passed_over(repo: Path, home: Path) -> None:
    for number in (1, 2):
        claude_session(home, repo, f"s-{number}", ("user", f"Task {number}."), PNPM, day=number)
    broken = claude_session(home, repo, "s-3", ("user", "Hello."), day=3)
    broken.write_bytes(broken.read_bytes() + b'{"type": "user", "mess\xff\xfe\0\n[[[[')
    (finding,) = told(repo, home)
    assert finding.more == 0


def test_a_huge_transcript_is_left_out_and_the_others_are_read(
    repo: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lessons, "LARGEST", 5_000)
    for number in (1, 2):
        claude_session(home, repo, f"s-{number}", ("user", f"Task {number}."), PNPM, day=number)
    claude_session(home, repo, "huge", ("user", "x" * 6_000), day=3)
    tried = look_around(repo, env={"HOME": str(home)}, transcripts=True)
    assert tried.left_out == ("sessions of which the transcript is huge",)
    assert (len(tried.findings), tried.looked["sessions"]) == (1, 2)


def test_what_was_not_read_is_said(repo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lessons, "MOST_SESSIONS", 1)
    for number in (1, 2):
        claude_session(home, repo, f"s-{number}", ("user", f"Task {number}."), PNPM, day=number)
    tried = look_around(repo, env={"HOME": str(home)}, transcripts=True)
    assert tried.left_out == ("1 of 2 sessions, the oldest",)
