"""One person with one repository: what they merge, check and use takes the place of many voters."""

import json
from pathlib import Path

import pytest

from cairn.knowledge.approve import approve_merged
from cairn.trust.overview import history
from trust_world import PAGE, TrustWorld, page

SOURCED = {"sources": "[{path: 'src/app.py#LIMIT'}]"}


@pytest.fixture
def world(tmp_path: Path) -> TrustWorld:
    made = TrustWorld(tmp_path / "shop", preset="solo")
    (made.root / "src").mkdir()
    (made.root / "src/app.py").write_text("LIMIT = 100\n")
    made.commit(page(**SOURCED), author="an agent")
    return made


def use(world: TrustWorld, session: str) -> None:
    payload = {"path": PAGE, "surface": "mcp", "session": session, "revision": None}
    world.app.ledger.append("page_read", payload, now_ms=world.clock.now_ms())


def test_a_single_person_reaches_stable_within_weeks_of_honest_use(world: TrustWorld) -> None:
    world.tick()
    approve_merged(world.app, [world.read().encode()])
    reached: dict[str, int] = {}
    for day in range(1, 31):
        world.pass_days(1)
        if day % 2:
            use(world, f"session-{day}")
        world.tick()
        reached.setdefault(world.row().status, day)
        if world.row().status == "stable":
            break
    assert reached["beta"] <= 4
    assert 14 <= reached["stable"] <= 21
    sources = {event.by for event in history(world.app, PAGE) if event.what == "confirm"}
    assert sources >= {"merge", "use"}


def test_use_alone_is_one_kind_of_evidence_and_promotes_nothing(world: TrustWorld) -> None:
    world.commit(page(), author="an agent")
    world.tick()
    for day in range(20):
        use(world, f"session-{day}")
        world.pass_days(1)
        world.tick()
    assert world.row().status == "alpha"


def test_a_session_that_corrects_the_page_speaks_against_it(world: TrustWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    world.tick()
    use(world, "s1")
    use(world, "s2")
    world.pass_days(2)
    monkeypatch.setattr(type(world.app), "corrected_pages", lambda _: {PAGE: ["s1:practice:0"]})
    [ballot] = world.tick().evidence
    assert (ballot.source, ballot.verdict, ballot.session) == ("use", "reject", "s1")


def test_a_source_in_the_repository_that_changed_is_no_evidence(world: TrustWorld) -> None:
    from cairn.changes.requests import who

    assert who(world.app) == "Ada"
    world.tick()
    known = {ballot.source for ballot in world.tick().evidence}
    (world.root / "src/app.py").unlink()
    world.pass_days(1)
    assert "check" not in {ballot.source for ballot in world.tick().evidence}, known
    assert json.dumps(sorted(known))
