"""Texts that once ended a command with 70, or kept it busy for ever, are read or named, and the others are done."""

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests import repository
from tests.curation import candidate, keep_session

SECONDS = 60
"""Of computing. A command that needs more hangs: the system ends it."""


def cairn(root: Path, *args: str) -> "subprocess.CompletedProcess[str]":
    env = {"PATH": os.environ["PATH"], "HOME": str(root.parent / "home"), "CAIRN_AGENTS": "none"}
    limit = (SECONDS, SECONDS + 1)
    return subprocess.run(
        [sys.executable, "-m", "cairn", *args],
        cwd=root,
        env=env,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limit),
    )


def ended(done: "subprocess.CompletedProcess[str]") -> str:
    return "hangs" if -done.returncode in (signal.SIGXCPU, signal.SIGKILL) else f"ends with {done.returncode}"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = repository.make(tmp_path / "repo", {"README.md": "# Read me\n"})
    assert cairn(root, "init").returncode == 0
    return root


LISTS = (
    "Always use the 1,2,4s backoff",
    "Retry after 1:2 minutes",
    "Allow 1.2.3 thousand requests",
    "Wait 1,2,4 minutes",
    "1:2'" * 900,
)


@pytest.mark.parametrize("text", LISTS)
def test_import_memory_takes_a_list_of_numbers_with_a_unit(root: Path, text: str) -> None:
    repository.commit(root, {"AGENTS.md": f"# Rules\n\n## Retry\n\n- {text}\n\n## Tests\n\n- Always run make test\n"})
    done = cairn(root, "import", "memory", "--yes")
    assert (ended(done), "Retry" in done.stdout, "Tests" in done.stdout) == ("ends with 0", True, True), done.stderr


def test_curate_goes_on_after_a_note_with_a_list_of_numbers(root: Path) -> None:
    for text in (LISTS[0], "Always run the linter first"):
        assert cairn(root, "note", "--keep", text).returncode == 0
    done = cairn(root, "curate")
    assert (ended(done), "backoff" in done.stdout, "linter" in done.stdout) == ("ends with 0", True, True), done.stderr


def test_check_diff_reads_a_continued_key_without_a_value(root: Path) -> None:
    page = "---\nname: tests\nsources:\n  - path: tox.ini#testenv.commands\n---\n\n# Tests\n\nThe limit is `LIMIT`.\n"
    tox = "[testenv]\ncommands =\n    pytest\n"
    repository.commit(root, {"docs/tests.md": page, "tox.ini": tox, "a.py": "LIMIT = 30\n"})
    repository.put(root, {"tox.ini": "[testenv]\ncommands\n    check --diff\n", "a.py": "OTHER = 30\n"})
    done = cairn(root, "check", "--diff", "HEAD")
    assert ended(done) in ("ends with 0", "ends with 1") and "LIMIT" in done.stdout, done.stderr


BLANKS = f"build:\n  echo\nx{' ' * 9_000}\n"


@pytest.mark.parametrize("command", [("check",), ("check", "--all"), ("check", "--diff", "HEAD", "-v"), ("try",)])
def test_a_justfile_with_nine_thousand_blanks_hangs_nothing(root: Path, command: tuple[str, ...]) -> None:
    page = "---\nname: build\nsources:\n  - path: justfile#build\n---\n\n# Build\n\nRun `just build`.\n"
    repository.commit(root, {"docs/build.md": page, "justfile": BLANKS})
    repository.put(root, {"justfile": f"{BLANKS}other:\n"})
    assert ended(cairn(root, *command)) in ("ends with 0", "ends with 1")


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("Makefile", "a" + " " * 200_000),
        ("Makefile", "%" * 200_000),
        ("docs/a.md", "[a](" * 50_000),
        ("docs/a.rst", "[a](" * 50_000),
        ("pyproject.toml", "x = " + "1." * 100_000),
    ],
    ids=["blanks", "percent signs", "links in Markdown", "links in rst", "a number of many parts"],
)
def test_a_long_line_hangs_no_check(root: Path, file: str, line: str) -> None:
    page = "# Build\n\nRun `make build`, or `pip install 'shop[all]'`.\n"
    repository.commit(root, {"CONTRIBUTING.md": page, file: f"{line}\n"})
    assert ended(cairn(root, "check", "--all")) in ("ends with 0", "ends with 1")


@pytest.mark.parametrize("command", [("check",), ("check", "--diff", "HEAD"), ("try",)])
def test_a_manifest_that_is_nested_too_deeply_is_no_fault_of_cairn(root: Path, command: tuple[str, ...]) -> None:
    deep = '{"bin": ' * 40_000
    page = "# Build\n\nRun `npm run build` and `make docs`, see `LIMIT`.\n"
    repository.commit(root, {"CONTRIBUTING.md": page, "package.json": f"{deep}\n", "a.py": "LIMIT = 30\n"})
    repository.put(root, {"package.json": f"{deep}1\n", "a.py": "OTHER = 30\n"})
    done = cairn(root, *command)
    assert ended(done) in ("ends with 0", "ends with 1") and "failed inside Cairn" not in done.stderr, done.stderr


def test_session_propose_reads_a_name_of_many_parts(root: Path) -> None:
    name = "_".join(["alpha"] * 29)
    keep_session(root, [candidate("Always lint.")])
    transcript = root / "session.jsonl"
    said = f"Remember: the `x`, {name}_ is our queue. From now on set {name} to 4."
    transcript.write_text(json.dumps({"type": "user", "message": {"role": "user", "content": said}}) + "\n")
    cairn(root, "session", "capture", "--transcript", str(transcript))
    done = cairn(root, "session", "propose")
    assert ended(done) == "ends with 0", done.stderr
