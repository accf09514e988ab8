"""One suite for every forge: the same life of a request, whoever stores it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pytest

from cairn.adapters.forge.github.forge import open_github
from cairn.adapters.forge.local.forge import LocalForge
from cairn.adapters.forge.memory import MemoryForge
from cairn.core.model.change import ChangeSet, FileEdit, GateRuling, Label, Level, RequestState, Taint
from cairn.core.ports.forge import Forge
from cairn.errors import Conflict, NotFound, Refused, UsageError
from github_stand_in import Hub, serve
from repository import commit, git, make

PAGE = "knowledge/ovens.md"
OTHER = "knowledge/orders.md"
FILES = {PAGE: "one\n\ntwo\n\nthree\n", OTHER: "here\n"}
NOW = 1_767_225_600_000
PASSED = (GateRuling("validator", Level.PASS, "All is well."),)


class Stand(NamedTuple):
    """A forge, and the repository that it is for."""

    forge: Forge
    commit: Callable[[Mapping[str, str | None]], str]
    """Move the base branch on; gives the new tip."""
    read: Callable[[str], str | None]
    """A file at the tip of the base branch."""
    tip: Callable[[], str]


class MakeStand(Protocol):
    def __call__(self, tmp_path: Path, until_end: ExitStack) -> Stand: ...


def _memory(tmp_path: Path, until_end: ExitStack) -> Stand:
    forge = MemoryForge({path: text.encode() for path, text in FILES.items()})

    def read(path: str) -> str | None:
        content = forge.files().get(path)
        return None if content is None else content.decode()

    return Stand(
        forge,
        lambda files: forge.commit({path: text if text is None else text.encode() for path, text in files.items()}),
        read,
        lambda: forge.tip,
    )


def _local(tmp_path: Path, until_end: ExitStack) -> Stand:
    root = make(tmp_path / "work", FILES)
    return Stand(LocalForge(root), lambda files: commit(root, files), _reader(root), _tip_of(root))


def _github(tmp_path: Path, until_end: ExitStack) -> Stand:
    root = make(tmp_path / "hosted", FILES)
    hub = until_end.enter_context(serve(Hub(root)))

    def move_on(files: Mapping[str, str | None]) -> str:
        git(root, "reset", "-q", "--hard", "main")  # what was merged over there has not touched the files here
        return commit(root, files)

    forge = open_github(hub.environment(), origin=None, sleep=lambda _: None)
    return Stand(forge, move_on, _reader(root), _tip_of(root))


def _reader(root: Path) -> Callable[[str], str | None]:
    def read(path: str) -> str | None:
        names = git(root, "ls-tree", "-r", "--name-only", "main").splitlines()
        return git(root, "show", f"main:{path}") + "\n" if path in names else None

    return read


def _tip_of(root: Path) -> Callable[[], str]:
    return lambda: git(root, "rev-parse", "main")


@pytest.fixture(params=[_memory, _local, _github], ids=["memory", "local", "github"])
def stand(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stand]:
    make_stand: MakeStand = request.param
    with ExitStack() as until_end:
        yield make_stand(tmp_path, until_end)


@pytest.fixture(params=[_memory, _local], ids=["memory", "local"])
def keeper(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stand]:
    """A forge that keeps requests itself: their ids, what people did, and their names."""
    make_stand: MakeStand = request.param
    with ExitStack() as until_end:
        yield make_stand(tmp_path, until_end)


def change(stand: Stand, files: Mapping[str, str | None] | None = None, **facts: Any) -> ChangeSet:
    edits = tuple(
        FileEdit(path, None if text is None else text.encode())
        for path, text in (files or {PAGE: "one\n\nTWO\n\nthree\n"}).items()
    )
    given = {"origin": "freshness", "subject": "ovens", "title": "docs: say two louder", "base": stand.tip(), **facts}
    return ChangeSet(edits=edits, **given)


def opened(stand: Stand, files: Mapping[str, str | None] | None = None, **facts: Any) -> str:
    return stand.forge.publish(change(stand, files, **facts), PASSED, now_ms=NOW).id


def test_a_request_keeps_what_it_was_opened_with(stand: Stand) -> None:
    given = change(
        stand,
        body="Because the page says so.",
        evidence={"verdict": {"outcome": "major-drift"}},
        labels=(Label("knowledge-freshness", "freshness"),),
        taint=Taint.OUTSIDE,
        landing="auto",
        limited=True,
        kind="confirmations",
    )
    rulings = (GateRuling("validator", Level.WARN, "Look.", ({"path": PAGE, "line": 3},)),)
    made = stand.forge.publish(given, rulings, now_ms=NOW)
    found = stand.forge.request(made.id)
    assert found == made
    assert (found.state, found.origin, found.subject, found.title) == (
        RequestState.OPEN,
        "freshness",
        "ovens",
        given.title,
    )
    assert (found.base, found.paths, found.rulings, found.level) == (given.base, (PAGE,), rulings, Level.WARN)
    assert (found.evidence, found.labels, found.taint, found.landing) == (
        given.evidence,
        given.labels,
        Taint.OUTSIDE,
        "auto",
    )
    assert (found.limited, found.kind, found.base_branch) == (True, "confirmations", "main")
    assert (found.opened_at_ms, found.updated_at_ms) == (NOW, NOW)


def test_opening_leaves_the_base_branch_as_it_is(stand: Stand) -> None:
    before = stand.tip()
    opened(stand)
    assert stand.tip() == before
    assert stand.read(PAGE) == FILES[PAGE]


def test_the_diff_is_against_the_base(stand: Stand) -> None:
    diff = stand.forge.diff(opened(stand, {PAGE: "one\n\nTWO\n\nthree\n", OTHER: None, "new.md": "fresh\n"}))
    assert f"--- a/{PAGE}" in diff and "-two\n" in diff and "+TWO\n" in diff
    assert "-here\n" in diff and "+fresh\n" in diff and "/dev/null" in diff


def test_a_change_that_changes_nothing_is_refused(stand: Stand) -> None:
    with pytest.raises(Refused, match="like that already"):
        opened(stand, {PAGE: FILES[PAGE]})
    assert stand.forge.requests() == []


def test_an_unknown_base_is_refused(stand: Stand) -> None:
    with pytest.raises(Refused, match="no commit"):
        opened(stand, base="0" * 40)


def test_the_open_request_of_a_subject_is_updated(keeper: Stand) -> None:
    first = opened(keeper)
    keeper.forge.label(first, add=(Label("looked-at", "ada"),), now_ms=NOW)
    keeper.forge.approve(first, "ada", now_ms=NOW)
    again = keeper.forge.publish(change(keeper, {PAGE: "one\n\n2\n\nthree\n"}), PASSED, now_ms=NOW + 5)
    assert again.id == first and len(keeper.forge.requests()) == 1
    assert again.approved_by == (), "who approved the old text has not seen this one"
    assert again.labels == (Label("looked-at", "ada"),)
    assert "+2\n" in keeper.forge.diff(first) and "+TWO\n" not in keeper.forge.diff(first)


def test_proposing_the_same_again_changes_nothing(stand: Stand) -> None:
    first = stand.forge.request(opened(stand))
    assert stand.forge.publish(change(stand), PASSED, now_ms=NOW + 60_000) == first


@pytest.mark.parametrize("facts", [{"origin": "curate"}, {"subject": "orders"}])
def test_another_origin_or_subject_is_another_request(stand: Stand, facts: dict[str, str]) -> None:
    opened(stand)
    opened(stand, **facts)
    assert len(stand.forge.requests()) == 2


def test_requests_come_newest_first_and_by_state(stand: Stand) -> None:
    ids = [stand.forge.publish(change(stand, subject=f"s{n}"), (), now_ms=NOW + n).id for n in range(3)]
    stand.forge.close(ids[1], now_ms=NOW + 9)
    assert [request.id for request in stand.forge.requests()] == ids[::-1]
    assert [request.id for request in stand.forge.requests(states=(RequestState.CLOSED,))] == [ids[1]]
    assert [request.id for request in stand.forge.requests(limit=1)] == [ids[2]]


def test_an_id_may_be_cut_short(keeper: Stand) -> None:
    id = opened(keeper)
    assert keeper.forge.request(id[:-1]).id == id
    assert keeper.forge.request(id.removeprefix("c-")).id == id
    for _ in range(17):  # then two ids begin alike
        opened(keeper, subject=str(_))
    with pytest.raises(UsageError, match="more of the id"):
        keeper.forge.request("c-")
    with pytest.raises(NotFound, match="cairn change list"):
        keeper.forge.request("zzz")


def test_labels_remember_who_set_them(stand: Stand) -> None:
    id = opened(stand, labels=(Label("quick", "freshness"),))
    stand.forge.label(id, add=(Label("quick", "ada"), Label("ok", "ada")), now_ms=NOW)
    assert stand.forge.request(id).labels == (Label("ok", "ada"), Label("quick", "ada"))
    stand.forge.label(id, remove=("ok",), now_ms=NOW)
    assert stand.forge.request(id).labels == (Label("quick", "ada"),)
    with pytest.raises(NotFound, match="no label `ok`"):
        stand.forge.label(id, remove=("ok",), now_ms=NOW)


def test_what_people_do_is_noted(keeper: Stand) -> None:
    id = opened(keeper)
    keeper.forge.comment(id, "Nice.", by="ada", now_ms=NOW + 1)
    keeper.forge.approve(id, "bob", now_ms=NOW + 2)
    keeper.forge.approve(id, "bob", now_ms=NOW + 3)
    request = keeper.forge.request(id)
    assert request.approved_by == ("bob",)
    assert [(note.at_ms, note.who, note.what, note.text) for note in request.notes] == [
        (NOW, "freshness", "opened", ""),
        (NOW + 1, "ada", "commented", "Nice."),
        (NOW + 2, "bob", "approved", ""),
    ]


def test_what_the_gates_say_now_is_kept(stand: Stand) -> None:
    id = opened(stand)
    blocked = (GateRuling("secrets", Level.BLOCK, "A key."),)
    assert stand.forge.judge(id, blocked, now_ms=NOW + 1).level is Level.BLOCK
    assert stand.forge.request(id).rulings == blocked


def test_merging_moves_the_base_branch(stand: Stand) -> None:
    id, before = opened(stand), stand.tip()
    merged = stand.forge.merge(id, by="ada", now_ms=NOW + 1)
    assert merged.commit == stand.tip() != before and not merged.rebased
    assert stand.read(PAGE) == "one\n\nTWO\n\nthree\n"
    request = stand.forge.request(id)
    assert (request.state, request.merged_commit) == (RequestState.MERGED, merged.commit)
    assert "+TWO\n" in stand.forge.diff(id)


def test_merging_on_top_of_a_base_that_moved_on(stand: Stand) -> None:
    id = opened(stand)
    stand.commit({OTHER: "there\n"})
    again = stand.forge.change(id)
    assert again.base == stand.tip() and again.edits == (FileEdit(PAGE, b"one\n\nTWO\n\nthree\n"),)
    assert stand.forge.merge(id, by="ada", now_ms=NOW + 1).rebased
    assert (stand.read(PAGE), stand.read(OTHER)) == ("one\n\nTWO\n\nthree\n", "there\n")


@pytest.mark.parametrize("files", [{PAGE: "one\n\ntoo\n\nthree\n"}, {PAGE: None}], ids=["same lines", "gone"])
def test_a_conflict_is_said_and_changes_nothing(stand: Stand, files: dict[str, str | None]) -> None:
    id = opened(stand)
    tip = stand.commit(files)
    with pytest.raises(Conflict, match=PAGE):
        stand.forge.merge(id, by="ada", now_ms=NOW + 1)
    with pytest.raises(Conflict, match=PAGE):
        stand.forge.change(id)
    assert stand.tip() == tip and stand.forge.request(id).state is RequestState.OPEN


def test_what_is_in_the_base_already_is_merged_without_more(stand: Stand) -> None:
    id = opened(stand)
    stand.commit({PAGE: "one\n\nTWO\n\nthree\n"})
    stand.forge.merge(id, by="ada", now_ms=NOW + 1)
    assert stand.forge.request(id).state is RequestState.MERGED
    assert stand.read(PAGE) == "one\n\nTWO\n\nthree\n"


def test_closing_and_opening_again(stand: Stand) -> None:
    id = opened(stand)
    assert stand.forge.close(id, by="ada", reason="later", now_ms=NOW + 1).state is RequestState.CLOSED
    with pytest.raises(Refused, match="is closed"):
        stand.forge.merge(id, by="ada", now_ms=NOW + 1)
    assert stand.forge.reopen(id, by="ada", now_ms=NOW + 2).state is RequestState.OPEN
    stand.forge.merge(id, by="ada", now_ms=NOW + 3)
    assert stand.read(PAGE) == "one\n\nTWO\n\nthree\n"


def test_a_closed_one_is_not_updated_and_waits_for_the_new_one(stand: Stand) -> None:
    first = opened(stand)
    stand.forge.close(first, now_ms=NOW)
    second = opened(stand)
    assert second != first
    with pytest.raises(Conflict, match=second):
        stand.forge.reopen(first, now_ms=NOW)


@pytest.mark.parametrize("step", ["close", "reopen", "merge", "label", "approve"])
def test_what_is_merged_stays_merged(stand: Stand, step: str) -> None:
    id = opened(stand)
    stand.forge.merge(id, by="ada", now_ms=NOW)
    steps: dict[str, Callable[[], object]] = {
        "close": lambda: stand.forge.close(id, now_ms=NOW),
        "reopen": lambda: stand.forge.reopen(id, now_ms=NOW),
        "merge": lambda: stand.forge.merge(id, by="ada", now_ms=NOW),
        "label": lambda: stand.forge.label(id, add=(Label("x", "ada"),), now_ms=NOW),
        "approve": lambda: stand.forge.approve(id, "ada", now_ms=NOW),
    }
    with pytest.raises(Refused, match="is merged"):
        steps[step]()


def test_reverting_is_a_request_that_takes_it_back(stand: Stand) -> None:
    id = opened(stand, {PAGE: "one\n\nTWO\n\nthree\n", "new.md": "fresh\n"})
    stand.forge.merge(id, by="ada", now_ms=NOW)
    stand.commit({OTHER: "there\n"})
    back = stand.forge.revert(id, by="ada", now_ms=NOW + 1)
    assert (back.reverts, back.kind, back.state) == (id, "revert", RequestState.OPEN)
    assert stand.forge.revert(id, by="ada", now_ms=NOW + 2).id == back.id, "asked twice, opened once"
    assert stand.forge.request(id).state is RequestState.MERGED
    stand.forge.merge(back.id, by="ada", now_ms=NOW + 3)
    assert stand.forge.request(id).state is RequestState.REVERTED
    assert (stand.read(PAGE), stand.read("new.md"), stand.read(OTHER)) == (FILES[PAGE], None, "there\n")


def test_taking_a_revert_back(stand: Stand) -> None:
    id = opened(stand)
    stand.forge.merge(id, by="ada", now_ms=NOW)
    back = stand.forge.revert(id, by="ada", now_ms=NOW)
    stand.forge.merge(back.id, by="ada", now_ms=NOW)
    forth = stand.forge.revert(back.id, by="ada", now_ms=NOW)
    stand.forge.merge(forth.id, by="ada", now_ms=NOW)
    assert stand.read(PAGE) == "one\n\nTWO\n\nthree\n"
    assert stand.forge.request(id).state is RequestState.MERGED
    assert stand.forge.request(back.id).state is RequestState.REVERTED


def test_only_what_is_merged_can_be_reverted(stand: Stand) -> None:
    with pytest.raises(Refused, match="only one that is merged"):
        stand.forge.revert(opened(stand), by="ada", now_ms=NOW)


def test_a_revert_that_does_not_fit_any_more(stand: Stand) -> None:
    id = opened(stand)
    stand.forge.merge(id, by="ada", now_ms=NOW)
    stand.commit({PAGE: "one\n\nsomething else\n\nthree\n"})
    with pytest.raises(Conflict, match=PAGE):
        stand.forge.revert(id, by="ada", now_ms=NOW)


@pytest.mark.parametrize("where", [_local, _github], ids=["local", "github"])
def test_a_revert_leaves_later_edits_of_other_lines(where: MakeStand, tmp_path: Path) -> None:
    with ExitStack() as until_end:
        stand = where(tmp_path, until_end)
        id = opened(stand)
        stand.forge.merge(id, by="ada", now_ms=NOW)
        stand.commit({PAGE: "one\n\nTWO\n\nthree\n\nfour\n"})
        back = stand.forge.revert(id, by="ada", now_ms=NOW)
        stand.forge.merge(back.id, by="ada", now_ms=NOW)
        assert stand.read(PAGE) == "one\n\ntwo\n\nthree\n\nfour\n"


def test_one_ticket_a_cause(stand: Stand) -> None:
    first = stand.forge.open_ticket("url:https://example.org", "Gone", "twice", now_ms=NOW)
    again = stand.forge.open_ticket("url:https://example.org", "Gone", "three times", now_ms=NOW + 5)
    assert (again.id, again.opened_at_ms) == (first.id, NOW)
    assert [ticket.body for ticket in stand.forge.tickets()] == ["three times"]
    closed = stand.forge.close_ticket("url:https://example.org", now_ms=NOW + 6)
    assert closed is not None and not closed.open
    assert stand.forge.tickets() == [] and len(stand.forge.tickets(open_only=False)) == 1
    assert stand.forge.close_ticket("never", now_ms=NOW) is None
