"""A program of the operator's does some work; none of its children outlives it."""

import fcntl
import os
import sys
import time
from pathlib import Path

import pytest

from cairn.adapters.process.dispatch import dispatch
from cairn.core.interrupts import within

PYTHON = f"{sys.executable} -c"


def run(command: str, text: str = "", *, folder: Path, seconds: float = 20) -> str:
    return dispatch(command, text, env=dict(os.environ), folder=folder, seconds=seconds)


def test_it_gets_the_text_and_works_in_the_folder(tmp_path: Path) -> None:
    said = run(f"""{PYTHON} 'import sys; open("got", "w").write(sys.stdin.read())'""", "ü" * 99_999, folder=tmp_path)
    assert (said, (tmp_path / "got").read_text()) == ("", "ü" * 99_999)


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("", "the command is empty"),
        ("'", "is no command"),
        ("no-such-program-xyz", "there is no program"),
        (f"{PYTHON} 'import sys; sys.exit(\"no idea\")'", "ended with 1: no idea"),
        (f"{PYTHON} 'import sys; sys.exit(3)'", "ended with 3"),
    ],
)
def test_why_it_did_not_work(tmp_path: Path, command: str, says: str) -> None:
    assert says in run(command, folder=tmp_path)


def test_one_that_does_not_end_is_ended_with_its_children(tmp_path: Path) -> None:
    child = "import fcntl, time; file = open('held', 'w'); fcntl.flock(file, fcntl.LOCK_EX); time.sleep(60)"
    parent = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {child!r}]).wait()"
    (tmp_path / "parent.py").write_text(parent)
    assert "did not end within 0.5 seconds" in run(f"{sys.executable} parent.py", folder=tmp_path, seconds=0.5)
    assert any(is_free(tmp_path / "held") for _ in range(1000)), "the child still has it"


def is_free(path: Path) -> bool:
    """Whether nobody who lives has locked it; looked at a moment later."""
    time.sleep(0.02)
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def test_time_that_is_over_interrupts_what_runs() -> None:
    with pytest.raises(TimeoutError, match=r"not done within 0\.05 seconds"), within(0.05):
        while True:
            pass


def test_what_is_quick_enough_is_left_alone() -> None:
    with within(0.05):
        done = True
    time.sleep(0.1)
    assert done
