"""Frontmatter against the schema of its kind."""

import pytest

from cairn.graph.validation import Validators
from cairn.plugin import KindSpec
from unit.graph.tiny import bundle, provider, registry_of

SCHEMA = {
    "type": "object",
    "required": ["name", "description", "owner"],
    "properties": {"model": {"enum": ["a", "b"]}, "tools": {"type": "array", "items": {"type": "string"}}},
}
GOOD = {"name": "n", "description": "d", "owner": "o"}

# what is there, and a piece of each sentence about it
CASES: list[tuple[str, dict[str, object], list[str]]] = [
    ("fine", GOOD, []),
    ("a wrong value is named by its place", {**GOOD, "model": "c"}, ["frontmatter `model`: "]),
    ("also inside a list", {**GOOD, "tools": ["x", 3]}, ["frontmatter `tools.1`: "]),
    ("a missing key", {"name": "n", "description": "d"}, ['frontmatter: "owner" is a required property']),
    ("name and description are the analyzer's to report", {"owner": "o"}, []),
    ("every place is reported", {**GOOD, "model": 1, "tools": 2}, ["`model`", "`tools`"]),
]


@pytest.mark.parametrize(("value", "sentences"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_errors(value: dict[str, object], sentences: list[str]):
    found = sorted(Validators().errors("p/k", SCHEMA, value))
    assert len(found) == len(sentences)
    assert all(piece in sentence for piece, sentence in zip(sentences, found, strict=True))


BROKEN = [{"type": "nonsense"}, {"$ref": "https://example.invalid/schema"}, {"pattern": "("}, {"properties": 3}]


@pytest.mark.parametrize("schema", BROKEN, ids=str)
def test_a_schema_that_is_none_is_named_once_and_checks_nothing(schema: dict[str, object]):
    validators = Validators()
    assert [validators.errors("p/page", schema, value) for value in ({}, GOOD)] == [[], []]
    made = provider("p", spec=KindSpec(label="l", color="#fff", schema=schema))
    (failure,) = validators.take_failures(registry_of(bundle("m", {"provider/p": made})).providers)
    assert failure.extension == "m/p"
    assert failure.message.startswith("the schema of its kind `page` is not valid: ")
    assert "\n" not in failure.message


def test_nothing_to_say_about_schemas_that_nobody_needed():
    made = provider("p", spec=KindSpec(label="l", color="#fff", schema={"type": "nonsense"}))
    assert Validators().take_failures(registry_of(bundle("m", {"provider/p": made})).providers) == []
