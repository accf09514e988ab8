"""The suite runs anywhere: on a machine that does other things meanwhile, and as a background job."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

HANGS = """
import time
import pytest

@pytest.mark.parametrize("number", range(6))
def test_planted(number):
    time.sleep(1000 if number == 3 else 0)
"""


def test_no_property_has_a_deadline() -> None:
    assert settings.default is not None and settings.default.deadline is None


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_programs_under_test_hear_an_interrupt(number: signal.Signals) -> None:
    assert signal.getsignal(number) is not signal.SIG_IGN


def test_a_test_that_hangs_fails_by_name_and_the_others_go_on(tmp_path: Path) -> None:
    """With the settings of this suite, only sooner."""
    (tmp_path / "test_planted.py").write_text(HANGS)
    settings = Path(__file__).parents[2] / "pyproject.toml"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-c",
        settings,
        "--rootdir",
        tmp_path,
        "-p",
        "no:cacheprovider",
        "-n",
        "2",
    ]
    command += ["--dist", "worksteal", "-o", "faulthandler_timeout=2", tmp_path]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 1 and "crashed while running 'test_planted.py::test_planted[3]'" in ran.stdout, ran.stdout
    assert "1 failed, 5 passed" in ran.stdout
