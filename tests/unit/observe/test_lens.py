"""Which lenses look, in which order, and what becomes of those that cannot."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model.lens import Finding, finding_id
from cairn.errors import ConfigError, NotFound, StoreLocked
from cairn.observe.lens import LensRun, LensView, Scope, SelectedLenses, choose, in_order, look


@dataclass
class Fake:
    id: str
    after: tuple[str, ...] = ()
    scope: Scope = "docs"
    needs: frozenset[str] = frozenset()
    see: Callable[[], Iterable[Finding]] = field(default=lambda: ())

    def look(self, around: LensView) -> Iterable[Finding]:
        return self.see()


def found(lens: str, severity: str = "P2", *parts: str) -> Finding:
    return Finding(finding_id(lens, *parts), lens, severity, "t", "d", evidence={"kind": "k"})  # type: ignore[arg-type]


def ran(*lenses: Fake, has: frozenset[str] = frozenset()) -> list[LensRun]:
    ticks = count()
    return look(SelectedLenses(lenses), LensView(has=has), now=lambda: float(next(ticks)))


KNOWN = [Fake("H-cross-doc"), Fake("I-knowledge-gaps"), Fake("shed/style", scope="code")]


@pytest.mark.parametrize(
    ("scope", "names", "disabled", "chosen", "off"),
    [
        ("all", (), (), ["H-cross-doc", "I-knowledge-gaps", "shed/style"], ()),
        ("docs", (), (), ["H-cross-doc", "I-knowledge-gaps"], ()),
        ("code", (), (), ["shed/style"], ()),
        ("code", ("I-knowledge-gaps",), (), ["I-knowledge-gaps"], ()),
        ("docs", (), ("H-cross-doc",), ["I-knowledge-gaps"], ("H-cross-doc",)),
        ("all", ("H-cross-doc",), ("H-cross-doc", "A-tdd"), [], ("H-cross-doc",)),
        ("code", (), ("H-cross-doc",), ["shed/style"], ()),
    ],
)
def test_the_scope_chooses_unless_somebody_names_lenses(scope, names, disabled, chosen, off) -> None:
    found = choose(KNOWN, scope=scope, names=names, disabled=disabled)
    assert ([lens.id for lens in found.lenses], found.disabled) == (chosen, off)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("H", "`H-cross-doc`"),
        ("i-knowledge", "`I-knowledge-gaps`"),
        ("H-crossdoc", "`H-cross-doc`"),
        ("zz", "there are"),
    ],
)
def test_an_unknown_name_is_an_error_that_says_which_was_meant(name: str, meant: str) -> None:
    with pytest.raises(NotFound, match="There is no lens") as raised:
        choose(KNOWN, scope="all", names=(name,), disabled=())
    assert meant in raised.value.message


@given(st.permutations(["a", "b", "c", "d", "e"]), st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4))))
def test_every_lens_looks_behind_those_it_wants_to_come_after(names: list[str], pairs: set[tuple[int, int]]) -> None:
    """Edges lead from the later to the earlier letter only, so there is no cycle."""
    letters = "abcde"
    wanted = {name: tuple(letters[two] for one, two in pairs if letters[one] == name and two < one) for name in letters}
    order = [lens.id for lens in in_order([Fake(name, wanted[name]) for name in names])]
    assert sorted(order) == list(letters)
    assert all(order.index(other) < order.index(name) for name in letters for other in wanted[name])


@pytest.mark.parametrize(
    ("lenses", "shown"),
    [
        ([Fake("a", ("b",)), Fake("b", ("a",))], "a → b → a"),
        ([Fake("x", ("a",)), Fake("a", ("b",)), Fake("b", ("c",)), Fake("c", ("a",))], "a → b → c → a"),
        ([Fake("a", ("a",))], "a → a"),
    ],
)
def test_a_cycle_is_shown(lenses: list[Fake], shown: str) -> None:
    with pytest.raises(ConfigError, match=shown):
        in_order(lenses)


def test_what_is_not_there_is_not_waited_for() -> None:
    assert [lens.id for lens in in_order([Fake("a", ("gone",))])] == ["a"]


def test_a_lens_that_lacks_something_is_skipped_and_the_others_look() -> None:
    skipped, fine = ran(Fake("a", needs=frozenset({"docs", "git"})), Fake("b"), has=frozenset({"docs"}))
    assert (skipped.state, fine.state) == ("skipped", "ran")
    assert "git repository" in skipped.reason


def crash() -> list[Finding]:
    raise RuntimeError("boom")


def locked() -> list[Finding]:
    raise StoreLocked


def slow() -> list[Finding]:
    raise TimeoutError("it was not done within 60 seconds")


@pytest.mark.parametrize(
    ("see", "reason"),
    [
        (crash, "RuntimeError: boom"),
        (locked, "Another process is writing"),
        (slow, "not done within 60 seconds"),
        (lambda: [3], "is none, but int"),
        (lambda: [found("b")], "names the lens 'b'"),
        (lambda: [Finding("x", "a", "P1", "t", "d")], "has the id 'x'"),
        (lambda: [Finding("0" * 16, "a", "P7", "t", "d")], "has the severity 'P7'"),  # type: ignore[arg-type]
        (lambda: [Finding("0" * 16, "a", "P1", "t", "d", evidence={"n": float("nan")})], "written as JSON"),
        (lambda: [Finding("0" * 16, "a", "P1", "t", "d", evidence={"n": object()})], "written as JSON"),
    ],
)
def test_a_lens_that_fails_is_named_and_takes_no_other_with_it(see, reason: str) -> None:
    failed, fine = ran(Fake("a", see=see), Fake("b", see=lambda: [found("b")]))
    assert failed.state == "failed" and reason in failed.reason and failed.findings == ()
    assert (fine.state, len(fine.findings)) == ("ran", 1)


def test_of_two_findings_with_one_id_the_graver_stays() -> None:
    (run,) = ran(Fake("a", see=lambda: [found("a", "P2"), found("a", "P1"), found("a", "P3"), found("a", "P0", "x")]))
    assert [one.severity for one in run.findings] == ["P0", "P1"]
