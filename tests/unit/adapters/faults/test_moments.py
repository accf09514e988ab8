"""Calls through a port as moments."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cairn.adapters.faults.moments import Moments, counted


class Box:
    name = "box"

    def put(self, thing: str) -> str:
        return f"put {thing}"

    @contextmanager
    def open(self) -> Iterator[list[str]]:
        yield ["inside"]


def noted(log: Path) -> list[str]:
    return [line.split(" ", 1)[1] for line in log.read_text().splitlines()]


def test_a_call_is_two_moments_and_a_transaction_more(tmp_path: Path) -> None:
    log = tmp_path / "log"
    box = counted("box", Box(), Moments(0, log=str(log)))
    assert box.put("it") == "put it" and box.name == "box" and isinstance(box, Box)
    with box.open() as inside:
        assert inside.pop() == "inside"
    assert noted(log) == [
        *("before box.put", "after box.put", "before box.open", "after box.open", "in box.open"),
        *("before box.open.pop", "after box.open.pop", "end of box.open", "after box.open ended"),
    ]


@pytest.mark.parametrize(("variable", "ends", "done"), [("1", -9, ""), ("2", -9, "put\n"), ("3", 0, "put\n")])
def test_the_process_ends_there_and_nowhere_else(variable: str, ends: int, done: str) -> None:
    program = (
        "from cairn.adapters.faults.moments import counted\n"
        "from cairn.adapters.faults.moments import Moments\n"
        "class Box:\n def put(self): print('put', flush=True)\n"
        f"counted('box', Box(), Moments.of({{'CAIRN_FAULT': '{variable}'}})).put()\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (ends, done)


def test_a_disk_that_fails_does_so_at_what_leaves_a_trace(tmp_path: Path) -> None:
    # A file that is opened for writing is two moments, one that is read is none.
    program = (
        "import os\nfrom cairn.adapters.faults.moments import Moments\n"
        "Moments.of({'CAIRN_FAULT': '3:ENOSPC'}).watch_the_disk()\n"
        "open('first', 'w').close()\nopen('first').close()\n"
        "try:\n os.mkdir('second')\nexcept OSError as error:\n print(error.strerror)\n"
        "os.mkdir('third')\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path)
    assert (ran.stdout, sorted(file.name for file in tmp_path.iterdir())) == (
        "No space left on device\n",
        ["first", "third"],
    )
