"""One at a time, and whoever comes second hears who is there."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cairn.adapters.process.alone import DAY_MS, alone
from cairn.errors import CannotWrite, Conflict

NOW = 1_767_225_600_000
HOLDER = """
import sys, time
from cairn.adapters.process.alone import alone
with alone(sys.argv[1], what="A nightly run", now_ms=int(sys.argv[2])):
    print("held", flush=True)
    time.sleep(60)
"""


def enter(path: Path, *, now_ms: int = NOW) -> None:
    with alone(str(path), what="A nightly run", now_ms=now_ms):
        pass


def start(path: Path) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(path), str(NOW)], stdout=subprocess.PIPE)
    assert process.stdout is not None and process.stdout.readline() == b"held\n"
    return process


def end(process: "subprocess.Popen[bytes]") -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate()


def test_the_second_hears_who_is_there(tmp_path: Path) -> None:
    path = tmp_path / "cairn/night.lock"
    first = start(path)
    try:
        with pytest.raises(Conflict, match=f"A nightly run is under way here, process {first.pid} on "):
            enter(path)
    finally:
        end(first)


def test_a_death_lets_go_and_the_next_one_knows(tmp_path: Path) -> None:
    path = tmp_path / "night.lock"
    dead = start(path)
    end(dead)
    with alone(str(path), what="A run", now_ms=NOW) as hold:
        assert hold.before is not None and hold.before.pid == dead.pid
        assert hold.still() and hold.holder.pid == os.getpid()
    with alone(str(path), what="A run", now_ms=NOW) as hold:
        assert hold.before is None, "whoever ends in order leaves no name"


def test_another_machine_is_believed_for_a_day(tmp_path: Path) -> None:
    path = tmp_path / "night.lock"
    path.write_text(json.dumps({"pid": 7, "host": "elsewhere", "token": "t", "since_ms": NOW}))
    with pytest.raises(Conflict, match="process 7 on elsewhere; whether that still lives cannot be seen"):
        enter(path, now_ms=NOW + DAY_MS - 1)
    with alone(str(path), what="A run", now_ms=NOW + DAY_MS) as hold:
        assert hold.before is not None and hold.before.host == "elsewhere"
        path.write_text(json.dumps({"pid": 8, "host": "elsewhere", "token": "u", "since_ms": NOW}))
        assert not hold.still(), "somebody took it over"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": "x"}', "null", "\x00" * 5000])
def test_a_file_that_says_nothing_is_nobodys(tmp_path: Path, text: str) -> None:
    (tmp_path / "night.lock").write_text(text)
    with alone(str(tmp_path / "night.lock"), what="A run", now_ms=NOW) as hold:
        assert hold.before is None and hold.still()


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotWrite, match="keeps two from working at once"):
        enter(tmp_path / "file/night.lock")
