import json
from hashlib import sha256
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.yaml.parse import load_yaml
from cairn.lib.yaml.write import canonical_yaml, frontmatter_hash

GOLDEN = Path(__file__).parent / "golden"


def golden(name: str) -> list[Any]:
    cases: list[Any] = json.loads((GOLDEN / name).read_text())
    return cases


PAIRS = list(zip(golden("inputs.json"), golden("outputs.json"), strict=True))


def test_the_table_is_long_enough_to_mean_something() -> None:
    assert len(PAIRS) >= 400


@pytest.mark.parametrize(("value", "text"), PAIRS, ids=range(len(PAIRS)))
def test_the_dump_is_what_js_yaml_writes(value: dict[str, Any], text: str) -> None:
    assert canonical_yaml(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(inf, ".inf"), (-inf, "-.inf"), (nan, ".nan"), (10**400, ".inf"), (-(10**400), "-.inf")]
)
def test_numbers_that_json_cannot_write(value: float, text: str) -> None:
    assert canonical_yaml({"k": value}) == f"k: {text}\n"


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(min_value=-(2**53), max_value=2**53)
    | st.floats(min_value=-(2**53), max_value=2**53)
    | st.text(st.characters(exclude_categories=["Cs"]))
)
KEYS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)


@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_reading_a_dump_gives_the_mapping_back(mapping: dict[str, Any]) -> None:
    assert load_yaml(canonical_yaml(mapping)) == mapping


@given(st.dictionaries(KEYS, SCALARS, max_size=5))
def test_the_order_of_keys_does_not_matter(mapping: dict[str, Any]) -> None:
    assert canonical_yaml(dict(reversed(mapping.items()))) == canonical_yaml(mapping)


@pytest.mark.parametrize(
    ("mapping", "raw", "hashed"),
    [
        ({"b": 1, "a": "x"}, "b: 1\na: 'x'", "a: x\nb: 1\n"),
        ({}, None, "{}\n"),
        ({}, "", "{}\n"),
        ({}, "a: [", "a: ["),
        ({}, "é: [", "é: ["),
    ],
)
def test_the_hash_is_of_the_dump_or_of_the_raw_text_where_there_is_nothing_to_dump(
    mapping: dict[str, Any], raw: str | None, hashed: str
) -> None:
    assert frontmatter_hash(mapping, raw) == sha256(hashed.encode()).digest()
