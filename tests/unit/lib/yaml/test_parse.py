import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.yaml.parse import MAX_CHARACTERS, YamlProblem, load_yaml, strip_dangerous_keys

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
