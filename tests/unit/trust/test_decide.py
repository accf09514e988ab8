"""The transition table: what each preset asks for, which moves are legal, and what each move leaves."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model.knowledge import EntryStatus
from cairn.core.ports.trust import SOURCES, ArtefactRow, Tally
from cairn.trust.artefact import PageState, enrolled, lowers, moved, next_version, reinstated, seen
from cairn.trust.decide import Aggregates, Decision, decide
from cairn.trust.presets import DAY_MS, HOUR_MS, PRESETS, PresetName
from cairn.trust.table import NEXT, Transition

NOW = 400 * DAY_MS
GOOD = {"good_rev": 1, "good_status": "stable", "good_content": "g" * 16, "good_revision": "a" * 40}


def row(status: str = "alpha", age_ms: int = 20 * DAY_MS, **changes: Any) -> ArtefactRow:
    made = enrolled(
        "a.md", "entry", PageState("c" * 16, None, "", "r" * 40), NOW - age_ms, status=EntryStatus.ALPHA, by="tick"
    )
    return made._replace(status=status, **changes)


def tally(confirms: int = 0, rejects: int = 0, flags: int = 0, **by: int) -> Tally:
    """Of people, or by source."""
    confirmed = tuple(by.get(source, confirms if source == "person" else 0) for source in SOURCES)
    return Tally(confirmed, (rejects, 0, 0, 0, 0, 0), flags, NOW if confirms else 0)


def said(preset: PresetName, artefact: ArtefactRow, counts: Tally, window: Tally | None = None) -> tuple[str, str]:
    found = decide(artefact, Aggregates(counts, counts if window is None else window), NOW, PRESETS[preset])
    return str(found.transition), str(found.to)


PROMOTE_BETA, STAY = ("promote", "beta"), ("stay", "alpha")


@pytest.mark.parametrize(
    ("preset", "artefact", "counts", "expected"),
    [
        ("hub", row(), tally(3), PROMOTE_BETA),
        ("hub", row(age_ms=48 * HOUR_MS - 1), tally(3), STAY),
        ("hub", row(age_ms=48 * HOUR_MS), tally(3), PROMOTE_BETA),
        ("hub", row(), tally(2), STAY),
        ("hub", row(), tally(2, agent=1), PROMOTE_BETA),
        ("hub", row(), tally(2, probe=4), STAY),
        ("hub", row(), tally(9, 1), STAY),
        ("hub", row("beta"), tally(10), ("promote", "stable")),
        ("hub", row("beta"), tally(17, 3), ("stay", "beta")),
        ("hub", row("beta"), tally(18, 3), ("promote", "stable")),
        ("hub", row("beta", age_ms=14 * DAY_MS - 1), tally(10), ("stay", "beta")),
        ("hub", row(), tally(0, 4), STAY),
        ("hub", row(), tally(0, 5), ("rollback", "draft")),
        ("hub", row(**GOOD), tally(0, 5), ("rollback", "stable")),
        ("team", row(), tally(2), PROMOTE_BETA),
        ("team", row("beta"), tally(4), ("promote", "stable")),
        ("team", row("beta"), tally(agent=4), ("stay", "beta")),
        ("team", row(), tally(1, 3), ("rollback", "draft")),
        ("team", row(), tally(flags=1), ("quarantine", "quarantined")),
        ("team", row(**GOOD), tally(flags=1), ("quarantine", "stable")),
        ("team", row("stable"), tally(flags=1), ("hold", "stable")),
        ("team", row("stable", hold=1), tally(flags=1), ("stay", "stable")),
        ("team", row("stable", hold=1), tally(flags=2), ("quarantine", "quarantined")),
        ("team", row(), tally(4, flags=1), ("quarantine", "quarantined")),
        ("solo", row(), tally(merge=1, use=1), PROMOTE_BETA),
        ("solo", row(), tally(merge=2), STAY),
        ("solo", row(), tally(use=3), STAY),
        ("solo", row("beta"), tally(merge=1, use=6, check=2), ("promote", "stable")),
        ("solo", row("beta"), tally(use=10), ("stay", "beta")),
        ("solo", row(), tally(rejects=1), ("rollback", "draft")),
        ("hub", row(kind="route", age_ms=90 * DAY_MS), tally(), ("deprecate", "deprecated")),
        ("hub", row(age_ms=90 * DAY_MS), tally(), STAY),
        ("hub", row("quarantined"), tally(99), ("stay", "quarantined")),
        ("hub", row("deprecated"), tally(99), ("stay", "deprecated")),
    ],
)
def test_what_the_table_decides(
    preset: PresetName, artefact: ArtefactRow, counts: Tally, expected: tuple[str, str]
) -> None:
    assert said(preset, artefact, counts) == expected


def test_a_stable_page_is_judged_by_its_window() -> None:
    assert said("team", row("stable"), tally(40, 2), tally(0, 2)) == ("rollback", "draft")
    assert said("team", row("stable"), tally(0, 40), tally(1, 1)) == ("stay", "stable")


counts = st.builds(tally, st.integers(0, 15), st.integers(0, 15), st.integers(0, 3), probe=st.integers(0, 9))
states = st.builds(
    row,
    st.sampled_from([str(status) for status in EntryStatus]),
    st.sampled_from([0, 3 * DAY_MS, 15 * DAY_MS, -DAY_MS]),
    hold=st.sampled_from([0, 1]),
    kind=st.sampled_from(["entry", "route"]),
)


@given(states, counts, st.sampled_from(list(PRESETS)))
def test_no_move_is_illegal_and_a_move_is_made_once(artefact: ArtefactRow, ballots: Tally, preset: PresetName) -> None:
    decision = decide(artefact, Aggregates(ballots, ballots), NOW, PRESETS[preset])
    before = EntryStatus(artefact.status)
    assert decision.to is before or decision.to in NEXT[before]
    if decision.transition is not Transition.STAY and not decision.restores:
        after = moved(artefact, decision, NOW)
        assert after.cohort == artefact.cohort
        again = decide(after, Aggregates(ballots, ballots), NOW, PRESETS[preset])
        assert (again.transition, again.to) != (decision.transition, decision.to), "the same decision is not made twice"


@given(counts, st.sampled_from(list(PRESETS)))
def test_a_rollback_of_a_promotion_serves_the_text_that_was(ballots: Tally, preset: PresetName) -> None:
    """The base branch gets another text; what is withdrawn of it gives back the one before."""
    stable = row("stable", content="g" * 16, founding="g" * 16, revision="a" * 40, snapshot="sha256:x")
    edited = seen(stable, PageState("n" * 16, EntryStatus.STABLE, "", "b" * 40), (), NOW)
    assert edited is not None
    decision = decide(edited, Aggregates(ballots, ballots), NOW, PRESETS[preset])
    if decision.restores:
        back = moved(edited, decision, NOW)
        served = (back.content, back.revision, back.snapshot, back.status)
        assert served == (stable.content, stable.revision, stable.snapshot, "stable")
        assert back.rev == stable.rev + 2


def test_every_status_is_reached_and_left() -> None:
    """By the tick, or by what people and files order."""
    reached = {str(to) for tos in NEXT.values() for to in tos}
    assert reached == {str(status) for status in EntryStatus} == {str(status) for status in NEXT}
    assert all(NEXT.values())
    assert reinstated(row("quarantined"), NOW).status == "alpha"
    amended = seen(row("deprecated"), PageState("n" * 16, EntryStatus.ALPHA, "", "b" * 40), (), NOW)
    assert amended is not None
    assert (amended.status, amended.transition) == ("alpha", "revive")
    assert [lowers(to, EntryStatus.BETA) for to in EntryStatus] == [True, True, False, False, True, True]


@pytest.mark.parametrize(
    ("status", "patches", "to", "restores", "version"),
    [
        ("alpha", '{"0.1": 3}', "beta", False, "0.2.0"),
        ("beta", "", "stable", False, "1.0.0"),
        ("beta", '{"0.2": 1}', "beta", False, "0.2.2"),
        ("alpha", '{"1.0": 0}', "stable", True, "1.0.1"),
        ("alpha", '{"0.1": 2}', "quarantined", False, "0.1.0"),
    ],
)
def test_versions(status: str, patches: str, to: str, restores: bool, version: str) -> None:
    artefact = row(status, patches=patches, version="0.1.0")
    assert next_version(artefact, EntryStatus(to), restores=restores)[0] == version


def test_a_person_quarantines_by_the_same_move() -> None:
    after = moved(row("stable"), Decision(Transition.QUARANTINE, EntryStatus.QUARANTINED), NOW, by="person")
    assert (after.status, after.by) == ("quarantined", "person")
