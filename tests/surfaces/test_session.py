"""`cairn session` and `cairn lock`, through the program."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from cairn.adapters.lock.files import FileLocks
from cairn.errors import Conflict
from drawn_secrets import TOKENS
from host_lines import claude, claude_result, codex_event, codex_item, codex_meta, joined, opencode, part
from program import Ran, cairn, fits_schema

LONG = "The dough needs twelve hours at twenty degrees, whatever the recipe says. " * 10
SESSION = "5f1c8d1e-6f3a-4b52-9c3e-0d8a6f2b7c11"
TALK = joined([claude("user", "Bake bread."), claude("assistant", LONG)])


@pytest.fixture
def work(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    (root / ".cairn").mkdir(parents=True)
    (root / ".cairn" / "settings.json").write_text("{}")
    return root


def capture(work: Path, data: bytes, *args: str) -> Ran:
    (work.parent / f"{SESSION}.jsonl").write_bytes(data)
    return cairn("session", "capture", "--transcript", f"../{SESSION}.jsonl", *args, cwd=work)


def log_of(work: Path) -> str:
    (file,) = (work / ".cairn" / "sessions").glob("*.md")
    return file.read_text()


def test_capture_list_show(work: Path) -> None:
    ran = capture(work, TALK)
    assert (ran.code, ran.out) == (0, f"kept claude {SESSION}: 2 messages, 769 characters\n"), ran.err
    assert capture(work, TALK).out == f"nothing new for claude {SESSION}\n"

    listed = cairn("session", "list", cwd=work)
    assert listed.out.splitlines()[1].split()[:2] == [SESSION, "claude"]
    assert cairn("session", "list", "--status", "done", cwd=work).err.startswith("there is none\n")
    assert cairn("session", "show", "5f1c", cwd=work).out == f"[USER]: Bake bread.\n\n[AGENT]: {LONG.strip()}\n"
    assert cairn("session", "show", "5f1c", "--raw", cwd=work).out == log_of(work)


@pytest.mark.parametrize("size", [300_000, 3_000_000])
def test_a_long_first_prompt_is_recognised(work: Path, size: int) -> None:
    """The first line alone is longer than the head that tells the host."""
    ran = capture(work, joined([claude("user", "word " * (size // 5)), claude("assistant", LONG)]))
    assert ran.code == 0 and ran.out.startswith(f"kept claude {SESSION}: 2 messages"), ran.err


def test_why_nothing_is_learnt_from_a_session_is_said_in_words(work: Path) -> None:
    capture(work, joined([claude("user", "Bake bread."), claude("assistant", "Done.")]))
    assert cairn("session", "list", cwd=work).out.rstrip().endswith("too short to learn from")


def test_as_json(work: Path) -> None:
    captured = capture(work, TALK, "--json").json()
    fits_schema(captured, "session-capture")
    assert captured["captured"][0]["status"] == "created"
    listed = cairn("session", "list", "--json", "--host", "claude", "--limit", "1", cwd=work).json()
    fits_schema(listed, "session-list")
    shown = cairn("session", "show", SESSION, "--json", cwd=work).json()
    fits_schema(shown, "session-show")
    assert shown["session"] == listed["sessions"][0]
    assert cairn("session", "list", "--host", "cursor", "--json", cwd=work).json()["sessions"] == []


def test_sessions_of_this_project_are_found_in_the_home(work: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    slug = "".join(letter if letter.isalnum() else "-" for letter in str(work.resolve()))
    files = {
        home / ".claude" / "projects" / slug / "c-1.jsonl": [claude("user", LONG, cwd=str(work))],
        home / ".codex" / "sessions" / "rollout-x.jsonl": [codex_meta(str(work), "x-1"), codex_item("user", LONG)],
    }
    for number, (file, values) in enumerate(files.items()):
        file.parent.mkdir(parents=True)
        file.write_bytes(joined(values))
        os.utime(file, (number, number))
    assert [
        one["session"]
        for one in cairn("session", "capture", "--latest", "--json", cwd=work, HOME=str(home)).json()["captured"]
    ] == ["x-1"]
    both = cairn("session", "capture", "--json", cwd=work, HOME=str(home)).json()["captured"]
    assert [(one["session"], one["status"]) for one in both] == [("x-1", "unchanged"), ("c-1", "created")]
    one = cairn("session", "capture", "--session", "c-1", cwd=work, HOME=str(home))
    assert one.out == "nothing new for claude c-1\n"
    none = cairn("session", "capture", "--host", "cursor", cwd=work, HOME=str(home))
    assert (none.code, none.err.splitlines()[0]) == (
        5,
        "cairn: No transcript of a session of cursor in this project was found; name one with --transcript FILE.",
    )


# --- what is never kept ---------------------------------------------------------------------------------------------


def test_a_secret_on_every_line(work: Path) -> None:
    random = Random(5)
    secrets = [draw(random) for _ in range(8) for draw in TOKENS.values()]
    data = joined([claude("user", f"use {one} for it") for one in secrets])
    ran = capture(work, data)
    assert ran.code == 0, ran.err
    kept = b"".join(file.read_bytes() for file in (work / ".cairn").rglob("*") if file.is_file())
    assert not [one for one in secrets if one.encode() in kept]
    assert not [one for one in secrets if one in ran.out + ran.err]
    assert f"{len(secrets):,} redacted" in ran.out


def test_private_words_and_what_tools_print_are_not_kept(work: Path) -> None:
    values = [
        claude("user", f"Bake. <Private>my cat is ill</Private> {LONG} <kk-private>and so am I"),
        claude_result("t", "rows of a database"),
        claude("assistant", "Baked."),
    ]
    assert capture(work, joined(values)).code == 0
    everything = b"".join(file.read_bytes() for file in (work / ".cairn").rglob("*") if file.is_file())
    assert b"Baked." in everything
    assert not any(words in everything for words in (b"cat is ill", b"so am I", b"rows of a database"))


# --- bad input ------------------------------------------------------------------------------------------------------

BAD: dict[str, tuple[bytes, str, str]] = {
    "truncated": (TALK + TALK[:90], "kept claude", "the last line is not whole; it is read when it is"),
    "in UTF-16": (TALK.decode().encode("utf-16"), "kept claude", "it is written in UTF-16-LE, not in UTF-8"),
    "in Latin-1": (
        TALK.replace(b"Bake", "Bäke".encode("latin-1")),
        "kept claude",
        "1 line is not in UTF-8; read as Latin-1",
    ),
    "with NUL bytes": (b"\0" * 4096 + TALK, "kept claude", ""),
    "with broken lines": (b'{"type":\n[]\n' + TALK, "kept claude", "2 lines are broken; passed over"),
    "with a line of 50 MB": (
        b'{"x":"' + b"y" * 50_000_000 + b'"}\n' + TALK,
        "kept claude",
        "1 line is too long; passed over",
    ),
    "of a newer version": (b'{"type":"hologram","sessionId":"s"}\n' + TALK, "kept claude", ""),
    "empty": (b"", "nothing was said in claude", ""),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_transcript_is_read_as_far_as_it_goes(work: Path, name: str) -> None:
    data, said, remark = BAD[name]
    ran = capture(work, data, "--host", "claude", "--session", SESSION)
    assert (ran.code, "Traceback" in ran.err) == (0, False), ran.err
    assert ran.out.startswith(said)
    assert remark in ran.err
    assert bool(remark) == ("warning:" in ran.err)


REFUSED: list[tuple[tuple[str, ...], int, str]] = [
    (("--transcript", "nope.jsonl"), 5, "There is no transcript nope.jsonl; check the path."),
    (("--transcript", "pipe"), 1, "pipe is not a regular file; name the transcript itself."),
    (("--transcript", "notes.txt"), 2, "notes.txt looks like a transcript of none of the hosts"),
    (("--transcript", "."), 2, "holds many sessions; say which with --host opencode --session ID"),
    (("--transcript", "notes.txt", "--latest"), 2, "give only one of them"),
    (("--host", "emacs"), 2, "emacs"),
]


@pytest.mark.parametrize(("args", "code", "sentence"), REFUSED)
def test_what_cannot_be_captured_is_said_in_a_sentence(
    work: Path, args: tuple[str, ...], code: int, sentence: str
) -> None:
    os.mkfifo(work / "pipe")
    (work / "notes.txt").write_text("Buy flour.\n")
    ran = cairn("session", "capture", *args, cwd=work, HOME=str(work))
    assert ran.code == code, ran.err
    assert sentence in ran.err and "Traceback" not in ran.err


def test_a_hostile_id_makes_no_path(work: Path) -> None:
    ran = capture(work, TALK, "--session", "../../../../tmp/evil\x1b[2J")
    assert ran.code == 0
    assert "\x1b" not in ran.out
    (file,) = (work / ".cairn" / "sessions").glob("*.md")
    assert "-x-" in file.name


def test_a_terminal_is_not_moved_by_what_was_said(work: Path) -> None:
    capture(work, joined([claude("user", f"\u202eevil \x1b]0;title\x07 {LONG}")]))
    shown = cairn("session", "show", SESSION, cwd=work).out
    assert not set("\x1b\x07\u202e") & set(shown)


@pytest.mark.parametrize(
    ("values", "host"),
    [
        ([codex_meta("/w", "x-1"), codex_item("user", LONG), codex_event("user_message", LONG)], "codex"),
        ([opencode("user", part(LONG))], "opencode"),
    ],
)
def test_the_host_is_told_by_the_lines(work: Path, values: list[object], host: str) -> None:
    (captured,) = capture(work, joined(values), "--json").json()["captured"]
    assert (captured["host"], captured["segments"]) == (host, 1)


def test_a_session_of_opencode_from_its_folders(work: Path, tmp_path: Path) -> None:
    storage = tmp_path / "storage"
    (storage / "message" / "ses_1").mkdir(parents=True)
    (storage / "message" / "ses_1" / "msg_1.json").write_text('{"role": "user"}')
    (storage / "part" / "msg_1").mkdir(parents=True)
    (storage / "part" / "msg_1" / "prt_1.json").write_text(json.dumps({"type": "text", "text": LONG}))
    ran = cairn(
        "session", "capture", "--transcript", "../storage", "--host", "opencode", "--session", "ses_1", cwd=work
    )
    assert ran.out.startswith("kept opencode ses_1: 1 message, ")


# --- locks ----------------------------------------------------------------------------------------------------------


def leave_lock(work: Path) -> None:
    program = (
        "import os, pathlib, sys, time\n"
        "from cairn.adapters.lock.files import FileLocks\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "locks = FileLocks(folder, lambda: int(time.time() * 1000))\n"
        "held = locks.hold('session-x', ttl_ms=600_000)\n"
        "held.__enter__()\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", program, str(work / ".cairn" / "locks")], check=True)


def test_a_lock_left_by_a_dead_process(work: Path) -> None:
    assert cairn("lock", "status", cwd=work).err.startswith("nobody holds a lock\n")
    leave_lock(work)
    status = cairn("lock", "status", "--json", cwd=work).json()
    fits_schema(status, "lock-status")
    assert status["locks"][0]["stale"].endswith("is gone")
    ran = capture(work, TALK, "--session", "x")
    assert (ran.code, ran.err.startswith("done in")) == (0, True), ran.err
    assert cairn("lock", "status", "--json", cwd=work).json() == {"locks": []}


def test_a_lock_that_is_held_is_taken_away_only_by_force(work: Path) -> None:
    locks = FileLocks(work / ".cairn" / "locks", lambda: time.time_ns() // 1_000_000)
    with locks.hold("session-x", ttl_ms=600_000) as lease:
        refused = cairn("lock", "break", "session-x", cwd=work)
        assert refused.code == 1
        assert f"held by process {os.getpid()} on " in refused.err
        lease.beat()
        broken = cairn("lock", "break", "session-x", "--force", "--json", cwd=work).json()
        fits_schema(broken, "lock-break")
        with pytest.raises(Conflict, match="was taken away"):
            lease.beat()
    assert cairn("lock", "break", "session-x", cwd=work).code == 5
    assert cairn("lock", "break", "../x", cwd=work).code == 2
