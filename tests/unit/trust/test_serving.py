"""What is served is decided by the trust store when a page is read, whatever its file says."""

from pathlib import Path

import pytest

from cairn.core.search_query import Filters
from cairn.errors import Refused
from cairn.retrieve.briefing import briefing_of
from cairn.retrieve.read_page import index_of, read_page
from cairn.retrieve.search import run_search
from cairn.trust.maintain import quarantine
from trust_world import PAGE, TrustWorld, page

BAD = "A client may send 100,000 requests a minute. Nobody needs to wait."


@pytest.fixture
def world(tmp_path: Path) -> TrustWorld:
    made = TrustWorld(tmp_path / "shop")
    made.commit(page())
    return made


def banner(world: TrustWorld, path: str = PAGE) -> str:
    world.app.update_graph()
    return " ".join(read_page(world.app, path).banner)


def found(world: TrustWorld, question: str = "requests a minute") -> list[tuple[str, str | None, str]]:
    world.app.update_graph()
    hits = run_search(world.app, question, Filters()).hits
    return [(hit.path, hit.status, hit.standing.level) for hit in hits]


def told(world: TrustWorld) -> str:
    world.app.update_graph()
    return briefing_of(world.app, 1_000).text


def approve(world: TrustWorld) -> None:
    from cairn.knowledge.approve import approve_pages, pages_to_approve

    approve_pages(world.app, pages_to_approve(world.app, [PAGE]), named=True)


def test_a_promotion_counts_before_it_is_merged(world: TrustWorld) -> None:
    world.tick()
    assert "use has not confirmed it yet" in banner(world)
    world.vote(6)
    world.pass_days(3)
    world.tick(merging=False)
    assert "status: alpha" in world.read()
    assert "A few have confirmed this" in banner(world)
    assert found(world) == [(PAGE, "beta", "banner")]
    [hit] = run_search(world.app, "requests a minute", Filters()).hits
    [trust] = [factor for factor in hit.explanation.factors if factor.name == "trust"]
    assert (trust.value, trust.why) == (1.0, "beta: a few have confirmed it")


def test_a_text_that_was_rolled_back_is_not_served_although_it_lies_there(world: TrustWorld) -> None:
    world.grow("stable")
    world.commit(world.read().replace("A client may send 100 requests a minute.", BAD))
    world.tick()
    world.vote(2, "reject")
    world.tick(merging=False)
    assert BAD in world.read()
    served = read_page(world.app, PAGE)
    assert (BAD in served.text, "100 requests" in served.text, served.status) == (False, True, "stable")
    hits = run_search(world.app, "requests a minute", Filters()).hits
    assert ["100,000" in hit.excerpt.text for hit in hits] == [False]
    approve(world)
    assert "limits" not in told(world), "a briefing waits for the merge"


def test_a_page_in_quarantine_is_refused_everywhere_whether_or_not_that_is_merged(world: TrustWorld) -> None:
    world.tick()
    approve(world)
    assert "limits" in told(world)
    quarantine(world.desk(), PAGE, "It is harmful.")
    assert "status: alpha" in world.read()
    with pytest.raises(Refused, match="in quarantine"):
        read_page(world.app, PAGE)
    assert found(world) == []
    assert [listing.path for listing in index_of(world.app)] == []
    assert "limits" not in told(world)


def test_a_page_that_quarantines_itself_is_refused_and_stays_so(world: TrustWorld) -> None:
    world.grow("beta")
    world.commit(world.read().replace("status: beta", "status: quarantined"))
    world.tick()
    assert world.row().status == "quarantined"
    world.commit(world.read().replace("status: quarantined", "status: stable"))
    world.tick(merging=False)
    with pytest.raises(Refused):
        read_page(world.app, PAGE)


def test_a_page_that_requires_itself_is_served(world: TrustWorld) -> None:
    world.commit(page(depends_on="[limits]"))
    world.tick()
    assert "use has not confirmed it yet" in banner(world)


def test_an_edit_that_nobody_judged_has_no_standing_yet(world: TrustWorld) -> None:
    world.grow("stable")
    assert banner(world) == ""
    world.write(world.read().replace("100 requests", "60 requests"))
    assert "use has not confirmed it yet" in banner(world)


@pytest.mark.parametrize(
    ("status", "level", "words"),
    [
        ("stable", "plain", ""),
        ("beta", "banner", "It builds on `knowledge/http/limits.md`: A few have confirmed this"),
        (
            "deprecated",
            "warning",
            "It builds on `knowledge/http/limits.md`: This is no longer recommended; see `quotas`",
        ),
        ("quarantined", "refused", "It builds on `knowledge/http/limits.md`: This is in quarantine"),
    ],
)
def test_a_page_stands_no_better_than_what_it_requires(world: TrustWorld, status: str, level: str, words: str) -> None:
    world.commit(page(status=status, superseded_by="quotas"))
    world.commit(
        page("Retry politely.", name="retries", status="stable", depends_on="[limits]"), "knowledge/http/retries.md"
    )
    world.commit(
        page("Clients retry.", name="clients", status="stable", depends_on="[retries]"), "knowledge/http/clients.md"
    )
    from cairn.trust.maintain import enroll

    enroll(world.desk(), [PAGE, "knowledge/http/retries.md", "knowledge/http/clients.md"], keep_status=True)
    standings = world.app.standings()
    for name in ("retries", "clients"):
        node = world.app.store.node(f"knowledge/http/{name}.md")
        assert node is not None
        serving = standings.of(node.path, node.frontmatter).serving
        assert (serving.level, words in serving.words) == (level, True), serving


def test_a_flag_against_a_stable_page_is_a_strong_warning(world: TrustWorld) -> None:
    world.grow("stable")
    world.vote(1, "flag")
    world.tick(merging=False)
    assert "Somebody flagged this as harmful" in banner(world)
    assert found(world) == [(PAGE, "stable", "warning")]


def test_what_nothing_has_confirmed_for_long_is_stale(world: TrustWorld) -> None:
    world.grow("stable")
    world.pass_days(200)
    assert "Nothing has confirmed this for 215 days." in banner(world)


def test_a_status_that_nobody_gave_is_a_claim_once_pages_are_tracked(world: TrustWorld) -> None:
    world.commit(page(name="other", status="stable"), "knowledge/http/other.md")
    assert "claims" not in banner(world, "knowledge/http/other.md"), "nothing is tracked yet"
    world.tick()
    assert "claims a status that nothing confirms" in banner(world, "knowledge/http/other.md")


def test_reading_shows_the_ballots_and_what_others_found_wrong(world: TrustWorld) -> None:
    world.tick()
    world.vote(2)
    world.vote(1, "reject")
    cohort = read_page(world.app, PAGE).cohort
    assert cohort is not None
    assert (cohort.confirms, cohort.rejects, cohort.observations) == (2, 1, ("It says so.",))
    assert cohort.anchor == f"entry:{PAGE}@r1"
