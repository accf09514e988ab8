"""The published schemas say what the strict reader says, as far as a schema can."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model.knowledge import Layout
from cairn.knowledge.fields import FIELDS, REQUIRED, fields_by_name
from cairn.knowledge.routes import read_strict
from cairn.lib.yaml.parse import load_yaml
from unit.knowledge.pages import CORPORA, LEAST, PATHS, page

FILES: dict[Layout, str] = {"entries": "entry", "nodes": "knowledge-node", "artefacts": "procedure"}


def schema(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((files("cairn.core") / f"schemas/{name}.schema.json").read_text())
    return loaded


VALIDATORS = {
    layout: jsonschema_rs.validator_for(schema(name), validate_formats=True) for layout, name in FILES.items()
}


class Case(NamedTuple):
    layout: Layout
    frontmatter: dict[str, Any]
    wrong: dict[str, str]
    only_reader: bool


def cases() -> dict[str, Case]:
    listed: Any = load_yaml((Path(__file__).parent / "frontmatter.yml").read_text())
    made = {}
    for layout, named in listed.items():
        for name, told in named.items():
            base = {key: value for key, value in LEAST[layout].items() if key not in told.get("drop", ())}
            frontmatter = {**base, **told.get("set", {})}
            made[f"{layout}: {name}"] = Case(layout, frontmatter, told.get("wrong", {}), "schema" in told)
    return made


CASES = cases()


def test_there_are_many_cases() -> None:
    assert len(CASES) >= 80
    assert {case.layout for case in CASES.values()} == set(FILES)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_reader_says_what_is_wrong_and_nothing_else(case: Case) -> None:
    found = read_strict(PATHS[case.layout], page(case.frontmatter), CORPORA[case.layout])
    by_field: dict[str, str] = {}
    warned = [problem for problem in found.warnings if problem.field in case.wrong]  # a long title or summary
    for problem in (*found.errors, *warned):
        by_field[problem.field] = f"{by_field.get(problem.field, '')}{problem.message}\n"
    assert by_field.keys() == case.wrong.keys()
    assert all(part in by_field[field] for field, part in case.wrong.items()), by_field
    assert (found.entry is None) == bool(found.errors)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_schema_says_the_same(case: Case) -> None:
    accepted = VALIDATORS[case.layout].is_valid(case.frontmatter)
    assert accepted == (not case.wrong or case.only_reader)


# --- made-up frontmatter --------------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    ["a", "stable", "fast-moving", "alpha", "high", "map", "practice", "", " ", "2026-01-31", "2026-02-30"]
)
SOURCES = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "url": st.sampled_from(["https://example.org/a", "nothing", 3, None]),
            "path": st.sampled_from(["a/b.py", "a/b.py#c", "/a", "", 3]),
            "anchor": st.sampled_from([None, "#", "#a", "a", 1]),
            "retrieved": st.sampled_from([None, "2026-01-31", "2026-02-30", 1]),
            "hash": st.sampled_from([None, "sha256:" + "0" * 64, "sha256:0", 1]),
            "canon": st.sampled_from([None, 1, 0, "1", True]),
        },
    )
    | WORDS,
    max_size=2,
)
SIMPLE = WORDS | st.none() | st.booleans() | st.integers(-1, 2) | st.lists(WORDS | st.integers(0, 1), max_size=2)


@pytest.mark.parametrize("layout", FILES)
@given(data=st.data())
def test_schema_and_reader_agree_about_anything(layout: Layout, data: st.DataObject) -> None:
    """But for names that differ from the file, and an anchor that is there twice: no schema could say that."""
    own = {"name", "id", "kind"} if layout == "nodes" else {"name", "id"}
    names = st.sampled_from(sorted(fields_by_name(layout).keys() - own - {"sources"}))
    changed = data.draw(st.dictionaries(names, SIMPLE, max_size=4))
    sources = data.draw(st.none() | SOURCES | SIMPLE)
    frontmatter = {**LEAST[layout], **changed, **({"sources": sources} if sources is not None else {})}
    errors = read_strict(PATHS[layout], page(frontmatter), CORPORA[layout]).errors
    said = [problem for problem in errors if "anchor twice" not in problem.message]
    assert VALIDATORS[layout].is_valid(frontmatter) == (not said), said


# --- completeness ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", FILES)
def test_the_schema_has_every_name_of_the_table_and_requires_the_same(layout: Layout) -> None:
    published = schema(FILES[layout])
    described = {name for name, said in published["properties"].items() if said is not False}
    assert described == set(fields_by_name(layout))
    assert set(published["required"]) == REQUIRED[layout]


@pytest.mark.parametrize("name", ["entry", "knowledge-node", "procedure", "routes"])
def test_schemas_are_schemas_that_explain_themselves(name: str) -> None:
    published = schema(name)
    assert published["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert jsonschema_rs.meta.is_valid(published)
    assert published["title"]
    assert published["description"]


def test_the_table_names_each_field_of_the_model_once() -> None:
    attributes = [field.attribute for field in FIELDS]
    assert len(attributes) == len(set(attributes))
