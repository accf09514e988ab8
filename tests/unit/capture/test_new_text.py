"""What goes into a log, and what doesn't."""

import pytest

from cairn.capture.new_text import NewText, SpeakerCounts, digest, gather, is_cursory
from cairn.core.model.session import Role, Segment


def segment(text: str, role: Role = "user", *, start: int = 0, injected: bool = False) -> Segment:
    return Segment(role, text, None, None, start, start + 10, injected=injected)


def shout(text: str) -> tuple[str, dict[str, int]]:
    return text.replace("secret", "***"), {"rule": text.count("secret")} if "secret" in text else {}


def test_only_what_was_said_and_scrubbed() -> None:
    into = NewText(SpeakerCounts())
    found = [segment("a secret"), segment("x", injected=True), segment(""), segment("b", "assistant")]
    pieces = list(gather(found, shout, into, room=1_000, first=True))
    assert b"".join(pieces) == b"[USER]: a ***\n\n[AGENT]: b"
    assert (into.segments, into.characters, into.redactions) == (2, 25, {"rule": 1})
    assert into.said == SpeakerCounts(1, 5, 1)


def test_a_full_log_takes_nothing_more() -> None:
    into = NewText(SpeakerCounts())
    found = [segment("a"), segment("b" * 100, start=10), segment("c", start=20)]
    assert list(gather(found, shout, into, room=30, first=False)) == [b"\n\n[USER]: a"]
    assert into.full_at == 10


def test_what_is_known_is_left_out_until_something_is_new() -> None:
    known = {digest("[USER]: a"), digest("[USER]: b")}
    found = [segment("a"), segment("b"), segment("new"), segment("a")]
    pieces = list(gather(found, shout, NewText(SpeakerCounts()), room=1_000, known=known, first=False))
    assert pieces == [b"\n\n[USER]: new", b"\n\n[USER]: a"]


def test_a_message_of_which_nothing_may_be_kept_is_none() -> None:
    into = NewText(SpeakerCounts())
    assert list(gather([segment("a")], lambda text: ("", {}), into, room=99, first=True)) == []
    assert into.segments == 0


@pytest.mark.parametrize(
    ("said", "cursory"),
    [
        (SpeakerCounts(1, 200, 500), True),
        (SpeakerCounts(0, 0, 0), True),
        (SpeakerCounts(2, 200, 500), False),
        (SpeakerCounts(1, 201, 500), False),
        (SpeakerCounts(1, 200, 501), False),
    ],
)
def test_all_three_have_to_be_small(said: SpeakerCounts, cursory: bool) -> None:
    assert is_cursory(said) is cursory


def test_what_is_said_is_counted() -> None:
    assert SpeakerCounts().more("user", "ab").more("assistant", "abc").more("user", "c") == SpeakerCounts(2, 3, 3)
