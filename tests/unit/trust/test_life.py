"""The life of pages in a real repository: promotion, rollback, quarantine, reinstatement, stopped ticks."""

from pathlib import Path

import pytest

from cairn.core.model.change import RequestState
from cairn.errors import CairnError, Conflict, Refused
from cairn.trust import tick as ticking
from cairn.trust.maintain import enroll, quarantine, reinstate
from cairn.trust.overview import overview, why
from repository import git
from trust_world import PAGE, TrustWorld, decided, page, tables

BAD = "A client may send 100,000 requests a minute. Nobody needs to wait."


@pytest.fixture
def world(tmp_path: Path) -> TrustWorld:
    made = TrustWorld(tmp_path / "shop")
    made.commit(page())
    return made


def test_a_page_is_promoted_step_by_step_and_each_step_is_one_change(world: TrustWorld) -> None:
    world.tick()
    world.vote(6)
    assert decided(world.tick()) == [], "48 hours are not over"
    world.pass_days(3)
    done = world.tick()
    assert decided(done) == [("promote", "beta")]
    assert [step.title for step in done.landing] == [f"Set `{PAGE}` to beta"]
    assert "status: beta\nversion: 0.2.0\n" in world.read()
    world.pass_days(15)
    assert decided(world.tick()) == [("promote", "stable")]
    assert "status: stable\nversion: 1.0.0\n" in world.read()
    assert world.row().rev == 1, "a promotion never resets the cohort"
    world.tick()
    assert (world.row().seen_status, world.row().landed) == ("stable", 1)


def test_a_second_tick_has_nothing_to_do(world: TrustWorld) -> None:
    world.grow("stable")
    before = tables(world)
    done = world.tick()
    assert (done.observed, done.decided, done.landing, done.evidence) == ((), (), (), ())
    assert tables(world) == before


def test_a_confirmation_of_dates_keeps_the_cohort_and_an_edit_begins_a_new_one(world: TrustWorld) -> None:
    world.grow("beta")
    world.commit(world.read().replace("status: beta", "last-reviewed: 2026-11-01\nstatus: beta"))
    world.tick()
    assert (world.row().rev, world.row().status) == (1, "beta")
    world.commit(world.read().replace("100 requests", "60 requests"))
    world.tick()
    assert (world.row().rev, world.row().status, world.row().good_rev) == (2, "alpha", 1)
    assert "status: alpha" in world.read()


def test_a_declared_maintenance_edit_keeps_the_cohort_unless_it_changes_a_number(world: TrustWorld) -> None:
    long = "A client may send 100 requests a minute. " + "It waits, and tries again when it is told to. " * 20
    world.commit(page(long))
    world.grow("beta")
    world.commit(world.read().replace("It waits,", "It waits").replace("status:", "maintenance: true\nstatus:"))
    world.tick()
    assert (world.row().rev, world.row().status, world.row().version) == (1, "beta", "0.2.1")
    world.commit(world.read().replace("100 requests", "101 requests"))
    world.tick()
    assert (world.row().rev, world.row().status) == (2, "alpha")


def test_a_rejected_edit_of_a_stable_page_is_rolled_back_to_the_text_that_was(world: TrustWorld) -> None:
    world.grow("stable")
    before = world.read()
    world.commit(before.replace("A client may send 100 requests a minute.", BAD))
    world.tick()
    world.vote(2, "reject")
    done = world.tick(merging=False)
    assert decided(done) == [("rollback", "stable")]
    assert BAD in world.read(), "not merged yet"
    world.merge_all()
    assert world.read().replace("1.0.1", "1.0.0") == before
    assert "version: 1.0.1" in world.read(), "1.0.0 was used, and another text has it"
    world.tick()
    assert (world.row().status, world.row().rev, world.row().landed) == ("stable", 3, 1)
    assert [ticket.title for ticket in world.app.forge.tickets()] == [f"Review `{PAGE}`: it was rolled back"]
    assert BAD not in world.app.forge.tickets()[0].body


def test_a_rejected_page_without_a_good_revision_is_hidden_until_it_is_amended(world: TrustWorld) -> None:
    world.tick()
    world.vote(2, "reject")
    assert decided(world.tick()) == [("rollback", "draft")]
    assert "status: draft" in world.read()
    world.commit(world.read().replace("100 requests", "60 requests"))
    world.tick()
    assert (world.row().status, world.row().rev) == ("alpha", 2)


def test_one_flag_withdraws_an_alpha_page_and_a_person_reinstates_it(world: TrustWorld) -> None:
    world.tick()
    [flagger] = world.vote(1, "flag")
    assert decided(world.tick()) == [("quarantine", "quarantined")]
    assert "status: quarantined" in world.read()
    assert why(world.app, world.row()).next == "It is not served until a person runs `cairn trust reinstate`."
    done = reinstate(world.desk(), PAGE, "The flag was wrong.")
    assert (done.after.status, done.after.rev, len(done.closed)) == ("alpha", 2, 1)
    assert world.app.store.trust.strikes([flagger]) == {flagger: 1}
    assert world.app.forge.tickets() == []
    world.merge_all()
    assert decided(world.tick()) == [], "the old flag is about the old cohort"
    assert "status: alpha" in world.read()


def test_one_flag_holds_a_stable_page_and_a_second_withdraws_it(world: TrustWorld) -> None:
    world.grow("stable")
    world.vote(1, "flag")
    assert decided(world.tick()) == [("hold", "stable")]
    assert decided(world.tick()) == []
    assert "A person decides" in why(world.app, world.row()).next
    world.vote(1, "flag")
    assert decided(world.tick()) == [("quarantine", "quarantined")]


def test_a_hold_ends_when_a_person_says_so(world: TrustWorld) -> None:
    world.grow("stable")
    world.vote(1, "flag")
    world.tick()
    assert reinstate(world.desk(), PAGE, "Checked.").after.hold == 0
    assert decided(world.tick()) == [], "the flag of somebody who was wrong is not counted again"
    assert world.row().status == "stable"


def test_quarantine_by_a_person_falls_back_to_the_good_revision_or_to_nothing(world: TrustWorld) -> None:
    world.grow("beta")
    world.commit(world.read().replace("100 requests", "9 requests"))
    world.tick()
    done = quarantine(world.desk(), PAGE, "It is harmful.")
    assert (done.after.status, done.after.content) == ("beta", done.before.good_content)
    world.merge_all()
    assert "100 requests" in world.read()
    whole = quarantine(world.desk(), PAGE, "All of it is.", whole=True)
    assert whole.after.status == "quarantined"
    with pytest.raises(Conflict, match="already"):
        quarantine(world.desk(), PAGE, "Again.")


def test_a_rollback_that_landed_is_taken_back_by_a_change_of_its_own(world: TrustWorld) -> None:
    world.grow("beta")
    good = world.read()
    world.commit(good.replace("100 requests", "60 requests"))
    world.tick()
    world.vote(2, "reject")
    world.tick()
    world.tick()
    with pytest.raises(Refused, match="cairn change revert"):
        reinstate(world.desk(), PAGE, "It was right.")
    world.commit(good.replace("100 requests", "60 requests"))
    world.tick()
    assert (world.row().status, world.row().rev) == ("alpha", 4), "it is proposed again, and judged anew"


def test_a_stable_page_is_judged_by_the_ballots_of_the_window(world: TrustWorld) -> None:
    world.grow("stable")
    world.pass_days(120)
    world.vote(2, "reject")
    assert decided(world.tick()) == [("rollback", "draft")], "12 confirmations are too long ago"


def test_a_deprecated_page_stays_until_its_file_says_otherwise(world: TrustWorld) -> None:
    world.grow("beta")
    world.commit(world.read().replace("status: beta", "status: deprecated\nsuperseded_by: quotas"))
    world.tick()
    assert world.row().status == "deprecated"
    world.commit(world.read().replace("status: deprecated", "status: alpha").replace("100", "60"))
    world.tick()
    assert (world.row().status, world.row().transition) == ("alpha", "revive")


def test_a_page_that_is_moved_takes_its_ballots_along(world: TrustWorld) -> None:
    world.tick()
    world.vote(6)
    new = "knowledge/net/limits.md"
    (world.root / "knowledge/net").mkdir()
    git(world.root, "mv", PAGE, new)
    git(world.root, "commit", "-qm", "Move")
    world.tick()
    world.pass_days(3)
    assert decided(world.tick()) == [("promote", "beta")]
    assert world.row(new).status == "beta"
    assert world.row().content == ""


# --- what goes wrong --------------------------------------------------------------------------------------------------


def test_a_status_that_somebody_raised_by_hand_is_set_back_and_reported(world: TrustWorld) -> None:
    world.tick()
    world.commit(world.read().replace("status: alpha", "status: stable"))
    done = world.tick(merging=False)
    assert world.row().status == "alpha"
    assert [(one.rule, one.code) for one in overview(world.app).problems] == [(4, "transition_not_justified")]
    assert [step.title for step in done.landing] == [f"Set `{PAGE}` to alpha"]
    world.merge_all()
    assert "status: alpha" in world.read()


def test_a_new_page_that_claims_to_be_stable_is_not_tracked_and_reported(world: TrustWorld) -> None:
    world.tick()
    world.commit(page(name="other", status="stable"), "knowledge/http/other.md")
    world.tick()
    [problem] = overview(world.app).problems
    assert (problem.path, "nobody enrolled it" in problem.message) == ("knowledge/http/other.md", True)
    enroll(world.desk(), ["knowledge/http/other.md"], keep_status=True)
    assert world.row("knowledge/http/other.md").status == "stable"
    assert overview(world.app).problems == ()


@pytest.mark.parametrize("stop", ["publish", "open_reviews"])
def test_a_tick_that_dies_before_git_is_finished_by_the_next(
    world: TrustWorld, monkeypatch: pytest.MonkeyPatch, stop: str
) -> None:
    world.tick()
    world.vote(1, "flag")
    with monkeypatch.context() as patch:
        target = ticking.StatusLanding if stop == "publish" else ticking

        def die(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        patch.setattr(target, stop, die)
        with pytest.raises(KeyboardInterrupt):
            world.tick()
    assert world.row().status == "quarantined", "decided, and served like that already"
    done = world.tick()
    assert decided(done) == []
    assert "status: quarantined" in world.read()
    assert len(world.app.forge.tickets()) == 1


def test_two_ticks_at_once_wait_for_each_other(world: TrustWorld) -> None:
    world.tick()
    locks = world.app.repository_locks
    with locks.hold("trust", ttl_ms=60_000), pytest.raises(Conflict):
        world.tick()
    assert world.tick().decided == ()


def test_a_base_that_moved_is_followed_by_the_open_request(world: TrustWorld) -> None:
    world.tick()
    world.vote(6)
    world.pass_days(3)
    world.tick(merging=False)
    world.commit(page(name="other"), "knowledge/http/other.md")
    world.tick(merging=False)
    [request] = world.app.forge.requests(states=(RequestState.OPEN, RequestState.READY))
    assert request.base == git(world.root, "rev-parse", "main").strip()
    world.merge_all()
    assert "status: beta" in world.read()


def test_a_request_that_an_edit_made_pointless_is_closed(world: TrustWorld) -> None:
    world.tick()
    world.vote(6)
    world.pass_days(3)
    world.tick(merging=False)
    world.commit(world.read().replace("100 requests", "60 requests"))
    world.tick(merging=False)
    assert world.row().status == "alpha"
    assert world.app.forge.requests(states=(RequestState.OPEN, RequestState.READY)) == []


def test_a_request_that_a_person_closed_stays_closed(world: TrustWorld) -> None:
    from cairn.changes.requests import close

    world.tick()
    world.vote(6)
    world.pass_days(3)
    world.tick(merging=False)
    [request] = world.app.forge.requests(states=(RequestState.OPEN, RequestState.READY))
    close(world.app, request.id, reason="not yet")
    [step] = world.tick(merging=False).landing
    assert (step.request, step.held) == ("", "a person closed this request")


def test_a_clock_that_runs_back_promotes_nothing(world: TrustWorld) -> None:
    world.tick()
    world.vote(6)
    world.pass_days(-400)
    assert decided(world.tick()) == []
    world.pass_days(403)
    assert decided(world.tick()) == [("promote", "beta")]


def test_without_git_statuses_are_kept_and_no_file_is_touched(tmp_path: Path) -> None:
    world = TrustWorld(tmp_path / "shop")
    git_folder = world.root / ".git"
    git_folder.rename(tmp_path / "away")
    world.write(page())
    world.tick(merging=False)
    world.vote(6)
    world.pass_days(3)
    assert decided(world.tick(merging=False)) == [("promote", "beta")]
    assert world.read() == page()
    world.write(page(BAD))
    world.tick(merging=False)
    world.vote(2, "reject")
    assert decided(world.tick(merging=False)) == [("rollback", "beta")]


def test_the_whole_life_is_rebuilt_from_the_events(world: TrustWorld) -> None:
    world.grow("stable")
    world.commit(world.read().replace("100 requests", "60 requests"))
    world.tick()
    world.vote(1, "flag")
    world.tick()
    world.vote(3)
    before = tables(world)
    world.app.store.clear_index()
    assert not any(tables(world).values())
    world.app.index_ledger()
    assert tables(world) == before


def test_the_submitter_cannot_vote(world: TrustWorld) -> None:
    from cairn.trust.validate import validate_page

    world.tick()
    with pytest.raises(Refused, match="others have to confirm it"):
        validate_page(world.app, PAGE, "confirm", reason=None)
    git(world.root, "config", "user.name", "Grace")
    assert validate_page(world.app, PAGE, "confirm", reason=None).id
    assert validate_page(world.app, PAGE, "confirm", reason=None).id == "", "once is enough"
    with pytest.raises(CairnError, match="reason"):
        validate_page(world.app, PAGE, "reject", reason=" ")
    world.write(world.read().replace("100", "60"))
    with pytest.raises(Conflict, match="on the base branch"):
        validate_page(world.app, PAGE, "confirm", reason=None)
