"""The `claude` program, played by small scripts."""

import os
import time
from pathlib import Path

import pytest

from cairn.adapters.runner.claude import ClaudeProgram
from cairn.core.model_budget import RunnerFailed


def program(folder: Path, script: str) -> ClaudeProgram:
    file = folder / "claude"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return ClaudeProgram(str(file), {"PATH": os.environ["PATH"], "ANTHROPIC_API_KEY": "k"})


def test_prompt_in_answer_out(tmp_path: Path) -> None:
    runner = program(tmp_path, 'echo "$# $1 $2 [$3] $CAIRN_OFF $ANTHROPIC_API_KEY"; ls | wc -l; cat')
    answer = runner.run("Grüße " * 100_000, timeout_seconds=30)
    first, files, rest = answer.text.split("\n", 2)
    assert first == "3 -p --tools [] 1 k" and files.strip() == "0"
    assert rest == "Grüße " * 100_000
    assert (answer.provider, answer.model) == ("anthropic", "claude")


@pytest.mark.parametrize(
    ("script", "said", "retryable"),
    [
        ("echo oh no >&2; exit 3", "ended with 3: oh no", True),
        ("echo on stdout; exit 1", "ended with 1: on stdout", True),
        ("exit 1", "it said nothing", True),
        ("cat >/dev/null", "an empty answer", True),
        ("kill -9 $$", "ended with -9", True),
    ],
)
def test_failures(tmp_path: Path, script: str, said: str, retryable: bool) -> None:
    with pytest.raises(RunnerFailed) as caught:
        program(tmp_path, script).run("x", timeout_seconds=30)
    assert said in str(caught.value) and caught.value.retryable is retryable


def test_a_program_that_does_not_read_its_input(tmp_path: Path) -> None:
    assert program(tmp_path, "echo done").run("x" * 1_000_000, timeout_seconds=30).text == "done\n"


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    with pytest.raises(RunnerFailed, match="could not be started") as caught:
        ClaudeProgram(str(tmp_path / "gone"), {}).run("x", timeout_seconds=1)
    assert not caught.value.retryable


def test_when_time_is_up_it_ends_with_its_children(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    script = f"trap '' TERM\n(trap '' TERM; sleep 300) &\necho $$ $! > {pids}\nwait; sleep 300"
    with pytest.raises(RunnerFailed, match=r"no answer within 0\.5 seconds") as caught:
        program(tmp_path, script).run("x", timeout_seconds=0.5)
    assert caught.value.retryable
    for pid in map(int, pids.read_text().split()):
        assert _is_gone(pid)


def _is_gone(pid: int) -> bool:
    """It may take the system a moment to notice."""
    for _ in range(200):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False
