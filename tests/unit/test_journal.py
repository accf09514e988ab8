"""Appending to the ledger: lines, identifiers, limits, torn ends, rotation."""

import errno
import fcntl
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn import journal
from cairn.journal import JournalRefused, append, new_id, worktree_name

NOW = 1_767_225_600_123
SCHEMA = json.loads((files("cairn.kernel") / "schemas/event.schema.json").read_text())


@pytest.fixture
def ledger(tmp_path: Path) -> str:
    (tmp_path / "My Project/.cairn").mkdir(parents=True)
    return os.fspath(tmp_path / "My Project/.cairn/ledger")


def path_of(ledger: str) -> Path:
    return Path(ledger, f"{worktree_name(ledger)}.jsonl")


def note(ledger: str, path: str = "a.md", **options: Any) -> str:
    return append(ledger, {"type": "orphan_forgotten", "payload": {"path": path}}, now_ms=NOW, **options)


def lines(ledger: str) -> list[dict[str, Any]]:
    content = path_of(ledger).read_bytes()
    assert content.endswith(b"\n")
    return [json.loads(line) for line in content.splitlines()]


def test_one_line_an_event(ledger: str) -> None:
    first, second = note(ledger, "schön\n.md"), note(ledger)
    assert [line["id"] for line in lines(ledger)] == [first, second]
    name = worktree_name(ledger)
    head = f'{{"v":1,"id":"{first}","type":"orphan_forgotten","at":"2026-01-01T00:00:00.123Z","worktree":"{name}",'
    assert path_of(ledger).read_text().split("\n")[0] == head + '"payload":{"path":"schön\\n.md"}}'


def test_only_for_its_owner(ledger: str) -> None:
    note(ledger)
    path_of(ledger).chmod(0o644)
    note(ledger)
    assert Path(ledger).stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in Path(ledger).iterdir()} == {0o600}


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"type": "made_up", "payload": {}}, "`made_up`"),
    ({"type": None, "payload": {}}, "`None`"),
    ({"type": ["init"], "payload": {}}, "no event type"),
    ({"payload": {}}, "no event type"),
    ({"type": "init", "payload": []}, "must be an object"),
    ({"type": "init"}, "must be an object"),
    ({"type": "init", "payload": {"secret": 1}}, "`secret`"),
    ({"type": "init", "payload": {}, "id": "mine"}, "`id`"),
    ({"type": "init", "payload": {"version": float("nan")}}, "JSON"),
    ({"type": "init", "payload": {"version": b"x"}}, "JSON"),
    ({"type": "init", "payload": {"version": "\ud800"}}, "JSON"),
    ({"type": "init", "payload": {"version": "x" * 4096}}, "4096"),
]


@pytest.mark.parametrize(("event", "words"), REFUSED, ids=[case[1] for case in REFUSED])
def test_what_is_refused_by_name(ledger: str, event: dict[str, Any], words: str) -> None:
    with pytest.raises(JournalRefused, match=re.escape(words)):
        append(ledger, event, now_ms=NOW)
    assert not Path(ledger).exists()


def test_the_limit_counts_bytes_and_the_newline(ledger: str) -> None:
    note(ledger, "")
    free = 4096 - path_of(ledger).stat().st_size
    note(ledger, "é" * (free // 2) + "x" * (free % 2))
    assert max(len(line) for line in path_of(ledger).read_bytes().splitlines(keepends=True)) == 4096
    with pytest.raises(JournalRefused):
        note(ledger, "x" * (free + 1))
    note(ledger, "x" * (free + 1), limit=journal.TURN_LIMIT)
    with pytest.raises(JournalRefused, match="16384"):
        note(ledger, "x" * 20_000, limit=1_000_000)


# --- identifiers ----------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 2**44), min_size=1, max_size=60))
def test_identifiers_grow_whatever_the_clock_does(times: list[int]) -> None:
    ids = [new_id(now) for now in times]
    assert ids == sorted(set(ids))
    assert all(re.fullmatch(SCHEMA["properties"]["id"]["pattern"], each) for each in ids)


def test_an_identifier_starts_with_the_time(ledger: str) -> None:
    fresh = subprocess.run(
        [sys.executable, "-c", f"from cairn.journal import new_id; print(new_id({NOW}))"],
        capture_output=True,
        text=True,
    )
    assert int(fresh.stdout.replace("-", "")[:12], 16) == NOW


def test_forked_children_make_different_identifiers() -> None:
    program = (
        "import os\nfrom cairn.journal import new_id\nnew_id(5)\n"
        "for _ in range(8):\n    if os.fork() == 0:\n        os.write(1, (new_id(5) + '\\n').encode()); os._exit(0)\n"
        "for _ in range(8): os.wait()\n"
    )
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert len(set(out.split())) == 8


@pytest.mark.parametrize(
    ("folder", "slug"),
    [("app", "app"), ("My Project!", "my-project"), ("日本", "root"), ("a" * 80, "a" * 40), ("..x..", "x")],
)
def test_names_of_work_trees_are_safe_and_stable(tmp_path: Path, folder: str, slug: str) -> None:
    name = worktree_name(os.fspath(tmp_path / folder / ".cairn/ledger"))
    assert re.fullmatch(rf"{slug}-[0-9a-f]{{8}}", name)
    assert name == worktree_name(os.fspath(tmp_path / folder / ".cairn/ledger/"))
    assert name != worktree_name(os.fspath(tmp_path / "other" / folder / ".cairn/ledger"))


# --- what a kill leaves behind --------------------------------------------------------------------------------------


WHOLE = b'{"v":1,"id":"0","type":"init","at":"x","worktree":"w","payload":{}}'


@pytest.mark.parametrize(
    "kept", [b"", WHOLE + b"\n", WHOLE + b"\n" + b"x" * 40_000 + b"\n"], ids=["empty", "line", "long"]
)
@pytest.mark.parametrize(
    "torn",
    [b"{", WHOLE[:-1], b'"text"', b"\0" * 100, b"\xff\xfe", b"{" * 50_000, b"[1]"],
    ids=["start", "almost", "string", "nul", "bytes", "huge", "list"],
)
def test_a_torn_end_is_kept_beside(ledger: str, kept: bytes, torn: bytes) -> None:
    Path(ledger).mkdir()
    path_of(ledger).write_bytes(kept + torn)
    event = note(ledger)
    content = path_of(ledger).read_bytes()
    assert content.startswith(kept)
    assert json.loads(content[len(kept) :])["id"] == event
    assert Path(f"{path_of(ledger)}.torn").read_bytes() == torn + b"\n"


def test_a_whole_line_gets_its_newline(ledger: str) -> None:
    Path(ledger).mkdir()
    path_of(ledger).write_bytes(WHOLE + b"\n" + WHOLE)
    event = note(ledger)
    assert [line["id"] for line in lines(ledger)] == ["0", "0", event]
    assert not Path(f"{path_of(ledger)}.torn").exists()


@pytest.mark.parametrize("call", ["write", "short", "fsync"])
def test_a_full_disk_leaves_the_ledger_as_it_was(ledger: str, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    note(ledger)
    before = path_of(ledger).read_bytes()
    real = os.write

    def no_space(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    if call == "short":
        monkeypatch.setattr(os, "write", lambda fd, data: real(fd, data[:10]))
    else:
        monkeypatch.setattr(os, call, no_space)
    with pytest.raises(OSError, match="No space"):
        note(ledger)
    monkeypatch.undo()
    assert path_of(ledger).read_bytes() == before
    note(ledger)
    assert len(lines(ledger)) == 2


def test_a_full_file_is_rotated_and_kept(ledger: str) -> None:
    ids = [note(ledger, rotate_at=400) for _ in range(7)]
    rotated = sorted(path for path in Path(ledger).glob("*.jsonl") if path != path_of(ledger))
    assert [path.name.split(".")[1] for path in rotated] == [ids[0], ids[3]]
    kept = [json.loads(line)["id"] for path in [*rotated, path_of(ledger)] for line in path.read_text().splitlines()]
    assert kept == ids


def test_rotation_never_writes_over_a_file(ledger: str) -> None:
    first = note(ledger)
    copy = Path(ledger, f"{worktree_name(ledger)}.{first}.jsonl")
    copy.write_text("precious")
    note(ledger, rotate_at=10)
    assert copy.read_text() == "precious"
    assert len(list(Path(ledger).glob("*.jsonl"))) == 3


# --- where it may not write -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", ["symlink", "fifo", "folder"])
def test_never_into_something_else(ledger: str, tmp_path: Path, make: str) -> None:
    Path(ledger).mkdir()
    victim = tmp_path / "victim"
    victim.write_text("")
    match make:
        case "symlink":
            path_of(ledger).symlink_to(victim)
        case "fifo":
            os.mkfifo(path_of(ledger))
        case _:
            path_of(ledger).mkdir()
    with pytest.raises(OSError, match=r".+"):
        note(ledger)
    assert victim.read_text() == ""


def test_no_workspace_no_ledger(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        note(os.fspath(tmp_path / "nowhere/.cairn/ledger"))
    assert not list(tmp_path.iterdir())


@pytest.fixture
def held(ledger: str) -> Iterator[None]:
    note(ledger)
    with Path(ledger, f"{worktree_name(ledger)}.lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def test_a_lock_that_is_never_released(ledger: str, held: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "LOCK_SECONDS", 0.05)
    with pytest.raises(TimeoutError, match="held its lock"):
        note(ledger)
    assert len(lines(ledger)) == 1


def test_a_hook_pays_for_next_to_nothing() -> None:
    """The journal may not pull in what a hook would wait for."""
    program = "import sys; before = set(sys.modules); import cairn.journal; print(*sorted(set(sys.modules) - before))"
    out = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True).stdout
    loaded = set(out.split())
    assert {name for name in loaded if name.startswith("cairn")} == {"cairn", "cairn.journal"}
    assert not loaded & {"typing", "dataclasses", "pathlib", "uuid", "hashlib", "datetime", "subprocess", "inspect"}
