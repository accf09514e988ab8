"""Locks: one at a time, whoever holds it is named, and the dead hold nothing."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.adapters.lock.files import FileLocks
from cairn.adapters.lock.memory import MemoryLocks
from cairn.core.ports.runtime import Locks
from cairn.errors import CannotWrite, Conflict, UsageError

MINUTE = 60_000


@pytest.fixture(params=["files", "memory"])
def locks(request: pytest.FixtureRequest, tmp_path: Path) -> Locks:
    return FileLocks(tmp_path / "locks", SettableClock().now_ms) if request.param == "files" else MemoryLocks()


def test_one_at_a_time(locks: Locks) -> None:
    with locks.hold("curate", ttl_ms=MINUTE):
        with pytest.raises(Conflict, match="`curate` is held"), locks.hold("curate", ttl_ms=MINUTE):
            raise AssertionError
        with locks.hold("night", ttl_ms=MINUTE):
            assert {holder.name for holder, _ in locks.holders()} == {"curate", "night"}
    assert locks.holders() == []
    with locks.hold("curate", ttl_ms=MINUTE) as lease:
        lease.beat()


def test_it_is_free_again_after_an_error(locks: Locks) -> None:
    with pytest.raises(ZeroDivisionError), locks.hold("curate", ttl_ms=MINUTE):
        raise ZeroDivisionError
    assert locks.holders() == []


def test_who_lost_a_lock_hears_of_it_and_takes_it_from_nobody(locks: Locks) -> None:
    with locks.hold("curate", ttl_ms=MINUTE) as lease:
        assert locks.break_lock("curate")
        with locks.hold("curate", ttl_ms=MINUTE) as second:
            with pytest.raises(Conflict, match="was taken away"):
                lease.beat()
            second.beat()
    assert not locks.break_lock("curate")


# --- in files -------------------------------------------------------------------------------------------------------


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def in_files(tmp_path: Path, clock: SettableClock) -> FileLocks:
    return FileLocks(tmp_path / "locks", clock.now_ms)


def leave(locks: FileLocks, folder: Path, **changes: object) -> None:
    """A lock as a process leaves it that could not let go."""
    with locks.hold("curate", ttl_ms=MINUTE):
        value = json.loads((folder / "curate.lock").read_text())
    (folder / "curate.lock").write_text(json.dumps(value | changes))


def dead_process() -> int:
    done = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    return int(done.stdout)


def test_the_message_says_who_holds_it(in_files: FileLocks) -> None:
    expected = f"`curate` is held by process {os.getpid()} on {socket.gethostname()} since "
    first, second = in_files.hold("curate", ttl_ms=MINUTE), in_files.hold("curate", ttl_ms=MINUTE, wait_ms=5)
    with first, pytest.raises(Conflict, match=expected), second:
        raise AssertionError


def test_a_lock_left_by_a_dead_process_is_taken_over(in_files: FileLocks, tmp_path: Path) -> None:
    pid = dead_process()
    leave(in_files, tmp_path / "locks", pid=pid)
    assert [stale for _, stale in in_files.holders()] == [f"process {pid} is gone"]
    with in_files.hold("curate", ttl_ms=MINUTE) as lease:
        lease.beat()


def test_another_machine_that_is_not_heard_of_for_too_long_loses_it(
    in_files: FileLocks, tmp_path: Path, clock: SettableClock
) -> None:
    leave(in_files, tmp_path / "locks", host="elsewhere")
    clock.advance(MINUTE)
    expected = r"on elsewhere since .* cannot be seen from here: .* `cairn lock break curate --force`"
    with pytest.raises(Conflict, match=expected), in_files.hold("curate", ttl_ms=MINUTE):
        raise AssertionError
    clock.advance(1)
    with in_files.hold("curate", ttl_ms=MINUTE) as lease:
        assert lease.before is not None and lease.before.host == "elsewhere"


def test_who_lives_but_is_silent_for_too_long_loses_it_and_hears_of_it(
    in_files: FileLocks, clock: SettableClock
) -> None:
    with in_files.hold("curate", ttl_ms=MINUTE) as silent:
        clock.advance(MINUTE)
        with pytest.raises(Conflict), in_files.hold("curate", ttl_ms=MINUTE):
            raise AssertionError
        clock.advance(1)
        with in_files.hold("curate", ttl_ms=MINUTE) as second:
            with pytest.raises(Conflict, match="was taken away from this process: `curate` is held by process"):
                silent.beat()
            second.beat()
    assert in_files.holders() == []


def test_a_word_now_and_then_keeps_it(in_files: FileLocks, clock: SettableClock) -> None:
    with in_files.hold("curate", ttl_ms=MINUTE) as lease:
        for _ in range(3):
            clock.advance(MINUTE)
            lease.beat()
        ((holder, stale),) = in_files.holders()
        assert (stale, holder.beat_at_ms - holder.acquired_at_ms) == ("", 3 * MINUTE)


def test_a_clock_that_was_put_far_back_keeps_nobody_waiting_for_ever(
    in_files: FileLocks, tmp_path: Path, clock: SettableClock
) -> None:
    leave(in_files, tmp_path / "locks", host="elsewhere", beat_at_ms=clock.now_ms() + 10 * MINUTE)
    with in_files.hold("curate", ttl_ms=MINUTE):
        ((holder, stale),) = in_files.holders()
        assert (holder.pid, stale) == (os.getpid(), "")


@pytest.mark.parametrize("content", ["", "{}", "[1]", "null", '{"pid": "x"}', "\0" * 5000, '{"name": 1, "pid": -1}'])
def test_a_file_that_says_nothing_holds_nothing(in_files: FileLocks, tmp_path: Path, content: str) -> None:
    folder = tmp_path / "locks"
    folder.mkdir()
    (folder / "curate.lock").write_text(content)
    with in_files.hold("curate", ttl_ms=MINUTE) as lease:
        lease.beat()
        assert len(in_files.holders()) == 1 and lease.before is None


def test_a_damaged_file_of_somebody_who_lives(in_files: FileLocks, tmp_path: Path) -> None:
    with in_files.hold("curate", ttl_ms=MINUTE):
        (tmp_path / "locks/curate.lock").write_text("{")
        with pytest.raises(Conflict, match="does not say which"), in_files.hold("curate", ttl_ms=MINUTE):
            raise AssertionError


@pytest.mark.parametrize("place", ["file/locks", "file"])
def test_a_place_that_cannot_be_written(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("")
    locks = FileLocks(tmp_path / place, SettableClock().now_ms)
    with pytest.raises(CannotWrite, match="keeps two from working at once"), locks.hold("night", ttl_ms=MINUTE):
        raise AssertionError


def test_something_else_in_its_place(in_files: FileLocks, tmp_path: Path) -> None:
    folder = tmp_path / "locks"
    folder.mkdir()
    (folder / "a.lock").mkdir()
    (folder / "b.lock").symlink_to(tmp_path / "precious")
    os.mkfifo(folder / "c.lock")
    for name in ("a", "b"):
        with pytest.raises(CannotWrite), in_files.hold(name, ttl_ms=MINUTE):
            raise AssertionError
    assert in_files.holders() == [] and not (tmp_path / "precious").exists()


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".x", "a\nb", "x" * 200])
def test_no_name_leads_elsewhere(in_files: FileLocks, name: str) -> None:
    with pytest.raises(UsageError), in_files.hold(name, ttl_ms=MINUTE):
        raise AssertionError


def test_who_waits_gets_it_when_it_is_free(in_files: FileLocks) -> None:
    began, done = threading.Event(), threading.Event()

    def work() -> None:
        with in_files.hold("curate", ttl_ms=MINUTE):
            began.set()
            time.sleep(0.05)
            done.set()

    other = threading.Thread(target=work)
    other.start()
    began.wait()
    with in_files.hold("curate", ttl_ms=MINUTE, wait_ms=30_000) as lease:
        assert done.is_set()
        lease.beat()
    other.join()


HOLDER = """
import sys, time
from pathlib import Path
from cairn.adapters.lock.files import FileLocks

with FileLocks(Path(sys.argv[1]), lambda: int(sys.argv[2])).hold("night", ttl_ms=60_000):
    print("held", flush=True)
    time.sleep(60)
"""


def test_the_second_hears_who_is_there_and_a_death_lets_go(
    in_files: FileLocks, tmp_path: Path, clock: SettableClock
) -> None:
    line = [sys.executable, "-c", HOLDER, str(tmp_path / "locks"), str(clock.now_ms())]
    with subprocess.Popen(line, stdout=subprocess.PIPE) as first:
        assert first.stdout is not None and first.stdout.readline() == b"held\n"
        expected = f"A nightly run is under way: `night` is held by process {first.pid} on "
        with (
            pytest.raises(Conflict, match=expected),
            in_files.hold("night", ttl_ms=MINUTE, what="A nightly run"),
        ):
            raise AssertionError
        assert [stale for _, stale in in_files.holders()] == [""]
        first.kill()
    assert [stale for _, stale in in_files.holders()] == [f"process {first.pid} is gone"]
    with in_files.hold("night", ttl_ms=MINUTE) as lease:
        assert lease.before is not None and lease.before.pid == first.pid
    with in_files.hold("night", ttl_ms=MINUTE) as lease:
        assert lease.before is None, "whoever ends in order leaves no name"


RACER = """
import sys, time
from pathlib import Path
from cairn.adapters.lock.files import FileLocks
from cairn.errors import Conflict

folder, shared = Path(sys.argv[1]), Path(sys.argv[2])
locks = FileLocks(folder, lambda: int(time.time() * 1000))
for _ in range(20):
    with locks.hold("curate", ttl_ms=60_000, wait_ms=30_000):
        number = int(shared.read_text())
        time.sleep(0.001)
        shared.write_text(str(number + 1))
"""


def test_many_who_find_the_same_dead_holder_come_one_after_the_other(tmp_path: Path) -> None:
    folder, shared = tmp_path / "locks", tmp_path / "shared"
    leave(FileLocks(folder, lambda: int(time.time() * 1000)), folder, pid=dead_process())
    shared.write_text("0")
    racers = [subprocess.Popen([sys.executable, "-c", RACER, str(folder), str(shared)]) for _ in range(4)]
    assert [racer.wait(60) for racer in racers] == [0] * 4
    assert shared.read_text() == "80"


def test_only_the_owner_may_look(in_files: FileLocks, tmp_path: Path) -> None:
    with in_files.hold("curate", ttl_ms=MINUTE):
        assert (tmp_path / "locks" / "curate.lock").stat().st_mode & 0o077 == 0
