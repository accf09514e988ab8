"""Sessions of OpenCode, from its database and from its folders: the same words."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cairn.adapters.transcripts.opencode import open_opencode, sessions_in
from cairn.capture.transcripts import segments
from cairn.errors import Refused

MESSAGES: list[tuple[str, dict[str, Any], list[dict[str, Any]]]] = [
    ("msg_1", {"role": "user", "time": {"created": 1}}, [{"type": "text", "text": "How warm?"}]),
    ("msg_2", {"role": "assistant", "time": {"created": 2}}, [{"type": "text", "text": "Aborted."}]),
    ("msg_3", {"role": "user", "time": {"created": 3}}, [{"type": "text", "text": "Again."}]),
    (
        "msg_4",
        {"role": "assistant", "time": {"created": 4, "completed": 5}},
        [
            {
                "type": "tool",
                "tool": "read",
                "callID": "c",
                "state": {"status": "completed", "input": {"filePath": "a"}},
            },
            {"type": "text", "text": "20 degrees."},
        ],
    ),
]


def as_database(folder: Path, messages: list[Any]) -> Path:
    path = folder / "opencode.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "create table session (id text, parent_id text, directory text, time_updated integer);"
            "create table message (id text, session_id text, time_created integer, data text);"
            "create table part (id text, message_id text, session_id text, data text);"
            "insert into session values ('ses_1', null, '/home/kim/app', 7), ('ses_2', 'ses_1', '/home/kim/app', 8);"
        )
        for number, (id, info, parts) in enumerate(messages):
            database.execute("insert into message values (?, 'ses_1', ?, ?)", (id, number, json.dumps(info)))
            for place, part in enumerate(parts):
                row = (f"prt_{number}_{place}", id, json.dumps(part))
                database.execute("insert into part values (?, ?, 'ses_1', ?)", row)
        database.commit()
    return path


def as_folders(folder: Path, messages: list[Any]) -> Path:
    for id, info, parts in messages:
        (folder / "message" / "ses_1").mkdir(parents=True, exist_ok=True)
        (folder / "message" / "ses_1" / f"{id}.json").write_text(json.dumps(info))
        for place, part in enumerate(parts):
            (folder / "part" / id).mkdir(parents=True, exist_ok=True)
            (folder / "part" / id / f"prt_{place}.json").write_text(json.dumps(part))
    return folder


@pytest.mark.parametrize("made", [as_database, as_folders])
def test_what_was_said(tmp_path: Path, made: Any) -> None:
    transcript = open_opencode(made(tmp_path, MESSAGES), "ses_1")
    assert transcript is not None
    found = list(segments("opencode", transcript.chunks()))
    assert [(s.text, s.id) for s in found] == [
        ("How warm?", "msg_1"),
        ("Aborted.", "msg_2"),
        ("Again.", "msg_3"),
        ("", "msg_4"),
        ("20 degrees.", "msg_4"),
    ]
    assert [tool.target for s in found for tool in s.tools] == ["a"]


@pytest.mark.parametrize("made", [as_database, as_folders])
def test_an_answer_that_is_being_written_is_left_for_later(tmp_path: Path, made: Any) -> None:
    transcript = open_opencode(made(tmp_path, MESSAGES[:2]), "ses_1")
    assert transcript is not None
    assert [s.text for s in segments("opencode", transcript.chunks())] == ["How warm?"]


def test_reading_on_and_checking(tmp_path: Path) -> None:
    transcript = open_opencode(as_folders(tmp_path, MESSAGES), "ses_1")
    assert transcript is not None
    whole = b"".join(transcript.chunks())
    for start in (0, 5, 100, len(whole), len(whole) + 5):
        assert b"".join(transcript.chunks(start)) == whole[start:]
    assert transcript.check(len(whole)) is not None
    assert transcript.check(len(whole) + 1) is None


def test_sessions_that_another_one_started_are_not_listed(tmp_path: Path) -> None:
    as_database(tmp_path, MESSAGES)
    assert [(found.session, folder) for found, folder in sessions_in(tmp_path)] == [("ses_1", "/home/kim/app")]


def test_a_database_of_another_form(tmp_path: Path) -> None:
    (tmp_path / "opencode.db").write_bytes(b"no database")
    assert list(sessions_in(tmp_path)) == []
    transcript = open_opencode(tmp_path / "opencode.db", "ses_1")
    assert transcript is not None
    with pytest.raises(Refused, match="opencode export"):
        list(transcript.chunks())


@pytest.mark.parametrize("session", ["../x", "", ".."])
def test_no_id_leads_elsewhere(tmp_path: Path, session: str) -> None:
    assert open_opencode(tmp_path, session) is None
