"""Appending to the ledger: lines, identifiers, limits, torn ends, rotation."""

import errno
import fcntl
import json
import os
import re
import shutil
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
from cairn.journal import JournalRefused, append, append_all, identity_of, new_id, worktree_name

NOW = 1_767_225_600_123
SCHEMA = json.loads((files("cairn.core") / "schemas/event.schema.json").read_text())


@pytest.fixture
def ledger(tmp_path: Path) -> str:
    (tmp_path / "My Project/.cairn").mkdir(parents=True)
    return os.fspath(tmp_path / "My Project/.cairn/ledger")


def name_of(ledger: str) -> str:
    """By which this work tree writes; an identity is made when there is none yet."""
    if identity_of(ledger) is None:
        note(ledger)
        for path in Path(ledger).iterdir():
            path.unlink()
    identity = identity_of(ledger)
    assert identity is not None
    return worktree_name(identity)


def path_of(ledger: str) -> Path:
    return Path(ledger, f"{name_of(ledger)}.jsonl")


def note(ledger: str, path: str = "a.md", **options: Any) -> str:
    return append(ledger, {"type": "orphan_forgotten", "payload": {"path": path}}, now_ms=NOW, **options)


def lines(ledger: str) -> list[dict[str, Any]]:
    content = path_of(ledger).read_bytes()
    assert content.endswith(b"\n")
    return [json.loads(line) for line in content.splitlines()]


def test_one_line_an_event(ledger: str) -> None:
    first, second = note(ledger, "schön\n.md"), note(ledger)
    assert [line["id"] for line in lines(ledger)] == [first, second]
    name = name_of(ledger)
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


def test_the_limit_counts_bytes_and_the_newline(tmp_path: Path) -> None:
    """Of the longest name that a folder can give, so that what fits does not depend on where it is written."""
    (tmp_path / ("n" * 60) / ".cairn").mkdir(parents=True)
    ledger = os.fspath(tmp_path / ("n" * 60) / ".cairn/ledger")
    note(ledger, "")
    free = 4096 - path_of(ledger).stat().st_size
    note(ledger, "é" * (free // 2) + "x" * (free % 2))
    assert max(len(line) for line in path_of(ledger).read_bytes().splitlines(keepends=True)) == 4096
    with pytest.raises(JournalRefused):
        note(ledger, "x" * (free + 1))
    note(ledger, "x" * (free + 1), limit=journal.TURN_LIMIT)
    with pytest.raises(JournalRefused, match="16384"):
        note(ledger, "x" * 20_000, limit=1_000_000)


def test_an_event_about_a_turn_may_be_longer(ledger: str) -> None:
    payload = {"turn_id": "t", "source": "cli", "summary": "x" * 9_000}
    append(ledger, {"type": "turn_completed", "payload": payload}, now_ms=NOW)
    with pytest.raises(JournalRefused, match="16384"):
        append(ledger, {"type": "turn_completed", "payload": {**payload, "summary": "x" * 17_000}}, now_ms=NOW)


# --- several at once ------------------------------------------------------------------------------------------------


def forgotten(*paths: str) -> list[dict[str, object]]:
    return [{"type": "orphan_forgotten", "payload": {"path": path}} for path in paths]


def test_several_at_once_are_in_their_order(ledger: str) -> None:
    ids = append_all(ledger, forgotten("a", "b", "c"), now_ms=NOW)
    assert ids == sorted(set(ids))
    assert [(line["id"], line["payload"]["path"]) for line in lines(ledger)] == list(zip(ids, "abc", strict=True))
    assert append_all(ledger, [], now_ms=NOW) == []


def test_several_at_once_are_all_or_none(ledger: str, monkeypatch: pytest.MonkeyPatch) -> None:
    note(ledger)
    with pytest.raises(JournalRefused, match="made_up"):
        append_all(ledger, [*forgotten("a"), {"type": "made_up", "payload": {}}], now_ms=NOW)
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: real(fd, data[:300]))
    with pytest.raises(OSError, match="No space"):
        append_all(ledger, forgotten("a", "b", "c"), now_ms=NOW)
    monkeypatch.undo()
    assert len(lines(ledger)) == 1


def test_several_at_once_are_synced_once(ledger: str, monkeypatch: pytest.MonkeyPatch) -> None:
    note(ledger)
    synced = []
    monkeypatch.setattr(os, "fsync", synced.append)
    append_all(ledger, forgotten(*"abcdefgh"), now_ms=NOW)
    assert len(synced) == 1


# --- paths below the home folder ------------------------------------------------------------------------------------


HOMES = [
    ("/home/ann/.claude/x.jsonl", "~/.claude/x.jsonl"),
    ("/home/ann", "~"),
    ("see /home/ann/a, /home/ann/b", "see ~/a, ~/b"),
    ("cwd=/home/ann\nnext", "cwd=~\nnext"),
    ("/home/anna/x", "/home/anna/x"),
    ("/mnt/home/ann/x", "/mnt/home/ann/x"),
    ("~/home/ann/x", "~/home/ann/x"),
]


@pytest.mark.parametrize(("path", "kept"), HOMES)
def test_who_somebody_is_stays_out(ledger: str, monkeypatch: pytest.MonkeyPatch, path: str, kept: str) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    note(ledger, path)
    assert lines(ledger)[0]["payload"]["path"] == kept


@pytest.mark.parametrize("home", ["/", ""])
def test_no_home_at_all(ledger: str, monkeypatch: pytest.MonkeyPatch, home: str) -> None:
    monkeypatch.setenv("HOME", home)
    note(ledger, "/etc/passwd")
    assert lines(ledger)[0]["payload"]["path"] == "/etc/passwd"


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


ABSURD = "ffffffff-ffff-7fff-bfff-ffffffffffff"
ANY_ID = st.integers(0, 2**121 - 1).map(journal._uuid7)


@given(st.integers(0, 2**44), ANY_ID)
def test_an_identifier_is_behind_the_one_it_follows(now: int, last: str) -> None:
    assert new_id(now, last) > last


@pytest.mark.parametrize("last", ["", "x", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "Z" * 36, "0" * 36, ABSURD])
def test_an_identifier_of_another_kind_is_not_followed(last: str) -> None:
    assert re.fullmatch(SCHEMA["properties"]["id"]["pattern"], new_id(NOW, last))


def test_the_clock_goes_back_between_two_hooks(ledger: str) -> None:
    """Each in a process of its own, so that only the file remembers."""
    program = (
        "import sys; from cairn.journal import append\n"
        "event = {'type': 'orphan_forgotten', 'payload': {'path': 'x'}}\n"
        "append(sys.argv[1], event, now_ms=int(sys.argv[2]), rotate_at=int(sys.argv[3]))"
    )
    for now, rotate_at in [(NOW, 9_999), (NOW - 3_600_000, 9_999), (NOW - 7_200_000, 1), (NOW + 5, 9_999)]:
        subprocess.run([sys.executable, "-c", program, ledger, str(now), str(rotate_at)], check=True)
    written = [
        json.loads(line) for path in sorted(Path(ledger).glob("*.jsonl")) for line in path.read_text().splitlines()
    ]
    ids = {line["at"]: line["id"] for line in written}
    assert list(ids.values()) != []
    in_order = [ids[journal.iso_utc(now)] for now in (NOW, NOW - 3_600_000, NOW - 7_200_000, NOW + 5)]
    assert in_order == sorted(set(in_order))


# --- who writes -----------------------------------------------------------------------------------------------------


def worktree(path: Path) -> str:
    (path / ".cairn").mkdir(parents=True, exist_ok=True)
    return os.fspath(path / ".cairn/ledger")


@pytest.mark.parametrize(
    ("folder", "slug"),
    [("app", "app"), ("My Project!", "my-project"), ("日本", "root"), ("a" * 80, "a" * 40), ("..x..", "x")],
)
def test_names_of_work_trees_are_safe_and_stable(tmp_path: Path, folder: str, slug: str) -> None:
    ledger = worktree(tmp_path / folder)
    name = name_of(ledger)
    assert re.fullmatch(rf"{slug}-[0-9a-f]{{12}}", name)
    note(ledger)
    assert name == name_of(f"{ledger}/")
    assert name != name_of(worktree(tmp_path / "other" / folder))


def test_an_identity_says_who_and_since_when(ledger: str) -> None:
    assert identity_of(ledger) is None
    note(ledger)
    file = Path(ledger).parent / "identity.json"
    identity = json.loads(file.read_text())
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", identity["worktree_id"])
    assert (identity["worktree_label"], identity["created_at"]) == ("My Project", "2026-01-01T00:00:00.123Z")
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_copied_folder_gets_an_identity_of_its_own(tmp_path: Path) -> None:
    first = worktree(tmp_path / "app")
    note(first, "before")
    shutil.copytree(tmp_path / "app", tmp_path / "copy")
    second = worktree(tmp_path / "copy")
    assert identity_of(second) is None
    note(first, "one")
    note(second, "two")
    assert name_of(first) != name_of(second)
    told = {
        path.name: [json.loads(line)["payload"]["path"] for line in path.read_text().splitlines()]
        for path in jsonl(second)
    }
    assert told == {f"{name_of(first)}.jsonl": ["before"], f"{name_of(second)}.jsonl": ["two"]}


def test_a_moved_folder_stays_who_it_is(tmp_path: Path) -> None:
    note(worktree(tmp_path / "app"))
    name = name_of(worktree(tmp_path / "app"))
    (tmp_path / "app").rename(tmp_path / "moved")
    assert name_of(worktree(tmp_path / "moved")) == name


def test_moved_and_then_copied_back(tmp_path: Path) -> None:
    note(worktree(tmp_path / "app"))
    (tmp_path / "app").rename(tmp_path / "moved")
    shutil.copytree(tmp_path / "moved", tmp_path / "app")
    assert name_of(worktree(tmp_path / "app")) != name_of(worktree(tmp_path / "moved"))


def test_another_way_to_the_same_folder(tmp_path: Path) -> None:
    note(worktree(tmp_path / "app"))
    (tmp_path / "link").symlink_to(tmp_path / "app")
    assert name_of(os.fspath(tmp_path / "link/.cairn/ledger")) == name_of(worktree(tmp_path / "app"))


def test_an_identity_of_an_older_program_is_taken_over(ledger: str) -> None:
    old = {"worktree_id": "6f1c0b9e-2d55-4d0c-8a57-0d6f6a3f5e11", "worktree_label": "trunk", "created_at": "2025"}
    file = Path(ledger).parent / "identity.json"
    file.write_text(json.dumps(old))
    note(ledger)
    assert name_of(ledger) == "trunk-6f1c0b9e2d55"
    assert json.loads(file.read_text()).items() >= old.items()


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"{}", b'{"worktree_id":"../../x","worktree_label":"a"}', b"\xff", b"[" * 9_000]
)
def test_an_identity_that_makes_no_sense_is_made_anew(ledger: str, content: bytes) -> None:
    (Path(ledger).parent / "identity.json").write_bytes(content)
    note(ledger)
    assert re.fullmatch(r"my-project-[0-9a-f]{12}", name_of(ledger))
    assert len(lines(ledger)) == 1


def test_an_identity_is_not_read_through_a_symlink(ledger: str, tmp_path: Path) -> None:
    note(worktree(tmp_path / "other"))
    victim = tmp_path / "other/.cairn/identity.json"
    before = victim.read_bytes()
    (Path(ledger).parent / "identity.json").symlink_to(victim)
    note(ledger)
    assert victim.read_bytes() == before
    assert name_of(ledger) != name_of(worktree(tmp_path / "other"))


def jsonl(ledger: str) -> list[Path]:
    return sorted(Path(ledger).glob("*.jsonl"))


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
    path_of(ledger).write_bytes(kept + torn)
    event = note(ledger)
    content = path_of(ledger).read_bytes()
    assert content.startswith(kept)
    assert json.loads(content[len(kept) :])["id"] == event
    assert Path(f"{path_of(ledger)}.torn").read_bytes() == torn + b"\n"


def test_a_whole_line_gets_its_newline(ledger: str) -> None:
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


def test_a_disk_that_fails_takes_nothing_of_others_away(ledger: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process appended behind us before our sync failed."""
    note(ledger)
    behind = WHOLE + b"\n"

    def fail(fd: int) -> None:
        os.write(fd, behind)
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="Input/output"):
        note(ledger)
    monkeypatch.undo()
    assert path_of(ledger).read_bytes().endswith(behind)
    assert [line["id"] for line in lines(ledger)][-1] == "0"


def test_a_full_file_is_rotated_and_kept(ledger: str) -> None:
    ids = [note(ledger, rotate_at=400) for _ in range(7)]
    rotated = sorted(path for path in Path(ledger).glob("*.jsonl") if path != path_of(ledger))
    assert [path.name.split(".")[1] for path in rotated] == [ids[0], ids[3]]
    kept = [json.loads(line)["id"] for path in [*rotated, path_of(ledger)] for line in path.read_text().splitlines()]
    assert kept == ids


def test_rotation_never_writes_over_a_file(ledger: str) -> None:
    first = note(ledger)
    copy = Path(ledger, f"{name_of(ledger)}.{first}.jsonl")
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
    with Path(ledger, journal.LOCK).open() as lock:
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
    assert {name for name in loaded if name.startswith("cairn")} == {"cairn", "cairn.journal", "cairn.worktree"}
    assert not loaded & {"typing", "dataclasses", "pathlib", "uuid", "hashlib", "datetime", "subprocess", "inspect"}
