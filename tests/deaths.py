"""Killing the real program at any moment: between any two calls through its ports, or two traces on disk.

One run shows what lies on disk at each of its moments (`crash_states`); the work is restarted from every state that
differs. Real kills and failing disks cost a run each, so that an ordinary run of the tests takes some of them, others
for each commit, and `FAULTS=all` takes all.
"""

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import warm
from crash_states import INDEX
from end_state import differences, end_state
from pause import GO_ON, PAUSED
from program import cairn, clean_env, command_line

EVERYTHING = os.environ.get("FAULTS") in ("all", "selftest")
BOUNDED = 2
"""Real kills of each kind of work in an ordinary run of the tests; `make faults` makes all."""
KILLED = -9
TRACES = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.write", "os.fsync")
FAILING = ("ENOSPC", "EIO")
MOST_SHOWN = 12
BUSY = 3
"""How whoever comes second may end."""
_WAITS_FOR_A_LOCK = 1.0
"""After so many seconds it is clear that the second process waits for the first."""
_STEP = 0.005
ROOM = (0, 60, 500, 1_500, 4_096, 20_000, 60_000, 100_000, 200_000, 400_000)
"""Bytes that a file may have."""
LOOPS, KILLS = 12, 8


class Work(NamedTuple):
    """A command that changes something, and what must be so once it was run again."""

    command: tuple[str, ...]
    finished: Callable[[Path], None]
    codes: tuple[int, ...] = (0,)
    """How the second run may end: where the first had done everything, a refusal is right."""
    prepare: Callable[[Path], None] = lambda root: None
    """In every copy, before the first run."""
    acknowledged: Callable[[Path, str], None] = lambda root, said: None
    """After the kill, before the second run: what the first one printed must be so."""
    loose: frozenset[str] = frozenset()
    """Types of events that a second run may record again, or differently."""
    folded: frozenset[str] = frozenset()
    """Types of events that two processes at once may both record: whoever reads them takes them for one."""


class Scene(NamedTuple):
    """A workspace, and work in it."""

    template: Path
    work: Work
    env: Mapping[str, str] = {}
    moments: int = 0
    """There are more than so many; else somebody looked away."""


class State(NamedTuple):
    """Of the disk, at a moment."""

    folder: str
    number: int
    name: str
    said: int
    how: str


def dies_everywhere(scene: Scene, scratch: Path, *, plant: str = "") -> None:
    """Restarted from every state, and killed for real at some moments."""
    here = _Place(scene, scratch, plant)
    names, states, said = here.recorded()
    for state in states:
        here.restarts(state, said[: state.said].decode())
    for number in chosen(len(names), BOUNDED):
        here.is_killed(number, names[number - 1])
    all_went_well(here.wrong)


def fails_everywhere(scene: Scene, scratch: Path, *, plant: str = "") -> None:
    """The disk fails at each trace that the work leaves: a sentence and an exit code, and a rerun finishes it."""
    here = _Place(scene, scratch, plant)
    names, _, _ = here.recorded(copies=False)
    disk = [(number, name) for number, name in enumerate(names, 1) if _can_fail(name)]
    cases = list(product(disk, FAILING))
    for at in chosen(len(cases), BOUNDED):
        (number, name), failure = cases[at - 1]
        here.fails(number, name, failure)
    all_went_well(here.wrong)


def overlaps_everywhere(scene: Scene, scratch: Path, *, plant: str = "") -> None:
    """Another process does the same work while the first one waits at a moment: it is as if one had done it."""
    here = _Place(scene, scratch, plant)
    _, states, _ = here.recorded(copies=False)
    for at in chosen(len(states), BOUNDED):
        here.is_overtaken(states[at - 1].number, states[at - 1].name)
    all_went_well(here.wrong)


def runs_out_of_room(scene: Scene, scratch: Path) -> None:
    """No file may grow beyond a size, neither those of SQLite nor those of git: as on a disk that is full."""
    here = _Place(scene, scratch, "")
    here.recorded(copies=False)
    for at in chosen(len(ROOM), BOUNDED):
        here.lacks_room(ROOM[at - 1])
    all_went_well(here.wrong)


def dies_again_and_again(scene: Scene, scratch: Path) -> None:
    """Real processes, killed together with the programs that they started, at any time: until one comes through."""
    here = _Place(scene, scratch, "")
    here.recorded(copies=False)
    span = here.timed()
    for seed in range(LOOPS if EVERYTHING else 1):
        here.is_killed_often(random.Random(f"{seed}{_tree()}"), span)
    all_went_well(here.wrong)


def _can_fail(moment: str) -> bool:
    words = moment.split(" ")
    return words[1] in TRACES and words[2] != "after"


def chosen(count: int, most: int, *, of: str = "") -> list[int]:
    """All of them, or as many as an ordinary run has time for: others for each tree."""
    numbers = range(1, count + 1)
    dice = random.Random(_tree() + of)
    return list(numbers) if EVERYTHING or count <= most else sorted(dice.sample(numbers, most))


@cache
def _tree() -> str:
    """Hash of what the commit under test contains, however it was rebased; without git it is always the same."""
    asked = ["git", "-C", os.fspath(Path(__file__).parent), "rev-parse", "HEAD^{tree}"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return done.stdout


class _Place:
    """Where one kind of work is done again and again: always the same path, with a home of its own."""

    def __init__(self, scene: Scene, scratch: Path, plant: str) -> None:
        self._scene, self._work = scene, scene.work
        self._kept, self._box = scratch / "states", scratch / "box"
        self._root = self._box / "work"
        self._env = {"HOME": os.fspath(self._box / "home"), **scene.env}
        self._planted = [("plants", "plant", plant)] if plant else []
        self._expected: dict[str, Any] = {}
        self.wrong: list[str] = []
        self._last = ""

    def recorded(self, *, copies: bool = True) -> tuple[list[str], list[State], bytes]:
        """The names of all moments, the states, and what the program printed. Also what an undisturbed run leads to."""
        self._fresh()
        shutil.rmtree(self._kept, ignore_errors=True)
        self._kept.mkdir()
        log = self._kept / "moments.txt"
        recording = ("crash_states", "record", os.fspath(self._box), os.fspath(self._kept), "copies" if copies else "")
        code, out, err = self._run([recording], CAIRN_FAULT="0", CAIRN_FAULT_LOG=str(log))
        assert code in (0, 1), err.decode()
        self._work.finished(self._root)
        self._expected = end_state(self._root)
        names = log.read_text().splitlines()
        assert len(names) > self._scene.moments
        lines = (self._kept / INDEX).read_text().splitlines()
        return names, [State(**json.loads(line)) for line in lines], out

    def restarts(self, state: State, said: str) -> None:
        shutil.rmtree(self._box)
        (self._kept / state.folder).rename(self._box)
        with self._noting(f"{state.how} at {state.number} {state.name}"):
            self._work.acknowledged(self._root, said)
            self._ends_well()

    def is_killed(self, number: int, name: str) -> None:
        self._fresh()
        with self._noting(f"killed at {name}"):
            code, _, err = self._run([], CAIRN_FAULT=str(number))
            assert code in (KILLED, 0), err.decode()
            self._ends_well()

    def fails(self, number: int, name: str, failure: str) -> None:
        self._fresh()
        with self._noting(f"{failure} at {name}"):
            code, out, err = self._run([], CAIRN_FAULT=f"{number}:{failure}")
            ended_with_a_sentence(code, err)
            if code == 0:
                self._last = f"the first run ended with 0: {out.decode()}{err.decode()}"
                self._work.finished(self._root)
            self._ends_well()

    def is_overtaken(self, number: int, name: str) -> None:
        self._fresh()
        signs = self._kept / f"signs-{number}"
        signs.mkdir()
        with self._noting(f"overtaken at {number} {name}"), ThreadPoolExecutor(2) as pool:
            first = pool.submit(self._run, [("pause", "pause", str(number), os.fspath(signs))], CAIRN_FAULT="0")
            while not (signs / PAUSED).exists() and not first.done():
                time.sleep(_STEP)
            second = pool.submit(self._run, [])
            wait([second], timeout=_WAITS_FOR_A_LOCK)
            (signs / GO_ON).touch()
            for code, _, err in (first.result(), second.result()):
                assert code in (0, BUSY, *self._work.codes) and b"Traceback" not in err, (code, err.decode())
            self._ends_well(self._work.folded)

    def lacks_room(self, size: int) -> None:
        self._fresh()
        with self._noting(f"no file larger than {size} bytes"):
            done = subprocess.run(
                command_line(*self._work.command),
                cwd=self._root,
                env=clean_env(**self._env),
                capture_output=True,
                timeout=60,
                preexec_fn=partial(_limit, size),
            )
            ended_with_a_sentence(done.returncode, done.stderr)
            if done.returncode == 0:
                self._work.finished(self._root)
            self._ends_well()

    def timed(self) -> tuple[float, float]:
        """When a run of its own first changes something on the disk, and when it ends."""
        self._fresh()
        before, began, changed = _newest(self._box), time.monotonic(), 0.0
        with self._started() as process:
            while process.poll() is None:
                if not changed and _newest(self._box) != before:
                    changed = time.monotonic() - began
                time.sleep(_STEP)
        return changed, time.monotonic() - began

    def is_killed_often(self, dice: random.Random, span: tuple[float, float]) -> None:
        self._fresh()
        times: list[float] = []
        with self._noting("killed again and again"):
            for _ in range(KILLS):
                times.append(dice.uniform(*span))
                if self._killed_after(times[-1]):
                    break
            self._last = f"killed after {times}"
            self._ends_well()

    def _killed_after(self, seconds: float) -> bool:
        """True when it was faster."""
        with self._started() as process:
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                self._remove_locks_of_git()
                return False
            return True

    def _remove_locks_of_git(self) -> None:
        """As git asks people to, when one of its processes was killed. Beside refs of our own we do it ourselves."""
        for lock in (self._root / ".git").rglob("*.lock"):
            if "refs/cairn" not in lock.as_posix() and lock.parent.name != "cairn":
                lock.unlink()

    def _started(self) -> "subprocess.Popen[bytes]":
        nowhere, env = subprocess.DEVNULL, clean_env(**self._env)
        line = command_line(*self._work.command)
        return subprocess.Popen(
            line, cwd=self._root, env=env, stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True
        )

    @contextmanager
    def _noting(self, moment: str) -> Iterator[None]:
        """What is wrong after a death, with the moment of it; the others are tried all the same."""
        try:
            yield
        except (AssertionError, LookupError, ValueError, OSError) as error:  # also of a check that finds none
            self.wrong.append(f"{moment}: {error} ({self._last})")
            if self._planted:  # it was noticed, and that is all there is to know
                all_went_well(self.wrong)

    def _ends_well(self, folded: frozenset[str] = frozenset()) -> None:
        code, out, err = self._run([])
        assert code in self._work.codes, (code, out.decode(), err.decode())
        self._last = f"the second run ended with {code}: {out.decode()}{err.decode()}"
        self._work.finished(self._root)
        is_sound(self._root)
        wrong = differences(self._expected, end_state(self._root), self._work.loose | folded)
        assert not wrong, "not as after a run that nobody disturbed:\n" + "\n".join(wrong)

    def _fresh(self) -> None:
        shutil.rmtree(self._box, ignore_errors=True)
        (self._box / "home").mkdir(parents=True)
        shutil.copytree(self._scene.template, self._root, symlinks=True)
        self._work.prepare(self._root)

    def _run(self, first: Sequence[Sequence[str]], **env: str) -> tuple[int, bytes, bytes]:
        whole = clean_env(**self._env, **env)
        return warm.run(
            self._work.command, cwd=self._root, env=whole, stdin=None, timeout=60, first=[*self._planted, *first]
        )


def _newest(folder: Path) -> float:
    """When something in it last changed."""
    return max(os.stat(below).st_mtime_ns for below, _, _ in os.walk(folder))


def all_went_well(wrong: Sequence[str]) -> None:
    assert not wrong, f"at {len(wrong)} moments:\n" + "\n".join(wrong[:MOST_SHOWN])


def ended_with_a_sentence(code: int, err: bytes) -> None:
    assert code in (0, 1, 2, 3) and b"Traceback" not in err, (code, err.decode())
    assert code == 0 or err.strip(), "it says why"


def _limit(size: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def is_sound(root: Path) -> None:
    ran = cairn("doctor", "--json", cwd=root)
    wrong = [f for f in ran.json()["findings"] if f["state"] == "error" or f["check"] in ("changes", "leftovers")]
    assert ran.code == 0 and all(finding["state"] == "ok" for finding in wrong), wrong
