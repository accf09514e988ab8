import json

from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.text.json_splice import find_member, line_of, repeated

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


def paths(tree, above=()):
    for name, value in tree.items():
        yield (*above, name), value
        if isinstance(value, dict):
            yield from paths(value, (*above, name))


@given(tree=st.dictionaries(st.text(max_size=5), JSON, max_size=4), indent=st.sampled_from([None, 2, "\t"]))
def test_every_member_is_found_where_it_stands(tree, indent):
    text = json.dumps(tree, indent=indent)
    for path, value in paths(tree):
        member = find_member(text, path)
        assert json.loads(text[member.value_start : member.value_end]) == value
        assert text[member.start] == '"'


def test_lines_are_counted_from_one():
    text = '{\n  "a": {\n    "b": 1\n  }\n}'
    assert line_of(text, ("a",)) == 2
    assert line_of(text, ("a", "b")) == 3
    assert line_of(text, ("a", "c")) is None
    assert line_of(text, ("a", "b", "c")) is None


def test_the_second_of_two_is_the_one_too_many():
    assert repeated('{"a": 1,\n"b": {"c": 1,\n"c": 2}}') == ("c", 3)
    assert repeated('{"a": {"c": 1}, "b": {"c": 2}}') is None
