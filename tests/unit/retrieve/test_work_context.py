"""How near a page is to what somebody works on."""

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import repository
from cairn.app.build import build_app
from cairn.retrieve.work_context import MOST_PATHS, NOWHERE, WorkContext, around_of, nearness, telling

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
