import pytest
import ryaml
from hypothesis import assume, example, given
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.tokens import AliasToken, AnchorToken, TagToken

from cairn.lib.yaml.parse import MAX_CHARACTERS, YamlMark, YamlProblem, find_mark, load_yaml, strip_dangerous_keys

VALUES = {
    "nothing": ("", None),
    "only a comment": ("# *a &b !c", None),
    "date": ("a: 2024-05-01", {"a": "2024-05-01"}),
    "time": ("a: 2024-05-01T10:00:00Z", {"a": "2024-05-01T10:00:00Z"}),
    "yes and no": ("a: yes\nb: no\nc: on", {"a": "yes", "b": "no", "c": "on"}),
    "booleans": ("a: true\nb: False", {"a": True, "b": False}),
    "nulls": ("a: ~\nb:\nc: null", {"a": None, "b": None, "c": None}),
    "numbers": ("a: 1\nb: 1.5\nc: -0x1F\nd: 0o17\ne: 1e3", {"a": 1, "b": 1.5, "c": -31, "d": 15, "e": 1000.0}),
    "leading zero": ("a: 007", {"a": "007"}),
    "base 60": ("a: 1:30", {"a": "1:30"}),
    "merge key": ("<<: {a: 1}", {"<<": {"a": 1}}),
    "carriage returns": ("a: 1\r\nb: 2\r\n", {"a": 1, "b": 2}),
    "largest integer": ("a: 18446744073709551615", {"a": 18446744073709551615}),
    "many digits in a string": ("a: '99999999999999999999'", {"a": "99999999999999999999"}),
    "large float": ("a: 1.5e300", {"a": 1.5e300}),
    "inf in a string": ("a: x .inf\nb: '.nan'", {"a": "x .inf", "b": ".nan"}),
    "list": ("- a\n- b", ["a", "b"]),
    "many brackets in text": ("a: '" + "[" * 3000 + "'", {"a": "[" * 3000}),
    "many brackets side by side": ("[" + "[], " * 3000 + "]", [[]] * 3000),
}


@pytest.mark.parametrize(("text", "value"), VALUES.values(), ids=VALUES)
def test_values(text: str, value: object) -> None:
    assert load_yaml(text) == value


# (text, reason, line, column)
REFUSED = {
    "unclosed list": ("a: 1\nb: [1,\n", "syntax", 2, 1),
    "unclosed string": ('a: "x', "syntax", 1, 6),
    "colon in a value": ("a: b: c", "syntax", 1, 5),
    "tab": ("a:\n\tb: 1", "syntax", 2, 1),
    "two documents": ("a: 1\n---\nb: 2", "syntax", None, None),
    "control character": ("a: é\nb: \x07", "syntax", 2, 4),
    "surrogate": ("a: \ud800", "syntax", None, None),
    "duplicate": ("a: 1\nb: 2\na: 3", "duplicate-key", 3, None),
    "duplicate in quotes": ("a: 1\n'a': 3", "duplicate-key", 2, None),
    "nested duplicate": ("x:\n  a: 1\n  b: 2\n  a: 3\n", "duplicate-key", 4, None),
    "duplicate in a flow": ("x: {a: 1, a: 2}", "duplicate-key", None, None),
    "duplicate number": ("1: a\n1: b", "duplicate-key", 2, None),
    "duplicate null": ("~: a\n~: b", "duplicate-key", None, None),
    "tag": ("a: 1\nb: !foo 1", "tag", 2, 4),
    "tag without a name": ("a: ! b", "tag", 1, 4),
    "standard tag": ("a: !!str 1", "tag", 1, 4),
    "verbatim tag": ("a: !<x> 1", "tag", 1, 4),
    "tag in a list": ("a: [x, !y z]", "tag", 1, 8),
    "anchor": ("a: &x 1", "alias", 1, 4),
    "alias": ("a: 1\nb: *x", "alias", 2, 4),
    "bomb": (
        "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
        + "".join(f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 12)),
        "alias",
        1,
        5,
    ),
    "integer key": ("a: 1\n2: b", "key-not-string", 2, 1),
    "boolean key": ("True: b", "key-not-string", None, None),
    "null key": ("a: {null: b}", "key-not-string", 1, 5),
    "float key": ("1.5: b", "key-not-string", 1, 1),
    "list as a key": ("[a]: b", "key-not-string", None, None),
    "map as a key": ("? {a: 1}\n: b", "key-not-string", None, None),
    "infinity": ("a: 1\nb: [-.inf]", "not-finite", 2, 5),
    "not a number": ("a: .NaN", "not-finite", 1, 4),
    "twice infinity": ("a: .inf\nb: .inf", "not-finite", None, None),
    "65 bits": ("a: 18446744073709551616", "number-range", 1, 4),
    "64 bits and a sign": ("a: -9223372036854775809", "number-range", 1, 4),
    "200 bits": ("a: 1\nb: " + "9" * 60, "number-range", 2, 4),
    "deep list": ("a: " + "[" * 200 + "]" * 200, "too-deep", 1, 131),
    "deep maps": ("".join(" " * depth + "a:\n" for depth in range(200)), "too-deep", 129, 129),
    "very deep list": ("a: " + "[" * 100_000, "too-deep", 1, 132),
    "very deep maps": ("{a: " * 20_000, "too-deep", 1, 513),
    "large": ("a" * (MAX_CHARACTERS + 1), "too-large", None, None),
}


@pytest.mark.parametrize(("text", "reason", "line", "column"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_refused_with_a_reason_and_a_place(
    text: str, reason: str, line: int | None, column: int | None
) -> None:
    with pytest.raises(YamlProblem) as raised:
        load_yaml(text)
    problem = raised.value
    assert (problem.reason, problem.line, problem.column) == (reason, line, column)
    assert problem.message == str(problem)
    assert problem.message.endswith(".")
    assert " at line " not in problem.message


@given(st.text(alphabet="ab:-?[]{}&*!|>'\"#%@` \n\t\\0.,~", max_size=30))
def test_any_text_gives_a_value_or_a_problem(text: str) -> None:
    try:
        load_yaml(text)
    except YamlProblem as problem:
        assert problem.reason
        assert problem.line is None or 1 <= problem.line <= text.count("\n") + 1


@pytest.mark.parametrize(
    ("value", "stripped"),
    [
        ({"a": 1}, {"a": 1}),
        ({"__proto__": 1, "a": 2, "constructor": 3, "prototype": 4}, {"a": 2}),
        ({"a": [{"__proto__": {"b": 1}, "c": 2}]}, {"a": [{"c": 2}]}),
        (["__proto__"], ["__proto__"]),
        ({"a": "constructor"}, {"a": "constructor"}),
    ],
)
def test_dangerous_keys_are_left_out_at_every_depth(value: object, stripped: object) -> None:
    assert strip_dangerous_keys(value) == stripped


PLAIN = {
    "words": "a: x *y* !z &w",
    "emphasis over lines": "a: b\n  *c* d\n  !e &f\ng: h",
    "in double quotes": 'a: "*b \\" &c !d"',
    "in double quotes over lines": 'a: "x\n  *y"',
    "in single quotes": "a: '*b '' &c !d'",
    "in a comment": "a: 1 # *x &y !z\n# *q\n",
    "in a literal block": "a: |\n  *x\n  &y\n\n  !z\nb: 1",
    "in a folded block": "a: >-\n  !z\n    *deeper\nb: 1",
    "in a block with an indentation indicator": "a: |2\n   *x\n  &y\nb: 1",
    "in a block in a list": "- |\n *x\n- b",
    "in a block in a map in a list": "- a: |\n   *x\n  b: c",
    "in a block on its own line": "a:\n    |\n  *x\nb: 1",
    "in a block at the end": "a: |\n  *x",
    "in a block that is the document": "--- |\n *x",
    "in a flow": "a: [b *c, d!e, f&g]",
    "in a flow over lines": "a: [b\n  *c]",
    "in a key": "a*b: 1\nc d!: 2",
    "after a carriage return": "a: |\r\n  *x\r\nb: 1",
    "after exotic line breaks": "a: |\x85  *x\u2028  &y\u2029b: 1",
    "in a directive": "%TAG !x! tag:x\n---\na: 1",
}


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
def test_marks_in_text_are_text(text: str) -> None:
    ryaml.loads(text)
    assert find_mark(text, 9) is None


MARKS = {
    "anchor": ("a: &x 1", YamlMark("anchor", 3)),
    "alias": ("a: 1\nb: *x", YamlMark("alias", 8)),
    "tag": ("a: !x 1", YamlMark("tag", 3)),
    "in a list": ("- a\n- *x", YamlMark("alias", 6)),
    "in a flow": ("[a, *x]", YamlMark("alias", 4)),
    "as a key": ("*x : 1", YamlMark("alias", 0)),
    "after an empty block": ("a: |\nb: *x", YamlMark("alias", 8)),
    "after a block": ("a: |\n  x\nb: *x", YamlMark("alias", 12)),
    "after a block on its own line": ("a:\n    |\n  x\nb: *x", YamlMark("alias", 16)),
    "after a comment": ("a: # x\n  *x", YamlMark("alias", 9)),
    "after a comment ends a string": ("a: x # y\nb: *x", YamlMark("alias", 12)),
    "after carriage returns": ("a: 1\r\nb: *x", YamlMark("alias", 9)),
    "in front of a block": ("a: !x |\n  y", YamlMark("tag", 3)),
    "too deep": ("[[[[", YamlMark("too-deep", 3)),
}


@pytest.mark.parametrize(("text", "mark"), MARKS.values(), ids=MARKS)
def test_real_marks_are_found_where_they_are(text: str, mark: YamlMark) -> None:
    assert find_mark(text, 3) == mark


PARTS = (
    *("a", "b: ", "- ", "? ", ": ", "k:", "d: ", "1", "~", "c", "a: 1\n", "b: c d\n"),
    *("*x", "&x", "!t", "! ", "*", "&", "!"),
    *('"', "'", "|", ">", "|-\n", "|2\n", ">+\n", "x: |\n", 'y: "', "z: '", '"\n', "'\n", "\\"),
    *("[", "]", "{", "}", ", ", " #", "#", "%", "--- ", "\n---\n", "..."),
    *(" ", "\t", "\n", "\n\n", "\n ", "\n  ", "\n    ", "\r\n"),
)


@given(st.lists(st.sampled_from(PARTS), max_size=14).map("".join))
@example("a: b\n  *c: d")
def test_marks_are_those_that_a_full_parser_sees(text: str) -> None:
    try:
        ryaml.loads(text)
        expected = _first_mark(text)
    except (ValueError, YAMLError):
        assume(False)
    assert find_mark(text, 200) == expected


def _first_mark(text: str) -> YamlMark | None:
    for token in YAML(typ="safe", pure=True).scan(text):
        if isinstance(token, AnchorToken):
            return YamlMark("anchor", token.start_mark.index)
        if isinstance(token, AliasToken):
            return YamlMark("alias", token.start_mark.index)
        if isinstance(token, TagToken):
            return YamlMark("tag", token.start_mark.index)
    return None


@given(st.text(max_size=40))
def test_a_text_that_is_no_yaml_does_no_harm(text: str) -> None:
    mark = find_mark(text, 5)
    assert mark is None or text[mark.offset] in "&*![{"


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "x " * 100_000,
        "a: b\n" + "  c\n" * 50_000,
        "a: |\n" + "  c\n" * 50_000,
        "a: |\n" + "\n" * 100_000,
        '"a" ' * 50_000,
        "[], " * 50_000,
        "- " * 50_000,
        "# \n" * 50_000,
        "'" * 100_001,
        "a" + " " * 100_000 + "#",
    ],
)
def test_hostile_text_takes_no_longer_than_its_length(text: str) -> None:
    assert find_mark(text, 5) is None
