"""What is being worked on, as the repository shows it."""

from contextlib import closing
from pathlib import Path

import repository
from cairn.app.build import build_app
from cairn.retrieve.current_work import MOST_PATHS, around_of
from cairn.retrieve.work_context import NOWHERE, Around

FILES = {".cairn/settings.json": "{}", "src/orders.py": "pass\n", "docs/a.md": "# A\n"}


def around(root: Path, *near: str) -> Around:
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
    assert around(root, "src/cart.py") == Around(("src/cart.py",), frozenset({"cart"}))


def test_before_the_first_commit_there_is_the_branch(tmp_path: Path) -> None:
    repository.put(tmp_path, FILES)
    repository.git(tmp_path, "init", "-q", "-b", "ovens")
    assert around(tmp_path) == Around((), frozenset({"oven"}))


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
    assert around(root) == Around((), frozenset({"step"}))
