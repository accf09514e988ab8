"""The frame around the finders: ranking, limits, and what happens when one of them fails."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cairn.app.trying.finding import Evidence, Finding, best
from cairn.app.trying.ground import Deadline, Ground
from cairn.app.trying.looking import look_around
from cairn.errors import Refused


def finding(kind: str, certainty: float, harm: float = 1.0, path: str = "a.md") -> Finding:
    return Finding(kind, f"{kind} {certainty}", (Evidence(path, 1, "x"),), "so", "do", certainty, harm)


def test_the_best_come_first_and_of_one_kind_only_three():
    many = [finding("link", 0.9 - n / 100) for n in range(12)]
    shown = best([*many, finding("skill", 0.5), finding("orphan", 0.2)], 5)
    assert [f.kind for f in shown] == ["link", "link", "link", "skill", "orphan"]


def test_with_nothing_else_one_kind_fills_the_ten():
    shown = best([finding("link", 0.9 - n / 100) for n in range(12)])
    assert [f.certainty for f in shown] == sorted((f.certainty for f in shown), reverse=True)
    assert len(shown) == 10


def test_equal_scores_keep_a_fixed_order():
    one, other = finding("a", 0.5, path="b.md"), finding("a", 0.5, path="a.md")
    assert best([one, other]) == best([other, one]) == [other, one]


def test_a_finder_that_fails_is_named_and_the_others_go_on(tmp_path: Path):
    def broken(_: Any) -> Iterator[Finding]:
        yield finding("lost", 0.5)
        raise RuntimeError("on fire")

    def refusing(_: Any) -> Iterator[Finding]:
        raise Refused("No.")
        yield

    def fine(_: Any) -> Iterator[Finding]:
        yield finding("fine", 0.5)

    tried = look_around(tmp_path, env={}, finders=(("one", broken), ("two", refusing), ("three", fine)))
    assert "fine" in [f.kind for f in tried.findings]
    assert tried.problems == ("one: RuntimeError: on fire", "two: No.")


def test_when_time_is_up_no_new_work_is_begun_and_that_is_said(tmp_path: Path):
    (tmp_path / "a.md").write_text("[x](gone.md)\n")
    tried = look_around(tmp_path, env={}, seconds=0.0)
    assert tried.findings == ()
    assert "references" in tried.left_out


def test_a_deadline_says_each_thing_once():
    times = iter([0.0, 0.5, 2.0])
    deadline = Deadline(lambda: next(times), 1.0)
    assert not deadline.over()
    assert deadline.over()
    deadline.say("a")
    deadline.say("a")
    assert deadline.left_out == ["a"]


def test_documents_beyond_the_limit_are_counted_as_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("cairn.app.trying.ground.MOST_DOCUMENTS", 2)
    for name in ("a.md", "b.md", "deep/c.md"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("[x](gone.md)\n")
    tried = look_around(tmp_path, env={}, everything=True)
    assert tried.looked["documents"] == 2
    assert tried.left_out == ("1 of 3 documents",)
    assert {e.path for f in tried.findings for e in f.evidence} == {"a.md", "b.md"}


def test_code_beyond_the_limit_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from cairn.adapters.files.local import LocalFiles
    from cairn.adapters.storage.memory import open_memory
    from cairn.adapters.vcs.past import Past

    monkeypatch.setattr("cairn.app.trying.ground.MOST_CODE_BYTES", 10)
    (tmp_path / "a.py").write_text("alpha = 1")
    (tmp_path / "b.py").write_text("beta = 2")
    store = open_memory()
    ground = Ground(tmp_path, LocalFiles(tmp_path), store, Past(tmp_path), Deadline(lambda: 0.0, 1.0))
    assert ground.code_words == {"alpha"}
    assert ground.deadline.left_out == ["a part of the code, which is large"]
    store.close()
