import json
from importlib.resources import files
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model.knowledge import EntryStatus
from cairn.knowledge.routes import read_routes, read_strict, route_path
from unit.knowledge.pages import CORPORA

FILE = "kb/paths/index.json"
SCHEMA = jsonschema_rs.validator_for(
    json.loads((files("cairn.core") / "schemas/routes.schema.json").read_text()), validate_formats=True
)
ROUTE = {
    "id": "renew",
    "title": "Renew it",
    "status": "beta",
    "version": "0.2.1",
    "sources": [{"id": "web", "priority": 2}],
}


def test_each_route_is_an_entry_of_its_own() -> None:
    found = read_routes(FILE, json.dumps({"paths": [ROUTE, {"id": "apply", "sources": [], "country": "be"}]}))
    assert found.errors == ()
    renew, apply = found.entries
    assert (renew.path, renew.kind, renew.name, renew.title) == (
        route_path(FILE, "renew"),
        "route",
        "renew",
        "Renew it",
    )
    assert (renew.status, renew.version, renew.sources) == (EntryStatus.BETA, "0.2.1", ())
    assert renew.extra == {"sources": [{"id": "web", "priority": 2}]}
    assert (apply.title, apply.extra) == ("apply", {"sources": [], "country": "be"})


# the file, and of each error its field, its line and a part of what is said
FILES: dict[str, tuple[str, list[tuple[str, int, str]]]] = {
    "nothing": ("", [("", 1, "not valid JSON")]),
    "not JSON": ('{\n "paths": [\n  {"id": }\n ]}', [("", 3, "not valid JSON")]),
    "a comma too few": ("[\n1 2\n]", [("", 2, "not valid JSON")]),
    "a key twice": ('[{"id": "a", "id": "b"}]', [("", 1, "`id` is there twice")]),
    "no number": ('[{"id": NaN}]', [("", 1, "`NaN`")]),
    "too deep": ("[" * 100_000, [("", 1, "nested too deeply")]),
    "a long number": ("[" + "9" * 5_000 + "]", [("", 1, "too long")]),
    "a text": ('"x"', [("", 1, "must hold a list")]),
    "another object": ('{"nodes": []}', [("", 1, "`paths`")]),
    "no list": ('{\n"paths": 3}', [("paths", 2, "must be a list")]),
    "no object": ("[\n 3]", [("[0]", 2, "must be an object")]),
    "an id missing": ('[\n {"sources": []}]', [("[0].id", 2, "missing")]),
    "an id wrong": ('[{"sources": [],\n "id": "A b"}]', [("[0].id", 2, "lower-case")]),
    "sources missing": ('[{"id": "a"}]', [("[0].sources", 1, "is missing")]),
    "sources wrong": ('[{"id": "a",\n"sources": {}}]', [("[0].sources", 2, "must be a list")]),
    "a route twice": (
        '{"paths": [{"id": "a", "sources": []},\n{"id": "a", "sources": []}]}',
        [("paths[1].id", 2, "another route")],
    ),
    "a source twice": (
        '[{"id": "a", "sources": [{"id": "x"},\n {"id": "x"}]}]',
        [("[0].sources[1].id", 2, "another source")],
    ),
    "many things": (
        '[{"id": "a", "status": "live", "sources": [\n{"priority": "high",\n"fallback_only": 1}, 7]}]',
        [
            ("[0].status", 1, "must be one of"),
            ("[0].sources[0].id", 2, "is empty"),
            ("[0].sources[0].priority", 2, "must be a number"),
            ("[0].sources[0].fallback_only", 3, "true or false"),
            ("[0].sources[1]", 3, "must be an object"),
        ],
    ),
    "statistics": ('[{"id": "a", "sources": [], "cohort_stats": {}}]', [("[0].cohort_stats", 1, "counted when")]),
    "keyed by id": ('{"paths": {"a": {"sources": []},\n"B": {"sources": []}}}', [("paths.B.id", 2, "lower-case")]),
}
NOT_FOR_SCHEMAS = {"a route twice", "a source twice"}


@pytest.mark.parametrize(("text", "expected"), FILES.values(), ids=FILES)
def test_what_is_wrong_with_a_list_of_routes(text: str, expected: list[tuple[str, int, str]]) -> None:
    found = read_routes(FILE, text).errors
    assert [(p.field, p.line) for p in found] == [(field, line) for field, line, _ in expected]
    assert all(part in p.message for p, (_, _, part) in zip(found, expected, strict=True)), found


@pytest.mark.parametrize("name", [name for name, (text, expected) in FILES.items() if expected[0][0]])
def test_the_schema_refuses_the_same(name: str) -> None:
    assert SCHEMA.is_valid(json.loads(FILES[name][0])) == (name in NOT_FOR_SCHEMAS)


GOOD: list[Any] = [
    [],
    {"paths": []},
    {"routes": [ROUTE]},
    {"version": 3, "paths": {"renew": {**ROUTE, "id": "renew"}, "apply": {"sources": []}}},
    [
        {
            "id": "a_b",
            "sources": [{"id": "x", "priority": 1.5, "fallback_only": None, "more": {}}],
            "requires": [{"id": "c"}],
        }
    ],
]


@pytest.mark.parametrize("value", GOOD, ids=str)
def test_reader_and_schema_take_what_is_good(value: Any) -> None:
    assert read_routes(FILE, json.dumps(value)).errors == ()
    assert SCHEMA.is_valid(value)


def test_the_strict_reader_knows_the_file() -> None:
    found = read_strict(FILE, '[{"id": "a"}]', CORPORA["artefacts"])
    assert found.entry is None
    assert [p.field for p in found.errors] == ["[0].sources"]


def test_routes_with_a_slip_are_still_there() -> None:
    found = read_routes(FILE, '\ufeff[{"id": "a", "status": "live"}, 3, {"title": "b"}]')
    assert [(entry.name, entry.status) for entry in found.entries] == [("a", None)]


@given(
    st.text(max_size=30)
    | st.recursive(
        st.none() | st.integers() | st.text(max_size=4),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["paths", "id", "sources", "priority", "x"]), inner, max_size=4)
        ),
    ).map(lambda value: json.dumps(value, indent=1))
)
def test_no_file_brings_the_reader_down(text: str) -> None:
    assert all(1 <= p.line <= text.count("\n") + 1 for p in read_routes(FILE, text).errors)
