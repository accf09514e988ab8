"""What is known fails no more; what is new does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.errors import ConfigError
from cairn.graph.compare import compare, fingerprint, load, record
from cairn.plugin import Issue, Severity

issues = st.lists(
    st.builds(
        Issue,
        st.sampled_from(["broken", "loop"]),
        st.sampled_from(list(Severity)),
        st.text(min_size=1, max_size=3).map(lambda path: (path,)),
        st.text(max_size=5),
        st.none() | st.integers(1, 9),
        data=st.none() | st.fixed_dictionaries({"target": st.text(max_size=3)}),
    ),
    max_size=6,
)


@given(issues)
def test_what_was_just_recorded_is_not_new(found: list[Issue]):
    compared = compare(found, load(record(found), "b"))
    assert (compared.new, compared.known, compared.mended) == ((), len(found), 0)


@given(issues, issues)
def test_only_what_came_is_new_and_what_went_is_mended(before: list[Issue], after: list[Issue]):
    compared = compare(after, load(record(before), "b"))
    assert compared.known + len(compared.new) == len(after)
    assert compared.known + compared.mended == len(before)
    known = {fingerprint(issue) for issue in before}
    assert all(issue in compared.new for issue in after if fingerprint(issue) not in known)


def broken(line: int, target: str = "x.md", path: str = "a.md") -> Issue:
    return Issue("broken", Severity.ERROR, (path,), f"line {line}: {target}", line, data={"target": target})


def test_lines_that_come_and_go_above_do_not_matter():
    assert compare([broken(9)], load(record([broken(3)]), "b")).new == ()


def test_a_second_one_of_the_same_is_new():
    assert compare([broken(3), broken(5)], load(record([broken(3)]), "b")).new == (broken(5),)


def test_the_file_merges_well():
    text = record([broken(1, "z.md"), broken(2, "a.md"), broken(3, "z.md")])
    lines = [line.strip(" ,") for line in text.splitlines() if "a.md" in line]
    assert lines == ['"broken a.md a.md": 1', '"broken a.md z.md": 2']
    assert text == record([broken(2, "a.md"), broken(3, "z.md"), broken(1, "z.md")])


BAD = [
    "",
    "[]",
    "null",
    "{}",
    '{"version": 1}',
    '{"version": 1, "issues": []}',
    '{"version": 1, "issues": {"a": "many"}}',
    '{"version": 1, "issues": {"a": null}}',
    "[" * 100_000,
    "\ufffd",
]


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_what_is_no_baseline(text: str):
    with pytest.raises(ConfigError, match=r"`b\.json` is not a baseline; remove it"):
        load(text, "b.json")


def test_a_baseline_of_another_version():
    with pytest.raises(ConfigError, match="of version 2, this Cairn writes 1"):
        load('{"version": 2, "issues": {}}', "b.json")
