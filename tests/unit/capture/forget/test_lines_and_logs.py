"""Lines that go, and logs that keep the rest."""

import json
from dataclasses import replace

import pytest

from cairn.capture.redaction import EXPIRED, Selection, expiring, literal_needle, masked_log, pattern_needle
from cairn.core.model.session import SessionLog
from cairn.core.session_log import PROPOSAL, head_bytes, read_head, text_end

NEEDLE = literal_needle(["Quokkaword"])


def line(**fields: object) -> bytes:
    event = {"v": 1, "id": "e", "type": "turn_eligible", "at": "2026-05-04T10:00:00.000Z", "payload": {}, **fields}
    return json.dumps(event).encode() + b"\n"


TAKEN = {
    "holds it": (Selection(NEEDLE), line(payload={"x": "quokkaWORD"}), True),
    "holds something else": (Selection(NEEDLE), line(payload={"x": "quokka word"}), False),
    "of a turn": (Selection(turns=frozenset({"t"})), line(payload={"turn_id": "t"}), True),
    "of another turn": (Selection(turns=frozenset({"t"})), line(payload={"turn_id": "tt"}), False),
    "an event": (Selection(events=frozenset({"e"})), line(), True),
    "an older program's event": (Selection(events=frozenset({"o"})), b'{"event_id": "o"}\n', True),
    "of a session": (Selection(sessions=frozenset({"s"})), line(payload={"session": "s"}), True),
    "of no session": (Selection(sessions=frozenset({"s"})), line(payload={"session": ["s"]}), False),
    "before": (Selection(before="2026-05-04T10:00:01"), line(), True),
    "since": (Selection(before="2026-05-04T10:00:00"), line(), False),
    "without a time": (Selection(before="2026-05-04"), line(at=7), False),
    "no JSON": (Selection(turns=frozenset({"t"}), before="2026"), b"[[[\n", False),
    "a list": (Selection(events=frozenset({"e"})), b"[1]\n", False),
    "no JSON that holds it": (Selection(NEEDLE), b"{Quokkaword\n", True),
}


@pytest.mark.parametrize("selection, data, taken", TAKEN.values(), ids=list(TAKEN))
def test_which_lines_go(selection: Selection, data: bytes, taken: bool):
    assert selection.takes(data) is taken
    assert selection.judge(data) == (None if taken else data)


NOTE = {"turn_id": "t", "source": "s", "summary": "Words.", "title": "W", "evidence": ["file:w"], "score": 3}
UNTIL = {**NOTE, "expires_at": "2026-05-20T00:00:00.000Z"}
LEFT = {"turn_id": "t", "source": "s", "summary": EXPIRED, "score": 3, "expires_at": UNTIL["expires_at"]}
EXPIRES = {
    "expired": ("turn_completed", UNTIL, LEFT),
    "has expired before": ("turn_completed", LEFT, LEFT),
    "expires later": ("turn_completed", {**UNTIL, "expires_at": "2027-01-01T00:00:00Z"}, None),
    "never expires": ("turn_completed", NOTE, None),
    "null": ("turn_completed", {**NOTE, "expires_at": None}, None),
    "no note": ("turn_skipped", UNTIL, None),
    "half a letter": ("turn_completed", {**UNTIL, "source": "\ud83d"}, {**LEFT, "source": "\ud83d"}),
}


@pytest.mark.parametrize("kind, payload, left", EXPIRES.values(), ids=list(EXPIRES))
def test_what_expires_loses_its_words(kind: str, payload: dict, left: dict | None):
    given = line(type=kind, payload=payload)
    kept = expiring(now="2026-06-01T00:00:00.000Z", oldest="")(given)
    assert kept is not None
    assert kept == given if left is None else json.loads(kept) == json.loads(line(type=kind, payload=left))


def log(text: str, **fields: object) -> bytes:
    data = text.encode()
    head = SessionLog("s", "claude", "stop", "2026-05-04T10:00:00Z", "", transcript_bytes=len(data))
    head = replace(head, transcript_chars=len(text), **fields)
    return (
        head_bytes(head, {"mine": "Quokkaword too", "proposals": {"practice": ["about Quokkaword"], "map": []}}) + data
    )


TEXT = "[USER]: Über Quokkaword?\n\n[AGENT]: It bakes, quokkaword.\n\n## Proposal\n\nquoted"


def test_the_rest_of_a_log_stays_and_its_head_fits():
    curated = TEXT.index("\n\n[AGENT]")
    masked = masked_log(log(TEXT, curated_through=curated) + PROPOSAL + b"From Quokkaword.\n", NEEDLE)
    assert masked is not None and not NEEDLE.found(masked)
    head = read_head(masked)
    assert head is not None and head.values["mine"] == "[FORGOTTEN] too"
    assert head.values["proposals"]["practice"] == ["about [FORGOTTEN]"]
    end = text_end(head, len(masked), PROPOSAL)
    text = masked[head.length : end].decode()
    assert text == TEXT.replace("Quokkaword", "[FORGOTTEN]").replace("quokkaword", "[FORGOTTEN]")
    assert text[: head.log.curated_through] == "[USER]: Über [FORGOTTEN]?"
    assert (head.log.transcript_chars, masked[end:]) == (len(text), PROPOSAL + b"From [FORGOTTEN].\n")


def test_what_cannot_be_masked_goes_as_a_whole():
    assert masked_log(b"no log of ours: Quokkaword", NEEDLE) is None
    escaped = log("[USER]: M\\u00fcller said it.") + PROPOSAL
    assert masked_log(escaped, pattern_needle("Müller")) is None
