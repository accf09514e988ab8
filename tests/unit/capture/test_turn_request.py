"""Requests about turns, read from the wire and put in order."""

import json
from importlib.resources import files
from typing import Any

import jsonschema_rs
import pytest

from cairn.capture.turn_request import WIRE_EVENT, read_turn, settled
from cairn.core.model.session import ToolCall, TurnRequest
from cairn.errors import UsageError

SCHEMA = jsonschema_rs.validator_for(
    json.loads((files("cairn.core") / "schemas/turn-write.schema.json").read_text("utf-8"))
)
FULL: dict[str, Any] = {
    "source": "gateway",
    "agent": "gateway-daemon",
    "channel": "slack",
    "session": "s1",
    "turnId": "gateway:s1:7",
    "turnNumber": 7.9,
    "summary": "Chose the pool of the library.",
    "decision": "Use the library's pool.",
    "evidence": ["commit:4f2a91c", " ", "commit:4f2a91c"],
    "usefulnessTags": ["Connection Pools"],
    "context": {"project": "app", "loopId": "l", "storyId": "t", "runId": "r", "toolNames": ["Bash", "Edit"]},
    "occurredAt": "2026-01-31T12:00:00Z",
    "schema_version": 1,
}

GOOD = [
    FULL,
    {"name": WIRE_EVENT, "data": FULL},
    {"turn_id": "a", "source": "s", "agent": "a", "skip_reason": "no-new-information"},
    {"source": "s", "agent": "a", "summary": "x", "tags": ["a"], "context": None, "evidence": None},
    {"source": None, "turnNumber": -3},
]
BAD = [
    ([], "a turn must be a JSON object"),
    ({**FULL, "mood": "fine"}, "a turn has no field `mood`; it may have source"),
    ({**FULL, "turn_id": "b"}, "`turn_id` in two spellings"),
    ({**FULL, "summary": 3}, "`summary` must be a text"),
    ({**FULL, "turnNumber": "3"}, "`turn_number` must be a whole number"),
    ({**FULL, "turnNumber": True}, "`turn_number` must be a whole number"),
    ({**FULL, "evidence": "commit:1"}, "`evidence` must be a list of texts"),
    ({**FULL, "usefulnessTags": {}}, "`usefulnessTags` must be a list of texts"),
    ({**FULL, "context": ["x"]}, "`context` must be a JSON object"),
    ({**FULL, "context": {"password": "x"}}, "`context` has no field `password`"),
    ({**FULL, "schema_version": 2}, "`schema_version` is 2; this Cairn understands 1"),
    ({"name": "other", "data": FULL}, f"an event with a turn is named `{WIRE_EVENT}`"),
]


@pytest.mark.parametrize("value", GOOD)
def test_what_is_fine_is_fine_to_the_schema_too(value: Any) -> None:
    read_turn(value)
    assert SCHEMA.is_valid(value)


@pytest.mark.parametrize(("value", "said"), BAD, ids=[said[:40] for _, said in BAD])
def test_what_is_wrong_is_said_by_name(value: Any, said: str) -> None:
    with pytest.raises(UsageError) as told:
        read_turn(value)
    assert said in told.value.message
    if "two spellings" not in said:
        assert not SCHEMA.is_valid(value)


def test_every_field_arrives() -> None:
    turn = settled(read_turn(FULL))
    assert turn == TurnRequest(
        turn_id="gateway:s1:7",
        source="gateway",
        agent="gateway-daemon",
        summary="Chose the pool of the library.",
        decision="Use the library's pool.",
        channel="slack",
        session="s1",
        turn_number=7,
        evidence=("commit:4f2a91c",),
        tags=("connection-pools",),
        tools=(ToolCall("Bash"), ToolCall("Edit")),
        context={"project": "app", "loop_id": "l", "story_id": "t", "run_id": "r"},
        occurred_at="2026-01-31T12:00:00Z",
    )


NUMBERS = [(7.9, 7), (-3, 0), (0, 0), (float("inf"), None), (float("nan"), None), (None, None), (10**30, 2**53)]


@pytest.mark.parametrize(("given", "kept"), NUMBERS)
def test_numbers_are_floored_and_never_negative(given: Any, kept: int | None) -> None:
    assert read_turn({"turnNumber": given}).turn_number == kept


def test_lists_are_cut_to_what_is_kept() -> None:
    turn = settled(
        read_turn(
            {
                "summary": "x",
                "evidence": [f"file:{n}" for n in range(50)] + [3, None],
                "tags": [f"T {n}" for n in range(50)],
            }
        )
    )
    assert len(turn.evidence) == 30
    assert turn.tags[0] == "t-0"
    assert len(turn.tags) == 20
    assert len(settled(read_turn({"summary": "x", "evidence": ["e" * 500]})).evidence[0]) == 140


def test_blank_names_have_a_value_and_a_blank_id_is_made() -> None:
    turn = settled(TurnRequest("", " ", "", summary=" words "))
    assert (turn.source, turn.agent, turn.summary) == ("unknown", "unknown", "words")
    assert turn.turn_id == settled(TurnRequest("", " ", "", summary="words")).turn_id
    assert turn.turn_id.startswith("turn-")
    assert len(turn.turn_id) == 21
    assert turn.turn_id != settled(TurnRequest("", "", "", summary="other words")).turn_id


def test_a_separator_inside_of_a_field_makes_no_twin() -> None:
    one, other = TurnRequest("", "a|b", "c", summary="x"), TurnRequest("", "a", "b|c", summary="x")
    assert settled(one).turn_id != settled(other).turn_id


MAIL = "jane.doe@acme-corp.com"


def test_nothing_private_is_left_in_any_field() -> None:
    turn = settled(
        TurnRequest(
            turn_id=f"chat:{MAIL}:1",
            source=f"s {MAIL}",
            agent=MAIL,
            channel=MAIL,
            session=MAIL,
            summary=f"Asked {MAIL}. <private>the merger</private>",
            decision=MAIL,
            evidence=(f"mail:{MAIL}",),
            tags=(MAIL,),
            tools=(ToolCall("Mail", MAIL),),
            context={"project": MAIL, "unheard_of": "x"},
        )
    )
    assert MAIL not in repr(turn)
    assert "merger" not in repr(turn)
    assert "unheard_of" not in turn.context
    assert "[REDACTED:email]" in (turn.summary or "")


def test_a_secret_is_taken_out_before_anything_is_cut() -> None:
    """Cut first, the half that is left would be no secret to any rule."""
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    turn = settled(TurnRequest("t", "s", "a", summary="x" * 3_990 + " " + token))
    assert "ghp_" not in (turn.summary or "")


def test_half_a_character_is_no_reason_to_fail() -> None:
    assert settled(TurnRequest("t\ud800", "s", "a", summary="caf\ud800é")).summary == "caf?é"
