"""What lint finds, rule by rule, and what it leaves alone."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model.knowledge import Entry
from cairn.curate.lint import RULES, LintPage, circles, lint, tag_key


def page(name: str, *, mismatch: str = "", strict: bool = True, **more: Any) -> LintPage:
    related = {"relates_to": ("hub",)} if name != "hub" else {}
    entry = Entry(f"kb/{name}.md", "practice", name, name, "Short.")
    return LintPage(replace(entry, **{**related, **more}), mismatch, strict)


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
