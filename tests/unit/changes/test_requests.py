"""The road of a change: what gates say, what limits hold, what lands by itself."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.adapters.forge.memory import MemoryForge
from cairn.changes.gate import Gate, GateContext, Gates
from cairn.changes.request_lifecycle import RequestLimits
from cairn.changes.requests import HeldChange, LandingRefusal, apply_here, land, publish, why_it_waits
from cairn.core.model.change import ChangeRequest, ChangeSet, FileEdit, GateRuling, Label, Level, RequestState, Taint
from cairn.core.ports.forge import MergeResult
from cairn.errors import Conflict, Refused

HOUR = 3_600_000


class Says:
    """A gate that says what it is told to."""

    def __init__(self, level: Level, id: str = "probe") -> None:
        self.id = id
        self.level = level
        self.seen: list[GateContext] = []

    def judge(self, change: ChangeSet, around: GateContext) -> GateRuling:
        self.seen.append(around)
        return GateRuling("somebody else", self.level, "So it is.")


class Breaks:
    id = "broken"

    def judge(self, change: ChangeSet, around: GateContext) -> GateRuling:
        raise ZeroDivisionError("nothing to divide by")


class Bench:
    def __init__(self, *gates: Gate, limits: RequestLimits | None = None) -> None:
        self.forge = MemoryForge({"a.md": b"old\n"})
        self.clock = SettableClock()
        self.limits = limits or RequestLimits()
        self.gates = Gates(gates, self.look)

    def look(self, change: ChangeSet) -> GateContext:
        files = self.forge.files(change.base)
        edits = {edit.path: edit.content for edit in change.edits}
        return GateContext(files.get, lambda path: edits.get(path, files.get(path)), labels=change.labels)

    def change(self, subject: str = "a", **facts: Any) -> ChangeSet:
        given = {"origin": "curate", "title": f"about {subject}", **facts}
        edits = given.pop("edits", (FileEdit(f"{subject}.md", b"new\n"),))
        return ChangeSet(subject=subject, base=self.forge.tip, edits=edits, **given)

    def publish(self, subject: str = "a", **facts: Any) -> ChangeRequest | HeldChange:
        change = self.change(subject, **facts)
        return publish(change, forge=self.forge, gates=self.gates, limits=self.limits, clock=self.clock)

    def opened(self, subject: str = "a", **facts: Any) -> ChangeRequest:
        request = self.publish(subject, **facts)
        assert isinstance(request, ChangeRequest), request
        return request


def test_the_worst_word_counts_and_all_are_kept() -> None:
    request = Bench(Says(Level.PASS), Says(Level.WARN, "b"), Says(Level.NOTE, "c")).opened()
    assert request.level is Level.WARN
    assert [(ruling.gate, ruling.level.word) for ruling in request.rulings] == [
        ("probe", "pass"),
        ("b", "warn"),
        ("c", "note"),
    ]


def test_what_a_gate_blocks_is_opened_so_that_somebody_sees_why() -> None:
    assert Bench(Says(Level.BLOCK)).opened().level is Level.BLOCK


def test_a_secret_does_not_leave() -> None:
    bench = Bench(Says(Level.BLOCK, "secrets"))
    held = bench.publish()
    assert isinstance(held, HeldChange) and held.reason == "So it is." and bench.forge.requests() == []


def test_a_gate_that_fails_blocks_and_names_itself() -> None:
    (ruling,) = Bench(Breaks()).opened().rulings
    assert (ruling.gate, ruling.level) == ("broken", Level.BLOCK)
    assert "`broken` failed" in ruling.reason and "nothing to divide by" in ruling.reason


def test_gates_don_t_see_labels_of_the_origin_itself() -> None:
    gate = Says(Level.PASS)
    Bench(gate).opened(labels=(Label("approved", "curate"), Label("big", "ada")))
    assert gate.seen[0].labels == (Label("big", "ada"),)
    assert gate.seen[0].labelled("big") and not gate.seen[0].labelled("approved")


# --- limits -----------------------------------------------------------------------------------------------------------


def test_at_most_so_many_are_open() -> None:
    bench = Bench(limits=RequestLimits(max_open=2))
    first = bench.opened("a")
    bench.opened("b")
    held = bench.publish("c")
    assert (
        isinstance(held, HeldChange)
        and "2 change requests are open" in held.reason
        and "change.max_open" in held.reason
    )
    assert bench.opened("b", title="better").title == "better", "bringing one up to date never waits"
    bench.forge.close(first.id, now_ms=0)
    bench.opened("c")


def test_at_most_so_many_an_hour() -> None:
    bench = Bench(limits=RequestLimits(max_per_hour=2))
    for subject in ("a", "b"):
        bench.opened(subject, limited=True)
        bench.clock.advance(10 * 60_000)
    held = bench.publish("c", limited=True)
    first_ms = bench.forge.requests()[-1].opened_at_ms
    then = datetime.fromtimestamp((first_ms + 3_600_000) / 1000, UTC).strftime("%H:%M UTC")
    assert (
        isinstance(held, HeldChange) and "change.max_per_hour" in held.reason and f"may come at {then}" in held.reason
    )
    bench.clock.advance(60_000)
    later = bench.publish("c", limited=True)
    assert isinstance(later, HeldChange) and later.reason == held.reason, "it is kept, and read at any time"
    bench.clock.advance(-60_000)
    bench.opened("d")  # not a proposal, so the hour does not bind it
    bench.clock.advance(40 * 60_000)
    bench.opened("c", limited=True)


@pytest.mark.parametrize(
    "facts",
    [
        {"kind": "quarantine"},
        {"kind": "rollback"},
        {"kind": "status"},
        {"kind": "bump"},
        {"origin": "bump"},
        {"kind": "revert"},
    ],
    ids=str,
)
def test_what_must_not_wait_does_not(facts: Mapping[str, str]) -> None:
    bench = Bench(limits=RequestLimits(max_open=2, max_per_hour=1))
    bench.opened("a", limited=True)
    bench.opened("b")
    assert isinstance(bench.publish("c", limited=True), HeldChange)
    for subject in ("d", "e", "f"):
        bench.opened(subject, limited=True, **facts)


def test_what_does_not_wait_is_not_counted_either() -> None:
    bench = Bench(limits=RequestLimits(max_open=1, max_per_hour=1))
    bench.opened("q", kind="quarantine", limited=True)
    bench.opened("a", limited=True)


def test_what_the_forge_cannot_take_is_held_with_its_reason() -> None:
    bench = Bench()

    def busy(*_: Any, **__: Any) -> ChangeRequest:
        raise Conflict("somebody has committed to its branch")

    bench.forge.publish = busy  # type: ignore[method-assign]
    held = bench.publish()
    assert isinstance(held, HeldChange) and "somebody has committed" in held.reason


# --- landing ----------------------------------------------------------------------------------------------------------

MAY: dict[str, Any] = {"landing": "auto", "kind": "status", "taint": Taint.REPOSITORY}


@pytest.mark.parametrize(
    ("facts", "level", "said"),
    [
        ({}, Level.NOTE, None),
        ({"taint": Taint.PERSON}, Level.PASS, None),
        ({"landing": "manual"}, Level.PASS, "a person"),
        ({"kind": "confirmations"}, Level.PASS, "`confirmations`"),
        ({"kind": ""}, Level.PASS, "its class"),
        ({"taint": Taint.MODEL}, Level.PASS, "a model"),
        ({"taint": Taint.OUTSIDE}, Level.PASS, "outside"),
        ({}, Level.WARN, "`warn`"),
        ({}, Level.BLOCK, "`block`"),
    ],
)
def test_what_may_land_by_itself(facts: dict[str, Any], level: Level, said: str | None) -> None:
    request = Bench(Says(level)).opened(**{**MAY, **facts})
    reason = why_it_waits(request, ("status",))
    assert reason is None if said is None else said in (reason or "")


def test_nothing_lands_by_itself_unless_the_operator_says_so() -> None:
    assert why_it_waits(Bench(Says(Level.PASS)).opened(**MAY), ()) is not None


def test_landing() -> None:
    bench = Bench(Says(Level.PASS))
    landed = land(bench.opened(**MAY), forge=bench.forge, automerge=("status",), by="cairn", now_ms=0)
    assert isinstance(landed, MergeResult) and bench.forge.files()["a.md"] == b"new\n"


def test_a_branch_that_is_checked_out_makes_it_ready() -> None:
    bench = Bench(Says(Level.PASS))
    bench.forge.checked_out = True
    request = bench.opened(**MAY)
    landed = land(request, forge=bench.forge, automerge=("status",), by="cairn", now_ms=0)
    assert isinstance(landed, LandingRefusal) and "checked out" in landed.reason
    assert bench.forge.request(request.id).state is RequestState.READY and bench.forge.files()["a.md"] == b"old\n"


# --- into the working tree --------------------------------------------------------------------------------------------


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "a.md").write_bytes(b"old\n")
    return tmp_path


def test_applying_here(tree: Path) -> None:
    bench = Bench(Says(Level.WARN))
    change = bench.change(edits=(FileEdit("a.md", None), FileEdit("deep/b.md", b"new\n")))
    assert apply_here(change, root=tree, gates=bench.gates).written == ("a.md", "deep/b.md")
    assert not (tree / "a.md").exists() and (tree / "deep/b.md").read_bytes() == b"new\n"
    assert apply_here(change, root=tree, gates=bench.gates).written == (), "again changes nothing"


def test_an_edited_file_is_left_alone_and_so_are_the_others(tree: Path) -> None:
    bench = Bench()
    (tree / "a.md").write_bytes(b"mine\n")
    change = bench.change(edits=(FileEdit("A.md", b"new\n"), FileEdit("a.md", b"new\n")))
    with pytest.raises(Conflict, match=r"a\.md was edited"):
        apply_here(change, root=tree, gates=bench.gates)
    assert sorted(path.name for path in tree.iterdir()) == ["a.md"] and (tree / "a.md").read_bytes() == b"mine\n"


def test_what_is_blocked_is_not_applied(tree: Path) -> None:
    bench = Bench(Says(Level.BLOCK))
    with pytest.raises(Refused, match="probe: So it is"):
        apply_here(bench.change(), root=tree, gates=bench.gates)
    assert (tree / "a.md").read_bytes() == b"old\n"


def test_a_request_counts_as_its_own_matter_only() -> None:
    bench = Bench(limits=RequestLimits(max_open=1))
    bench.opened("a")
    assert isinstance(bench.publish("a", origin="freshness"), HeldChange)
    assert replace(bench.change("a"), title="x").subject == "a"
