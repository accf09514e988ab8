"""Lines become events, or say why not."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model.event import BadLine, Event, moment_ms, parse_event

GOOD = {"v": 1, "id": "i", "type": "t", "at": "a", "worktree": "w", "payload": {"k": [1]}}


def line(**changes: object) -> bytes:
    value = {**GOOD, **changes}
    return json.dumps({key: each for key, each in value.items() if each is not ...}).encode() + b"\n"


def test_a_line() -> None:
    assert parse_event(line()) == Event("i", "t", "a", "w", {"k": [1]})
    assert parse_event(line().rstrip(b"\n")) == parse_event(line())


@pytest.mark.parametrize("key", GOOD)
@pytest.mark.parametrize("value", [..., None, [], 0])
def test_every_field_must_be_there_and_of_its_type(key: str, value: object) -> None:
    assert isinstance(parse_event(line(**{key: value})), BadLine)


@given(st.binary(max_size=200))
def test_any_bytes_give_a_value(data: bytes) -> None:
    assert isinstance(parse_event(data), (Event, BadLine))


@pytest.mark.parametrize(
    "text, ms",
    [
        ("1970-01-01T00:00:01Z", 1000),
        ("1970-01-01T00:00:01.250+00:00", 1250),
        ("1970-01-01T05:30:00+05:30", 0),
        ("2026-02-30T00:00:00Z", None),
        ("2026-02-01T00:00:00", None),
        ("2026-02-01T00:00:00+0530", None),
        ("2026-02-01 00:00:00Z", None),
        ("2026-02-01T00:00Z", None),
        ("2026-02-01T00:00:60Z", None),
        ("2026-02-01", None),
        ("20260201T000000Z", None),
        ("２026-02-01T00:00:00Z", None),
    ],
)
def test_a_time_has_its_seconds_and_its_zone(text: str, ms: int | None) -> None:
    assert moment_ms(text) == ms
