"""Curating a real repository: requests, edits here, people who edit meanwhile, two runs at once."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.app.build import App, build_app
from cairn.core.model.candidate import Fate
from cairn.core.model.change import Taint
from cairn.core.session_log import head_of
from cairn.curate import ask_places
from cairn.curate import curate as curating
from cairn.curate import land_plan as curate_landing
from cairn.curate.curate import LOCK, CurateOptions, curate
from cairn.curate.plan import CuratePlan
from cairn.curate.report import rows
from cairn.curate.resolve_conflict import conflict_called, settle
from cairn.curate.run_journal import CurateState
from cairn.errors import Conflict, LocalFileTracked
from curation import candidate, keep_session
from repository import commit, git, make
from unit.curate.test_plan import PACKAGES, merging

PAGE = "knowledge/practice/packages.md"
FILES = {
    PAGE: PACKAGES,
    ".cairn/settings.json": '{"corpora": {"knowledge": {"root": "knowledge", "layout": "entries"}}}',
    ".gitignore": ".cairn/*\n!.cairn/settings.json\n",
}
ADDS = "Write commits in English."
EXTENDS = "Run npm ci in pipelines because it keeps the lockfile."
OPPOSES = "Use pnpm, not npm, for packages."
KNOWN = "Run npm ci in pipelines."


@pytest.fixture(autouse=True)
def reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a reader edits pages, so one stands in for it."""
    monkeypatch.setattr(ask_places, "decide", merging)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make(tmp_path / "w", FILES)
    keep_session(root, [candidate(text) for text in (ADDS, EXTENDS, OPPOSES, KNOWN)])
    return root


@pytest.fixture
def app(root: Path) -> Iterator[App]:
    with closing(app_of(root)) as app:
        yield app


def app_of(root: Path) -> App:
    return build_app(root, env={"PATH": os.environ["PATH"]}, clock=SettableClock(1_777_888_999_000), installed=False)


def fates(plan: CuratePlan) -> dict[str, str]:
    return {one.candidate.origin[-1]: one.action.fate.value for one in plan.fates}


def test_one_request_with_quotes_and_the_checkout_untouched(app: App, root: Path) -> None:
    done = curate(app)
    assert fates(done.plan) == {"0": "add", "1": "modify", "2": "contradict", "3": "drop"}
    [request] = app.forge.requests()
    assert done.landed.request == request.id and request.limited and request.landing == "manual"
    assert set(request.paths) == {PAGE, "knowledge/practice/write-commits-in-english.md"}
    said = [one["quotes"][0]["text"] for one in request.evidence["candidates"]]
    assert said == [ADDS, EXTENDS] and ADDS in request.body
    assert (
        git(root, "status", "--porcelain") == ""
        and not (root / "knowledge/practice/write-commits-in-english.md").exists()
    )


def test_each_candidate_once_and_the_log_is_stamped(app: App) -> None:
    first = curate(app)
    again = curate(app)
    assert again.plan.fates == () and len(app.forge.requests()) == 1
    logs = app.session_logs()
    head = head_of(logs, logs.names()[0])
    assert head is not None and head.log.curator_run_id == first.plan.run_id
    assert {stamp.fate for stamp in CurateState(app).stamps().values()} == {fate.value for fate in Fate}


def test_a_later_run_adds_to_the_request_that_is_open(app: App, root: Path) -> None:
    curate(app)
    more = [candidate("Run npm ci in pipelines on Node 22."), candidate("Tag releases on Friday.")]
    keep_session(root, more, session="s-2", at="2026-05-05T10:00:00.000Z")
    curate(app)
    [request] = app.forge.requests()
    assert len(request.paths) == 3 and len(request.evidence["runs"]) == 2 and len(request.evidence["candidates"]) == 4
    page = git(root, "show", f"{request.head}:{PAGE}")
    assert "keeps the lockfile" in page and "Node 22" in page and page.count("- .cairn/sessions/") == 2


def test_here_it_edits_the_pages_and_opens_nothing(app: App, root: Path) -> None:
    done = curate(app, CurateOptions("here"))
    assert app.forge.requests() == [] and len(done.landed.written) == 2
    assert "keeps the lockfile" in (root / PAGE).read_text()
    keep_session(root, [candidate("Run npm ci in pipelines on Node 22.")], session="s-2", at="2026-05-05T10:00:00.000Z")
    curate(app, CurateOptions("here"))
    assert "Node 22" in (root / PAGE).read_text(), "also on top of what nobody committed yet"


def test_what_followed_a_stranger_waits_for_a_request(app: App, root: Path) -> None:
    keep_session(root, [candidate("Tag releases on Friday.", taint=Taint.OUTSIDE)], session="s-2")
    done = curate(app, CurateOptions("here"))
    assert [one.origin for one in done.waiting] == ["s-2:practice:0"]
    assert ["waits", "Tag releases on Friday"] in [row[:2] for row in rows(done)]
    curate(app)
    [request] = app.forge.requests()
    assert request.taint is Taint.OUTSIDE and request.paths == ("knowledge/practice/tag-releases-on-friday.md",)


def test_a_rehearsal_writes_nothing(app: App, root: Path) -> None:
    plan = curate(app, CurateOptions(dry_run=True)).plan
    assert len(plan.fates) == 4 and app.forge.requests() == [] and CurateState(app).stamps() == {}
    assert not (root / ".cairn/conflicts").exists() and not (root / ".cairn/locks/curate.lock").exists()


def test_two_at_once_and_the_second_hears_who_runs(app: App) -> None:
    with app.locks.hold(LOCK, ttl_ms=60_000), pytest.raises(Conflict, match=str(os.getpid())):
        curate(app)


# --- somebody edits meanwhile ---------------------------------------------------------------------------------------


def test_a_page_edited_once_is_planned_anew(app: App, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = curating.moved
    edits = iter([PACKAGES + "\nBy hand.\n"])

    def moved(app: App, plan: CuratePlan) -> dict[str, str]:
        if text := next(edits, None):
            (root / PAGE).write_text(text)
        return looked(app, plan)

    monkeypatch.setattr(curating, "moved", moved)
    done = curate(app, CurateOptions("here"))
    text = (root / PAGE).read_text()
    assert "By hand." in text and "keeps the lockfile" in text and done.waiting == ()


def test_a_page_edited_at_the_last_moment_is_left_alone(app: App, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep = CurateState.keep_plan

    def keep_plan(state: CurateState, plan: CuratePlan) -> None:
        keep(state, plan)
        (root / PAGE).write_text(PACKAGES + "\nBy hand.\n")

    monkeypatch.setattr(CurateState, "keep_plan", keep_plan)
    done = curate(app, CurateOptions("here"))
    assert (root / PAGE).read_text() == PACKAGES + "\nBy hand.\n"
    assert [one.origin for one in done.waiting] == ["s-1:practice:1"]
    assert "s-1:practice:1" not in CurateState(app).stamps()


def test_edits_that_nobody_committed_keep_a_page_out_of_a_request(app: App, root: Path) -> None:
    (root / PAGE).write_text(PACKAGES + "\nBy hand.\n")
    done = curate(app)
    assert "commit" in done.waiting[0].reason and app.forge.requests()[0].paths != (PAGE,)


# --- what fails, what waits -----------------------------------------------------------------------------------------


def test_a_failure_is_kept_until_it_can_be_retried(app: App, root: Path) -> None:
    taken = {
        f"knowledge/practice/write-commits-in-english{end}.md": PACKAGES.replace(
            "name: packages", f"name: write-commits-in-english{end}"
        )
        for end in ("", "-2", "-3", "-4")
    }
    commit(root, taken)
    done = curate(app, CurateOptions("here"))
    [failure] = done.plan.failures
    assert failure.reason == "add_collision" and CurateState(app).failures() == [failure]
    assert curate(app, CurateOptions("here")).plan.fates == ()
    (root / "knowledge/practice/write-commits-in-english-4.md").unlink()
    again = curate(app, CurateOptions("here", retry_failed=True))
    assert fates(again.plan) == {"0": "add"} and CurateState(app).failures() == []


def test_a_limit_holds_pages_back_and_nothing_is_lost(app: App, root: Path) -> None:
    for number in range(2):
        keep_session(root, [candidate(f"Tag release number {number} on Friday.")], session=f"t-{number}")
        app.forge.close(curate(app, CurateOptions(most=1)).landed.request, now_ms=0)
    keep_session(root, [candidate(text) for text in ("Name branches after tickets.", OPPOSES)], session="s-2")
    done = curate(app)
    assert "change.max_per_hour" in done.landed.held and "s-2:practice:0" in {one.origin for one in done.waiting}
    assert "s-2:practice:0" not in CurateState(app).stamps() and "s-2:practice:1" in CurateState(app).stamps()


def test_a_secret_does_not_leave_and_the_rest_does(app: App, root: Path) -> None:
    key = "AKIA" + "Z7QX3NV5LT2WPB4K"
    keep_session(
        root, [candidate(f"The deploy key is {key}.", kind="map")], session="s-2", at="2026-05-05T10:00:00.000Z"
    )
    done = curate(app)
    assert [one.origin for one in done.waiting] == ["s-2:map:0"] and "secret" in done.waiting[0].reason
    assert key not in app.forge.requests()[0].body
    keep_session(root, [candidate(f"{OPPOSES} Its token is {key}.")], session="s-3", at="2026-05-06T10:00:00.000Z")
    curate(app)
    assert not any(key in file.read_text() for file in (root / ".cairn/conflicts").iterdir())


def test_what_a_gate_keeps_out_of_a_stable_page_is_for_a_person(app: App, root: Path) -> None:
    commit(root, {PAGE: PACKAGES.replace("topics:", "volatility: stable\ntopics:")})
    done = curate(app)
    assert fates(done.plan)["1"] == "contradict" and PAGE not in app.forge.requests()[0].paths
    held = next(one for one in done.plan.conflicts if one.extra)
    settled = settle(app, held.id, "accepted")
    assert settled.request and "keeps the lockfile" in app.forge.diff(settled.request)


def test_broken_pages_are_all_named_at_once(app: App, root: Path) -> None:
    commit(root, {f"knowledge/practice/broken-{n}.md": "---\nname: [\n---\n" for n in range(200)})
    assert len({line.partition(":")[0] for line in curate(app).broken}) == 200


def test_an_error_in_another_page_holds_nothing_up(app: App, root: Path) -> None:
    commit(root, {"knowledge/practice/broken.md": "---\nname: [\n---\n"})
    done = curate(app)
    assert not done.waiting
    assert {"s-1:practice:0", "s-1:practice:1"} <= {one.candidate.origin for one in done.plan.fates}


def test_state_that_came_with_a_commit_is_refused(app: App, root: Path) -> None:
    file = root / ".cairn/curate/stamps.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text("")
    git(root, "add", "-f", str(file))
    git(root, "commit", "-qm", "theirs")
    with pytest.raises(LocalFileTracked):
        curate(app)


# --- conflicts --------------------------------------------------------------------------------------------------------


def test_a_kept_conflict_is_not_asked_again(app: App, root: Path) -> None:
    curate(app)
    settle(app, "1", "kept", reason="depends on the region")
    keep_session(root, [candidate("use pnpm, not npm, for packages")], session="s-2", at="2026-05-05T10:00:00.000Z")
    done = curate(app)
    assert fates(done.plan) == {"0": "drop"} and "kept" in done.plan.fates[0].action.rationale
    assert conflict_called(app, "-1").extra["reason"] == "depends on the region"


def test_an_accepted_one_becomes_a_request_of_its_own_and_is_settled_once(app: App, root: Path) -> None:
    curate(app)
    settled = settle(app, "1", "accepted")
    diff = app.forge.diff(settled.request)
    assert "+Use pnpm, not npm, for packages. Run npm ci in pipelines." in diff
    assert settle(app, "1", "accepted").request == "", "the same again is no harm"
    with pytest.raises(Conflict, match="accepted by"):
        settle(app, "1", "rejected")


def test_a_page_that_is_gone_makes_the_proposal_a_page_of_its_own(app: App, root: Path) -> None:
    curate(app)
    commit(root, {PAGE: None})
    curate(app)
    settled = settle(app, "1", "accepted", how="here")
    assert settled.page == "knowledge/practice/use-pnpm-not-npm-for-packages.md" and (root / settled.page).exists()


def test_a_base_of_nodes_gets_nodes(tmp_path: Path) -> None:
    node = """---
schema_version: 1
id: practice-packages
title: Use npm for packages
kind: practice
tags: [tools]
derived_from: []
relates_to: []
confidence: medium
summary: Use npm for packages.
---

Use npm for packages. Run npm ci in pipelines.
"""
    root = make(
        tmp_path / "w", {".ai/knowledge-base/nodes/practice/practice-packages.md": node, ".gitignore": ".cairn/\n"}
    )
    (root / ".cairn").mkdir()
    (root / ".cairn/settings.json").write_text("{}")
    with closing(app_of(root)) as app:
        done = curate(
            app,
            CurateOptions("here"),
            [candidate(text, origin=f"s:practice:{n}") for n, text in enumerate((ADDS, EXTENDS, OPPOSES))],
        )
    assert fates(done.plan) == {"0": "add", "1": "add", "2": "contradict"}
    made = (root / ".ai/knowledge-base/nodes/practice/practice-write-commits-in-english.md").read_text()
    assert "schema_version: 1" in made and "status: alpha" in made
    assert [file.name for file in (root / ".ai/knowledge-base/conflicts").iterdir()] == [f"{done.plan.run_id}-1.md"]


def test_a_request_that_no_longer_fits_is_said_so(app: App, root: Path) -> None:
    first = curate(app)
    commit(root, {PAGE: PACKAGES.replace("Run npm ci in pipelines.", "Ask Ada first.\n\nAnd Grace.")})
    keep_session(root, [candidate("Tag releases on Friday.")], session="s-2", at="2026-05-05T10:00:00.000Z")
    with pytest.raises(Conflict, match=first.landed.request):
        curate(app)


def test_a_run_that_was_stopped_is_finished_by_the_next(app: App, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(curate_landing.AppHands, "stamp", dies)
    with pytest.raises(KeyboardInterrupt):
        curate(app)
    monkeypatch.undo()
    [request] = app.forge.requests()
    git(root, "checkout", "-q", "--detach")
    app.forge.merge(request.id, by="Ada", now_ms=0)  # a person was quick
    done = curate(app)
    assert done.resumed and done.plan.fates == () and len(app.forge.requests()) == 1
    assert len(CurateState(app).stamps()) == 4 and len(CurateState(app).conflicts()[0]) == 1
