"""The last word about a finding counts, until the finding becomes worse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model.lens import SEVERITIES, Finding
from cairn.errors import NotFound, UsageError
from cairn.observe.acknowledge import Acknowledgement, acknowledged, latest, matching

ID = "0123456789abcdef"


def finding(severity: str = "P2", status: str = "open") -> Finding:
    return Finding(ID, "H-cross-doc", severity, "t", "d", status=status)  # type: ignore[arg-type]


def ack(
    status: str = "acknowledged", severity: str | None = "P2", note: str | None = None, at: int = 1
) -> Acknowledgement:
    return Acknowledgement(ID, status, severity, note, at, f"e{at}")


@pytest.mark.parametrize(
    ("severity", "said", "status", "note"),
    [
        ("P2", ack(), "acknowledged", None),
        ("P3", ack(note="known"), "acknowledged", "known"),
        ("P1", ack(), "open", "was acknowledged as P2 and is P1 now"),
        ("P1", ack(note="known"), "open", "was acknowledged as P2 and is P1 now; known"),
        ("P0", ack(severity=None), "acknowledged", None),
        ("P2", ack("open"), "open", None),
    ],
)
def test_what_becomes_of_a_finding(severity: str, said: Acknowledgement, status: str, note: str | None) -> None:
    (one,) = acknowledged([finding(severity)], {ID: said})
    assert (one.status, one.ack_note) == (status, note)


def test_a_lens_that_could_not_look_cannot_be_acknowledged() -> None:
    assert acknowledged([finding(status="skipped")], {ID: ack()})[0].status == "skipped"


@given(st.lists(st.builds(ack, st.sampled_from(["acknowledged", "open"]), at=st.integers(0, 5))), st.randoms())
def test_the_order_in_which_words_are_read_does_not_matter(acks: list[Acknowledgement], random) -> None:
    shuffled = list(acks)
    random.shuffle(shuffled)
    last = latest(acks).get(ID)
    assert (last and last.at_ms) == (max((one.at_ms for one in acks), default=None))
    assert {one.at_ms for one in latest(shuffled).values()} == {one.at_ms for one in latest(acks).values()}


@given(st.sampled_from(SEVERITIES), st.sampled_from(SEVERITIES))
def test_it_lapses_exactly_when_the_finding_is_graver(then: str, now: str) -> None:
    (one,) = acknowledged([finding(now)], {ID: ack(severity=then)})
    assert (one.status == "open") == (SEVERITIES.index(now) < SEVERITIES.index(then))  # type: ignore[arg-type]


def test_the_beginning_of_an_id_is_enough() -> None:
    known = {"ab12" + "0" * 12: "One", "ab13" + "0" * 12: "Two"}
    assert matching(" AB12 ", known) == "ab12" + "0" * 12
    with pytest.raises(UsageError, match=r"begins several ids: ab12.* \(One\), ab13.* \(Two\)"):
        matching("ab", known)
    with pytest.raises(NotFound, match="begins with `ff`"):
        matching("ff", known)
    for wrong in ("", "xyz", "lens_skipped:H"):
        with pytest.raises(UsageError, match="no beginning of an id"):
            matching(wrong, known)
