"""What counts besides the text: each factor by its own rule, all of them within bounds, their product the score."""

from contextlib import closing
from itertools import pairwise
from math import prod, sqrt
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import repository
from cairn.app.build import build_app
from cairn.core.model.knowledge import EntryStatus
from cairn.knowledge.serving_status import Review
from cairn.retrieve.factors import (
    MOST_PATHS,
    NOTE,
    NOWHERE,
    RankFacts,
    WorkContext,
    around_of,
    factors,
    is_lesson,
    nearest,
    nearness,
    packed,
    score,
    telling,
)


def told(facts: RankFacts) -> dict[str, tuple[float, str]]:
    return {factor.name: (factor.value, factor.why) for factor in factors(2.0, facts)}


@pytest.mark.parametrize(
    ("path", "lesson"),
    [
        ("tasks/lessons.md", True),
        ("docs/lessons/l1.md", True),
        ("docs/Lessons-Learned/a.md", True),
        ("docs/lessons-of-sailing.md", False),
        ("docs/guide.md", False),
    ],
)
def test_lesson_is_told_by_file_and_folder(path: str, lesson: bool) -> None:
    assert is_lesson(path) is lesson


PAGE = RankFacts("entry")
A_NOTE = RankFacts(NOTE)
ORDER = [
    ("trust", PAGE._replace(status=EntryStatus.STABLE), PAGE._replace(status=EntryStatus.BETA)),
    ("trust", PAGE._replace(status=EntryStatus.BETA), PAGE._replace(status=EntryStatus.ALPHA)),
    ("trust", PAGE._replace(status=EntryStatus.ALPHA), PAGE._replace(status=EntryStatus.DEPRECATED)),
    ("freshness", PAGE._replace(review=Review.CURRENT), PAGE),
    ("freshness", PAGE._replace(review=Review.NEVER), PAGE._replace(review=Review.OVERDUE)),
    ("freshness", A_NOTE, A_NOTE._replace(age_days=31)),
    ("freshness", A_NOTE._replace(age_days=180), A_NOTE._replace(age_days=181)),
    ("confidence", PAGE._replace(confidence="high"), PAGE._replace(confidence="medium")),
    ("confidence", PAGE, PAGE._replace(confidence="low")),
    ("confidence", A_NOTE._replace(said=3), A_NOTE),
    ("confidence", A_NOTE, A_NOTE._replace(low=True)),
    ("usage", PAGE._replace(reads=9, lately=9.0), PAGE._replace(reads=9, lately=0.5)),
    ("usage", PAGE._replace(reads=1, lately=0.1), PAGE),
    ("nearness", PAGE._replace(near=1.0), PAGE._replace(near=0.3)),
    ("kind", PAGE, A_NOTE),
]


@pytest.mark.parametrize(("name", "better", "worse"), ORDER)
def test_which_of_two_stands_higher(name: str, better: RankFacts, worse: RankFacts) -> None:
    assert told(better)[name][0] > told(worse)[name][0]
    others = [other for other in told(better) if other != name and better.kind == worse.kind]
    assert [told(better)[other] for other in others] == [told(worse)[other] for other in others]


WORDS = [
    (PAGE._replace(status=EntryStatus.ALPHA), "trust", "alpha: use has not confirmed it yet"),
    (PAGE._replace(review=Review.OVERDUE), "freshness", "its last check was too long ago"),
    (PAGE._replace(reads=1), "usage", "opened once"),
    (PAGE._replace(reads=1200, lately=3.0), "usage", "opened 1,200 times"),
    (PAGE._replace(near=0.36), "nearness", "36% near the files at hand"),
    (A_NOTE, "freshness", "noted today"),
    (A_NOTE._replace(age_days=1), "freshness", "noted yesterday"),
    (A_NOTE._replace(age_days=40), "freshness", "noted 40 days ago"),
    (A_NOTE._replace(said=3), "confidence", "said in 3 turns"),
]


@pytest.mark.parametrize(("facts", "name", "why"), WORDS)
def test_why_in_words(facts: RankFacts, name: str, why: str) -> None:
    assert told(facts)[name][1] == why


@given(
    st.builds(
        RankFacts,
        kind=st.sampled_from(["entry", "markdown", NOTE]),
        status=st.none() | st.sampled_from(list(EntryStatus)),
        review=st.none() | st.sampled_from(list(Review)),
        confidence=st.none() | st.sampled_from(["low", "medium", "high"]),
        reads=st.integers(0, 10**9),
        lately=st.floats(0, 10**9),
        near=st.floats(0, 1),
        age_days=st.integers(0, 10**5),
        low=st.booleans(),
        lesson=st.booleans(),
        said=st.integers(1, 10**6),
        meaning=st.none() | st.floats(0, 1),
    ),
    st.floats(0, 100),
)
def test_each_is_bounded_and_told_and_their_product_is_the_score(facts: RankFacts, text: float) -> None:
    first, *others = factors(text, facts, 100.0)
    assert first.value == text if facts.meaning is None else first.value >= text
    assert all(0.7 <= factor.value <= (51 if factor.name == "meaning" else 1.2) and factor.why for factor in others)
    assert score((first, *others)) == pytest.approx(prod(factor.value for factor in (first, *others)), abs=1e-6)


NUMBERS = st.lists(st.integers(-100, 100).map(float), min_size=3, max_size=3)


def cosine(one: list[float], other: list[float]) -> float:
    lengths = sqrt(sum(n * n for n in one)) * sqrt(sum(n * n for n in other))
    return sum(a * b for a, b in zip(one, other, strict=True)) / lengths if lengths else 0.0


@settings(deadline=None)  # numpy is imported by the first, where it is installed
@given(NUMBERS, st.lists(NUMBERS, min_size=1, max_size=6))
def test_the_nearest_come_first(question: list[float], pages: list[list[float]]) -> None:
    near = nearest(packed(question), [(f"{number}.md", packed(page)) for number, page in enumerate(pages)])
    exact = {f"{number}.md": cosine(question, page) for number, page in enumerate(pages)}
    order = [exact[path] for path in near]
    assert all(one >= other - 0.01 for one, other in pairwise(order))
    assert all(exact[path] > -0.01 for path in near)
    assert {path for path, found in exact.items() if found > 0.01} <= set(near)
    assert not near or next(iter(near.values())) == 1


def test_those_of_another_model_are_left_out() -> None:
    pages = [("a.md", packed([1, 0])), ("b.md", packed([1, 0, 0])), ("c.md", b"")]
    assert nearest(packed([1, 1]), pages) == {"a.md": 1.0}
    assert nearest(packed([1, 1]), []) == {}
    assert nearest(packed([0, 0]), pages) == {}


def test_no_more_than_are_wanted() -> None:
    pages = [(f"{number}.md", packed([1, number])) for number in range(5)]
    assert list(nearest(packed([1, 0]), pages, most=2)) == ["0.md", "1.md"]


@pytest.mark.parametrize(
    ("near", "told"),
    [(None, []), (0.0, [(1.0, "not near in meaning")]), (0.5, [(1.25, "50% as near in meaning as the nearest page")])],
)
def test_it_is_one_factor_of_several(near: float | None, told: list[tuple[float, str]]) -> None:
    found = factors(1.0, RankFacts("entry", meaning=near), 1.0)
    assert [(one.value, one.why) for one in found if one.name == "meaning"] == told


ORDERS = WorkContext(
    ("src/shop/orders/cart.py", "docs/orders/returns.md"), telling("src/shop/orders/cart.py", "refund-fees")
)


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (("src/shop/OrderCart.py",), {"shop", "order", "cart"}),
        (("feature/JIRA-12-refund-fees",), {"jira", "refund", "fee"}),
        (("HTTPServer_error",), {"http", "server", "error"}),
        (("Fix the tests", "docs/index.md"), set()),
        (("Überweisung 注文",), {"überweisung", "注文"}),
        (("",), set()),
    ],
)
def test_words_that_tell_something(texts: tuple[str, ...], words: set[str]) -> None:
    assert telling(*texts) == words


@pytest.mark.parametrize(
    ("path", "about", "at_least", "at_most"),
    [
        ("docs/orders/returns.md", "", 1.0, 1.0),
        ("docs/orders/other.md", "", 0.8, 0.8),
        ("docs/ovens.md", "", 0.1, 0.3),
        ("knowledge/ovens.md", "How hot the ovens run", 0.0, 0.0),
        ("knowledge/fees.md", "Refund fees of orders", 0.6, 0.9),
        ("README.md", "", 0.0, 0.0),
    ],
)
def test_how_near(path: str, about: str, at_least: float, at_most: float) -> None:
    assert at_least <= nearness(path, telling(about), ORDERS) <= at_most


def test_more_in_common_is_nearer() -> None:
    one, two = (nearness("knowledge/a.md", telling(text), ORDERS) for text in ("Carts", "Carts of the shop"))
    assert 0 < one < two


@settings(max_examples=40)
@given(st.text(max_size=30), st.lists(st.text(max_size=12), max_size=4), st.lists(st.text(max_size=12), max_size=4))
def test_always_between_nothing_and_all(path: str, about: list[str], paths: list[str]) -> None:
    around = WorkContext(tuple(paths), telling(*paths))
    assert 0.0 <= nearness(path, telling(*about), around) <= 1.0
    assert nearness(path, telling(*about), NOWHERE) == 0.0


FILES = {".cairn/settings.json": "{}", "src/orders.py": "pass\n", "docs/a.md": "# A\n"}


def around(root: Path, *near: str) -> WorkContext:
    with closing(build_app(root, env={})) as app:
        return around_of(app, near)


def test_branch_edits_and_commits(tmp_path: Path) -> None:
    root = repository.make(tmp_path / "work", FILES)
    repository.git(root, "switch", "-q", "-c", "refund-fees")
    repository.put(root, {"src/payment.py": "pass\n", "src/orders.py": "edited\n"})
    found = around(root)
    assert found.paths[:2] == ("src/orders.py", "src/payment.py")
    assert "docs/a.md" in found.paths
    assert {"refund", "fee", "payment", "order", "step"} <= found.words


def test_files_that_were_named_are_all_that_counts(tmp_path: Path) -> None:
    root = repository.make(tmp_path / "work", FILES)
    repository.put(root, {"src/payment.py": "pass\n"})
    assert around(root, "src/cart.py") == WorkContext(("src/cart.py",), frozenset({"cart"}))


def test_before_the_first_commit_there_is_the_branch(tmp_path: Path) -> None:
    repository.put(tmp_path, FILES)
    repository.git(tmp_path, "init", "-q", "-b", "ovens")
    assert around(tmp_path) == WorkContext((), frozenset({"oven"}))


def test_no_repository_and_a_broken_one(tmp_path: Path) -> None:
    repository.put(tmp_path, FILES)
    assert around(tmp_path) == NOWHERE
    repository.git(tmp_path, "init", "-q")
    (tmp_path / ".git/HEAD").write_text("nonsense\n")
    assert around(tmp_path).paths == ()


def test_a_thousand_edited_files_are_not_all_looked_at(tmp_path: Path) -> None:
    root = repository.make(tmp_path / "work", FILES)
    repository.put(root, {f"made/{number}.txt": "" for number in range(MOST_PATHS + 10)})
    assert len(around(root).paths) == MOST_PATHS


def test_a_commit_of_everything_says_nothing_of_places(tmp_path: Path) -> None:
    root = repository.make(tmp_path / "work", {**FILES, **{f"made/{number}.txt": "" for number in range(60)}})
    assert around(root) == WorkContext((), frozenset({"step"}))
