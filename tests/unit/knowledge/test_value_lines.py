import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from cairn.knowledge.fields import YamlPlaces, json_line
from cairn.knowledge.values import Step

BLOCK = """\
# a comment
name: a
"quoted key": b
'single': c
description: >-
  name: not a key
  topics: neither
topics:

  - one
  # - none
  - two: 2
    three: 3
  -
    four: 4
sources:
- url: x
  hash: y
- path: z   # url: no
last-reviewed: 2026-01-01
flow: [a,
  {b: 1,
   c: 2}]
short: {d: [1, 2]}
"""

PLACES: list[tuple[tuple[Step, ...], int]] = [
    (("name",), 2),
    (("quoted key",), 3),
    (("single",), 4),
    (("description",), 5),
    (("topics",), 8),
    (("topics", 0), 10),
    (("topics", 1), 12),
    (("topics", 1, "three"), 13),
    (("topics", 2), 14),
    (("topics", 2, "four"), 15),
    (("sources",), 16),
    (("sources", 0, "url"), 17),
    (("sources", 0, "hash"), 18),
    (("sources", 1, "path"), 19),
    (("sources", 1, "url"), 19),
    (("last-reviewed",), 20),
    (("flow", 0), 21),
    (("flow", 1), 22),
    (("flow", 1, "c"), 23),
    (("short", "d", 1), 24),
]


@pytest.mark.parametrize(("steps", "line"), PLACES, ids=str)
def test_where_a_value_stands(steps: tuple[Step, ...], line: int) -> None:
    assert YamlPlaces(BLOCK).line(steps) == line
    assert YamlPlaces(BLOCK.replace("\n", "\r\n")).line(steps) == line


def test_one_look_remembers_for_the_next() -> None:
    places = YamlPlaces(BLOCK)
    assert [places.line(steps) for steps, _ in PLACES] == [line for _, line in PLACES]


def test_of_long_frontmatter_in_flow_style_the_line_of_the_key_has_to_do() -> None:
    raw = "a: 1\nsources: [\n" + "  {url: x},\n" * 20_000 + "]\n"
    assert YamlPlaces(raw).line(("sources", 700, "url")) == 2


NAMES = st.sampled_from(["a", "b-c", "d_e", "url"])
SCALARS = st.sampled_from(["text", 1, True, None, "with: colon", "# hash", "line\nbreak", "", "- dash"])
SHAPES: st.SearchStrategy[Any] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=8
)


def steps_of(value: Any) -> list[tuple[Step, ...]]:
    pairs: list[tuple[Step, Any]] = []
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = list(enumerate(value))
    return [steps for step, item in pairs for steps in ((step,), *((step, *below) for below in steps_of(item)))]


def yaml_of(value: Any, flow: bool) -> str:
    from io import StringIO

    writer = YAML(typ="safe", pure=True)
    writer.default_flow_style = flow
    writer.width = 40
    out = StringIO()
    writer.dump(value, out)
    return out.getvalue()


def marks(node: Any) -> dict[tuple[Step, ...], tuple[int, int]]:
    """Of each value: the lines, from 1, on which its key and it begin."""
    found: dict[tuple[Step, ...], tuple[int, int]] = {}
    pairs: list[tuple[Step, Any, Any]] = []
    if node.id == "mapping":
        pairs = [(key.value, key, value) for key, value in node.value]
    elif node.id == "sequence":
        pairs = [(place, value, value) for place, value in enumerate(node.value)]
    for step, first, value in pairs:
        found[step,] = (first.start_mark.line + 1, value.start_mark.line + 1)
        found |= {(step, *below): lines for below, lines in marks(value).items()}
    return found


@given(st.dictionaries(NAMES, SHAPES, min_size=1, max_size=3), st.booleans())
def test_it_is_where_a_whole_parser_finds_it(value: dict[str, Any], flow: bool) -> None:
    raw = yaml_of(value, flow)
    real = marks(YAML(typ="safe", pure=True).compose(raw))
    places = YamlPlaces(raw)
    for steps in steps_of(value):
        first, last = real[steps]
        assert first <= places.line(steps) <= last, steps


@given(st.dictionaries(NAMES, SHAPES, max_size=3) | st.lists(SHAPES, max_size=3), st.sampled_from([None, 2, "\t"]))
def test_where_a_value_of_json_stands(value: Any, indent: Any) -> None:
    text = json.dumps(value, indent=indent)
    for steps in steps_of(value):
        line = json_line(text, steps)
        assert 1 <= line <= text.count("\n") + 1
        if indent is None:
            assert line == 1
        elif len(steps) == 1:
            items = (
                value[: steps[0]]
                if isinstance(value, list)
                else [value[k] for k in [*value][: [*value].index(steps[0])]]
            )
            assert line == 2 + sum(json.dumps(item, indent=indent).count("\n") + 1 for item in items)
