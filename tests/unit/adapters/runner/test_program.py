"""Programs as readers: confined, bounded, and gone with everything they started."""

import json
import os
import signal
import sys
import time
from pathlib import Path
from threading import Timer

import pytest

from cairn.adapters.runner.bounded import MOST_BYTES
from cairn.adapters.runner.program import HostProgram, ProgramReader, plain_answer
from cairn.core.model_budget import RunnerFailed
from cairn.core.ports.reader import ReaderRequest

FAKE = str(Path(__file__).parents[3] / "fake_reader.py")


def reader(*arguments: str, **host: object) -> ProgramReader:
    program = HostProgram("fake", lambda model: [*arguments], plain_answer, **host)
    return ProgramReader(program, [sys.executable, FAKE], dict(os.environ), None)


def ask(one: ProgramReader, prompt: str = "Why?", seconds: float = 20) -> str:
    return one.read(ReaderRequest(prompt, {}, seconds)).text


def test_it_reads_stdin_in_an_empty_folder_with_our_hooks_off(tmp_path: Path) -> None:
    prompt = "Why? " * 100_000
    assert json.loads(ask(reader("where", str(tmp_path / "log")), prompt))["word"] == "granite"
    seen = json.loads((tmp_path / "log").read_text())
    assert seen == {"cwd": [], "off": "1", "group": True, "prompt": prompt}


def test_files_that_it_needs_are_all_there_is(tmp_path: Path) -> None:
    ask(reader("where", str(tmp_path / "log"), files={".host/settings.json": "{}"}))
    assert json.loads((tmp_path / "log").read_text())["cwd"] == [".host"]


def is_gone(pid: int) -> bool:
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("stopped", [True, False])
def test_who_hangs_is_ended_together_with_its_children(tmp_path: Path, stopped: bool) -> None:
    log = tmp_path / "log"
    one = reader("hang", str(log))
    if stopped:
        Timer(2.0, one.stop).start()
    with pytest.raises(RunnerFailed) as caught:
        ask(one, seconds=60 if stopped else 2)
    assert caught.value.retryable
    assert all(is_gone(int(pid)) for pid in log.read_text().split())
    if stopped:
        with pytest.raises(RunnerFailed, match="the run was stopped"):
            ask(one)


def test_who_prints_too_much_is_ended() -> None:
    began = time.monotonic()
    with pytest.raises(RunnerFailed, match="it printed more than 8 MiB"):
        ask(reader("flood"))
    assert MOST_BYTES == 8 * 1024 * 1024 and time.monotonic() - began < 20


@pytest.mark.parametrize(
    ("mode", "busy", "ends", "message"),
    [
        ("busy", True, False, "`fake` ended with 1: Error: 429 Too Many Requests."),
        ("login", False, True, "`fake` ended with 1: Error: not logged in. Run `"),
        ("key", False, True, "`fake` ended with 1: API key not valid. Please pass a valid API key. Run `"),
        ("crash", False, False, "`fake` ended with 1: Segmentation fault."),
        ("empty", False, False, "`fake` gave an empty answer."),
    ],
)
def test_a_failure_says_why_and_what_follows(mode: str, busy: bool, ends: bool, message: str) -> None:
    with pytest.raises(RunnerFailed) as caught:
        ask(reader(mode))
    assert (caught.value.is_busy, caught.value.ends_run) == (busy, ends)
    assert str(caught.value).startswith(message)


def test_a_program_that_cannot_be_started_ends_the_run(tmp_path: Path) -> None:
    program = HostProgram("fake", lambda model: [], plain_answer)
    with pytest.raises(RunnerFailed, match="could not be started: no such file") as caught:
        ProgramReader(program, [str(tmp_path / "none")], {}, None).read(ReaderRequest("", {}, 5))
    assert caught.value.ends_run


def test_a_signal_that_ends_it_is_a_failure() -> None:
    program = HostProgram("fake", lambda model: ["-c", f"import os; os.kill(0, {signal.SIGKILL})"], plain_answer)
    with pytest.raises(RunnerFailed, match="`fake` ended with -9: it said nothing"):
        ProgramReader(program, [sys.executable], {}, None).read(ReaderRequest("x", {}, 20))
