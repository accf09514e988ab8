"""Killing the real program at a chosen moment: between any two calls through its ports, or two traces on disk."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from program import cairn, clean_env, command_line

EVERYTHING = os.environ.get("FAULTS") == "all"
BOUNDED = 2
"""Moments of each kind of work in an ordinary run of the tests; `make faults` takes all."""
KILLED = -9
TRACES = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "subprocess.Popen")


class Work(NamedTuple):
    """A command that changes something, and what must be so once it was run again."""

    command: tuple[str, ...]
    finished: Callable[[Path], None]
    codes: tuple[int, ...] = (0,)
    """How the second run may end: where the first had done everything, a refusal is right."""
    prepare: Callable[[Path], None] = lambda root: None
    """In every copy, before the first run."""


def moments(template: Path, work: Work, scratch: Path, **env: str) -> list[str]:
    """What there is to die at, by running the command through once."""
    root, log = _copy(template, scratch / "counting"), scratch / "moments.txt"
    work.prepare(root)
    ran = cairn(*work.command, cwd=root, CAIRN_FAULT="0", CAIRN_FAULT_LOG=str(log), **env)
    assert ran.code == 0, ran.err
    work.finished(root)
    return log.read_text().splitlines()


def chosen(found: Sequence[str]) -> Iterator[int]:
    """All of them, or some that are spread over the whole."""
    if EVERYTHING or len(found) <= BOUNDED:
        yield from range(1, len(found) + 1)
        return
    step = len(found) / BOUNDED
    yield from (int(step * number) + 1 for number in range(BOUNDED))


def dies_everywhere(template: Path, work: Work, scratch: Path, **env: str) -> int:
    """Killed at each moment, run again, looked at. How many moments there are."""
    found = moments(template, work, scratch, **env)
    for number in chosen(found):
        root = _copy(template, scratch / f"at-{number}")
        work.prepare(root)
        try:
            _killed(root, work, number, **env)
            again = cairn(*work.command, cwd=root, **env)
            assert again.code in work.codes, (again.code, again.out, again.err)
            work.finished(root)
            is_sound(root)
        except AssertionError as error:
            raise AssertionError(f"killed at {found[number - 1]}: {error}") from error
        shutil.rmtree(root)
    return len(found)


def fails_everywhere(template: Path, work: Work, scratch: Path, failure: str, **env: str) -> int:
    """The disk fails at each trace that the work leaves: a sentence and an exit code, and a rerun finishes it."""
    found = moments(template, work, scratch, **env)
    disk = [number for number, name in enumerate(found, 1) if name.split(" ")[1] in TRACES]
    for at in chosen([found[number - 1] for number in disk]):
        number = disk[at - 1]
        root = _copy(template, scratch / f"{failure}-{number}")
        work.prepare(root)
        try:
            failed = cairn(*work.command, cwd=root, **env, CAIRN_FAULT=f"{number}:{failure}")
            assert failed.code in (0, 1, 2, 3) and "Traceback" not in failed.err, failed.err
            assert failed.code == 0 or failed.err.strip(), "it says why"
            assert cairn(*work.command, cwd=root, **env).code in work.codes
            work.finished(root)
            is_sound(root)
        except AssertionError as error:
            raise AssertionError(f"{failure} at {found[number - 1]}: {error}") from error
        shutil.rmtree(root)
    return len(disk)


def _killed(root: Path, work: Work, number: int, **env: str) -> None:
    done = subprocess.run(
        command_line(*work.command),
        cwd=root,
        env=clean_env(**env, CAIRN_FAULT=str(number)),
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
    )
    assert done.returncode in (KILLED, 0), done.stderr.decode()


def is_sound(root: Path) -> None:
    ran = cairn("doctor", "--json", cwd=root)
    wrong = [f for f in ran.json()["findings"] if f["state"] == "error" or f["check"] in ("changes", "leftovers")]
    assert ran.code == 0 and all(finding["state"] == "ok" for finding in wrong), wrong


def _copy(template: Path, target: Path) -> Path:
    return Path(shutil.copytree(template, target, symlinks=True))
