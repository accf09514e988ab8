"""Names of sessions and of their logs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.capture.session_names import id_of, log_name, safe_id


@pytest.mark.parametrize(
    ("session", "id"),
    [
        ("5F1C8D1E-6f3a-4b52-9c3e-0d8a6f2b7c11", "5f1c8d1e-6f3a-4b52-9c3e-0d8a6f2b7c11"),
        ("019a2d7a-41c4-78b1-b7cc-a45d62a89cd5", "019a2d7a-41c4-78b1-b7cc-a45d62a89cd5"),
        ("ses_469cf929cffeBICghRNeI7BWy6", "ses_469cf929cffeBICghRNeI7BWy6"),
        ("agent-a1b2c3", "agent-a1b2c3"),
        ("x", "x"),
    ],
)
def test_what_hosts_call_their_sessions(session: str, id: str) -> None:
    assert safe_id(session) == id
    assert id_of(log_name("2026-05-04T10:07:00.000Z", safe_id(session))) == safe_id(session)


HOSTILE = [
    "",
    ".",
    "..",
    "../../etc/passwd",
    "a/b",
    "/etc/passwd",
    "a\0b",
    "a\nb",
    "-rf",
    ".hidden",
    "a..b",
    "~",
    "é",
    "x" * 300,
]


@pytest.mark.parametrize("session", HOSTILE)
def test_no_id_becomes_a_path(session: str) -> None:
    id = safe_id(session)
    assert id.startswith("x-") and len(id) == 34
    assert id == safe_id(session)


@given(session=st.text())
def test_every_id_has_a_name(session: str) -> None:
    name = log_name("2026-05-04T10:07:00.000Z", safe_id(session))
    assert name.startswith("20260504-1007-") and id_of(name) == safe_id(session)
    assert not set(name) & set("/\\\0\n") and ".." not in name


@pytest.mark.parametrize(
    "name", ["notes.md", "20260504-1007-.md", "20260504-1007-a.txt", "../20260504-1007-a.md", ".new-1"]
)
def test_other_names_are_none_of_ours(name: str) -> None:
    assert id_of(name) is None
