"""The sessions of `bench/curate/actions` are whole, and the bench that scores the curator by them is right."""

import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).parents[3] / "bench"
HOSTS = {"claude", "codex", "cursor", "opencode"}


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    sys.path.insert(0, str(BENCH))
    try:
        import curate_actions
    finally:
        sys.path.remove(str(BENCH))
    return curate_actions


def test_there_are_many_sessions_and_most_teach_nothing(bench: ModuleType) -> None:
    halves = {half: bench.sessions(half) for half in bench.HALVES}
    assert all(len(found) >= 30 for found in halves.values())
    for found in halves.values():
        assert 2 * sum(not one.expect for one in found) >= len(found)
        assert {one.do for session in found for one in session.expect} == set(bench.FATES)
        assert {one.host for one in found} == HOSTS
        assert any("b" in turn for one in found for turn in one.turns)
    assert all(any(one.notes for one in halves[half]) for half in ("dev", "judge"))
    ids = Counter(one.id for found in halves.values() for one in found)
    assert max(ids.values()) == 1


def test_every_session_is_whole(bench: ModuleType) -> None:
    pages = {path.stem: path.parent.name for path in (BENCH / "curate/actions/base").glob("*/*.md")}
    assert 30 <= len(pages) <= 40
    for session in (one for half in bench.HALVES for one in bench.sessions(half)):
        assert bool(session.turns) != bool(session.notes), session.id
        for turn in session.turns:
            assert len(turn.keys() & {"u", "a", "b"}) == 1 and turn.keys() <= {"u", "a", "b", "t", "p"}, session.id
        said = "\n".join([turn.get("u") or turn.get("a", "") for turn in session.turns]).lower()
        said += "\n".join(" ".join(note.values()) for note in session.notes).lower()
        for one in session.expect:
            assert one.says and all(word in said for word in one.says), session.id
            assert (one.do == "add") == (one.page is None), session.id
            assert one.page is None or pages[one.page] == one.kind, session.id


def test_three_sessions_are_captured_proposed_from_curated_and_judged(bench: ModuleType) -> None:
    known = {one.id: one for one in bench.sessions("dev")}
    judged = bench.alone([known[id] for id in ("d-nvs", "d-briefing", "d-this-pr")])
    assert [len(one.right) for one in judged] == [1, 0, 0]
    found = bench.summary(judged)
    assert (found["sessions"], found["nothing_expected"], found["user_turns"]) == (3, 2, 8)
    assert found["overall"] == {"expected": 1, "got": 1, "right": 1, "precision": 1.0, "recall": 1.0}
    assert found["junk"] == found["recaptured"] == found["missed"] == 0


def test_what_is_not_expected_is_junk_and_what_has_another_fate_is_wrong(bench: ModuleType) -> None:
    nvs = next(one for one in bench.sessions("dev") if one.id == "d-nvs")
    add = nvs.expect[0]
    [twice] = bench.alone([nvs._replace(expect=(add._replace(do="drop", page="ci"),))])
    assert [one.do for one, _ in twice.wrong] == ["drop"] and not (twice.right or twice.junk or twice.missed)
    [none] = bench.alone([nvs._replace(expect=())])
    assert len(none.junk) == 1 and bench.summary([none])["junk_per_100_turns"] == 33.3
