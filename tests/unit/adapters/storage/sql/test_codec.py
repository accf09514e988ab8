"""Issues survive their stored form, whatever is in them."""

from hypothesis import given
from hypothesis import strategies as st

from cairn.adapters.storage.sql import codec
from cairn.core.model.issue import Fix, Issue, Severity

texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20)
numbers = st.integers(0, 10**6)
data = st.none() | st.dictionaries(texts, st.none() | st.booleans() | numbers | texts, max_size=3)

issues = st.builds(
    Issue,
    analyzer=texts,
    severity=st.sampled_from(Severity),
    nodes=st.lists(texts, min_size=1, max_size=3).map(tuple),
    message=texts,
    line=st.none() | numbers,
    detail=st.none() | texts,
    fix=st.none() | st.builds(Fix, texts, st.booleans()),
    data=data,
)


@given(issues)
def test_issues(wanted: Issue) -> None:
    row = codec.issue_row("plugin/one", wanted)
    assert row[0] == "plugin/one"
    assert codec.issue(row[1:]) == wanted
    assert codec.named_paths(row) == list(wanted.nodes)
