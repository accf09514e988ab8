"""A plan that is carried out: in order, and twice as well as once."""

from collections.abc import Sequence

from cairn.core.model.candidate import DecisionFailure, KnowledgeConflict
from cairn.curate.plan import CuratePlan
from cairn.curate.run_journal import (
    FateStamp,
    LandResult,
    carry_out,
    failure_lines,
    lines,
    plan_text,
    read_failures,
    read_plan,
    read_stamps,
    still_waiting,
)
from unit.curate.test_plan import plan_of, said


class Hands:
    def __init__(self, landed: LandResult = LandResult()) -> None:  # noqa: B008
        self.landed = landed
        self.done: list[str] = []
        self.stamps: dict[str, FateStamp] = {}

    def land(self, plan: CuratePlan) -> LandResult:
        self.done.append("land")
        return self.landed

    def write_conflict(self, conflict: KnowledgeConflict) -> None:
        self.done.append(conflict.id)

    def keep_failures(self, failures: Sequence[DecisionFailure], settled: Sequence[str]) -> None:
        self.done.append("failures")

    def stamp(self, stamps: Sequence[FateStamp]) -> None:
        self.done.append("stamp")
        self.stamps |= {stamp.origin: stamp for stamp in stamps}

    def forget_plan(self) -> None:
        self.done.append("forget")


PLAN = plan_of(
    said(1, "Write commits in English."), said(2, "Use pnpm, not npm, for packages."), said(3, "Use npm for packages.")
)


def test_a_plan_survives_the_disk() -> None:
    assert read_plan(plan_text(PLAN)) == PLAN


def test_what_is_no_plan_is_none() -> None:
    for text in ("", "{", "[]", "{}", '{"version": 99}', plan_text(PLAN)[:-20]):
        assert read_plan(text) is None


def test_the_plan_goes_last_and_stamps_come_after_pages() -> None:
    hands = Hands(LandResult(request="c-1"))
    carry_out(PLAN, hands, at="now")
    assert hands.done == ["land", "run-1", "failures", "stamp", "forget"]
    assert {origin: stamp.fate for origin, stamp in hands.stamps.items()} == {
        "s-1:practice:0": "add",
        "s-2:practice:0": "contradict",
        "s-3:practice:0": "drop",
    }


def test_what_a_limit_holds_back_keeps_its_place_and_the_rest_is_done() -> None:
    hands = Hands(LandResult(held="too many are open"))
    landed = carry_out(PLAN, hands, at="now")
    assert set(hands.stamps) == {"s-2:practice:0", "s-3:practice:0"}
    assert [(one.origin, one.reason) for one in still_waiting(PLAN, landed)] == [
        ("s-1:practice:0", "too many are open")
    ]


def test_a_page_that_was_left_alone_leaves_its_candidate_in_the_queue() -> None:
    hands = Hands(LandResult(left={PLAN.edits[0].path: "edited meanwhile"}))
    carry_out(PLAN, hands, at="now")
    assert "s-1:practice:0" not in hands.stamps


def test_the_last_stamp_counts_and_a_torn_line_is_none() -> None:
    stamps = [FateStamp("o", "failed", "r", "t"), FateStamp("o", "add", "r2", "t2"), FateStamp("p", "drop", "r", "t")]
    assert read_stamps(lines(stamps) + '{"origin": "q", "fa') == {"o": stamps[1], "p": stamps[2]}


def test_failures_come_back_one_of_each_candidate() -> None:
    one = DecisionFailure("add_collision", "o", "n", "taken", "r")
    assert read_failures(failure_lines([one, one]) + "no json\n[]\n") == [one]
