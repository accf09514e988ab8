"""Forms of YAML in frontmatter: which keys survive, with which value, and which are reported."""

from math import inf
from typing import Any

import pytest

from cairn.graph.read_file import frontmatter_json
from cairn.lib.markdown.frontmatter import parse
from cairn.lib.yaml.write import canonical_yaml, frontmatter_hash

# (frontmatter, what survives)
READ: dict[str, tuple[str, dict[str, Any]]] = {
    "anchor": ("name: a\ntools: &t [Read]", {"name": "a", "tools": ["Read"]}),
    "alias": ("tools: &t [Read]\nmore: *t", {"tools": ["Read"], "more": ["Read"]}),
    "alias of a map": ("a: &m {b: 1}\nc: [*m, *m]", {"a": {"b": 1}, "c": [{"b": 1}, {"b": 1}]}),
    "alias as a key": ("a: &k x\n*k : y", {"a": "x", "x": "y"}),
    "string tag": ("a: !!str 1\nb: !!str true", {"a": "1", "b": "true"}),
    "number tags": ("a: !!int '3'\nb: !!float 2", {"a": 3, "b": 2.0}),
    "collection tags": ("a: !!seq [1]\nb: !!map {c: 1}", {"a": [1], "b": {"c": 1}}),
    "non-specific tag": ("a: ! 12", {"a": "12"}),
    "non-string keys": ("1: a\ntrue: b\n~: c\n1.5: d", {"1": "a", "true": "b", "null": "c", "1.5": "d"}),
    "nested non-string key": ("a: {2024: x}", {"a": {"2024": "x"}}),
    "infinity": ("a: .inf\nb: -.INF", {"a": inf, "b": -inf}),
    "underscores": ("a: 1_000\nb: -1_0.5\nc: 0x_ff", {"a": 1000, "b": -10.5, "c": 255}),
    "underscores in quotes": ("a: '1_000'\nb: 1_000", {"a": "1_000", "b": 1000}),
    "underscore at the end": ("a: 1_\nb: 1_0", {"a": "1_", "b": 10}),
    "large exponent": ("a: 1e400\nb: '1e400'", {"a": inf, "b": "1e400"}),
    "long integer": ("a: 99999999999999999999", {"a": 99999999999999999999}),
    "merge key stays a key": ("a: &m {b: 1}\n<<: *m", {"a": {"b": 1}, "<<": {"b": 1}}),
    "dates and yes stay text": ("a: 2024-01-02\nb: yes\nc: &x no", {"a": "2024-01-02", "b": "yes", "c": "no"}),
    "tools as text": ("name: a\ntools: Read, Grep, Bash(git:*)", {"name": "a", "tools": "Read, Grep, Bash(git:*)"}),
    "surrogate pair": ('a: "\\ud83d\\ude00"', {"a": "😀"}),
}


@pytest.mark.parametrize(("raw", "value"), READ.values(), ids=READ)
def test_form_is_read(raw: str, value: dict[str, Any]) -> None:
    parsed = parse(f"---\n{raw}\n---\n")
    assert (parsed.frontmatter, parsed.problems, parsed.partial) == (value, (), False)


def test_not_a_number_is_read() -> None:
    value = parse("---\na: .nan\n---\n").frontmatter["a"]
    assert value != value


_BOMB = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 3)
)

# (frontmatter, what survives, key and line of each problem)
LOST: dict[str, tuple[str, dict[str, Any], list[tuple[str, int]]]] = {
    "colon in the text": (
        "name: a\ndescription: Use when: always\ntools: [Read]",
        {"name": "a", "description": "Use when: always", "tools": ["Read"]},
        [("description", 3)],
    ),
    "colon and more lines": (
        "name: a\ndescription: See this: one\nnot indented\n<example>\nmodel: opus",
        {"name": "a", "description": "See this: one", "model": "opus"},
        [("description", 3)],
    ),
    "unclosed tools": ("name: a\ntools: [Read\nmodel: b", {"name": "a", "model": "b"}, [("tools", 3)]),
    "unknown tag": ("name: a\ntools: !include x\nmodel: b", {"name": "a", "model": "b"}, [("tools", 3)]),
    "tag that does not fit": ("name: a\nn: !!int x\nb: !!bool 3", {"name": "a"}, [("n", 3), ("b", 4)]),
    "alias without an anchor": ("name: a\ntools: *t", {"name": "a"}, [("tools", 3)]),
    "alias of itself": ("name: a\nt: &t [*t]", {"name": "a"}, [("t", 3)]),
    "list as a key": ("name: a\n[b]: c", {"name": "a"}, [("[b]", 3)]),
    "key twice": ("name: a\nname: b\nc: d", {"name": "a", "c": "d"}, [("name", 3)]),
    "key twice in a value": ("name: a\nt: {x: 1, x: 2}", {"name": "a"}, [("t", 3)]),
    "deep": (f"name: a\nt: {'[' * 200}{']' * 200}", {"name": "a"}, [("t", 3)]),
    "very deep": (f"name: a\nt: {'[' * 30_000}", {"name": "a"}, [("t", 3)]),
    "half of a surrogate pair": ('name: a\nt: "\\ud800"', {"name": "a"}, [("t", 3)]),
}


@pytest.mark.parametrize(("raw", "value", "lost"), LOST.values(), ids=LOST)
def test_refused_value_loses_only_its_key(raw: str, value: dict[str, Any], lost: list[tuple[str, int]]) -> None:
    parsed = parse(f"---\n{raw}\n---\nbody")
    assert parsed.frontmatter == value
    assert [(p.message.split("`")[1], p.line) for p in parsed.problems] == lost
    assert {p.rule for p in parsed.problems} == {"frontmatter-parse-error"}
    assert parsed.partial


def test_alias_bomb_loses_the_keys_that_are_too_large() -> None:
    parsed = parse(f"---\nname: n\n{_BOMB}model: m\n---\n")
    assert set(parsed.frontmatter) == {"name", "model", "a0", "a1"}
    assert [p.line for p in parsed.problems] == [5]


def test_hash_of_expanded_aliases_is_that_of_the_written_out_values() -> None:
    one, other = parse("---\na: &x [1]\nb: *x\n---\n"), parse("---\na: [1]\nb: [1]\n---\n")
    assert frontmatter_hash(one.frontmatter, one.raw) == frontmatter_hash(other.frontmatter, other.raw)


def test_infinity_is_written_as_js_yaml_and_json_write_it() -> None:
    value = parse("---\na: 1e400\nb: [-.inf]\n---\n").frontmatter
    assert canonical_yaml(value) == "a: .inf\nb:\n  - -.inf\n"
    assert frontmatter_json(value) == '{"a":null,"b":[null]}'
