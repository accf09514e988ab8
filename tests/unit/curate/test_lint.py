"""What lint finds, rule by rule, and what it leaves alone."""

import json
import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.adapters.clock.memory import SettableClock
from cairn.app.build import App, build_app
from cairn.core.model.knowledge import Entry
from cairn.curate.lint import RULES, LintPage, LintState, circles, lint, lint_due, lint_pages, lint_state, tag_key
from cairn.workspace.status.page import status
from curation import keep_session
from older_base import BASE, NODES, make_base, node, path_of
from repository import put


def page(name: str, *, mismatch: str = "", strict: bool = True, **more: Any) -> LintPage:
    related = {"relates_to": ("hub",)} if name != "hub" else {}
    entry = Entry(f"kb/{name}.md", "practice", name, name, "Short.")
    return LintPage(replace(entry, **{**related, **more}), mismatch, strict)


def moved(page: LintPage, path: str, corpus: str = "") -> LintPage:
    return page._replace(entry=replace(page.entry, path=path), corpus=corpus)


HUB = page("hub")

CASES: dict[str, tuple[list[LintPage], list[tuple[str, str]]]] = {
    "nothing": ([HUB, page("a")], []),
    "no page at all": ([], []),
    "a relation to nobody": ([HUB, page("a", relates_to=("hub", "gone"))], [("dangling-edge", "a")]),
    "a dependency on nobody": ([HUB, page("a", depends_on=("gone",))], [("dangling-edge", "a")]),
    "named twice is said once": ([HUB, page("a", relates_to=("hub", "gone", "gone"))], [("dangling-edge", "a")]),
    "another spelling of a name": ([HUB, page("a", relates_to=("Hub",)), page("b", relates_to=("hub",))], []),
    "a page of another corpus": ([HUB, page("a", relates_to=("hub", "elsewhere"))], []),
    "another name than the file's": ([HUB, page("a", mismatch="`id` is `b`.")], [("slug-id-mismatch", "a")]),
    "it depends on itself": ([HUB, page("a", depends_on=("a",))], [("depends-cycle", "a")]),
    "a circle is told once": (
        [HUB, page("c", depends_on=("a",)), page("a", depends_on=("b",)), page("b", depends_on=("c",))],
        [("depends-cycle", "a")],
    ),
    "a diamond is no circle": (
        [HUB, page("a", depends_on=("b", "c")), page("b", depends_on=("d",)), page("c", depends_on=("d",)), page("d")],
        [],
    ),
    "relations may go round": ([page("hub", relates_to=("a",)), page("a")], []),
    "frontmatter that check calls invalid": (
        [HUB, page("a")._replace(invalid=("`id` is missing.",), doubtful=("`url` is odd.",))],
        [("entry-invalid", "a"), ("entry-warning", "a")],
    ),
    "one name of two pages": (
        [HUB, page("a"), moved(page("A"), "kb/sub/a.md"), moved(page("a"), "other/a.md", "other")],
        [("name-duplicate", "a")],
    ),
    "nearly one tag": (
        [HUB, page("a", topics=("api",)), page("b", topics=("api",)), page("c", topics=("APIs", "rest"))],
        [("tag-near-duplicate", "c")],
    ),
    "signs": ([page("hub", topics=("ci-cd",)), page("a", topics=("ci_cd",))], [("tag-near-duplicate", "a")]),
    "tags without letters": ([page("hub", topics=("#",)), page("a", topics=("!",))], []),
    "alone": ([HUB, page("a"), page("b", relates_to=())], [("orphan", "b")]),
    "alone, but nobody expects more": ([HUB, page("a"), page("b", relates_to=(), strict=False)], []),
    "a dependency leads there": ([page("a", relates_to=()), page("b", relates_to=(), depends_on=("a",))], []),
    "a long summary": ([page("hub", summary="s" * 141), page("a", summary="s" * 140)], [("summary-long", "hub")]),
    "a long title": ([page("hub", title="t" * 81), page("a", title="t" * 80)], [("title-long", "hub")]),
    "a long entry": ([page("hub", summary="s" * 300, title="t" * 90, strict=False), page("a")], []),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_found(name: str):
    pages, expected = CASES[name]
    found = lint(pages, {"elsewhere"})
    assert [(one.rule, one.path) for one in found] == [(rule, f"kb/{path}.md") for rule, path in expected]
    assert all(one.message and "\n" not in one.message for one in found)


def test_errors_come_first():
    pages = [page("hub", relates_to=(), topics=("a", "A")), page("z", relates_to=("gone",), summary="s" * 141)]
    levels = [one.level for one in lint(pages)]
    assert levels == sorted(levels) and set(levels) == {"error", "finding"}


def test_a_mistyped_name_gets_a_hint():
    [found] = lint([HUB, page("a", relates_to=("hub", "hubb"))])
    assert "did you mean 'hub'?" in found.message


@pytest.mark.parametrize(
    ("tag", "key"), [("APIs", "api"), ("api", "api"), ("ss", "s"), ("C++", "c"), ("日本", "日本"), ("-", "")]
)
def test_what_is_left_of_a_tag(tag: str, key: str):
    assert tag_key(tag) == key


def test_many_names_that_lead_nowhere_are_quick():
    pages = [page(f"p{number}", relates_to=(f"gone-{number}",)) for number in range(3_000)]
    assert len(lint(pages)) == 3_000


GRAPHS = st.dictionaries(st.sampled_from("abcdefgh"), st.lists(st.sampled_from("abcdefgh"), max_size=3))


@given(GRAPHS)
def test_circles_are_circles_and_there_is_one_where_there_is_any(graph: dict[str, list[str]]):
    needs = {name: [other for other in others if other in graph] for name, others in graph.items()}
    found = list(circles(needs))
    for circle in found:
        assert all(after in needs[before] for before, after in zip(circle, [*circle[1:], circle[0]], strict=True))
        assert len(set(circle)) == len(circle)
    assert bool(found) == _has_circle(needs)


def _has_circle(needs: dict[str, list[str]]) -> bool:
    left = dict(needs)
    while free := [name for name, others in left.items() if not any(other in left for other in others)]:
        for name in free:
            del left[name]
    return bool(left)


def test_every_rule_has_a_case():
    assert {rule for _, expected in CASES.values() for rule, _ in expected} == set(RULES) - {"unreadable"}


STATE = ".cairn/curate/lint-state.json"
OLD_STATE = f"{BASE}/.state/lint-state.json"
NOW_MS = 1_777_888_999_000  # 2026-05-04, about ten o'clock
ENTRY = "---\nname: {name}\ndescription: D.\nrelates_to: {related}\n---\n# Title\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_base(tmp_path / "w")


@pytest.fixture
def app(root: Path) -> Iterator[App]:
    with closing(
        build_app(root, env={"PATH": os.environ["PATH"]}, clock=SettableClock(NOW_MS), installed=False)
    ) as app:
        yield app


def found(app: App) -> list[tuple[str, str]]:
    return [(one.rule, one.path.rpartition("/")[2]) for one in lint_pages(app).found]


def test_a_base_that_fits(app: App):
    assert found(app) == []


def test_what_is_wrong_with_a_base(app: App, root: Path):
    put(
        root,
        {
            path_of("map-b"): node("map-c", relates_to="[map-queue, map-gone]"),
            path_of("map-d"): node("map-d", kind="practice", relates_to="[map-queue]"),
            path_of("map-e"): "Nothing.\n",
            path_of("map-f"): node("map-f", tags="[gits]"),
        },
    )
    assert found(app) == [
        ("unreadable", "map-e.md"),
        ("dangling-edge", "map-b.md"),
        ("slug-id-mismatch", "map-b.md"),
        ("slug-id-mismatch", "map-d.md"),
        ("tag-near-duplicate", "map-f.md"),
        ("orphan", "map-f.md"),
    ]


def test_entries_are_linted_too_and_only_what_a_curator_writes_should_be_related(root: Path):
    corpora = f'"kb": {{"root": "{BASE}", "layout": "nodes"}}, "k": {{"root": "k", "layout": "entries"}}'
    put(
        root,
        {
            ".cairn/settings.json": f'{{"corpora": {{{corpora}}}}}',
            "k/security/tokens.md": ENTRY.format(name="tokens", related="[]"),
            "k/practice/small.md": ENTRY.format(name="small", related="[]"),
            "k/practice/large.md": ENTRY.format(name="large", related="[map-queue, gone]"),
        },
    )
    with closing(build_app(root, env={"PATH": os.environ["PATH"]}, installed=False)) as app:
        assert found(app) == [("dangling-edge", "large.md"), ("orphan", "small.md")]


# --- when it is due ---------------------------------------------------------------------------------------------------


def keep_sessions(root: Path, number: int, *, day: int = 1) -> None:
    for one in range(number):
        keep_session(root, [], session=f"s-{day}-{one}", at=f"2026-05-{day:02}T10:00:00.000Z")


def test_it_is_due_after_so_many_sessions(app: App, root: Path):
    keep_sessions(root, 49)
    assert lint_due(app) == 0 and lint_state(app).sessions_since_last_lint == 49
    keep_sessions(root, 1, day=2)
    assert lint_due(app) == 50
    [line] = [line for line in status(app).lines if line.next == "cairn lint"]
    assert "50 sessions" in line.text
    lint_pages(app)
    assert lint_state(app) == LintState(0, "2026-05-04T10:03:19.000Z", 0, 0) and lint_due(app) == 0
    keep_sessions(root, 3, day=5)
    assert lint_state(app).sessions_since_last_lint == 3


def test_never_if_nobody_wants_it(root: Path):
    keep_sessions(root, 2)
    for every, due in (("0", 0), ("2", 2)):
        env = {"PATH": os.environ["PATH"], "CAIRN_CURATE__LINT_EVERY_SESSIONS": every}
        with closing(build_app(root, env=env, installed=False)) as app:
            assert lint_due(app) == due


def test_what_is_kept_has_the_names_of_an_older_base(app: App, root: Path):
    put(root, {path_of("map-lone"): node("map-lone", relates_to="[gone]", summary="s" * 141)})
    lint_pages(app)
    kept = json.loads((root / STATE).read_text())
    assert kept == {
        "schema_version": 1,
        "sessions_since_last_lint": 0,
        "last_lint_at": "2026-05-04T10:03:19.000Z",
        "last_errors": 1,
        "last_findings": 1,
    }


def test_the_state_of_an_older_base_stays_where_it_is(app: App, root: Path):
    put(root, {OLD_STATE: '{"schema_version": 1, "sessions_since_last_lint": 60, "last_lint_at": null}'})
    assert lint_due(app) == 60
    lint_pages(app)
    assert lint_due(app) == 0 and not (root / STATE).exists()
    assert json.loads((root / OLD_STATE).read_text())["last_lint_at"]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"last_lint_at": 3, "last_errors": -1}', "[" * 100_000])
def test_a_state_that_is_damaged_is_as_good_as_none(app: App, root: Path, text: str):
    put(root, {STATE: text})
    assert lint_state(app) == LintState()
    assert len(lint_pages(app).found) == 0 and lint_state(app).last_lint_at


def test_pages_that_are_there_count(app: App):
    assert lint_pages(app).pages == len(NODES)
